"""One size of a picture beside what the net says of it: what a closer look is cut from."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.finding.maps import BORDER, CARD, OCCLUDER, Array
from vision.frame import Picture


@dataclass(frozen=True, eq=False)
class Sheet:
    """`picture` as the net saw it, one of its pixels being `pixel` of the original's.

    `said` holds the chances (bytes) of card, border and something above the table for every cell.
    """

    picture: Picture
    pixel: float
    said: NDArray[np.uint8]


def free_cells(maps: Array) -> NDArray[np.float32]:
    """The chance for every cell that only the table is there."""
    above, card = 1 / (1 + np.exp(-maps[[OCCLUDER, CARD]]))
    return np.asarray((1 - above) * (1 - card), np.float32)


def sheet_of(padded: Picture, pixel: float, maps: Array) -> Sheet:
    chances = 1 / (1 + np.exp(-maps[[CARD, BORDER, OCCLUDER]]))
    said = np.ascontiguousarray(np.rint(255 * chances).astype(np.uint8).transpose(1, 2, 0))
    return Sheet(padded, pixel, said)
