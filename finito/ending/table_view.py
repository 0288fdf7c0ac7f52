"""The table seen from straight above, cut out of the camera's picture: cards of one size, and no markers."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table_plane import TablePlane
from calibration.zones import TableZones
from vision.frame import Picture

Array: TypeAlias = NDArray[Any]
BoxMm: TypeAlias = tuple[float, float, float, float]

_AROUND: Final = 90.0  # millimetres around everybody's places: counted cards may lie a little outside
_STEP: Final = 16  # pixels between points that are computed; those between them are interpolated
_PAPER: Final = 1.6  # a marker with its white border, by its side
_BESIDE: Final = 9  # pixels beside a marker that show the table


@dataclass(frozen=True)
class TableView:
    """One camera over one table."""

    plane: TablePlane
    zones: TableZones

    @property
    def whole(self) -> BoxMm:
        """Where cards may lie, in millimetres: left, top, right, bottom."""
        places = [zone for seat in self.zones.seats for zone in seat.places]
        points = [point for zone in places for point in zone.outline(self.zones.card_mm, _AROUND)]
        corners = np.array([*points, *self.zones.centre])
        low, high = corners.min(axis=0), corners.max(axis=0)
        return float(low[0]), float(low[1]), float(high[0]), float(high[1])

    @property
    def papers(self) -> list[Array]:
        """The outlines (4×2, millimetres) of the markers with their white borders."""
        return [_larger(np.array(corners)) for corners in self.plane.markers.values()]

    def flat(self, picture: Picture, box: BoxMm, scale: float) -> Picture:
        """A box of the table at so many pixels per millimetre, with the markers painted over."""
        low, size = np.array(box[:2]), ((box[2] - box[0]) * scale, (box[3] - box[1]) * scale)
        across, down = (max(2, -(-round(length) // _STEP) + 1) for length in size)
        columns, rows = np.meshgrid(np.arange(across) * _STEP, np.arange(down) * _STEP)
        points = np.stack([columns.ravel(), rows.ravel()], axis=1) / scale + low
        pixels = np.asarray(self.plane.pixels(points), np.float32).reshape(down, across, 2)
        whole = _between(pixels)
        view = cv2.remap(
            picture,
            np.ascontiguousarray(whole[..., 0]),
            np.ascontiguousarray(whole[..., 1]),
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_REPLICATE,
        )
        for paper in self.papers:
            _paint_over(view, (paper - low) * scale)
        return np.asarray(view, np.uint8)


def islands(boxes: Sequence[BoxMm], apart: float) -> list[BoxMm]:
    """Boxes that are nearer to each other than `apart`, as one; each with that much around it."""
    whole: list[BoxMm] = []
    for left, top, right, bottom in boxes:
        box = (left - apart, top - apart, right + apart, bottom + apart)
        while touching := [other for other in whole if _meet(other, box)]:
            for other in touching:
                whole.remove(other)
                low, high = np.minimum(other[:2], box[:2]), np.maximum(other[2:], box[2:])
                box = (float(low[0]), float(low[1]), float(high[0]), float(high[1]))
        whole.append(box)
    return whole


def _meet(a: BoxMm, b: BoxMm) -> bool:
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]


def _between(coarse: Array) -> Array:
    """Every pixel's place from that of every sixteenth one."""
    down, across = (length - 1 for length in coarse.shape[:2])
    shares = np.arange(_STEP, dtype=np.float32) / _STEP
    x = (np.arange(across)[:, None] + shares).ravel().astype(np.float32)
    y = (np.arange(down)[:, None] + shares).ravel().astype(np.float32)
    columns, rows = np.meshgrid(x, y)
    return np.asarray(cv2.remap(coarse, columns, rows, cv2.INTER_LINEAR))


def _larger(corners: Array) -> Array:
    middle = corners.mean(axis=0)
    return np.asarray(middle + (corners - middle) * _PAPER)


def _paint_over(view: Array, corners: Array) -> None:
    mask = np.zeros(view.shape[:2], np.uint8)
    cv2.fillPoly(mask, [np.round(corners).astype(np.int32)], 255)
    beside = cv2.subtract(cv2.dilate(mask, np.ones((_BESIDE, _BESIDE), np.uint8)), mask)
    if mask.any() and beside.any():
        view[mask > 0] = np.median(view[beside > 0], axis=0)
