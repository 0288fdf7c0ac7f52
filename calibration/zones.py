"""Who sits where and where their cards lie, in table millimetres (x right, y south)."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Final, TypeAlias

from calibration.errors import CalibrationError
from referee.places import ESPRESSO, HELPS, WASTE, Seat

Point: TypeAlias = tuple[float, float]
Polygon: TypeAlias = tuple[Point, ...]

MARGIN: Final = 9.0  # millimetres around a card within which it still lies in its place
CENTRE: Final = "centre"


@dataclass(frozen=True)
class PlaceZone:
    """A place for one card or stack: its middle, and the direction of its owner in degrees (0 south)."""

    place: str
    x: float
    y: float
    angle: float

    def outline(self, card_mm: Point, margin: float = MARGIN) -> Polygon:
        """The four corners, clockwise from the top left as the owner sees it."""
        w, h = card_mm[0] / 2 + margin, card_mm[1] / 2 + margin
        cos, sin = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        corners = ((-w, -h), (w, -h), (w, h), (-w, h))
        return tuple((self.x + u * cos - v * sin, self.y + u * sin + v * cos) for u, v in corners)

    def holds(self, point: Point, card_mm: Point, margin: float = MARGIN) -> bool:
        cos, sin = math.cos(math.radians(self.angle)), math.sin(math.radians(self.angle))
        dx, dy = point[0] - self.x, point[1] - self.y
        along, across = dx * cos + dy * sin, dy * cos - dx * sin
        return abs(along) <= card_mm[0] / 2 + margin and abs(across) <= card_mm[1] / 2 + margin


@dataclass(frozen=True)
class SeatZone:
    """A seat with its places; `angle` is the direction in which the player sits (0 south, 90 west)."""

    seat: Seat
    angle: float
    places: tuple[PlaceZone, ...]

    def place(self, name: str) -> PlaceZone:
        for zone in self.places:
            if zone.place == name:
                return zone
        known = ", ".join(zone.place for zone in self.places)
        raise CalibrationError(f"{self.seat} has no place called {name}; it has {known}")


@dataclass(frozen=True)
class TableZones:
    """All seats, clockwise from south, and the part of the table in which piles grow."""

    seats: tuple[SeatZone, ...]
    centre: Polygon
    card_mm: Point = (59.0, 91.0)

    def seat(self, name: str) -> SeatZone:
        for zone in self.seats:
            if zone.seat == name:
                return zone
        known = ", ".join(zone.seat for zone in self.seats)
        raise CalibrationError(f"nobody sits {name}; the seats are {known}")

    def at(self, x: float, y: float) -> tuple[Seat | None, str] | None:
        """Whose place a card with that middle lies in; (None, "centre") amid the table; None elsewhere."""
        best: tuple[float, Seat, str] | None = None
        for seat in self.seats:
            for zone in seat.places:
                away = math.hypot(x - zone.x, y - zone.y)
                if zone.holds((x, y), self.card_mm) and (best is None or away < best[0]):
                    best = (away, seat.seat, zone.place)
        if best is not None:
            return best[1], best[2]
        return (None, CENTRE) if inside(self.centre, (x, y)) else None

    def moved(self, seat: str, place: str, dx: float, dy: float) -> TableZones:
        """The same zones with one place shifted by millimetres."""
        zone = self.seat(seat)
        old = zone.place(place)
        new = replace(old, x=old.x + dx, y=old.y + dy)
        return self._with(replace(zone, places=tuple(new if each is old else each for each in zone.places)))

    def mirrored(self, seat: str) -> TableZones:
        """The same zones for a player who lays the Espresso stack on the other side of the helps."""
        zone = self.seat(seat)
        stack, waste = zone.place(ESPRESSO), zone.place(WASTE)
        swapped = {ESPRESSO: replace(waste, place=ESPRESSO), WASTE: replace(stack, place=WASTE)}
        return self._with(replace(zone, places=tuple(swapped.get(each.place, each) for each in zone.places)))

    def renamed(self, seat: str, to: Seat) -> TableZones:
        """The same zones with a seat called otherwise."""
        if to != seat and any(zone.seat == to for zone in self.seats):
            raise CalibrationError(f"two players cannot both sit {to}")
        zone = self.seat(seat)
        return replace(
            self, seats=tuple(replace(each, seat=to) if each is zone else each for each in self.seats)
        )

    def _with(self, changed: SeatZone) -> TableZones:
        seats = tuple(changed if each.seat == changed.seat else each for each in self.seats)
        return replace(self, seats=seats)


def inside(polygon: Polygon, point: Point) -> bool:
    """Whether a point lies in a polygon, convex or not, whichever way it runs."""
    x, y = point
    odd = False  # number of edges that lie to the right of the point
    for (ax, ay), (bx, by) in zip(polygon, (*polygon[1:], *polygon[:1]), strict=True):
        if (ay > y) != (by > y) and x < ax + (y - ay) * (bx - ax) / (by - ay):
            odd = not odd
    return odd


def place_names(helps: int = 3) -> tuple[str, ...]:
    """The places of a player from left to right as the player sees them."""
    return (ESPRESSO, *HELPS[:helps], WASTE)
