"""Where a word about a card can stand without hiding a card or another word."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

_COARSE: Final = 4  # pixels of a cell of the map of what is taken
_WORD, _CARD = 4.0, 1.0  # how bad it is to hide either
_FAR: Final = 2.0  # the way to the card, in sizes of the picture, against a part of the word on a card
_STEPS: Final = 2


class Room:
    """A map of the picture: cards from the start, words as they are placed."""

    def __init__(self, size: tuple[int, int], cards: Sequence[NDArray[np.float32]]) -> None:
        self._height, self._width = size
        self._taken = np.zeros((-(-size[0] // _COARSE), -(-size[1] // _COARSE)), np.float32)
        for corners in cards:
            cv2.fillConvexPoly(self._taken, np.rint(corners / _COARSE).astype(np.int32), _CARD)

    def place(self, corners: NDArray[np.float32], size: tuple[int, int]) -> tuple[int, int]:
        """Left and top of a word of that size for the card; the place is taken from then on."""
        best = min(self._spots(corners, size), key=lambda spot: self._cost(spot, size, corners))
        top, left = slice(*self._rows(best, size)), slice(*self._columns(best, size))
        self._taken[top, left] = _WORD
        return best

    def _spots(self, corners: NDArray[np.float32], size: tuple[int, int]) -> Iterator[tuple[int, int]]:
        """Around the card, near and a little farther, and on its middle."""
        low, high = corners.min(axis=0), corners.max(axis=0)
        middle, extent = (low + high) / 2, np.array(size)
        reach = (high - low) / 2 + extent / 2 + 3
        for step in range(_STEPS):
            for turn in ((0, -1), (0, 1), (-1, 0), (1, 0), (-1, -1), (1, -1), (-1, 1), (1, 1)):
                # At the corners of its box a turned card leaves room.
                near = 0.72 if all(turn) else 1.0
                yield self._within(middle + turn * (near * reach + step * size[1]) - extent / 2, size)
        yield self._within(middle - extent / 2, size)

    def _within(self, spot: NDArray[np.floating], size: tuple[int, int]) -> tuple[int, int]:
        left = float(np.clip(spot[0], 0, max(0, self._width - size[0] - 1)))
        top = float(np.clip(spot[1], 0, max(0, self._height - size[1] - 1)))
        return round(left), round(top)

    def _cost(self, spot: tuple[int, int], size: tuple[int, int], corners: NDArray[np.float32]) -> float:
        hidden = self._taken[slice(*self._rows(spot, size)), slice(*self._columns(spot, size))]
        away = np.array(spot) + np.array(size) / 2 - corners.mean(axis=0)
        return float(hidden.mean()) + _FAR * float(np.hypot(*away)) / max(self._height, self._width)

    @staticmethod
    def _rows(spot: tuple[int, int], size: tuple[int, int]) -> tuple[int, int]:
        return spot[1] // _COARSE, (spot[1] + size[1]) // _COARSE + 1

    @staticmethod
    def _columns(spot: tuple[int, int], size: tuple[int, int]) -> tuple[int, int]:
        return spot[0] // _COARSE, (spot[0] + size[0]) // _COARSE + 1
