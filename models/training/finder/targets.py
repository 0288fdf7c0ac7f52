"""What the net shall say about each cell of a picture."""

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.finding.maps import in_chart, leans

_FEWEST_CELLS = 5
_SMALLEST_SIDE = 7.0


@dataclass(frozen=True)
class Cells:
    """Truth per cell. `which` is a cell's card as a row of the tables below it, -1 where there is none."""

    which: NDArray[np.int16]
    border: NDArray[np.bool_]
    occluder: NDArray[np.bool_]
    ignored: NDArray[np.bool_]
    charts: NDArray[np.float32]
    lean: NDArray[np.float32]
    weight: NDArray[np.float32]


def cells_of(
    ids: NDArray[np.int16], numbers: NDArray[np.int32], corners: NDArray[np.float32], padding: int
) -> Cells:
    """Targets for a map of card numbers sampled at the cells' middles; `padding` marks cells to skip."""
    rows = np.full(int(max(numbers.max(initial=0), ids.max(initial=0))) + 1, -1, np.int16)
    rows[numbers] = np.arange(len(numbers))
    inside = ids > 0
    which = np.where(inside, rows[np.maximum(ids, 0)], -1).astype(np.int16)
    border = np.zeros(ids.shape, bool)
    for axis in (0, 1):
        change = np.diff(which, axis=axis) != 0
        before = tuple(slice(None, -1) if a == axis else slice(None) for a in (0, 1))
        after = tuple(slice(1, None) if a == axis else slice(None) for a in (0, 1))
        border[before] |= change
        border[after] |= change
    seen = np.bincount(which[which >= 0], minlength=len(numbers))
    sides = np.linalg.norm(corners - np.roll(corners, 1, axis=1), axis=2).min(axis=1, initial=1e9)
    weight = np.where((seen >= _FEWEST_CELLS) & (sides > _SMALLEST_SIDE), 1 / np.sqrt(np.maximum(seen, 1)), 0)
    tiny = np.append(sides <= _SMALLEST_SIDE, False)
    return Cells(
        which=which,
        border=border & inside,
        occluder=ids == -1,
        ignored=(ids == padding) | tiny[which],
        charts=np.stack([in_chart(corners, chart) for chart in (0, 1)], axis=1).astype(np.float32),
        lean=leans(corners).astype(np.float32),
        weight=weight.astype(np.float32),
    )
