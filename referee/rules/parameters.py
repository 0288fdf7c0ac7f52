"""The numbers that make one pile game of the Ligretto family differ from the next, in one place."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from referee.cards import Colour, face
from referee.errors import NotationError

BOYS: Final = frozenset({Colour.RED, Colour.BLUE})  # Dutch Blitz: boys on red and blue, girls on the others


@dataclass(frozen=True, slots=True)
class PileGame:
    """Parameters of a game in which all lay ascending piles of one colour at the same time."""

    name: str
    first_number: int
    last_number: int
    race_stack: int
    side_cards: tuple[tuple[int, int], ...]  # (up to that many players, side cards), ascending
    stock_turn: int
    points_per_centre_card: int
    points_per_race_card_left: int
    caller_bonus: int
    target: int
    home_building: bool
    min_players: int
    max_players: int

    @property
    def numbers(self) -> range:
        return range(self.first_number, self.last_number + 1)

    @property
    def cards_per_back(self) -> int:
        return len(Colour) * len(self.numbers)

    @property
    def face_mask(self) -> int:
        """One bit for every face of the deck."""
        return sum(face(colour, number).bit for colour in Colour for number in self.numbers)

    def helps_for(self, players: int) -> int:
        """How many side cards lie open in front of each of that many players."""
        return next(cards for most, cards in self.side_cards if players <= most)


ESPRESSO: Final = PileGame(
    name="espresso",
    first_number=0,
    last_number=8,
    race_stack=9,
    side_cards=((6, 3),),
    stock_turn=3,
    points_per_centre_card=1,
    points_per_race_card_left=0,
    caller_bonus=5,
    target=100,
    home_building=False,
    min_players=2,
    max_players=6,
)
LIGRETTO: Final = PileGame(
    name="ligretto",
    first_number=1,
    last_number=10,
    race_stack=10,
    side_cards=((2, 5), (3, 4), (12, 3)),
    stock_turn=3,
    points_per_centre_card=1,
    points_per_race_card_left=-2,
    caller_bonus=0,
    target=99,
    home_building=False,
    min_players=2,
    max_players=12,
)
DUTCH_BLITZ: Final = PileGame(
    name="dutch-blitz",
    first_number=1,
    last_number=10,
    race_stack=10,
    side_cards=((2, 5), (3, 4), (12, 3)),
    stock_turn=3,
    points_per_centre_card=1,
    points_per_race_card_left=-2,
    caller_bonus=0,
    target=75,
    home_building=True,
    min_players=2,
    max_players=12,
)
PILE_GAMES: Final = MappingProxyType({game.name: game for game in (ESPRESSO, LIGRETTO, DUTCH_BLITZ)})


def game_parameters(name: str) -> PileGame:
    """The parameters of a game by its name."""
    try:
        return PILE_GAMES[name]
    except KeyError:
        raise NotationError(f"the game {name!r} is not known; known are {', '.join(PILE_GAMES)}") from None
