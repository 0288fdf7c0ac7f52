"""Where something changed and came to rest and no card was found: looked at again soon, closer and wider."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from vision.change import Box
from vision.reading.crops import Quad

# Seconds after the first look, how much larger cards are seen then, and card heights of table around them.
_LOOKS: Final = ((0.13, 1.35, 0.9), (0.27, 0.8, 1.5))
_LARGEST: Final = 5.0  # areas of a card; what is larger is an arm, or the light
_NEAR: Final = 0.3  # card heights around what changed within which a card was found


@dataclass(frozen=True)
class LookAgain:
    """A box of pixels to look at once more; `larger` is how much larger than usual cards are seen."""

    when: float
    box: Box
    larger: float


class LooksAgain:
    """Remembers what is to be looked at again."""

    def __init__(self, size: tuple[int, int]) -> None:
        self._size = size
        self._waiting: list[LookAgain] = []

    def due(self, t: float) -> list[LookAgain]:
        now = [look for look in self._waiting if look.when <= t]
        self._waiting = [look for look in self._waiting if look.when > t]
        return now

    def found(
        self, t: float, settled: Sequence[Box], quads: Sequence[Quad], card: tuple[float, float]
    ) -> None:
        """Boxes of pixels that settled, and the cards that were found; `card` is a card's size there."""
        for box in settled:
            if self._holds_one(box, quads, card[1]):
                self._waiting = [look for look in self._waiting if not _within(box, look.box)]
            elif (box[2] - box[0]) * (box[3] - box[1]) <= _LARGEST * card[0] * card[1]:
                self._waiting += [
                    LookAgain(t + after, self._around(box, margin * card[1]), larger)
                    for after, larger, margin in _LOOKS
                ]

    def _holds_one(self, box: Box, quads: Sequence[Quad], height: float) -> bool:
        around = _NEAR * height
        for quad in quads:
            x, y = quad.mean(axis=0)
            if box[0] - around <= x <= box[2] + around and box[1] - around <= y <= box[3] + around:
                return True
        return False

    def _around(self, box: Box, margin: float) -> Box:
        return (
            max(0, int(box[0] - margin)),
            max(0, int(box[1] - margin)),
            min(self._size[0], int(box[2] + margin) + 1),
            min(self._size[1], int(box[3] + margin) + 1),
        )


def _within(inner: Box, outer: Box) -> bool:
    x, y = (inner[0] + inner[2]) / 2, (inner[1] + inner[3]) / 2
    return outer[0] <= x <= outer[2] and outer[1] <= y <= outer[3]
