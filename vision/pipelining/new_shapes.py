"""Cards that the finder does not find, such as blank ones: by the shape of what was put on the table."""

from __future__ import annotations

from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.change import Box, Mask
from vision.pipelining.geometry import Geometry
from vision.reading.crops import Quad

_SIZE_OFF: Final = 0.15  # how much larger or smaller than a card its shape may be, either way
_FULL: Final = 0.86  # share of the rectangle around it that a card fills
_SPECK: Final = np.ones((3, 3), np.uint8)


def card_shapes(put_there: Mask, box: Box, geometry: Geometry) -> list[Quad]:
    """Corners, in pixels, of whatever in a box of cells has a card's shape and size, and was put there."""
    x0, y0, x1, y1 = box
    part = cv2.morphologyEx(put_there[y0:y1, x0:x1], cv2.MORPH_OPEN, _SPECK)
    outlines, _ = cv2.findContours(part, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
    found = (
        _card_of(each.reshape(-1, 2) + np.array((x0, y0)), geometry) for each in outlines if len(each) > 3
    )
    return [quad for quad in found if quad is not None]


def _card_of(cells: NDArray[Any], geometry: Geometry) -> Quad | None:
    corners = geometry.plane.mm((cells + 0.5) * geometry.scale)
    if not np.isfinite(corners).all():
        return None
    points = np.asarray(corners, np.float32)
    middle, (width, height), turn = cv2.minAreaRect(points)
    if width > height:
        width, height, turn = height, width, turn + 90
    x, y = float(middle[0]), float(middle[1])
    cell = _cell_mm(geometry, (x, y))  # outlines run through the middles of cells
    card = geometry.zones.card_mm
    off = max(abs((width + cell) / card[0] - 1), abs((height + cell) / card[1] - 1))
    if off > _SIZE_OFF or cv2.contourArea(points) < _FULL * width * height:
        return None
    return geometry.quad((x, y), (turn + 90) % 180)


def _cell_mm(geometry: Geometry, middle: tuple[float, float]) -> float:
    (pixel,) = geometry.plane.pixels(np.array([middle]))
    width = geometry.card_width((float(pixel[0]), float(pixel[1])))
    return float(geometry.scale * geometry.zones.card_mm[0] / width)
