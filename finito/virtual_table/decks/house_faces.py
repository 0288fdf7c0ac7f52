"""House faces: a full-colour panel, a white numeral and, for the colour-blind, a shape per colour."""

from __future__ import annotations

from calibration.printables.shapes import (
    Area,
    Drawing,
    Ink,
    Point,
    arc,
    disc,
    placed,
    rectangle,
    turned,
)
from finito.virtual_table.decks.numerals import numeral

CARD_MM = (59.0, 91.0)
WHITE: Ink = (255, 255, 255)
BLACK: Ink = (24, 22, 28)

# Lightness differs as well as hue: yellow brightest, green, then red, blue darkest.
INKS: dict[str, Ink] = {"R": (206, 26, 42), "Y": (252, 200, 16), "G": (38, 160, 78), "B": (22, 62, 158)}
_SHADES: dict[str, Ink] = {"R": (186, 16, 34), "Y": (242, 184, 0), "G": (28, 142, 66), "B": (16, 50, 136)}


def sign(colour: str, ink: Ink) -> Drawing:
    """The colour's own shape, about one unit across, around the origin."""
    if colour == "R":
        return (Area(((0.0, -0.56), (0.5, 0.0), (0.0, 0.56), (-0.5, 0.0)), ink),)
    if colour == "Y":
        return (disc((0.0, 0.0), 0.5, ink),)
    if colour == "G":
        return (Area(((0.0, -0.54), (0.56, 0.44), (-0.56, 0.44)), ink),)
    return (rectangle(-0.45, -0.45, 0.9, 0.9, ink),)


def house_face(colour: str, number: int) -> Drawing:
    width, height = CARD_MM
    shapes: list[Area] = [rectangle(3.5, 3.5, width - 7, height - 7, INKS[colour], 4.0)]
    drawing: Drawing = tuple(shapes) + _texture(colour) + _middle(colour, number)
    corner = _corner(colour, number)
    opposite = placed(placed(corner, (-width / 2, -height / 2)), (width / 2, height / 2), degrees=180.0)
    return drawing + corner + opposite


def _texture(colour: str) -> Drawing:
    mark = sign(colour, _SHADES[colour])
    spots: list[Point] = [
        (x, y)
        for row, y in enumerate(range(20, 76, 7))
        for x in (10.5 + (3.5 if row % 2 else 0.0) + 7 * i for i in range(6))
        if x < CARD_MM[0] - 7
    ]
    return tuple(shape for spot in spots for shape in placed(mark, spot, 3.6))


def _middle(colour: str, number: int) -> Drawing:
    centre = (CARD_MM[0] / 2, CARD_MM[1] / 2 - (2.5 if number == 6 else 0.0))
    lozenge = turned(
        arc((CARD_MM[0] / 2, CARD_MM[1] / 2), (23.5, 32.5), 0, 360, 60)[:-1],
        (CARD_MM[0] / 2, CARD_MM[1] / 2),
        0.0,
    )
    return (
        Area(lozenge, WHITE),
        *numeral(number, centre, 44.0, 9.4, BLACK),
        *numeral(number, centre, 42.2, 7.6, INKS[colour]),
    )


def _corner(colour: str, number: int) -> Drawing:
    ink = BLACK if colour == "Y" else WHITE
    return (
        *numeral(number, (10.2, 11.2), 10.0, 2.0, ink),
        *placed(sign(colour, ink), (10.2, 21.5 if number == 6 else 20.3), 5.0),
    )
