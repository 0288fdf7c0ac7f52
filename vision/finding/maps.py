"""What the finder net says about each cell of a picture, and where in its output.

A card's upright cannot be seen from its outline, so its corners are told apart by where they are in the
picture. Any rule for the first corner breaks at some angle: there are two charts whose rules break half a
right angle apart, and the `lean` map says which one to use.
"""

from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

STRIDE = 4
PADDED_TO = 32
# Corner offsets are learnt in units of so many pixels.
OFFSET_UNIT = 32.0

CARD, BORDER, OCCLUDER, LEAN = 0, 1, 2, 3
OFFSETS = 4
SPREADS = OFFSETS + 16
CHANNELS = SPREADS + 8

# The first corner is the leftmost and uppermost one (chart A, for upright cards), or the uppermost (chart B).
CHART_KEYS = np.array([[1.0, 1.0], [0.0, 1.0]])


def leans(corners: Array) -> Array:
    """1 for cards (N×4×2) along the picture's sides, where chart A is safe; -1 for diagonal ones, chart B."""
    sides = np.roll(corners, -1, axis=1) - corners
    length = np.maximum(1e-6, np.sqrt((sides**2).sum(axis=2)))
    turn = ((sides[..., 0] + 1j * sides[..., 1]) / length) ** 4
    turn = (turn * length).sum(axis=1) / length.sum(axis=1)
    return np.asarray(turn.real / np.maximum(1e-6, np.abs(turn)))


def in_chart(corners: Array, chart: int) -> Array:
    """The same cards with their corners, still clockwise, in the order of a chart."""
    first = np.argmin(corners @ CHART_KEYS[chart], axis=1)
    order = (first[:, None] + np.arange(4)) % 4
    return np.take_along_axis(corners, order[:, :, None], axis=1)


def cell_centres(height: int, width: int) -> Array:
    """Picture position (height×width×2) of each cell's middle."""
    y, x = np.mgrid[:height, :width]
    return np.stack([x, y], axis=-1).astype(np.float32) * STRIDE + (STRIDE - 1) / 2
