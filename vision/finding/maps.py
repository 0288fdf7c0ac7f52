"""What the finder net says about each cell of a picture, and where in its output.

A card's upright cannot be known from its outline, so its corners are ordered clockwise from the left corner
of the end that its long axis points to. Any rule for "points to" breaks at some angle: there are two charts
whose rules break at right angles to each other, and the `lean` map says which one to use.
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

# The directions along which the charts A and B point, one pixel step right and down, one left and down.
CHART_AXES = np.array([[1.0, 1.0], [-1.0, 1.0]]) / np.sqrt(2)


def long_axes(corners: Array) -> Array:
    """From the foot to the head of each card (N×4×2, own top left first), in pixels."""
    return np.asarray((corners[:, 0] + corners[:, 1] - corners[:, 2] - corners[:, 3]) / 2)


def leans(corners: Array) -> Array:
    """Sine of twice the long axis' angle: chart A is safe where positive, chart B where negative."""
    axes = long_axes(corners)
    return np.asarray(2 * axes[:, 0] * axes[:, 1] / np.maximum(1e-6, (axes**2).sum(axis=1)))


def in_chart(corners: Array, chart: int) -> Array:
    """The same cards with their corners in the order of a chart."""
    turned = long_axes(corners) @ CHART_AXES[chart] < 0
    return np.where(turned[:, None, None], np.roll(corners, 2, axis=1), corners)


def cell_centres(height: int, width: int) -> Array:
    """Picture position (height×width×2) of each cell's middle."""
    y, x = np.mgrid[:height, :width]
    return np.stack([x, y], axis=-1).astype(np.float32) * STRIDE + (STRIDE - 1) / 2
