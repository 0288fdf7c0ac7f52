"""Votes that agree make a card."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np
from scipy.spatial import cKDTree

from vision.finding.maps import STRIDE, Array
from vision.finding.votes import Votes, short_sides

# Votes agree when their corners differ by so many of their own spreads, and by this part of a card's width.
_SPREADS_APART = 2.2
_WIDTHS_APART = 0.3
_FEWEST_CELLS = 4
_SAME_CARD = 0.12
_MOST_CLUSTERS = 400
_ORDERS = np.array([[0, 1, 2, 3], [1, 2, 3, 0], [3, 0, 1, 2]])
# Votes that differ by this part of a card's width agree about half.
_HALF_AGREED = 0.12


def _nowhere() -> Array:
    return np.zeros((0, 2), np.intp)


@dataclass(frozen=True)
class Cluster:
    """A card as its cells see it; corners and spread in pixels, `pixel` of which are one of the net's."""

    corners: Array
    spread: Array
    cells: int
    chance: float
    agreement: float
    inside: float
    bare: float = 0.0  # the part of the card's area where the net sees neither a card nor something above it
    pixel: float = 1.0
    at: Array = field(default_factory=_nowhere)  # its cells (N×2) in the net's output
    weight: Array = field(default_factory=_nowhere)  # how well each of them agrees, 0 to 1

    @cached_property
    def width(self) -> float:
        return float(short_sides(self.corners[None])[0])

    @property
    def slimness(self) -> float:
        """Width by height."""
        sides = np.sqrt(((np.roll(self.corners, -1, axis=0) - self.corners) ** 2).sum(axis=1))
        return self.width / max(1.0, float(sides.sum() / 2) - self.width)

    @cached_property
    def area(self) -> float:
        return float(cv2.contourArea(self.corners.astype(np.float32)))

    @property
    def seen(self) -> float:
        """Area of its cells."""
        return self.cells * (STRIDE * self.pixel) ** 2

    @property
    def visible(self) -> float:
        """The part of the card that its cells cover."""
        return float(min(1.0, self.seen / max(1.0, self.area)))

    @property
    def doubt(self) -> float:
        """Mean spread of its corners in card widths."""
        return float(self.spread.mean()) / max(1.0, self.width)

    def in_picture(self, pixel: float) -> Cluster:
        """The same card in a picture of which the net saw a smaller one."""
        return replace(
            self, corners=(self.corners + 0.5) * pixel - 0.5, spread=self.spread * pixel, pixel=pixel
        )


def clusters_of(votes: Votes) -> list[Cluster]:
    """Greedy: the surest vote left gathers all that agree with it; their mean gathers once more."""
    found: list[Cluster] = []
    if not len(votes):
        return found
    middles = cKDTree(votes.corners.mean(axis=1), balanced_tree=False)
    left = np.ones(len(votes), bool)
    for seed in range(len(votes)):
        if not left[seed]:
            continue
        left[seed] = False
        rows, aligned = _agreeing(votes, middles, left, votes.corners[seed], votes.spread[seed])
        if len(rows) + 1 < _FEWEST_CELLS:
            continue
        left[seed] = True
        centre, spread = _mean(aligned, votes.spread[rows])
        rows, aligned = _agreeing(votes, middles, left, centre, spread)
        left[rows] = False
        left[seed] = False
        if len(rows) >= _FEWEST_CELLS:
            found.append(_cluster(votes.of(rows), aligned))
            if len(found) == _MOST_CLUSTERS:
                break
    return _merged(found)


