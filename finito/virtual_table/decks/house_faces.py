"""House faces: a full-colour panel, a white numeral and, for the colour-blind, a shape per colour."""

from __future__ import annotations

from calibration.printables.shapes import (
    Area,
    Drawing,
    Ink,
    Stroke,
    arc,
    disc,
    ellipse,
    placed,
    rectangle,
)
from finito.virtual_table.decks.numerals import numeral

CARD_MM = (59.0, 91.0)
WHITE: Ink = (255, 255, 255)
BLACK: Ink = (24, 22, 28)

# Lightness differs as well as hue (yellow, green, red, blue), so that they differ for the colour-blind too.
INKS: dict[str, Ink] = {"R": (184, 12, 40), "Y": (252, 200, 16), "G": (40, 184, 108), "B": (22, 62, 158)}


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
    half = _plate(colour) + _figure(colour, number)
    corners = _index(colour, number) + _garnish(colour)
    return half + corners + _upside_down(corners)


def _upside_down(drawing: Drawing) -> Drawing:
    width, height = CARD_MM
    return placed(placed(drawing, (-width / 2, -height / 2)), (width / 2, height / 2), degrees=180.0)


def _plate(colour: str) -> Drawing:
    width, height = CARD_MM
    centre = (width / 2, height / 2)
    return (
        rectangle(3.5, 3.5, width - 7, height - 7, INKS[colour], 4.0),
        ellipse(centre, (23.5, 31.5), WHITE),
        Stroke(arc(centre, (21.6, 29.6), 0, 360, 60)[:-1], 0.7, INKS[colour], closed=True),
    )


def _figure(colour: str, number: int) -> Drawing:
    centre = (CARD_MM[0] / 2, CARD_MM[1] / 2 - (4.0 if number == 6 else 0.0))
    height, weight = (37.0, 7.2) if number == 6 else (42.0, 7.8)
    return (
        *numeral(number, centre, height, weight, BLACK, outline=0.9),
        *numeral(number, centre, height, weight, INKS[colour]),
    )


def _index(colour: str, number: int) -> Drawing:
    return numeral(number, (10.2, 11.4), 10.5, 2.1, _on_panel(colour))


def _garnish(colour: str) -> Drawing:
    return placed(sign(colour, _on_panel(colour)), (CARD_MM[0] - 10.5, 11.0), 8.0)


def _on_panel(colour: str) -> Ink:
    return BLACK if colour in "YG" else WHITE
