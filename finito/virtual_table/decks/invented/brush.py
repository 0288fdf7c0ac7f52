"""Quick painting on a card picture: polygons with smooth edges, masks stamped in an ink."""

from __future__ import annotations

from functools import lru_cache

import cv2
import numpy as np
from numpy.typing import NDArray

from finito.virtual_table.decks.deck import Picture
from finito.virtual_table.decks.invented.inks import Colour

Points = NDArray[np.float64]
_SHIFT = 4


def blank(size: tuple[int, int], colour: Colour) -> Picture:
    picture = np.empty((size[1], size[0], 3), np.uint8)
    cv2.rectangle(picture, (0, 0), size, colour, cv2.FILLED)  # far quicker than broadcasting
    return picture


def fill(picture: Picture, points: Points, colour: Colour) -> None:
    cv2.fillPoly(picture, [_fixed(points)], colour, cv2.LINE_AA, _SHIFT)


def line(picture: Picture, points: Points, width: float, colour: Colour, closed: bool = False) -> None:
    cv2.polylines(picture, [_fixed(points)], closed, colour, max(1, round(width)), cv2.LINE_AA, _SHIFT)


def _fixed(points: Points) -> NDArray[np.int32]:
    return np.rint(points * (1 << _SHIFT)).astype(np.int32)


def stamp(picture: Picture, mask: Picture, left: int, top: int, colour: Colour) -> None:
    """Ink through a mask whose top left lies there; parts outside the picture are cut off."""
    height, width = picture.shape[:2]
    x0, y0 = max(left, 0), max(top, 0)
    x1, y1 = min(left + mask.shape[1], width), min(top + mask.shape[0], height)
    if x0 >= x1 or y0 >= y1:
        return
    cover = mask[y0 - top : y1 - top, x0 - left : x1 - left]
    region = picture[y0:y1, x0:x1]
    region[:] = overlay(region, blank((x1 - x0, y1 - y0), colour), cover)


def overlay(under: Picture, over: Picture, cover: Picture) -> Picture:
    """One picture over another through a mask of the same size."""
    share = cover.astype(np.float32) * np.float32(1 / 255)
    return np.asarray(cv2.blendLinear(over, np.ascontiguousarray(under), share, 1.0 - share), np.uint8)


@lru_cache(maxsize=64)
def disc_kernel(radius: int) -> Picture:
    size = 2 * radius + 1
    return np.asarray(cv2.getStructuringElement(cv2.MORPH_ELLIPSE, (size, size)), np.uint8)


def oval(
    centre: tuple[float, float], radii: tuple[float, float], tilt: float = 0.0, steps: int = 64
) -> Points:
    angles = np.linspace(0, 2 * np.pi, steps, endpoint=False)
    cos, sin = np.cos(np.radians(tilt)), np.sin(np.radians(tilt))
    x, y = radii[0] * np.cos(angles), radii[1] * np.sin(angles)
    return np.stack([centre[0] + x * cos - y * sin, centre[1] + x * sin + y * cos], axis=1)


def rounded(left: float, top: float, right: float, bottom: float, radius: float) -> Points:
    radius = max(0.0, min(radius, (right - left) / 2, (bottom - top) / 2))
    if radius < 0.5:
        return np.array([(left, top), (right, top), (right, bottom), (left, bottom)], np.float64)
    quarter = np.linspace(0, np.pi / 2, 7)
    corners = ((right, bottom, 0), (left, bottom, 1), (left, top, 2), (right, top, 3))
    parts = [
        np.stack(
            [
                x + (-radius if turn in (0, 3) else radius) + radius * np.cos(quarter + turn * np.pi / 2),
                y + (-radius if turn in (0, 1) else radius) + radius * np.sin(quarter + turn * np.pi / 2),
            ],
            axis=1,
        )
        for x, y, turn in corners
    ]
    return np.concatenate(parts)


def moved(points: Points, at: tuple[float, float], scale: float, degrees: float = 0.0) -> Points:
    cos, sin = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    turn = np.array([[cos, sin], [-sin, cos]])
    return np.asarray(points @ turn * scale + np.asarray(at), np.float64)
