"""The cards that lie on the virtual table: the house deck and random decks without end."""

from finito.virtual_table.decks.deck import PX_PER_MM, Deck
from finito.virtual_table.decks.house import house_deck
from finito.virtual_table.decks.random_deck import Split, random_deck

__all__ = ["PX_PER_MM", "Deck", "Split", "house_deck", "random_deck"]
