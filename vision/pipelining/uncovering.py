"""Spots that stay hidden though nothing moves over them: looked at again soon, then less and less often.

A hand that rests stays where it is; a shadow or a sleeve that the finder only thought to see does not.
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final

from vision.observations import Spot

_AT_FIRST: Final = 0.2  # seconds
_AT_LONGEST: Final = 1.6


class Uncovering:
    """Remembers for each such spot when to look next."""

    def __init__(self) -> None:
        self._next: dict[Spot, tuple[float, float]] = {}  # when, and how long that was waited for

    def hidden(self, t: float, spots: Iterable[Spot]) -> None:
        """All spots that something hides now without moving."""
        self._next = {spot: self._next.get(spot, (t + _AT_FIRST, _AT_FIRST)) for spot in spots}

    def due(self, t: float) -> set[Spot]:
        """The spots to look at now."""
        now = {spot for spot, (when, _) in self._next.items() if when <= t}
        for spot in now:
            wait = min(2 * self._next[spot][1], _AT_LONGEST)
            self._next[spot] = (t + wait, wait)
        return now
