"""Each card cell's vote: where the four corners of its card are, and how sure it is of each."""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from vision.finding.maps import (
    CARD,
    LEAN,
    OFFSET_UNIT,
    OFFSETS,
    SPREADS,
    STRIDE,
    Array,
)

_LEAST_SPREAD, _MOST_SPREAD = -5.0, 3.0
_SHORTEST_SIDE = 5.0
_AFTER = np.array([1, 2, 3, 0])
# A vote counts if its card is about as wide as asked for, and its spread not most of that width.
_SLACK, _MOST_DOUBT = 1.3, 0.6


@dataclass(frozen=True)
class Votes:
    """One row per card cell: corners (N×4×2) and their spread (N×4) in pixels of the net's picture."""

    cells: Array
    chance: Array
    corners: Array
    spread: Array

    def __len__(self) -> int:
        return len(self.cells)

    def of(self, rows: Array) -> Votes:
        return Votes(self.cells[rows], self.chance[rows], self.corners[rows], self.spread[rows])


def votes_in(maps: Array, widths: tuple[float, float] = (0.0, np.inf), threshold: float = 0.5) -> Votes:
    """The votes in the net's output (CHANNELS×H×W) for cards of about these widths, the surest first."""
    there = np.flatnonzero(maps[CARD] > np.log(threshold / (1 - threshold)))
    said = np.take(maps.reshape(len(maps), -1), there, axis=1)
    lies_along = said[LEAN] > 0
    offsets = np.where(lies_along, said[OFFSETS : OFFSETS + 8], said[OFFSETS + 8 : SPREADS])
    spread = np.where(lies_along, said[SPREADS : SPREADS + 4], said[SPREADS + 4 :])
    cells = np.stack([there % maps.shape[2], there // maps.shape[2]], axis=1)
    middles = cells * float(STRIDE) + (STRIDE - 1) / 2
    votes = Votes(
        cells=cells,
        chance=1 / (1 + np.exp(-said[CARD])),
        corners=(offsets.T.reshape(-1, 4, 2) * OFFSET_UNIT + middles[:, None]).astype(np.float32),
        spread=np.exp(np.clip(spread.T, _LEAST_SPREAD, _MOST_SPREAD)).astype(np.float32) * OFFSET_UNIT,
    )
    width = short_sides(votes.corners)
    doubt = votes.spread.mean(axis=1) / np.maximum(_SHORTEST_SIDE, width)
    believed = (width > widths[0] / _SLACK) & (width < widths[1] * _SLACK) & (doubt < _MOST_DOUBT)
    order = np.argsort(doubt, kind="stable")
    return votes.of(order[believed[order]])


def side_lengths(corners: Array) -> tuple[float, float]:
    """The first side of a card (4×2) with its opposite, and the other two."""
    a, b, c, d = corners.tolist()  # plain numbers: for four points a call of numpy costs more than the sum
    return math.dist(a, b) + math.dist(c, d), math.dist(b, c) + math.dist(d, a)


def short_sides(corners: Array) -> Array:
    """Width of each card (N×4×2): the shorter one of its two pairs of sides."""
    along = corners[:, _AFTER] - corners
    sides = np.sqrt(np.einsum("ncd,ncd->nc", along, along))
    return np.asarray(np.minimum(sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]) / 2)
