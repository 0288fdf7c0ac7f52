"""The house deck as pictures."""

from __future__ import annotations

from functools import cache

from calibration.printables import CardArt
from finito.errors import BadInput
from finito.virtual_table.decks.deck import Deck, Picture
from finito.virtual_table.decks.house_backs import BACKS, house_back
from finito.virtual_table.decks.house_faces import CARD_MM, INKS, WHITE, house_face
from finito.virtual_table.decks.painter import painted


class _HouseArtist:
    def draw_face(self, colour: str, text: str) -> Picture:
        return painted(house_face(colour, int(text)), CARD_MM, WHITE)

    def draw_back(self, name: str) -> Picture:
        return painted(house_back(name), CARD_MM, WHITE)


@cache
def house_deck() -> Deck:
    return Deck(
        name="house",
        card_mm=CARD_MM,
        corner_radius_mm=3.5,
        colours=tuple(INKS),
        numbers=tuple(range(9)),
        backs=tuple(BACKS),
        artist=_HouseArtist(),
    )


def house_card_art(backs: tuple[str, ...] = ()) -> CardArt:
    """The house deck for the printer, with those backs or all."""
    unknown = [back for back in backs if back not in BACKS]
    if unknown:
        raise BadInput(f"the house deck has no back {unknown[0]!r}; it has {', '.join(BACKS)}")
    faces = {f"{colour}{number}": house_face(colour, number) for colour in INKS for number in range(9)}
    return CardArt(CARD_MM, faces, {name: house_back(name) for name in dict.fromkeys(backs or BACKS)})
