"""Which card of an enrolment photo lies where in its grid, however the photo was taken.

The photo is first seen from straight above, with the plane that the cards themselves give; there, rows and
columns are those of an honest grid but for a slip here and there.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.table_plane import CARD_MM, plane_from_cards
from vision.errors import VisionError
from vision.reading.crops import upright_quad

Array: TypeAlias = NDArray[Any]

_ROW_GAP: Final = 0.5  # of a card's height: centres nearer than that are of one row
_DOUBLED: Final = 0.6  # of the usual step: nearer cards share a place
_BESIDE: Final = 2.5  # card widths: as far as a neighbour can be


class BadGrid(VisionError):
    """A photo whose cards do not form the grid that was asked for."""


@dataclass(frozen=True)
class GridPlace:
    """A card of the photo (its index) and its place, rows and columns from 0."""

    card: int
    row: int
    column: int


def grid_places(quads: Sequence[Array], size: tuple[int, int]) -> list[GridPlace]:
    """Every card's place: rows from top to bottom of the picture, columns from left to right.

    Places may be empty or taken twice; the first column is the leftmost that any row has.
    """
    if not quads:
        return []
    standing = np.stack([upright_quad(quad) for quad in quads]).astype(np.float64)
    level = _from_above(standing, size)
    centres, wide, tall = _along_rows(level)
    rows = _rows(centres[:, 1], _ROW_GAP * tall)
    step = _step(centres, rows, wide)
    return _with_columns(centres[:, 0], rows, step)


def _from_above(quads: Array, size: tuple[int, int]) -> Array:
    """The quads as seen from straight above; as they are where the cards give no plane."""
    try:
        plane = plane_from_cards(quads, size, card_mm=CARD_MM)
    except CalibrationError:
        return quads
    level = plane.mm(quads.reshape(-1, 2)).reshape(quads.shape)
    return level if np.isfinite(level).all() else quads


def _along_rows(quads: Array) -> tuple[Array, float, float]:
    """Centres with x along the rows and y down the columns, and the usual width and height of a card."""
    long = (quads[:, 2] + quads[:, 3] - quads[:, 0] - quads[:, 1]) / 2
    short = (quads[:, 1] + quads[:, 2] - quads[:, 0] - quads[:, 3]) / 2
    wide, tall = (float(np.median(np.linalg.norm(side, axis=1))) for side in (short, long))
    centres = quads.mean(axis=1)
    angle = _mean_axis(short)
    turned = _turned(centres, -angle)
    beside = _neighbour_steps(turned, wide, tall)
    if len(beside):  # a row may run a little aslant to its cards
        turned = _turned(turned, -float(np.median(np.arctan2(beside[:, 1], beside[:, 0]))))
    return turned, wide, tall


def _mean_axis(vectors: Array) -> float:
    """The usual direction of lines without a sense, within a quarter turn of the picture's x axis."""
    doubled = 2 * np.arctan2(vectors[:, 1], vectors[:, 0])
    return float(np.arctan2(np.sin(doubled).mean(), np.cos(doubled).mean()) / 2)


def _turned(points: Array, angle: float) -> Array:
    cos, sin = np.cos(angle), np.sin(angle)
    return np.asarray(points @ np.array([[cos, sin], [-sin, cos]]))


def _neighbour_steps(centres: Array, wide: float, tall: float) -> Array:
    """From each card to the next on its right."""
    steps = []
    for centre in centres:
        off = centres - centre
        right = off[(off[:, 0] > 0.5 * wide) & (off[:, 0] < _BESIDE * wide) & (abs(off[:, 1]) < 0.4 * tall)]
        if len(right):
            steps.append(right[np.argmin(right[:, 0])])
    return np.array(steps).reshape(-1, 2)


def _rows(y: Array, gap: float) -> list[list[int]]:
    """Indices by row; a row ends where the next centre lies farther than the gap."""
    order = np.argsort(y, kind="stable")
    rows: list[list[int]] = [[int(order[0])]]
    for before, after in pairwise(order):
        if y[after] - y[before] > gap:
            rows.append([])
        rows[-1].append(int(after))
    return rows


def _step(centres: Array, rows: list[list[int]], wide: float) -> float:
    """The usual distance from column to column."""
    apart = np.concatenate([np.diff(np.sort(centres[row, 0])) for row in rows])
    apart = apart[apart > 0.5 * wide]
    return float(np.median(apart)) if len(apart) else 1.2 * wide


def _with_columns(x: Array, rows: list[list[int]], step: float) -> list[GridPlace]:
    columns: list[list[int]] = []
    starts: list[float] = []
    ordered = [sorted(row, key=lambda card: float(x[card])) for row in rows]
    for row in ordered:
        own = [0]
        for before, after in pairwise(row):
            apart = (x[after] - x[before]) / step
            own.append(own[-1] + (0 if apart < _DOUBLED else max(1, round(float(apart)))))
        columns.append(own)
        starts.append(
            float(np.median([x[card] - step * column for card, column in zip(row, own, strict=True)]))
        )
    # The longest rows start where the grid does; the others are placed beside them.
    longest = max(own[-1] for own in columns)
    usual = [start for start, own in zip(starts, columns, strict=True) if own[-1] == longest]
    first = float(np.median(usual))
    moved = [round((start - first) / step) for start in starts]
    least = min(moved)
    return [
        GridPlace(card, number, column + shift - least)
        for number, (row, own, shift) in enumerate(zip(ordered, columns, moved, strict=True))
        for card, column in zip(row, own, strict=True)
    ]
