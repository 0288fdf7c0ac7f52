"""Finds the round to be filmed: the asked faults must happen, and in time."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

from finito.bots import BotRound, play_round
from finito.errors import BadInput
from finito.virtual_table.decks import Deck, Split, house_deck, random_deck

FEWEST, MOST = 2, 6
GAME: Final = "espresso"
# How much faster than usual people play when the time is short, and how many deals are tried.
_PACES: Final = (1.0, 1.25, 1.6, 2.0)
_DEALS: Final = 3
_NUMBERS: Final = range(9)
_SPLITS: Final[dict[str, Split]] = {"random": "test", "train": "train", "validation": "validation"}


@dataclass(frozen=True)
class Cast:
    """A round with what it took to get it: the seed of the deal and the pace of the players."""

    played: BotRound
    deal_seed: int
    pace: float


def cast_round(
    seed: int,
    players: Sequence[str],
    seconds: float,
    faults: Sequence[str] = (),
    variant: Sequence[str] = ("normalo",),
    edition: str = "amigo-1995",
) -> Cast:
    """The first round, by seed and then by pace, in which all asked faults happen within the seconds."""
    for pace in _PACES:
        for deal in range(_DEALS):
            deal_seed = seed + deal * 1_000_003
            played = play_round(deal_seed, players, GAME, variant, edition, faults, seconds, pace)
            if not played.missing:
                return Cast(played, deal_seed, pace)
    missing = ", ".join(played.missing)
    raise BadInput(
        f"the fault {missing} finds no moment with {len(players)} players, {', '.join(variant)} "
        f"and {seconds:g} seconds; give more --seconds, another --seed or a --variant that knows it"
    )


def deck_named(name: str, players: int) -> Deck:
    """`house`, or `random:SEED`: the first invented deck from that seed on with enough backs and 0 to 8.

    `train:SEED` and `validation:SEED` are decks for learning, of other fonts and figures.
    """
    if name == "house":
        return house_deck()
    kind, _, digits = name.partition(":")
    if kind not in _SPLITS or not digits.isdigit():
        raise BadInput(f"--deck {name!r} is not known; write house, or random:7 for an invented deck")
    seed = int(digits)
    while True:
        deck = random_deck(seed, _SPLITS[kind])
        if len(deck.backs) >= players and set(_NUMBERS) <= set(deck.numbers):
            return deck
        seed += 1
