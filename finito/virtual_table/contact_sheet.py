"""A sheet of random stills, to look at: `python -m finito.virtual_table.contact_sheet docs/stills.jpg`."""

from __future__ import annotations

import sys
from itertools import islice

import cv2
import numpy as np

from finito.errors import BadInput
from finito.virtual_table.stills import stills

COLUMNS, ROWS, SIZE, GAP = 6, 4, (256, 144), 4


def contact_sheet(seed: int = 7) -> np.ndarray[tuple[int, ...], np.dtype[np.uint8]]:
    """Twenty-four stills in a grid, as BGR."""
    width, height = SIZE[0] + GAP, SIZE[1] + GAP
    sheet = np.full((ROWS * height, COLUMNS * width, 3), 255, np.uint8)
    for place, rendered in enumerate(islice(stills(seed, "validation"), COLUMNS * ROWS)):
        row, column = divmod(place, COLUMNS)
        small = cv2.resize(rendered.picture, SIZE, interpolation=cv2.INTER_AREA)
        sheet[row * height : row * height + SIZE[1], column * width : column * width + SIZE[0]] = small
    return sheet


def main(path: str) -> None:
    if not cv2.imwrite(path, contact_sheet(), [cv2.IMWRITE_JPEG_QUALITY, 85]):
        raise BadInput(f"{path}: cannot be written; choose another place")


if __name__ == "__main__":
    main(sys.argv[1])
