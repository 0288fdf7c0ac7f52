"""Whole cards that no outline hints at, as dark ones on a dark table: where something is left, a back fits.

Trying all places is dear, so only those are tried that no known card explains and that are not bare table.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.counting.flat_sheet import WIDTH, FlatSheet
from vision.counting.known_backs import KnownBacks
from vision.counting.whole_cards import LaidCard, judged, shared, worth_roughly

Array: TypeAlias = NDArray[Any]

_STEP: Final = 5  # pixels between the places that are tried
_TURNED: Final = np.radians((-8.0, -4.0, 0.0, 4.0, 8.0))
_ALIKE: Final = np.radians(3.0)
_OPEN: Final = 0.6  # of a card around its middle that nothing known explains
_MOST_TRIED, _AT_ONCE = 24_000, 3_000
_MOST_FOUND: Final = 30
_APART: Final = 0.3  # of a card's area that two whole ones share at most
_ROUNDS: Final = 2


def left_over(
    sheet: FlatSheet,
    backs: KnownBacks,
    known: Sequence[LaidCard],
    spread: bool,
    any_angle: bool = False,
) -> list[LaidCard]:
    """Whole cards beside the known ones, the clearest first; where cards are spread, also on bare table.

    A dark card on a dark table seems bare, too: among cards it is worth a try. At `any_angle`, or else they
    lie about as the known ones do.
    """
    new: list[LaidCard] = []
    for _ in range(_ROUNDS):
        cards = [*known, *new]
        more = [
            card
            for card in judged(
                sheet, backs, _starts(sheet, backs, cards, spread, any_angle), [c.pose for c in cards]
            )
            if all(shared(sheet, card.pose, other.pose) <= _APART for other in cards)
        ]
        kept: list[LaidCard] = []
        for card in more:
            if all(shared(sheet, card.pose, other.pose) <= _APART for other in kept):
                kept.append(card)
        new += kept
        if not kept:
            break
    return new


def _starts(
    sheet: FlatSheet, backs: KnownBacks, known: Sequence[LaidCard], spread: bool, any_angle: bool
) -> list[Array]:
    """Places where a card may lie, apart from each other, the likeliest first."""
    poses = _open_places(sheet, known, spread, any_angle)
    if not len(poses):
        return []
    worth = np.concatenate(
        [worth_roughly(sheet, backs, poses[k : k + _AT_ONCE]) for k in range(0, len(poses), _AT_ONCE)]
    )
    chosen: list[Array] = []
    for number in np.argsort(-worth).tolist():
        if len(chosen) >= _MOST_FOUND or worth[number] < 0:
            break
        if all(np.hypot(*(poses[number][:2] - other[:2])) > WIDTH / 3 for other in chosen):
            chosen.append(poses[number])
    return chosen


def _open_places(sheet: FlatSheet, known: Sequence[LaidCard], spread: bool, any_angle: bool) -> Array:
    """Poses (N×3) at which most of a card would show what no known card explains."""
    left = (sheet.bare < 0.5).astype(np.float32)
    if spread and known:
        hull = cv2.convexHull(np.concatenate([sheet.corners(card.pose) for card in known]))
        cv2.fillConvexPoly(left, np.rint(hull).astype(np.int32), 1.0)
    for card in known:
        cv2.fillConvexPoly(left, np.rint(sheet.corners(card.pose)).astype(np.int32), 0.0)
    around = cv2.blur(left, (int(WIDTH), int(WIDTH)), borderType=cv2.BORDER_CONSTANT)
    y, x = np.nonzero(around[::_STEP, ::_STEP] > _OPEN)
    angles = _angles([] if any_angle else [float(card.pose[2]) for card in known])
    places = np.stack([x, y], axis=1) * float(_STEP)
    most = max(1, _MOST_TRIED // len(angles))
    places = places[:: -(-len(places) // most)] if len(places) else places
    return np.array([(*place, angle) for angle in angles for place in places]).reshape(-1, 3)


def _angles(known: Sequence[float]) -> list[float]:
    """How cards may lie: about as others do, or any way where there are none."""
    if not known:
        return [float(np.radians(angle)) for angle in range(0, 180, 6)]
    kept: list[float] = []
    for angle in (own + turn for own in known for turn in _TURNED.tolist()):
        if all(abs((angle - other + np.pi / 2) % np.pi - np.pi / 2) > _ALIKE for other in kept):
            kept.append(angle)
    return kept