def _agreeing(
    votes: Votes, middles: cKDTree, left: Array, corners: Array, spread: Array
) -> tuple[Array, Array]:
    """The rows of the votes left that mean this card, and their corners in its order."""
    width = max(4.0, float(short_sides(corners[None])[0]))
    close = np.array(middles.query_ball_point(corners.mean(axis=0), _WIDTHS_APART * width), np.intp)
    rows = close[left[close]]
    if len(rows) + 1 < _FEWEST_CELLS:
        return rows[:0], votes.corners[:0]
    aligned, apart, own = votes.corners[rows], np.empty((len(rows), 4), np.float32), votes.spread[rows]
    apart[:] = _apart(aligned, corners)
    # Votes of one card may start at neighbouring corners where it lies between the charts.
    other = np.flatnonzero(apart.mean(axis=1) >= _WIDTHS_APART * width)
    if len(other):
        rolled = aligned[other][:, _ORDERS]
        every = _apart(rolled, corners)
        turn, each = every.sum(axis=2).argmin(axis=1), np.arange(len(other))
        aligned[other], apart[other] = rolled[each, turn], every[each, turn]
        own[other] = own[other[:, None], _ORDERS[turn]]
    relative = (apart / (own + spread + 0.02 * width)).mean(axis=1)
    near = (relative < _SPREADS_APART) & (apart.mean(axis=1) < _WIDTHS_APART * width)
    return rows[near], aligned[near]


def _apart(many: Array, corners: Array) -> Array:
    away = many - corners
    return np.asarray(np.sqrt(np.einsum("...cd,...cd->...c", away, away)))


def _mean(corners: Array, spread: Array) -> tuple[Array, Array]:
    weight = 1 / np.maximum(spread, 0.5) ** 2
    total = weight.sum(axis=0)
    mean = (corners * weight[:, :, None]).sum(axis=0) / total[:, None]
    return mean, (spread * weight).sum(axis=0) / total


def _cluster(votes: Votes, aligned: Array) -> Cluster:
    corners, spread = _mean(aligned, votes.spread)
    apart = np.sqrt(((aligned - corners) ** 2).sum(axis=2)).mean(axis=1)
    width = max(1.0, float(short_sides(corners[None])[0]))
    return Cluster(
        corners=corners,
        spread=spread,
        cells=len(votes),
        chance=float(votes.chance.mean()),
        agreement=float(apart.mean() / width),
        inside=_inside(votes.cells * float(STRIDE) + (STRIDE - 1) / 2, corners),
        at=votes.cells,
        weight=np.exp(-((apart / (_HALF_AGREED * width)) ** 2)),
    )


def _inside(points: Array, corners: Array) -> float:
    """The part of the points that lies within a convex quad."""
    sides = np.roll(corners, -1, axis=0) - corners
    away = points[:, None] - corners
    return float(np.all(sides[:, 0] * away[..., 1] - sides[:, 1] * away[..., 0] >= 0, axis=1).mean())


def bare_part(corners: Array, free: Array) -> float:
    """The mean, over the cells of a quad within the picture, of the chance that only the table is there."""
    places = (corners - (STRIDE - 1) / 2) / STRIDE
    low = np.maximum(np.floor(places.min(axis=0)).astype(int), 0)
    high = np.minimum(np.ceil(places.max(axis=0)).astype(int) + 1, free.shape[::-1])
    if (high <= low).any():
        return 0.0
    mask = np.zeros((high[1] - low[1], high[0] - low[0]), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(places - low).astype(np.int32), 1)
    covered = int(mask.sum())
    return float((free[low[1] : high[1], low[0] : high[0]] * mask).sum()) / covered if covered else 0.0


def _merged(clusters: list[Cluster]) -> list[Cluster]:
    """Clusters whose corners all but coincide are one card."""
    ordered = sorted(clusters, key=lambda one: -one.cells)
    if not ordered:
        return []
    corners = np.stack([one.corners for one in ordered])
    widths = short_sides(corners)
    kept: list[int] = []
    parts = [[one] for one in ordered]
    for i in range(len(ordered)):
        if kept:
            rolled = corners[i][_ORDERS][:, None]
            apart = np.sqrt(((rolled - corners[kept]) ** 2).sum(axis=3)).mean(axis=2).min(axis=0)
            same = np.flatnonzero(apart < _SAME_CARD * widths[kept])
            if len(same):
                parts[kept[int(same[0])]].append(ordered[i])
                continue
        kept.append(i)
    return [_with(parts[i]) for i in kept]


def _with(parts: list[Cluster]) -> Cluster:
    """The first one with the cells of all."""
    return replace(
        parts[0],
        cells=sum(part.cells for part in parts),
        at=np.concatenate([part.at for part in parts]),
        weight=np.concatenate([part.weight for part in parts]),
    )
