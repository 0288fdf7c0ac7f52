"""House backs: six dishes, each with its own ground colour and a motif that fills the card to its frame.

The pale frame with its dark line keeps fanned and touching backs apart, for people and cameras.
"""

from __future__ import annotations

import math
from collections.abc import Callable

from calibration.printables.shapes import (
    Area,
    Drawing,
    Ink,
    Point,
    Shape,
    Stroke,
    arc,
    disc,
    ellipse,
    placed,
    rectangle,
)

WIDTH, HEIGHT = 59.0, 91.0
FRAME = 2.0  # mm of pale frame
PAPER: Ink = (250, 248, 242)
_OVER = 4.0  # drawn this far over the edge: bleed for the scissors


def _lattice(step_x: float, step_y: float, start: Point = (0.0, 0.0)) -> list[tuple[Point, int]]:
    """Brick-like spots that cover the card and its bleed, numbered for variety."""
    spots: list[tuple[Point, int]] = []
    for row in range(math.ceil((HEIGHT + 2 * _OVER) / step_y) + 1):
        for column in range(math.ceil((WIDTH + 2 * _OVER) / step_x) + 1):
            x = start[0] - _OVER + (column + (0.5 if row % 2 else 0.0)) * step_x
            spots.append(((x, start[1] - _OVER + row * step_y), row * 7 + column))
    return spots


def _ground(ink: Ink) -> Area:
    return rectangle(-_OVER, -_OVER, WIDTH + 2 * _OVER, HEIGHT + 2 * _OVER, ink)


def _pizza() -> Drawing:
    crust, cheese, salami, basil = (214, 142, 62), (255, 214, 92), (196, 32, 30), (40, 110, 40)
    piece: tuple[Shape, ...] = (
        Area((*arc((0.0, -3.0), (6.0, 2.2), 180, 360, 12), (0.0, 8.0)), crust),
        Area((*arc((0.0, -2.4), (4.9, 1.4), 180, 360, 12), (0.0, 6.6)), cheese),
        disc((-1.9, -1.6), 1.25, salami),
        disc((1.9, -1.2), 1.25, salami),
        disc((0.1, 2.0), 1.2, salami),
        ellipse((0.2, -0.4), (0.9, 0.45), basil, 30),
    )
    pieces = [s for spot, n in _lattice(12.5, 11.0) for s in placed(piece, spot, 0.92, 180.0 * (n % 2))]
    return (_ground((208, 40, 34)), *pieces)


def _spaghetti() -> Drawing:
    drawing: list[Shape] = [_ground((34, 32, 40))]
    for index in range(17):
        middle = -3.0 + index * 4.2
        points = tuple(
            (middle + 2.4 * math.sin(y / 4.6 + index * 0.9), float(y))
            for y in range(-int(_OVER), int(HEIGHT + _OVER) + 1)
        )
        drawing += [Stroke(points, 2.5, (206, 148, 40)), Stroke(points, 1.7, (250, 212, 104))]
    for spot, n in _lattice(22.0, 17.0, (5.0, 8.0)):
        drawing += [disc(spot, 4.0, (92, 26, 20)), disc((spot[0] - 0.6, spot[1] - 0.6), 3.1, (168, 52, 36))]
        if n % 2:
            drawing.append(ellipse((spot[0] + 3.0, spot[1] - 2.6), (2.2, 1.0), (58, 140, 52), 25))
    return tuple(drawing)


def _gelato() -> Drawing:
    scoops: tuple[Ink, ...] = ((150, 222, 196), (255, 250, 235), (255, 120, 160), (120, 70, 46))
    drawing: list[Shape] = [_ground((250, 176, 202))]
    for spot, n in _lattice(11.8, 12.6):
        cone: tuple[Shape, ...] = (
            Area(((-3.0, 0.0), (3.0, 0.0), (0.0, 7.4)), (204, 138, 66)),
            Stroke(((-1.6, 0.6), (0.8, 4.8)), 0.45, (160, 96, 40)),
            Stroke(((1.6, 0.6), (-0.8, 4.8)), 0.45, (160, 96, 40)),
            disc((0.0, -1.4), 3.5, scoops[n % 4]),
            disc((0.0, -4.6), 2.6, scoops[(n + 1) % 4]),
        )
        drawing += placed(cone, spot, 0.9)
    return tuple(drawing)


