"""Pictures of what calibration found, for people to check with one look."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import BoardSighting, Lens
from calibration.markers import SeenMarker
from calibration.table_plane import TablePlane
from calibration.zones import TableZones

Array: TypeAlias = NDArray[Any]

_GRID: Final = 100.0  # millimetres
_YELLOW: Final = (40, 220, 255)
_GREEN: Final = (80, 220, 60)
_PINK: Final = (220, 80, 255)
_WHITE: Final = (255, 255, 255)
_BLACK: Final = (0, 0, 0)


def drawn_table(
    picture: Array, plane: TablePlane, markers: Sequence[SeenMarker], cards: Array, zones: TableZones | None
) -> Array:
    """The picture with a grid of 100 mm on the table, the markers, cards and places that were found."""
    drawing = np.array(picture)
    _draw_grid(drawing, plane)
    for quad in np.asarray(cards).reshape(-1, 4, 2):
        _outline(drawing, quad, _GREEN)
    for marker in markers:
        _outline(drawing, marker.corners, _PINK)
        _write(drawing, f"marker {marker.id}", marker.corners.mean(axis=0))
    if zones is not None:
        _outline(drawing, plane.pixels(np.array(zones.centre)), _YELLOW)
        for seat in zones.seats:
            for zone in seat.places:
                corners = plane.pixels(np.array(zone.outline(zones.card_mm)))
                _outline(drawing, corners, _YELLOW)
                _write(drawing, f"{seat.seat} {zone.place}", corners.mean(axis=0))
    return drawing


def drawn_board(picture: Array, sighting: BoardSighting, lens: Lens) -> Array:
    """A picture of the board with its corners, and beside it the same as a pinhole camera would show it."""
    drawing = np.array(picture)
    for x, y in sighting.corners:
        cv2.circle(drawing, (round(x), round(y)), _thick(drawing) * 3, _PINK, _thick(drawing), cv2.LINE_AA)
    straight = cv2.undistort(drawing, lens.matrix, np.array(lens.bend))
    return np.hstack([drawing, straight])


def _draw_grid(drawing: Array, plane: TablePlane) -> None:
    width, height = plane.size
    edge = np.array([[x, y] for x in np.linspace(0, width - 1, 9) for y in np.linspace(0, height - 1, 9)])
    seen = plane.mm(edge)
    seen = seen[np.isfinite(seen).all(axis=1) & (np.abs(seen) < 3000).all(axis=1)]
    if not len(seen):
        return
    low, high = np.floor(seen.min(axis=0) / _GRID), np.ceil(seen.max(axis=0) / _GRID)
    for axis in (0, 1):
        along = np.linspace(low[1 - axis] * _GRID, high[1 - axis] * _GRID, 60)
        for step in np.arange(low[axis], high[axis] + 1):
            line = np.empty((60, 2))
            line[:, axis], line[:, 1 - axis] = step * _GRID, along
            _polyline(drawing, plane.pixels(line), _WHITE, 2 if step == 0 else 1)


def _outline(drawing: Array, corners: Array, colour: tuple[int, int, int]) -> None:
    _polyline(drawing, np.vstack([corners, corners[:1]]), colour, _thick(drawing))


def _polyline(drawing: Array, points: Array, colour: tuple[int, int, int], thick: int) -> None:
    limit = 4 * max(drawing.shape)
    near = np.clip(np.nan_to_num(points), -limit, limit)
    cv2.polylines(drawing, [np.round(near * 16).astype(np.int32)], False, colour, thick, cv2.LINE_AA, 4)


def _write(drawing: Array, words: str, at: Array) -> None:
    size = max(drawing.shape) / 2600
    for colour, thick in ((_BLACK, 3 * _thick(drawing)), (_WHITE, _thick(drawing))):
        (width, height), _ = cv2.getTextSize(words, cv2.FONT_HERSHEY_SIMPLEX, size, thick)
        spot = (round(at[0] - width / 2), round(at[1] + height / 2))
        cv2.putText(drawing, words, spot, cv2.FONT_HERSHEY_SIMPLEX, size, colour, thick, cv2.LINE_AA)


def _thick(drawing: Array) -> int:
    return max(1, int(max(drawing.shape) / 1000 + 0.5))
