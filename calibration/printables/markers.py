"""Four markers for the corners of the table, on one page."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.printables.shapes import Ink, Point
from calibration.printables.sheet import Paper, Sheets

_WHITE: Ink = (255, 255, 255)
_BLACK: Ink = (0, 0, 0)


@dataclass(frozen=True)
class TableMarkers:
    """What is printed and what the table finder looks for."""

    dictionary: int = cv2.aruco.DICT_4X4_50
    ids: tuple[int, ...] = (0, 1, 2, 3)
    side_mm: float = 50.0
    border_mm: float = 21.0  # white all around: two cells (16.7 mm) and room for the scissors

    @property
    def block_mm(self) -> float:
        return self.side_mm + 2 * self.border_mm


TABLE_MARKERS = TableMarkers()


def marker_cells(dictionary: int, marker: int) -> NDArray[np.bool_]:
    """The marker's cells, border included; true is white."""
    known = cv2.aruco.getPredefinedDictionary(dictionary)
    side = known.markerSize + 2
    return np.asarray(cv2.aruco.generateImageMarker(known, marker, side), np.uint8) > 127


def draw_marker(sheets: Sheets, dictionary: int, marker: int, at: Point, side_mm: float) -> None:
    """Black square first, white cells over it: side by side black cells leave hairlines that break it."""
    cells = marker_cells(dictionary, marker)
    step = side_mm / len(cells)
    sheets.rectangle(at, side_mm, side_mm, _BLACK)
    for row, column in np.argwhere(cells):
        sheets.rectangle((at[0] + column * step, at[1] + row * step), step, step, _WHITE)


def write_markers(path: Path, paper: Paper, markers: TableMarkers = TABLE_MARKERS) -> int:
    """Writes the page; the number of pages."""
    sheets = Sheets(path, paper, "Finito table markers")
    left = (paper.width - 2 * markers.block_mm) / 2
    top = 14.0
    for place, marker in enumerate(markers.ids):
        corner = (left + place % 2 * markers.block_mm, top + place // 2 * markers.block_mm)
        at = (corner[0] + markers.border_mm, corner[1] + markers.border_mm)
        draw_marker(sheets, markers.dictionary, marker, at, markers.side_mm)
        sheets.text((corner[0] + 2, corner[1] + markers.block_mm - 1.5), f"marker {marker}", 2.6)
    _cutting_lines(sheets, (left, top), markers.block_mm)
    words = (
        "Cut along the grey lines and keep the white borders: the camera needs them.",
        "Lay one marker flat in each corner of the table.",
    )
    below = top + 2 * markers.block_mm + 14
    for row, sentence in enumerate(words):
        sheets.text((left, below + 5 * row), sentence, 3.2)
    sheets.ruler((left, below + 22))
    sheets.next_page()
    sheets.save()
    return sheets.pages


def _cutting_lines(sheets: Sheets, corner: Point, step: float) -> None:
    left, top = corner
    for i in range(3):
        sheets.line((left, top + i * step), (left + 2 * step, top + i * step), 0.1, (190, 190, 190))
        sheets.line((left + i * step, top), (left + i * step, top + 2 * step), 0.1, (190, 190, 190))
