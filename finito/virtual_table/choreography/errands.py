"""Orders to the hands on the stage, whether bots or the count at the end gave them."""

from __future__ import annotations

from dataclasses import dataclass

from finito.bots.motions import PILE, Motion, Spot
from finito.virtual_table.choreography.moves import Lie
from referee.actions import Hand
from referee.places import HAND


@dataclass(frozen=True)
class Wanted:
    """A card by back and face (as bots name it) or by its own name, and the side up where it goes."""

    back: str
    face: str
    up_after: bool
    name: str = ""
    lie: Lie | None = None  # how it shall lie, where that is not left to the hand


@dataclass(frozen=True)
class Errand:
    """Take these cards (lowest first where they will lie) from one place to another, at these times."""

    player: str
    hand: Hand
    deed: str
    source: str
    target: str
    cards: tuple[Wanted, ...]
    leaves: float
    grips: float | None
    releases: float | None
    home: float
    turns_back: float | None = None


def place_name(spot: Spot) -> str:
    return f"pile {spot.pile}" if spot.place == PILE else f"{spot.player} {spot.place}"


def errand(motion: Motion) -> Errand:
    """A bot's motion as an order to the stage."""
    cards = tuple(Wanted(card.back, str(card.face), card.up_after) for card in motion.cards)
    if motion.deed == "deal":  # dealt stacks are named from the top
        cards = cards[::-1]
    return Errand(
        player=motion.player,
        hand=motion.hand,
        deed=motion.deed,
        source=place_name(motion.source),
        target=place_name(motion.target),
        cards=cards,
        leaves=motion.leaves,
        grips=motion.grips,
        releases=motion.releases,
        home=motion.home,
        turns_back=motion.turns_back,
    )


def is_hand(place: str) -> bool:
    return place.endswith(f" {HAND}")
