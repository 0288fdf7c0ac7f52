"""Flat shapes in millimetres (origin top left, y down), painted alike on pictures and on paper."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

Point = tuple[float, float]
Ink = tuple[int, int, int]  # red, green, blue


@dataclass(frozen=True)
class Area:
    """A filled polygon."""

    points: tuple[Point, ...]
    ink: Ink


@dataclass(frozen=True)
class Stroke:
    """A line of constant width with round ends and joins."""

    points: tuple[Point, ...]
    width: float
    ink: Ink
    closed: bool = False


Shape = Area | Stroke
Drawing = tuple[Shape, ...]


def arc(
    centre: Point, radii: Point, start: float, end: float, steps: int = 24, tilt: float = 0.0
) -> tuple[Point, ...]:
    """Points of an ellipse arc; angles in degrees, clockwise from the right."""
    angles = [math.radians(start + (end - start) * i / steps) for i in range(steps + 1)]
    points = [(centre[0] + radii[0] * math.cos(a), centre[1] + radii[1] * math.sin(a)) for a in angles]
    return turned(points, centre, tilt) if tilt else tuple(points)


def disc(centre: Point, radius: float, ink: Ink) -> Area:
    return Area(arc(centre, (radius, radius), 0, 360, 40)[:-1], ink)


def ellipse(centre: Point, radii: Point, ink: Ink, tilt: float = 0.0) -> Area:
    return Area(arc(centre, radii, 0, 360, 40, tilt)[:-1], ink)


def rectangle(left: float, top: float, width: float, height: float, ink: Ink, radius: float = 0.0) -> Area:
    return Area(rounded_outline(left, top, width, height, radius), ink)


def rounded_outline(left: float, top: float, width: float, height: float, radius: float) -> tuple[Point, ...]:
    right, bottom = left + width, top + height
    if radius <= 0:
        return ((left, top), (right, top), (right, bottom), (left, bottom))
    corners = (
        ((right - radius, top + radius), -90.0),
        ((right - radius, bottom - radius), 0.0),
        ((left + radius, bottom - radius), 90.0),
        ((left + radius, top + radius), 180.0),
    )
    return tuple(p for centre, start in corners for p in arc(centre, (radius, radius), start, start + 90, 8))


def turned(points: Sequence[Point], centre: Point, degrees: float) -> tuple[Point, ...]:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    return tuple(
        (
            centre[0] + (x - centre[0]) * cos - (y - centre[1]) * sin,
            centre[1] + (x - centre[0]) * sin + (y - centre[1]) * cos,
        )
        for x, y in points
    )


def placed(shapes: Sequence[Shape], at: Point, scale: float = 1.0, degrees: float = 0.0) -> Drawing:
    """The shapes turned about their origin, scaled and moved there."""

    def move(points: tuple[Point, ...]) -> tuple[Point, ...]:
        spun = turned(points, (0.0, 0.0), degrees)
        return tuple((at[0] + x * scale, at[1] + y * scale) for x, y in spun)

    return tuple(
        Area(move(s.points), s.ink)
        if isinstance(s, Area)
        else Stroke(move(s.points), s.width * scale, s.ink, s.closed)
        for s in shapes
    )
