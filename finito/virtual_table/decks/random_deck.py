"""Decks without end: a seed and a split give a deck."""

from __future__ import annotations

from typing import Literal

from finito.virtual_table.decks.deck import Deck
from finito.virtual_table.decks.house import house_deck

Split = Literal["train", "validation", "test"]


def random_deck(seed: int, split: Split) -> Deck:
    deck = house_deck()
    return Deck(
        name=f"{split}-{seed}",
        card_mm=deck.card_mm,
        corner_radius_mm=deck.corner_radius_mm,
        colours=deck.colours,
        numbers=deck.numbers,
        backs=deck.backs,
        artist=deck.artist,
    )
