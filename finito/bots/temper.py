"""How quick and how attentive a bot is. Times are those of people at a table, in seconds."""

from __future__ import annotations

import math
from dataclasses import dataclass
from random import Random
from types import MappingProxyType
from typing import Final

# (before the hand leaves, to the grip, to the release, back home): medians of a player of middling skill
_MEDIANS: Final = MappingProxyType(
    {
        "play": (0.55, 0.22, 0.38, 0.30),
        "follow": (0.12, 0.20, 0.36, 0.30),
        "build": (0.50, 0.20, 0.28, 0.22),
        "refill": (0.10, 0.18, 0.24, 0.16),
        "turn": (0.34, 0.18, 0.62, 0.20),
        "recycle": (0.25, 0.30, 0.55, 0.20),
        "shuffle": (0.25, 0.30, 2.00, 0.30),
        "take_back": (0.10, 0.32, 0.40, 0.22),
        "finito": (0.30, 0.00, 0.00, 0.00),
    }
)
_NARROW: Final = 0.18
_WIDE: Final = 0.32


def around(rng: Random, median: float, spread: float = _NARROW) -> float:
    """A time near the median; never less than half of it, never more than about twice."""
    if median == 0.0:
        return 0.0
    return median * min(2.1, max(0.5, math.exp(rng.gauss(0.0, spread))))


@dataclass(frozen=True, slots=True)
class Temper:
    """One player's ways: factors on the times of thinking and moving, and what is overlooked."""

    thinking: float
    moving: float
    attention: float
    boldness: float

    def times(self, deed: str, rng: Random) -> tuple[float, float, float, float]:
        """Thinking, reaching, carrying, returning."""
        think, reach, carry, back = _MEDIANS[deed]
        return (
            around(rng, think * self.thinking, _WIDE),
            around(rng, reach * self.moving),
            around(rng, carry * self.moving),
            around(rng, back * self.moving),
        )


def temper(rng: Random, pace: float) -> Temper:
    """A player as they come: some quick, some slow. A pace of 2 plays twice as fast."""
    return Temper(
        thinking=around(rng, 1.0, 0.2) / pace,
        moving=around(rng, 1.0, 0.1) / pace,
        attention=rng.uniform(0.8, 0.97),
        boldness=rng.uniform(0.2, 0.7),
    )
