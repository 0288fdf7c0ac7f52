"""Where something new came to rest and no card was found there: looked at again soon, closer and wider."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from vision.change import Box
from vision.reading.crops import Quad

# Seconds after the first look, how much larger cards are seen then, and card heights of table around them.
_LOOKS: Final = ((0.13, 1.35, 0.9), (0.27, 0.8, 1.5), (0.55, 1.0, 0.6), (1.1, 1.35, 1.2))
_LARGEST: Final = 5.0  # areas of a card; what is larger is an arm, or the light
_NEAR: Final = 0.3  # card heights around what is new within which a card was found
_FORGETS: Final = 2.0  # seconds after which a place that never gave a card may be looked at anew


@dataclass(frozen=True)
class LookAgain:
    """A box of pixels to look at once more; `larger` is how much larger than usual cards are seen.

    `core` is what is new there.
    """

    when: float
    box: Box
    larger: float
    core: Box


class LooksAgain:
    """Remembers what is to be looked at again."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._size = size
        self._waiting: list[LookAgain] = []
        self._asked: list[tuple[float, Box]] = []

    def due(self, t: float) -> list[LookAgain]:
        now = [look for look in self._waiting if look.when <= t]
        self._waiting = [look for look in self._waiting if look.when > t]
        return now

    def wanted(self, t: float, new: Sequence[Box], card: tuple[float, float]) -> None:
        """Boxes of pixels with something new that no card explains; `card` is a card's size there."""
        self._asked = [(when, core) for when, core in self._asked if t - when < _FORGETS]
        for core in new:
            small = (core[2] - core[0]) * (core[3] - core[1]) <= _LARGEST * card[0] * card[1]
            if not small or any(_within(core, other) for _, other in self._asked):
                continue
            self._asked.append((t, _wider(core, _NEAR * card[1])))
            self._waiting += [
                LookAgain(t + after, self._around(core, margin * card[1]), larger, core)
                for after, larger, margin in _LOOKS
            ]

    def found(self, quads: Sequence[Quad], height: float) -> None:
        """Cards of that height that were found meanwhile: what lies there is known."""
        for quad in quads:
            x, y = (float(v) for v in quad.mean(axis=0))
            self._waiting = [
                look for look in self._waiting if not _holds(_wider(look.core, _NEAR * height), x, y)
            ]
            self._asked = [(when, core) for when, core in self._asked if not _holds(core, x, y)]

    def _around(self, box: Box, margin: float) -> Box:
        left, top, right, bottom = _wider(box, margin)
        return max(0, left), max(0, top), min(self._size[0], right), min(self._size[1], bottom)


def _wider(box: Box, margin: float) -> Box:
    return int(box[0] - margin), int(box[1] - margin), int(box[2] + margin) + 1, int(box[3] + margin) + 1


def _within(inner: Box, outer: Box) -> bool:
    return _holds(outer, (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2)


def _holds(box: Box, x: float, y: float) -> bool:
    return box[0] <= x <= box[2] and box[1] <= y <= box[3]
