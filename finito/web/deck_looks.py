"""A deck laid out before the camera: what is there, and what is missing, card by card."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final

from finito.errors import BadInput
from finito.face_grid import GridFault, named_faces
from finito.web.outlines import rounded
from finito.web.table_look import cards_apart, outlined
from referee.cards import Colour
from referee.rules.parameters import PileGame, game_parameters
from vision.enrolment_grid import GridPlace, grid_places
from vision.frame import Picture
from vision.table_reader import SeenCard

Json = dict[str, Any]
_SURE: Final = 0.9
_MOST_BACKS: Final = 6


class FacesLook:
    """One player's cards in a grid, a row per colour."""

    def __init__(self, game: str) -> None:
        self.key: tuple[object, ...] = ("faces", game)
        self._game = game_parameters(game)

    def look(self, picture: Picture) -> Json:
        cards = cards_apart(picture)
        places = grid_places([card.corners for card in cards], (picture.shape[1], picture.shape[0]))
        fault = _fault(places, cards, self._game)
        return {
            "cards": len(cards),
            "ready": fault is None,
            "fault": fault,
            "grid": _grid(places, self._game, fault),
            "outlines": [outlined(card) for card in cards],
        }


class BacksLook:
    """One card of each player in a row, face down."""

    key: tuple[object, ...] = ("backs",)

    def look(self, picture: Picture) -> Json:
        cards = cards_apart(picture)
        places = grid_places([card.corners for card in cards], (picture.shape[1], picture.shape[0]))
        row = [cards[place.card] for place in sorted(places, key=lambda place: place.column)]
        fault = _fault_of_backs(places, row)
        outlines = [
            {"corners": rounded(card.corners), "word": str(number), "kind": "card"}
            for number, card in enumerate(row, start=1)
        ]
        return {"cards": len(cards), "ready": fault is None, "fault": fault, "outlines": outlines}


def _fault_of_backs(places: Sequence[GridPlace], row: Sequence[SeenCard]) -> Json | None:
    if not 2 <= len(row) <= _MOST_BACKS:
        return {"kind": "backs", "count": len(row)}
    if len({place.row for place in places}) > 1:
        return {"kind": "one-row"}
    for number, card in enumerate(row, start=1):
        if card.reading.side == "face" and card.reading.face.known and card.reading.confidence > _SURE:
            return {"kind": "face-up", "number": number}
    return None


def _fault(places: Sequence[GridPlace], cards: Sequence[SeenCard], game: PileGame) -> Json | None:
    try:
        named_faces("the picture", places, [card.reading for card in cards], game)
    except GridFault as fault:
        return {
            "kind": fault.kind,
            "rows": fault.rows,
            "cards": [_cell(row, column, game) for row, column in fault.places],
            "says": str(fault),
        }
    except BadInput as problem:
        return {"kind": "other", "says": str(problem)}
    return None


def _cell(row: int, column: int, game: PileGame) -> Json:
    colour = Colour(row).name.lower() if row < len(Colour) else None
    return {"row": row + 1, "colour": colour, "number": game.first_number + column}


def _grid(places: Sequence[GridPlace], game: PileGame, fault: Json | None) -> list[list[str]]:
    """Row by row whether a card is there; what the fault speaks of is marked."""
    wrong = {(each["row"] - 1, each["number"] - game.first_number) for each in (fault or {}).get("cards", [])}
    there = {(place.row, place.column) for place in places}
    return [
        [
            "wrong"
            if (row, column) in wrong and (row, column) in there
            else "there"
            if fault is None or ((row, column) in there and (row, column) not in wrong)
            else "missing"
            for column in range(len(game.numbers))
        ]
        for row in range(len(Colour))
    ]
