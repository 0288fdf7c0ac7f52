"""Rows of cards that were laid out to be counted: each shows about as much as the one above it.

So one look tells where the next card must be, within a few millimetres, and whether it is there. How wide
the steps are is tried from the top: the row that explains most is taken. What is seen goes before evenness: a
card a little off is found where it lies, and where none is seen the whole strip is searched.
"""

from __future__ import annotations

from functools import cached_property
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.counting.flat_sheet import WAYS, FlatSheet, at, placed
from vision.counting.known_backs import KnownBacks
from vision.counting.laid_rows import EDGE_RANGE, FEWEST_POINTS, ROUGHLY, Row
from vision.counting.whole_cards import EDGE_WORTH, POINT_WORTH, LaidCard, same_pose

Array: TypeAlias = NDArray[Any]

# How far the next card may be off an even row: pixels ahead, aside, and radians.
_AHEAD: Final = np.arange(-6.0, 6.1, 2.0)
_ASIDE: Final = np.arange(-9.0, 9.1, 3.0)
_TURNED: Final = np.radians(np.arange(-6.0, 6.1, 3.0))
_CLOSELY: Final = np.stack(np.meshgrid(*[(-1.0, 0.0, 1.0)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)
_REACHES: Final = (np.array([1.2, 1.2, 0.018]), np.array([0.6, 0.6, 0.009]))
_MOST_TRIED: Final = 40
_PLAIN_EDGE, _PLAIN_FIT, _FITS_ALONE = -0.3, 0.45, 0.7
_UNEVEN: Final = 4.0  # what a step costs that differs from the others by a third
# A seam is looked for on every third point of a side, from so far within to so far beyond; lines are so wide.
_SPARSE, _WITHIN, _BEYOND, _HALF = 3, 16, 4, 3
_CLEARER, _NO_SEAM, _GREY = 0.8, 3.0, 1.0
_LEAST_GAIN: Final = 0.0
_MOST_ROWS: Final = 4  # widths of a first step that are tried
_MOST_CARDS: Final = 40
_SAME: Final = (5.0, 0.08)  # pixels and radians


def even_row(sheet: FlatSheet, backs: KnownBacks, top: LaidCard, way: int) -> list[LaidCard]:
    """The cards beneath one, in order, that each show beyond a side of the one above them."""
    row = EvenRow(sheet, backs, top, way)
    rows: list[list[LaidCard]] = []
    for first in row.firsts():
        # A row that passed through here was followed from nearer to the top.
        if not any(same_pose(first.pose, card.pose, *_SAME) for cards in rows for card in cards):
            rows.append(row.beneath(first))
    return max(rows, key=lambda cards: cards[-1].worth, default=[])


class EvenRow(Row):
    """Follows a row card by card."""

    @cached_property
    def _rimless(self) -> bool:
        """Whether the net does not see where the top lies on the next card. A rim has lines of its own."""
        side = self._sheet.sides[self._way]
        return float(self._sheet.borders(self._top.pose, side).mean()) < _PLAIN_EDGE

    def firsts(self) -> list[LaidCard]:
        """Where the first card beneath the top may lie, the nearest first."""
        tried = [self._as_card(pose, self._top) for pose in self._proposed(self._top.pose)[:_MOST_ROWS]]
        return sorted((card for card in tried if card is not None), key=self._step_of)

    def beneath(self, first: LaidCard) -> list[LaidCard]:
        """The row that begins so, as far as it goes."""
        cards = [first]
        while len(cards) < _MOST_CARDS:
            usual = float(np.median([self._step_of(card) for card in cards]))
            card = self._next(cards[-1], usual)
            if card is None or card.gain <= _LEAST_GAIN:
                break
            cards.append(card)
        return cards

    def _step_of(self, card: LaidCard) -> float:
        assert card.beneath is not None
        return self._apart(card.beneath.pose, card.pose)[0]

    def _next(self, above: LaidCard, usual: float) -> LaidCard | None:
        """The card beneath one: where an even row goes on, or else wherever one is seen."""
        assert above.beneath is not None
        turn = above.pose[2] - above.beneath.pose[2]
        card = self._as_card(self._evenly(above.pose, usual, turn), above, usual)
        if card is not None and card.fit.best >= (_PLAIN_FIT if card.edge >= _PLAIN_EDGE else _FITS_ALONE):
            return card
        tried = [self._as_card(pose, above, usual) for pose in self._proposed(above.pose)[:_MOST_ROWS]]
        return max((each for each in (card, *tried) if each is not None), key=lambda c: c.gain, default=None)

    def _edges(self, poses: Array, above: Array, every: int = 1) -> tuple[Array, Array]:
        """As what the net sees, or by the line along which a card without a rim lies on the next one."""
        poses = np.atleast_2d(poses)
        worth, far = super()._edges(poses, above, every)
        if not self._rimless:
            return worth, far
        seam = np.maximum(far, self._seams(poses))
        more = np.clip(seam, *EDGE_RANGE) - np.clip(far, *EDGE_RANGE)
        return worth + EDGE_WORTH * more, seam

    def _seams(self, poses: Array) -> Array:
        """How much clearer a line runs along the far side than beside it, on the net's scale.

        Along the whole of a side, what is printed is about the same everywhere; an edge is not.
        """
        side = self._sheet.sides[self._way][::_SPARSE]
        across = WAYS[self._way] * np.arange(-_WITHIN, _BEYOND + 1)[:, None]
        points = (side[:, None] + across[None]).reshape(-1, 2)
        seen = at(self._sheet.picture, placed(poses, points)).reshape(len(poses), len(side), -1, 3)
        along = seen.mean(axis=1)
        lines = np.abs(along[:, _HALF:-_HALF] - (along[:, : -2 * _HALF] + along[:, 2 * _HALF :]) / 2).mean(
            axis=2
        )
        here = lines[:, -3:].max(axis=1)
        beside = np.median(lines[:, : -2 * _HALF], axis=1)
        return np.asarray(np.clip(_CLEARER * (here / (beside + _GREY) - _NO_SEAM), -4.0, 1.0))

    def _evenly(self, above: Array, usual: float, turn: float) -> Array:
        """The place with the clearest edges about where an even row goes on."""
        grids = np.meshgrid(usual + _AHEAD, _ASIDE, turn / 2 + _TURNED, indexing="ij")
        ahead, aside, turned = (grid.ravel() for grid in grids)
        poses = self._beside(above, ahead, aside, turned)
        edges = self._edges(poses, above)[0] - 0.1 * np.abs(aside) - 0.1 * np.abs(np.degrees(turned))
        likely = poses[np.argsort(-edges)[:_MOST_TRIED]]
        fits, points = self._backs.roughly(self._sheet, likely, above, ROUGHLY)
        worth = np.sort(-edges)[:_MOST_TRIED] * -1 + POINT_WORTH * points * fits
        return np.asarray(likely[int(worth.argmax())])

    def _as_card(self, pose: Array, above: LaidCard, usual: float | None = None) -> LaidCard | None:
        """A place, moved to where edges and strip fit best, as a card of the row."""
        shown = self._shown(pose, above.pose)
        if shown.sum() < FEWEST_POINTS:
            return None
        way = self._backs.fit(self._sheet, pose, shown, ROUGHLY).way
        for reach in _REACHES:
            tried = pose + _CLOSELY * reach
            (fits,) = self._backs.sums(self._sheet, tried[None], [way], shown[None])
            pose = tried[int((self._edges(tried, above.pose)[0] + POINT_WORTH * fits).argmax())]
        return self._judged(pose, above, usual)

    def _judged(self, pose: Array, above: LaidCard, usual: float | None) -> LaidCard | None:
        gain = self._gain(pose, above.pose)
        if gain is None:
            return None
        worth, fit, edge = gain
        if usual is not None:
            off = (self._apart(above.pose, pose)[0] - usual) / usual
            worth -= _UNEVEN * (3 * off) ** 2
        before = above.worth if above.beneath is not None else 0.0
        return LaidCard(pose, fit, edge, before + worth, above, worth)
