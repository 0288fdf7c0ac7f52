"""What one frame tells the tracker, in table millimetres."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Literal

from referee.actions import Hand
from vision.observations import Chances, Spot


@dataclass(frozen=True, slots=True)
class LaidCard:
    """A card that lies still and free: its middle, its turn in degrees (mod 180), and what it shows.

    `t` and `frame` are those of the first frame since which it lies there. Where no spot was known before,
    `since`, `reach` and `hand` tell what was seen of its place.
    """

    x: float
    y: float
    angle: float
    shows: Literal["face", "back"]
    faces: Chances = ()
    backs: Chances = ()
    t: float = 0.0
    frame: int = 0
    visible: float = 1.0
    since: float | None = None
    reach: Chances = ()
    hand: Hand | None = None


@dataclass(frozen=True, slots=True)
class Hidden:
    """A spot that cannot be seen well, and whose arms are over it."""

    reach: Chances = ()
    hand: Hand | None = None


@dataclass(frozen=True, slots=True)
class Bare:
    """A spot that was looked at closely and freely, and there is no card."""

    spot: Spot
    t: float
    frame: int


@dataclass(frozen=True, slots=True)
class Sighting:
    """All that a frame tells: cards where it was looked closely, bare spots, and what is hidden now."""

    t: float
    frame: int
    cards: tuple[LaidCard, ...] = ()
    bare: tuple[Bare, ...] = ()
    hidden: Mapping[Spot, Hidden] = field(default_factory=dict)
    told_until: float | None = None  # what settled after that is not told yet
