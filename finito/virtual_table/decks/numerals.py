"""The house numerals: strokes of our own, so that no font has to be installed."""

from __future__ import annotations

from calibration.printables.shapes import Drawing, Ink, Point, Stroke, arc

# One numeral stands in a box 0.62 wide and 1 high, given as the middle line of its strokes.
WIDTH = 0.62
_MIDDLE = WIDTH / 2

_LINES: dict[int, tuple[tuple[Point, ...], ...]] = {
    0: (arc((_MIDDLE, 0.5), (_MIDDLE, 0.5), -90, 270, 40),),
    1: (((0.08, 0.24), (0.38, 0.0), (0.38, 1.0)), ((0.14, 1.0), (0.60, 1.0))),
    2: ((*arc((_MIDDLE, 0.3), (0.3, 0.3), 190, 398), (0.02, 1.0), (0.62, 1.0)),),
    3: (
        (*arc((0.29, 0.25), (0.27, 0.25), 200, 450), (0.2, 0.5)),
        ((0.2, 0.5), *arc((0.29, 0.75), (0.32, 0.25), -90, 160)),
    ),
    4: (((0.46, 1.0), (0.46, 0.0), (0.0, 0.68), (0.62, 0.68)),),
    5: (((0.56, 0.0), (0.1, 0.0), (0.05, 0.44), *arc((0.29, 0.68), (0.33, 0.32), -115, 150)),),
    6: (
        ((0.48, 0.0), *arc((0.6, 0.66), (0.6, 0.62), -122, -180, 12)),
        arc((_MIDDLE, 0.68), (_MIDDLE, 0.32), 0, 360, 40),
    ),
    7: (((0.0, 0.0), (0.6, 0.0), (0.2, 1.0)),),
    8: (arc((_MIDDLE, 0.245), (0.26, 0.245), 0, 360, 36), arc((_MIDDLE, 0.745), (0.31, 0.255), 0, 360, 36)),
}


def middle_lines(number: int) -> tuple[tuple[Point, ...], ...]:
    return _LINES[number]


def numeral(
    number: int, centre: Point, height: float, weight: float, ink: Ink, outline: float = 0.0
) -> Drawing:
    """The numeral around its centre, or its outline that much fatter; a 6 carries its underline below."""
    inner = height - weight
    left, top = centre[0] - WIDTH * inner / 2, centre[1] - inner / 2
    lines = [tuple((left + x * inner, top + y * inner) for x, y in line) for line in _LINES[number]]
    if number == 6:
        below = top + inner + weight * 1.45
        lines.append(((left, below), (left + WIDTH * inner, below)))
    return tuple(Stroke(line, weight + 2 * outline, ink) for line in lines)
