"""Where everybody sits: the places of each player and the polygons around them, in table millimetres."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from referee.actions import Hand
from referee.places import ESPRESSO, HAND, HELPS, WASTE, Seat

Point = tuple[float, float]
Polygon = tuple[Point, ...]

ROW: Final = (ESPRESSO, *HELPS[:3], WASTE)
GAP: Final = 10.0
# The deck is held behind the row, on the side of the hand that does not play.
_HELD: Final = (74.0, 118.0)
_MARGIN: Final = 4.5

# For each number of players: seat, middle of the row, degrees by which the seat is turned (0 is south).
_SEATS: Final[dict[int, tuple[tuple[Seat, float, float, float], ...]]] = {
    2: ((Seat.SOUTH, 0, 200, 0), (Seat.NORTH, 0, -200, 180)),
    3: ((Seat.SOUTH, 0, 205, 0), (Seat.NORTH_WEST, -335, -115, 128), (Seat.NORTH_EAST, 335, -115, 232)),
    4: (
        (Seat.SOUTH, 0, 212, 0),
        (Seat.WEST, -450, 0, 90),
        (Seat.NORTH, 0, -212, 180),
        (Seat.EAST, 450, 0, 270),
    ),
    5: (
        (Seat.SOUTH, 0, 222, 0),
        (Seat.WEST, -495, 25, 84),
        (Seat.NORTH_WEST, -212, -215, 172),
        (Seat.NORTH_EAST, 212, -215, 188),
        (Seat.EAST, 495, 25, 276),
    ),
    6: (
        (Seat.SOUTH, 0, 232, 0),
        (Seat.SOUTH_WEST, -472, 190, 58),
        (Seat.NORTH_WEST, -472, -190, 122),
        (Seat.NORTH, 0, -232, 180),
        (Seat.NORTH_EAST, 472, -190, 238),
        (Seat.SOUTH_EAST, 472, 190, 302),
    ),
}


@dataclass(frozen=True)
class Home:
    """One player's side of the table. `u` runs to the right as the player sees it, `v` towards the player."""

    player: str
    seat: Seat
    x: float
    y: float
    angle: float
    side: Hand
    card_mm: tuple[float, float]

    def at(self, u: float, v: float) -> Point:
        cos, sin = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        return self.x + u * cos - v * sin, self.y + u * sin + v * cos

    @property
    def playing(self) -> Literal["left", "right"]:
        return "left" if self.side == "left" else "right"

    @property
    def handed(self) -> float:
        """1 for a player who plays with the right hand, -1 for the left."""
        return 1.0 if self.playing == "right" else -1.0

    def place(self, name: str) -> Point:
        if name == HAND:
            return self.at(-self.handed * _HELD[0], _HELD[1])
        return self.at((ROW.index(name) - 2) * (self.card_mm[0] + GAP), 0.0)

    def shoulder(self, hand: str) -> Point:
        return self.at(150.0 if hand == "right" else -150.0, 520.0)

    def zone(self, name: str) -> Polygon:
        """The polygon of a place, a little larger than a card."""
        return box_around(self.place(name), self.angle, self.card_mm)


def box_around(middle: Point, angle: float, card_mm: tuple[float, float]) -> Polygon:
    """A card's rectangle with a margin."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    w, h = card_mm[0] / 2 + _MARGIN, card_mm[1] / 2 + _MARGIN
    x, y = middle
    return tuple(
        (x + u * cos - v * sin, y + u * sin + v * cos) for u, v in ((-w, -h), (w, -h), (w, h), (-w, h))
    )


def homes(players: Sequence[tuple[str, Hand]], card_mm: tuple[float, float]) -> dict[str, Home]:
    """The homes of two to six players with their playing hands, from south clockwise."""
    seats = _SEATS[len(players)]
    return {
        name: Home(name, seat, x, y, angle, side, card_mm)
        for (name, side), (seat, x, y, angle) in zip(players, seats, strict=True)
    }


def home_zones(everybody: dict[str, Home]) -> dict[str, Polygon]:
    """All places of all players by name: `pizza espresso`, `pizza help1`, … `pizza hand`."""
    return {f"{home.player} {name}": home.zone(name) for home in everybody.values() for name in (*ROW, HAND)}
