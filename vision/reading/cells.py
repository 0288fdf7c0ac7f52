"""A cut-out card as a grid of small cells: what is drawn in each, and its colour.

A card that is half hidden, or lit from one side, still shows most of its cells as they were enrolled.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.answers import CROP_HEIGHT, CROP_WIDTH

Floats = NDArray[np.float32]

ROWS: Final = 9
COLUMNS: Final = 6
CELLS: Final = ROWS * COLUMNS
_HALF: Final = (CROP_WIDTH // 2, CROP_HEIGHT // 2)  # cards are often seen no finer than that
_FIRST: Final = 3  # rows and columns of the halved crop before the first cell
_STEP: Final = 5
_WINDOW: Final = 7  # a cell is seen with a little of its neighbours
SHIFTS: Final = _STEP * _STEP  # corners are never exact: a cell may lie up to two pixels beside its place
_DARKEST: Final = 10.0  # of 255: below it colours are noise
# Lightness, red against blue, and green against both, of the logarithms of blue, green and red: light of
# another colour or strength adds the same to all cells.
_OPPONENT: Final = np.array([(1, 1, 1), (-1, 0, 1), (-1, 2, -1)], np.float32) / np.sqrt(
    np.array([[3], [2], [6]], np.float32)
)


def _waves() -> tuple[Floats, Floats]:
    """Slow waves over a window, without the mean: twelve for lightness, five for each colour."""
    at = (np.arange(_WINDOW) + 0.5) * np.pi / _WINDOW
    lines = [np.cos(at * u) * np.sqrt(2 / _WINDOW if u else 1 / _WINDOW) for u in range(4)]
    pairs = [(u, v) for u in range(4) for v in range(4) if 0 < u + v <= 4]
    fine = np.stack([np.outer(lines[u], lines[v]).ravel() for u, v in pairs], axis=1)
    coarse = fine[:, [i for i, (u, v) in enumerate(pairs) if u + v <= 2]]
    return fine.astype(np.float32), coarse.astype(np.float32)


_FINE, _COARSE = _waves()


@dataclass(frozen=True, eq=False)
class Cells:
    """Of n crops: the drawing (CELLS × n × … × waves), strength and mean colour (… × 3) of places."""

    drawing: Floats
    strength: Floats
    colour: Floats

    def __getitem__(self, chosen: NDArray[np.intp]) -> Cells:
        return Cells(self.drawing[:, chosen], self.strength[:, chosen], self.colour[:, chosen])


def cells_of(crops: NDArray[np.uint8]) -> Cells:
    """The cells of n crops, each where the grid has it (CELLS × n)."""
    seen = _windows(_opponent(crops))[:, 2 : ROWS * _STEP : _STEP, 2 : COLUMNS * _STEP : _STEP]
    return _described(np.moveaxis(seen, 0, 2).reshape(CELLS, len(crops), 3, _WINDOW, _WINDOW))


def cells_nearby(crops: NDArray[np.uint8]) -> Cells:
    """The cells of n crops, each at all the places it may have been moved to (CELLS × n × SHIFTS)."""
    seen = _windows(_opponent(crops))[:, : ROWS * _STEP, : COLUMNS * _STEP]
    count, window = len(crops), (3, _WINDOW, _WINDOW)
    apart = seen.reshape(count, ROWS, _STEP, COLUMNS, _STEP, *window)
    return _described(apart.transpose(1, 3, 0, 2, 4, 5, 6, 7).reshape(CELLS, count, SHIFTS, *window))


def _opponent(crops: NDArray[np.uint8]) -> Floats:
    small = [cv2.resize(crop, _HALF, interpolation=cv2.INTER_AREA) for crop in crops]
    logs = np.log(np.stack(small).astype(np.float32) + _DARKEST)
    return np.asarray(logs @ _OPPONENT.T, np.float32)


def _windows(pictures: Floats) -> Floats:
    """Around every pixel from (_FIRST, _FIRST) on."""
    assert _WINDOW // 2 == _FIRST
    return np.lib.stride_tricks.sliding_window_view(pictures, (_WINDOW, _WINDOW), axis=(1, 2))


def _described(windows: Floats) -> Cells:
    flat = np.ascontiguousarray(windows).reshape(*windows.shape[:-2], _WINDOW * _WINDOW)
    parts = (flat[..., 0, :] @ _FINE, flat[..., 1, :] @ _COARSE, flat[..., 2, :] @ _COARSE)
    drawing = np.concatenate(parts, axis=-1)
    return Cells(drawing, np.einsum("...k,...k->...", drawing, drawing), flat.mean(axis=-1))
