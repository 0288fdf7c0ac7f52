"""Counts the face-down cards of a whole table: first where cards lie, then each island of them by itself."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from finito.ending.table_view import BoxMm, TableView, islands
from vision.back_counter import BackCounter, PhotoCount
from vision.counting.tally import Corners, CountedCard, Doubt
from vision.frame import Picture

_AT_FIRST: Final = 1.0  # pixels per millimetre of the whole table
_CLOSER: Final = 1.6  # and of an island
_LARGEST: Final = 1500.0  # pixels of an island's longer side
_LEAST: Final = 600.0  # millimetres of an island's longer side, or a lone card would be seen too large
_APART: Final = 40.0  # millimetres between two cards of one island, at most twice that


class TableCounter:
    """A counter of backs for a table that was measured."""

    def __init__(self, counter: BackCounter) -> None:
        self._counter = counter

    def count(self, picture: Picture, view: TableView) -> PhotoCount:
        whole = view.whole
        first = self._counter.count("", view.flat(picture, whole, _AT_FIRST))
        found = [*(card.corners for card in first.cards), *(d.corners for d in first.doubts if d.corners)]
        cards: list[CountedCard] = []
        doubts: list[Doubt] = []
        for box in islands([_in_mm(corners, whole) for corners in found], _APART):
            scale = min(_CLOSER, _LARGEST / max(box[2] - box[0], box[3] - box[1]))
            part = self._counter.count("", _padded(view.flat(picture, box, scale), _LEAST * scale))
            cards += part.cards
            doubts += part.doubts
        return PhotoCount(tuple(cards), tuple(doubts))


def _padded(part: Picture, length: float) -> Picture:
    """The part with table of one colour around it; what lies beside it must not be counted twice."""
    missing = max(0, round(length) - max(part.shape[:2])) // 2
    if not missing:
        return part
    edge = np.concatenate([part[0], part[-1], part[:, 0], part[:, -1]])
    colour = [float(level) for level in np.median(edge, axis=0)]
    around = (missing, missing, missing, missing)
    return np.asarray(cv2.copyMakeBorder(part, *around, cv2.BORDER_CONSTANT, value=colour), np.uint8)


def _in_mm(corners: Corners, whole: BoxMm) -> BoxMm:
    points = np.array(corners) / _AT_FIRST + whole[:2]
    low, high = points.min(axis=0), points.max(axis=0)
    return float(low[0]), float(low[1]), float(high[0]), float(high[1])
