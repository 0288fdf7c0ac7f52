"""Cuts cards out of a picture: every card upright or upside down, in a fixed size, with a rim of table."""

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.answers import CROP_HEIGHT, CROP_WIDTH, LIGHT, MARGIN_X, MARGIN_Y

Picture = NDArray[np.uint8]
Quad = NDArray[np.float32]

# Between these ratios of its sides a card seen at a slant may lie either way.
_AMBIGUOUS = (0.87, 1.15)
_NEXT = np.array([1, 2, 3, 0])
INSIDE = np.array(  # corners of the card within its crop
    [
        (MARGIN_X, MARGIN_Y),
        (CROP_WIDTH - MARGIN_X, MARGIN_Y),
        (CROP_WIDTH - MARGIN_X, CROP_HEIGHT - MARGIN_Y),
        (MARGIN_X, CROP_HEIGHT - MARGIN_Y),
    ],
    np.float32,
)
_PICTURE_STEP = 160  # the light is read from a picture of about this many columns


def upright_quad(quad: NDArray[np.floating] | Sequence[Sequence[float]]) -> Quad:
    """Four corners, clockwise in the picture, from a corner from which a short side runs."""
    corners = np.asarray(quad, np.float32).reshape(4, 2)
    if cv2.contourArea(corners, oriented=True) < 0:
        corners = corners[::-1]
    return np.ascontiguousarray(corners[_NEXT] if sides_ratio(corners) > 1 else corners)


def sides_ratio(quad: Quad) -> float:
    """The first side and its opposite against the other two."""
    a, b, c, d = quad.tolist()  # plain numbers: for four points a call of numpy costs more than the sum
    return (math.dist(a, b) + math.dist(c, d)) / max(1e-6, math.dist(b, c) + math.dist(d, a))


def lies_either_way(quad: Quad) -> bool:
    """Whether the sides do not tell which of them are the short ones."""
    return _AMBIGUOUS[0] < sides_ratio(quad) < _AMBIGUOUS[1]


def cut_out(picture: Picture, quad: Quad) -> Picture:
    """The card as a crop of CROP_WIDTH × CROP_HEIGHT; what lies outside the picture is black."""
    a, b, c, d = quad.tolist()
    tall = max(math.dist(a, d), math.dist(b, c))
    finer = 1 + int(tall > 1.6 * CROP_HEIGHT) + 2 * int(tall > 3.2 * CROP_HEIGHT)
    matrix = cv2.getPerspectiveTransform(np.ascontiguousarray(quad), INSIDE * np.float32(finer))
    size = (CROP_WIDTH * finer, CROP_HEIGHT * finer)
    crop = cv2.warpPerspective(picture, matrix, size, flags=cv2.INTER_LINEAR)
    if finer > 1:
        crop = cv2.resize(crop, (CROP_WIDTH, CROP_HEIGHT), interpolation=cv2.INTER_AREA)
    return np.asarray(crop, np.uint8)


def light_of(picture: Picture) -> NDArray[np.float32]:
    """What the whole picture says about the light: mean and bright end of each channel, 0 to 1."""
    step = max(1, picture.shape[1] // _PICTURE_STEP)
    few = np.ascontiguousarray(picture[::step, ::step].reshape(-1, 3).T)
    light = np.ones(LIGHT, np.float32)
    light[:3] = few.mean(axis=1) / 255
    light[3:6] = np.percentile(few, 95, axis=1) / 255
    return light
