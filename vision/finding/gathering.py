"""Votes that mean the same card: the surest one left gathers all that agree; their mean gathers once more.

Corners are complex numbers here, x + iy: how far two are apart is then one call, and there are many calls.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np

from vision.finding.maps import Array
from vision.finding.votes import Votes

FEWEST_CELLS: Final = 4
_MOST_GROUPS: Final = 400
# Votes agree when their corners differ by so many of their own spreads, and by this part of a card's width.
_SPREADS_APART: Final = 2.2
_WIDTHS_APART: Final = 0.3
_NARROWEST: Final = 4.0
_LEAST_SPREAD: Final = 0.5
# Votes of one card may start at neighbouring corners where it lies between the charts.
_TURNS: Final = np.array([[1, 2, 3, 0], [3, 0, 1, 2]])


@dataclass(frozen=True)
class Group:
    """Votes that mean one card: their rows, and their corners in the order of the first of them."""

    rows: Array
    corners: Array


class Gathering:
    """Votes, the surest first, sorted by where they put the middle of their card."""

    def __init__(self, votes: Votes) -> None:
        corners = np.ascontiguousarray(votes.corners, np.float32).view(np.complex64)[..., 0]
        middles = corners.astype(np.complex128).mean(axis=1)
        self.order = np.argsort(middles.real, kind="stable")
        self._middles = middles[self.order]
        self._across = np.ascontiguousarray(self._middles.real)
        self._corners = corners[self.order]
        self._spread = np.asarray(votes.spread[self.order], np.float32)
        self._weight = weight_of(self._spread)
        self._left = np.ones(len(votes), bool)

    def groups(self) -> list[Group]:
        """Rows are those of the votes as they were given."""
        found: list[Group] = []
        surest = np.empty_like(self.order)
        surest[self.order] = np.arange(len(self.order))
        left = self._left.data  # the same memory, quicker to ask one by one
        for seed in surest.tolist():
            if not left[seed]:
                continue
            left[seed] = False
            rows, corners = self._agreeing(self._corners[seed], self._spread[seed])
            if len(rows) + 1 < FEWEST_CELLS:
                continue
            left[seed] = True
            rows, corners = self._agreeing(*self._mean(rows, corners))
            self._left[rows] = False
            left[seed] = False
            if len(rows) >= FEWEST_CELLS:
                found.append(Group(self.order[rows], corners))
                if len(found) == _MOST_GROUPS:
                    break
        return found

    def _agreeing(self, corners: Array, spread: Array) -> tuple[Array, Array]:
        """The places of the votes left that mean this card, and their corners in its order."""
        a, b, c, d = corners.tolist()
        width = max(_NARROWEST, min(abs(b - a) + abs(d - c), abs(c - b) + abs(a - d)) / 2)
        reach, middle = _WIDTHS_APART * width, (a + b + c + d) / 4
        low, high = self._across.searchsorted((middle.real - reach, middle.real + reach))
        close = np.abs(self._middles[low:high] - middle) <= reach
        close &= self._left[low:high]
        rows = close.nonzero()[0]
        if len(rows) + 1 < FEWEST_CELLS:
            return rows[:0], self._corners[:0]
        rows += low
        aligned, own = self._corners[rows], self._spread[rows]
        apart = np.abs(aligned - corners)
        off = apart.sum(axis=1)
        other = (off >= 4 * reach).nonzero()[0]
        if len(other):
            turned = aligned[other][:, _TURNS]
            every = np.abs(turned - corners)
            sums = every.sum(axis=2)
            best, each = sums.argmin(axis=1), np.arange(len(other))
            aligned[other], apart[other], off[other] = turned[each, best], every[each, best], sums[each, best]
            own[other] = own[other[:, None], _TURNS[best]]
        own += spread + np.float32(0.02 * width)
        apart /= own
        near = (apart.sum(axis=1) < 4 * _SPREADS_APART) & (off < 4 * reach)
        return rows[near], aligned[near]

    def _mean(self, rows: Array, corners: Array) -> tuple[Array, Array]:
        weight = self._weight[rows]
        total = weight.sum(axis=0)
        return (corners * weight).sum(axis=0) / total, (self._spread[rows] * weight).sum(axis=0) / total


def weight_of(spread: Array) -> Array:
    """What a corner with this spread counts for in a mean."""
    return np.asarray(1 / np.maximum(spread, _LEAST_SPREAD) ** 2)
