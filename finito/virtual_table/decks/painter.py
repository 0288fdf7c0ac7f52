"""Shapes painted on a picture with smooth edges."""

from __future__ import annotations

from collections.abc import Iterable

import cv2
import numpy as np

from calibration.printables.shapes import Area, Ink, Shape
from finito.virtual_table.decks.deck import PX_PER_MM, Picture, picture_size

_FINER = 3  # drawn larger, then shrunk: edges and thin strokes come out smooth
_SHIFT = 4


def painted(shapes: Iterable[Shape], card_mm: tuple[float, float], paper: Ink) -> Picture:
    """A card-sized BGR picture; what reaches over the edge is cut off."""
    width, height = picture_size(card_mm)
    large = np.empty((height * _FINER, width * _FINER, 3), np.uint8)
    large[:] = paper[::-1]
    scale = PX_PER_MM * _FINER
    for shape in shapes:
        corners = np.rint(np.asarray(shape.points, np.float64) * scale * (1 << _SHIFT)).astype(np.int32)
        colour = (float(shape.ink[2]), float(shape.ink[1]), float(shape.ink[0]))
        if isinstance(shape, Area):
            cv2.fillPoly(large, [corners], colour, cv2.LINE_8, _SHIFT)
        else:
            thickness = max(1, round(shape.width * scale))
            cv2.polylines(large, [corners], shape.closed, colour, thickness, cv2.LINE_8, _SHIFT)
    return np.asarray(cv2.resize(large, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
