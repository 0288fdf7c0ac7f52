"""Each card cell's vote: where the four corners of its card are, and how sure it is of each."""

from __future__ import annotations

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
    y, x = np.nonzero(maps[CARD] > np.log(threshold / (1 - threshold)))
    said = maps[:, y, x].T
    chart = (said[:, LEAN] <= 0).astype(np.intp)
    rows = np.arange(len(said))
    offsets = said[:, OFFSETS:SPREADS].reshape(-1, 2, 4, 2)[rows, chart]
    spread = said[:, SPREADS:].reshape(-1, 2, 4)[rows, chart]
    middles = np.stack([x, y], axis=1) * float(STRIDE) + (STRIDE - 1) / 2
    votes = Votes(
        cells=np.stack([x, y], axis=1),
        chance=1 / (1 + np.exp(-said[:, CARD])),
        corners=(offsets * OFFSET_UNIT + middles[:, None]).astype(np.float32),
        spread=np.exp(np.clip(spread, _LEAST_SPREAD, _MOST_SPREAD)).astype(np.float32) * OFFSET_UNIT,
    )
    width = short_sides(votes.corners)
    doubt = votes.spread.mean(axis=1) / np.maximum(_SHORTEST_SIDE, width)
    believed = (width > widths[0] / _SLACK) & (width < widths[1] * _SLACK) & (doubt < _MOST_DOUBT)
    order = np.argsort(doubt, kind="stable")
    return votes.of(order[believed[order]])


def short_sides(corners: Array) -> Array:
    """Width of each card (N×4×2): the shorter one of its two pairs of sides."""
    along = corners[:, _AFTER] - corners
    sides = np.sqrt(np.einsum("ncd,ncd->nc", along, along))
    return np.asarray(np.minimum(sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]) / 2)
