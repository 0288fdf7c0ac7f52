"""Cuts out the two corners of a card in which small figures stand, each as if it were the top left one."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.crops import Picture, Quad

WIDTH: Final = 48
HEIGHT: Final = 56
# Of the card's width and height: about 24 by 27 mm, with a rim of what lies around the card.
REGION: Final = (-0.04, -0.03, 0.36, 0.27)
_CARD: Final = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)


def region_in(quad: Quad, region: tuple[float, float, float, float] = REGION) -> NDArray[np.float32]:
    """The corners, in the picture, of a region told in the card's width and height."""
    left, top, right, bottom = region
    box = np.array([[(left, top), (right, top), (right, bottom), (left, bottom)]], np.float32)
    matrix = cv2.getPerspectiveTransform(_CARD, np.ascontiguousarray(quad, np.float32))
    return np.asarray(cv2.perspectiveTransform(box, matrix)[0], np.float32)


def window(
    picture: Picture, quad: Quad, region: tuple[float, float, float, float], size: tuple[int, int]
) -> Picture:
    """A region of the card, brought to a size."""
    source = region_in(quad, region)
    wide = float(np.linalg.norm(source[1] - source[0]))
    finer = 1 + int(wide > 1.6 * size[0]) + 2 * int(wide > 3.2 * size[0])
    onto = _CARD * (np.array(size, np.float32) * finer)
    matrix = cv2.getPerspectiveTransform(source, np.asarray(onto, np.float32))
    cut = cv2.warpPerspective(picture, matrix, (size[0] * finer, size[1] * finer), flags=cv2.INTER_LINEAR)
    return np.asarray(cv2.resize(cut, size, interpolation=cv2.INTER_AREA) if finer > 1 else cut, np.uint8)


def corner_windows(picture: Picture, quads: Sequence[Quad]) -> NDArray[np.uint8]:
    """n × 2 × HEIGHT × WIDTH × 3: the corner at which each quad starts, and the one across."""
    made = np.zeros((len(quads), 2, HEIGHT, WIDTH, 3), np.uint8)
    for i, quad in enumerate(quads):
        for end in (0, 1):
            made[i, end] = window(picture, np.roll(quad, 2 * end, axis=0), REGION, (WIDTH, HEIGHT))
    return made
