"""The ChArUco board that shows the lens its own faults."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.printables.markers import draw_marker
from calibration.printables.sheet import Paper, Sheets


@dataclass(frozen=True)
class LensBoard:
    """The board's geometry, for the printer and for the lens calibration alike."""

    columns: int = 5
    rows: int = 7
    square_mm: float = 34.0
    marker_mm: float = 25.0
    dictionary: int = (
        cv2.aruco.DICT_5X5_50
    )  # another one than the table's, so that none is taken for the other

    @property
    def size_mm(self) -> tuple[float, float]:
        return self.columns * self.square_mm, self.rows * self.square_mm

    def opencv(self) -> cv2.aruco.CharucoBoard:
        """The same board for `cv2.aruco.CharucoDetector`; lengths in millimetres."""
        dictionary = cv2.aruco.getPredefinedDictionary(self.dictionary)
        return cv2.aruco.CharucoBoard((self.columns, self.rows), self.square_mm, self.marker_mm, dictionary)


LENS_BOARD = LensBoard()


def write_board(path: Path, paper: Paper, board: LensBoard = LENS_BOARD) -> int:
    """Writes the page; the number of pages."""
    sheets = Sheets(path, paper, "Finito lens board")
    left, top = (paper.width - board.size_mm[0]) / 2, 12.0
    known = board.opencv()
    marked: set[tuple[int, int]] = set()
    for marker, corners in zip(np.ravel(known.getIds()), known.getObjPoints(), strict=True):
        x, y = (float(value) for value in np.asarray(corners)[0][:2])
        marked.add((int(x // board.square_mm), int(y // board.square_mm)))
        draw_marker(sheets, board.dictionary, int(marker), (left + x, top + y), board.marker_mm)
    for column in range(board.columns):
        for row in range(board.rows):
            if (column, row) not in marked:
                at = (left + column * board.square_mm, top + row * board.square_mm)
                sheets.rectangle(at, board.square_mm, board.square_mm, (0, 0, 0))
    below = top + board.size_mm[1]
    sheets.text((left, below + 6), "Lens board: glue it to something flat, then show it to the camera.", 2.8)
    sheets.ruler((left, below + 14))
    sheets.next_page()
    sheets.save()
    return sheets.pages