def _cappuccino() -> Drawing:
    drawing: list[Shape] = [_ground((44, 108, 178))]
    for spot, n in _lattice(15.0, 13.2):
        cup: tuple[Shape, ...] = (
            disc((0.0, 0.0), 6.2, (226, 238, 250)),
            disc((0.0, 0.0), 5.0, (44, 108, 178)),
            rectangle(3.4, -0.9, 3.6, 1.8, (255, 255, 255), 0.8),
            disc((0.0, 0.0), 4.4, (255, 255, 255)),
            disc((0.0, 0.0), 3.7, (112, 62, 30)),
            ellipse((0.0, 0.2), (2.3, 1.3), (240, 214, 170), 0),
            Area(((-2.3, 0.4), (2.3, 0.4), (0.0, 3.0)), (240, 214, 170)),
        )
        drawing += placed(cup, spot, 1.0, 90.0 * (n % 4))
    return tuple(drawing)


def _insalata() -> Drawing:
    drawing: list[Shape] = [_ground((62, 142, 44))]
    for spot, n in _lattice(12.2, 10.4):
        leaf: tuple[Shape, ...] = (
            Area(
                (*arc((0.0, -1.0), (4.4, 5.4), 180, 360, 14), (2.6, 3.2), (0.0, 6.4), (-2.6, 3.2)),
                (150, 206, 70),
            ),
            Stroke(((0.0, -4.6), (0.0, 6.8)), 0.8, (226, 244, 170)),
            Stroke(((-2.8, -3.0), (0.0, 0.4), (2.8, -3.0)), 0.6, (226, 244, 170)),
        )
        tomato: tuple[Shape, ...] = (
            disc((0.0, 0.0), 3.0, (214, 44, 34)),
            disc((0.0, 0.0), 2.2, (238, 96, 70)),
            disc((-0.9, 0.0), 0.6, (250, 214, 130)),
            disc((0.9, 0.0), 0.6, (250, 214, 130)),
        )
        drawing += placed(tomato if n % 3 == 2 else leaf, spot, 0.95, 47.0 * n)
    return tuple(drawing)


def _tiramisu() -> Drawing:
    cream, sponge, cocoa = (250, 238, 214), (206, 150, 92), (72, 40, 26)
    drawing: list[Shape] = [_ground(cream)]
    for index in range(13):
        top = -35.0 + index * 10.6
        drawing += [_slope(top, 3.4, cocoa), _slope(top + 6.0, 2.2, sponge)]
        drawing += [disc((x, top + 4.7 + _rise(x)), 0.55, cocoa) for x in (i * 4.0 - 3 for i in range(17))]
    return tuple(drawing)


def _rise(x: float) -> float:
    return (x + _OVER) / 2


def _slope(top: float, depth: float, ink: Ink) -> Area:
    left, right = -_OVER, WIDTH + _OVER
    a, b = top + _rise(left), top + _rise(right)
    return Area(((left, a), (right, b), (right, b + depth), (left, a + depth)), ink)


def _frame() -> Drawing:
    wide, dark = _OVER + FRAME, (40, 36, 44)
    lines: list[Shape] = []
    for ink, inner, size in ((dark, 0.5, wide), (PAPER, 0.0, wide)):
        lines += [
            rectangle(-_OVER, -_OVER, WIDTH + 2 * _OVER, size + inner, ink),
            rectangle(-_OVER, HEIGHT - FRAME - inner, WIDTH + 2 * _OVER, size + inner, ink),
            rectangle(-_OVER, -_OVER, size + inner, HEIGHT + 2 * _OVER, ink),
            rectangle(WIDTH - FRAME - inner, -_OVER, size + inner, HEIGHT + 2 * _OVER, ink),
        ]
    return tuple(lines)


def house_back(name: str) -> Drawing:
    """The back of that name, with its frame."""
    return (*BACKS[name](), *_frame())


BACKS: dict[str, Callable[[], Drawing]] = {
    "pizza": _pizza,
    "spaghetti": _spaghetti,
    "gelato": _gelato,
    "cappuccino": _cappuccino,
    "insalata": _insalata,
    "tiramisu": _tiramisu,
}
