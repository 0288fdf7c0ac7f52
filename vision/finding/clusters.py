"""Votes that agree make a card."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property

import cv2
import numpy as np

from vision.finding.gathering import Gathering, Group, weight_of
from vision.finding.maps import STRIDE, Array
from vision.finding.votes import Votes, short_sides, side_lengths

_SAME_CARD = 0.12
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
        across, down = side_lengths(self.corners)
        return min(across, down) / 2

    @property
    def slimness(self) -> float:
        """Width by height."""
        return self.width / max(1.0, sum(side_lengths(self.corners)) / 2 - self.width)

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
        return math.fsum(self.spread.tolist()) / len(self.spread) / max(1.0, self.width)

    @property
    def direction(self) -> float:
        """Of its long sides, in radians."""
        a, b, c, d = self.corners.tolist()
        across, down = side_lengths(self.corners)
        ends = (a, b, c, d) if across > down else (b, c, d, a)
        (ax, ay), (bx, by), (cx, cy), (dx, dy) = ends
        return math.atan2(by - ay + cy - dy, bx - ax + cx - dx)

    def voted_within(self, corners: Array) -> float:
        """The part of its cells that lie within a quad (4×2, clockwise) of the picture."""
        places = ((corners + 0.5) / self.pixel - 0.5).astype(np.float32)
        quad = np.ascontiguousarray(places).view(np.complex64).reshape(1, 4)
        return float(_within(self.at, quad, np.zeros(len(self.at), np.intp)).mean()) if len(self.at) else 0.0

    def in_picture(self, pixel: float, bare: float | None = None) -> Cluster:
        """The same card in a picture of which the net saw a smaller one."""
        return replace(
            self,
            corners=(self.corners + 0.5) * pixel - 0.5,
            spread=self.spread * pixel,
            pixel=pixel,
            bare=self.bare if bare is None else bare,
        )


def clusters_of(votes: Votes) -> list[Cluster]:
    """Votes that agree as one cluster each, those of most cells first."""
    groups = Gathering(votes).groups() if len(votes) else []
    if not groups:
        return []
    groups.sort(key=lambda group: -len(group.rows))
    seen = _Measures(votes, groups)
    return [seen.cluster(parts) for parts in _merged(seen.corners, seen.widths)]


class _Measures:
    """What can be said of groups of votes, of all at once: a call for each would cost more than its work."""

    def __init__(self, votes: Votes, groups: Sequence[Group]) -> None:
        sizes = np.array([len(group.rows) for group in groups])
        rows = np.concatenate([group.rows for group in groups])
        aligned = np.concatenate([group.corners for group in groups])
        self._starts = np.concatenate([[0], np.cumsum(sizes)])
        whose = np.repeat(np.arange(len(groups)), sizes)
        spread = votes.spread[rows]
        weight = weight_of(spread)
        total = self._sums(weight)
        mean = self._sums(aligned * weight) / total
        self.corners = np.ascontiguousarray(mean).view(np.float32).reshape(-1, 4, 2)
        self.widths = short_sides(self.corners)
        wide = np.maximum(1.0, self.widths.astype(np.float64))
        self._spread = self._sums(spread * weight) / total
        apart = np.abs(aligned - mean[whose]).mean(axis=1, dtype=np.float64)
        self._chance = self._sums(np.asarray(votes.chance[rows], np.float64)) / sizes
        self._agreement = self._sums(apart) / sizes / wide
        self._at = votes.cells[rows]
        self._inside = self._sums(_within(self._at, mean, whose).astype(np.float64)) / sizes
        self._weight = np.exp(-((apart / (_HALF_AGREED * wide)[whose]) ** 2))

    def _sums(self, values: Array) -> Array:
        return np.asarray(np.add.reduceat(values, self._starts[:-1], axis=0))

    def cluster(self, parts: Sequence[int]) -> Cluster:
        """The first group with the cells of all."""
        first, spans = parts[0], [slice(self._starts[i], self._starts[i + 1]) for i in parts]
        at, weight = (
            kept[spans[0]] if len(spans) == 1 else np.concatenate([kept[span] for span in spans])
            for kept in (self._at, self._weight)
        )
        return Cluster(
            corners=self.corners[first],
            spread=self._spread[first],
            cells=len(at),
            chance=float(self._chance[first]),
            agreement=float(self._agreement[first]),
            inside=float(self._inside[first]),
            at=at,
            weight=weight,
        )


def _within(cells: Array, corners: Array, whose: Array) -> Array:
    """Which cells lie within the convex quad that they belong to."""
    quads = corners.astype(np.complex128)
    sides = (np.roll(quads, -1, axis=1) - quads)[whose]
    points = (cells[:, 0] + 1j * cells[:, 1]) * STRIDE + (STRIDE - 1) / 2 * (1 + 1j)
    away = points[:, None] - quads[whose]
    return np.asarray((sides.real * away.imag - sides.imag * away.real >= 0).all(axis=1))


def bare_part(corners: Array, free: Array) -> float:
    """The mean, over the cells of a quad within the picture, of the chance that only the table is there."""
    places = (corners - (STRIDE - 1) / 2) / STRIDE
    across, down = places.T.tolist()
    left, top = max(0, math.floor(min(across))), max(0, math.floor(min(down)))
    right, below = (
        min(math.ceil(max(along)) + 1, size)
        for along, size in zip((across, down), free.shape[::-1], strict=True)
    )
    if right <= left or below <= top:
        return 0.0
    mask = np.zeros((below - top, right - left), np.uint8)
    cv2.fillConvexPoly(mask, np.rint(places - (left, top)).astype(np.int32), 1)
    return float(cv2.mean(free[top:below, left:right], mask)[0])


def _merged(corners: Array, widths: Array) -> list[list[int]]:
    """The groups, the largest first, that each card is made of: corners all but coincide where it is one."""
    quads = np.ascontiguousarray(corners).view(np.complex64)[..., 0]
    middles, near = quads.mean(axis=1), _SAME_CARD * widths
    first, second = np.nonzero(np.triu(np.abs(middles[:, None] - middles) < near[:, None], 1))
    apart = np.abs(quads[second][:, _ORDERS] - quads[first][:, None]).mean(axis=2).min(axis=1)
    larger: dict[int, list[int]] = {}
    for one, other in np.stack([first, second], axis=1)[apart < near[first]].tolist():
        larger.setdefault(other, []).append(one)
    kept: dict[int, list[int]] = {}
    for i in range(len(quads)):
        home = next((j for j in larger.get(i, ()) if j in kept), None)
        kept.setdefault(i if home is None else home, []).append(i)
    return list(kept.values())
