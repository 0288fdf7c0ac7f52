"""Names the cards of a faces photo by their places, and what is missing, doubled or in the wrong row."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from finito.errors import BadInput
from referee.cards import Colour, face
from referee.rules.parameters import PileGame
from vision.card_reader import CardReading
from vision.enrolment_grid import GridPlace

_SURE: Final = 0.95
_SURE_SIDE: Final = 0.98
_MOST_CLOSED: Final = 2
_MOST_NAMED: Final = 4
_MOST_OTHERS: Final = 0.6  # of the cards read surely: more that contradict their places is another grid
_ADVICE: Final = "lay all cards apart, without glare, and photograph the whole grid"


class GridFault(BadInput):
    """What is wrong with a grid, also as data: a page says it in its own language.

    `kind` is nothing, rows, beyond, doubled, missing, twice, order or face-down; `places` are (row, column)
    from 0, `rows` how many there are.
    """

    def __init__(
        self, sentence: str, kind: str, places: Sequence[tuple[int, int]] = (), rows: int = 0
    ) -> None:
        super().__init__(sentence)
        self.kind, self.places, self.rows = kind, tuple(places), rows


@dataclass(frozen=True)
class _Grid:
    """Cards by place; columns may begin left of or beyond the numbers."""

    photo: str
    cards: Mapping[tuple[int, int], int]
    game: PileGame

    def name(self, row: int, column: int) -> str:
        return f"{Colour(row).name.lower()} {self.game.first_number + column}"


def named_faces(
    photo: str, places: Sequence[GridPlace], readings: Sequence[CardReading], game: PileGame
) -> dict[str, int]:
    """Face to card, colour by colour; anything but a whole grid is refused with one sentence."""
    if not places:
        raise GridFault(f"{photo} shows no card; {_ADVICE}", "nothing")
    laid = _right_way_round(places, readings, game)
    rows = max(place.row for place in laid) + 1
    if rows != len(Colour):
        what = "1 row" if rows == 1 else f"{rows} rows"
        raise GridFault(
            f"{photo}: {what} of cards, {len(laid)} in all, and a faces photo has {len(Colour)} "
            f"(red, yellow, green, blue from top to bottom); {_ADVICE}",
            "rows",
            rows=rows,
        )
    grid = _unique(photo, laid, game)
    _check_places(grid)
    _check_readings(grid, readings)
    return {
        str(face(Colour(row), number)): grid.cards[row, column]
        for row in range(len(Colour))
        for column, number in enumerate(game.numbers)
    }


def _right_way_round(
    places: Sequence[GridPlace], readings: Sequence[CardReading], game: PileGame
) -> list[GridPlace]:
    """The places, turned by half a turn where the figures say clearly that the photo stands on its head."""
    rows, columns = max(place.row for place in places), max(place.column for place in places)
    turned = [GridPlace(place.card, rows - place.row, columns - place.column) for place in places]
    ways = [_shifted(way, readings, game) for way in (places, turned)]
    here, there = (_agreeing(way, readings, game) for way in ways)
    return ways[1] if there > 2 * here + 3 else ways[0]


def _shifted(places: Sequence[GridPlace], readings: Sequence[CardReading], game: PileGame) -> list[GridPlace]:
    """Where a whole column is missing, what was read tells on which side."""
    spare = len(game.numbers) - 1 - max(place.column for place in places)
    if spare <= 0:
        return list(places)
    ways = [
        [GridPlace(place.card, place.row, place.column + by) for place in places] for by in range(spare + 1)
    ]
    return max(ways, key=lambda way: _agreeing(way, readings, game))


def _agreeing(places: Sequence[GridPlace], readings: Sequence[CardReading], game: PileGame) -> int:
    """How many cards show the number of their place."""
    return sum(readings[place.card].face.number == game.first_number + place.column for place in places)


def _unique(photo: str, places: Sequence[GridPlace], game: PileGame) -> _Grid:
    cards: dict[tuple[int, int], int] = {}
    grid = _Grid(photo, cards, game)
    for place in places:
        where = (place.row, place.column)
        if place.column >= len(game.numbers):
            numbers = f"{game.first_number} to {game.last_number}"
            raise GridFault(
                f"{photo}: row {place.row + 1} reaches beyond {len(game.numbers)} columns; a row of "
                f"{game.name} has the numbers {numbers}, once each",
                "beyond",
                [where],
            )
        if where in cards:
            raise GridFault(
                f"{photo}: row {place.row + 1}: two cards lie where {grid.name(*where)} should be; {_ADVICE}",
                "doubled",
                [where],
            )
        cards[where] = place.card
    return grid


def _check_places(grid: _Grid) -> None:
    gaps = [
        (row, column)
        for row in range(len(Colour))
        for column in range(len(grid.game.numbers))
        if (row, column) not in grid.cards
    ]
    if gaps:
        lost = [f"row {row + 1}: {grid.name(row, column)} is missing" for row, column in gaps[:_MOST_NAMED]]
        more = f" and {len(gaps) - _MOST_NAMED} more" if len(gaps) > _MOST_NAMED else ""
        raise GridFault(f"{grid.photo}: {', '.join(lost)}{more}; {_ADVICE}", "missing", gaps)


def _check_readings(grid: _Grid, readings: Sequence[CardReading]) -> None:
    """What the reader is sure of must not contradict the places; it may well not know the deck's figures."""
    sure = _sure_faces(grid, readings)
    other = {
        where: reading
        for where, reading in sure.items()
        if (reading.face.colour, reading.face.number) != (Colour(where[0]), grid.game.first_number + where[1])
    }
    for (row, column), reading in other.items():
        home = (int(reading.face.colour or 0), int(reading.face.number or 0) - grid.game.first_number)
        if home in sure and home not in other and len(other) <= 2:
            raise GridFault(
                f"{grid.photo}: {grid.name(*home)} is there twice and row {row + 1}: "
                f"{grid.name(row, column)} is missing; swap the card and photograph the grid again",
                "twice",
                [(row, column), home],
            )
    if len(sure) >= 8 and len(other) > _MOST_OTHERS * len(sure):
        (row, column), reading = next(iter(other.items()))
        raise GridFault(
            f"{grid.photo}: row {row + 1} shows {reading.face} where {grid.name(row, column)} should be; lay "
            "a row per colour (red, yellow, green, blue from top to bottom), numbers ascending to the right",
            "order",
            [(row, column)],
        )
    _check_sides(grid, readings)


def _check_sides(grid: _Grid, readings: Sequence[CardReading]) -> None:
    """A card or two that lie face down are named; a whole deck of them is a deck with faces unlike others."""
    closed = [
        where
        for where, card in grid.cards.items()
        if readings[card].side == "back" and readings[card].confidence >= _SURE_SIDE
    ]
    if 0 < len(closed) <= _MOST_CLOSED:
        row, column = closed[0]
        raise GridFault(
            f"{grid.photo}: row {row + 1}: {grid.name(row, column)} lies face down; turn it over",
            "face-down",
            [(row, column)],
        )


def _sure_faces(grid: _Grid, readings: Sequence[CardReading]) -> dict[tuple[int, int], CardReading]:
    return {
        where: readings[card]
        for where, card in grid.cards.items()
        if readings[card].side == "face" and readings[card].face.known and readings[card].confidence >= _SURE
    }
