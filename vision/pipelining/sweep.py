"""The slow sweep: part after part of the table is looked at even if nothing seems to happen there."""

from __future__ import annotations

from typing import Final

import cv2
import numpy as np

from vision.change import Box, Mask

_EVERY: Final = 0.7  # seconds between two parts
_AT_REST: Final = 2.0  # the same where nothing has moved for a while
_ACROSS, _DOWN = 3, 2
# Seconds without any motion: the whole table is gone over once at full pace after every one.
_RESTS: Final = _ACROSS * _DOWN * _EVERY + 1.0


class Sweep:
    """Takes turns over the parts of the table in which cards may lie."""

    def __init__(self, interest: Mask, t: float) -> None:
        x, y, width, height = cv2.boundingRect(interest)
        self.whole: Box = (x, y, x + width, y + height)
        across = np.linspace(x, x + width, _ACROSS + 1).round().astype(int).tolist()
        down = np.linspace(y, y + height, _DOWN + 1).round().astype(int).tolist()
        self._parts: list[Box] = [
            (across[i], down[j], across[i + 1], down[j + 1]) for j in range(_DOWN) for i in range(_ACROSS)
        ]
        self._turn = 0
        self._last = self._moved = t

    def moved(self, t: float) -> None:
        """Something happened."""
        self._moved = t

    def waits(self, t: float) -> float:
        """For how long the next part has been due, below zero if it is not; a table at rest is gone over
        more slowly."""
        return t - self._last - (_AT_REST if t - self._moved > _RESTS else _EVERY)

    def next(self, t: float) -> Box:
        """The part whose turn it is."""
        self._last = t
        self._turn = (self._turn + 1) % len(self._parts)
        return self._parts[self._turn]
