"""As many pips as the card's number, laid out as on playing cards."""

from __future__ import annotations

from finito.virtual_table.decks.deck import Picture
from finito.virtual_table.decks.invented.brush import fill, moved
from finito.virtual_table.decks.invented.inks import Colour
from finito.virtual_table.decks.invented.motifs import Motif

_LEFT, _MIDDLE, _RIGHT = 0.32, 0.5, 0.68
_SIDES = {
    2: (),
    3: (),
    4: (0.2, 0.8),
    5: (0.2, 0.8),
    6: (0.2, 0.5, 0.8),
    7: (0.2, 0.5, 0.8),
    8: (0.2, 0.5, 0.8),
}
_MIDDLES = {1: (0.5,), 2: (0.2, 0.8), 3: (0.2, 0.5, 0.8), 5: (0.5,), 7: (0.35,), 8: (0.35, 0.65), 9: (0.5,)}


def pip_spots(number: int) -> list[tuple[float, float]]:
    sides: tuple[float, ...] = (0.2, 0.4, 0.6, 0.8) if number >= 9 else _SIDES.get(number, ())
    middles = (0.3, 0.7) if number == 10 else _MIDDLES.get(number, ())
    return [(x, y) for y in sides for x in (_LEFT, _RIGHT)] + [(_MIDDLE, y) for y in middles]


def draw_pips(picture: Picture, number: int, motif: Motif, inks: tuple[Colour, Colour, Colour]) -> None:
    height, width = picture.shape[:2]
    for x, y in pip_spots(number):
        for part in motif:
            turn = 180.0 if y > 0.5 else 0.0
            fill(picture, moved(part.points, (x * width, y * height), width * 0.19, turn), inks[part.role])
