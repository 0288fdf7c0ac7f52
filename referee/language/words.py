"""What a language brings: names of colours and places, sentences for reasons, and the rules in words.

Sentences are templates. `{0}` is a value as it is: a player's name stays what the players chose, even where
it sounds like a place. What is to be put into words says so: `{1:place}` and `{1:from}` a place of a player,
`{1:hand}` a hand, `{1:of}` what belongs to a player, `{1:cards}` a number of cards; a card names itself in
`{1}`, `{1:colour}` is the colour of a pile and `{1:next}` the card that comes upon it. `{race}` is the proper
name of the race stack and `{call}` the call that ends the round, both by game.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from referee.cards import Colour
from referee.verdicts import Rule


@dataclass(frozen=True)
class Twists:
    """Rules whose sentence is another one in a variant or an edition."""

    zero: Mapping[Rule, str]
    restart_on_last: Mapping[Rule, str]
    twos_after_fruitless: Mapping[Rule, str]


@dataclass(frozen=True)
class Words:
    """One language. `card` puts a colour (or none) and a number (or none) into words."""

    code: str
    name: str
    colours: Mapping[Colour, str]  # what a pile is
    other_colour: str  # what a pile is where its own colour is not settled
    places: Mapping[str, str]
    origins: Mapping[str, str]  # the same places, as where a card comes from
    hands: Mapping[str, str]
    card: Callable[[Colour | None, int | None], str]
    any_colour: Callable[[int], str]
    other_card: str  # the card that would have fitted, where no single one is known
    cards: Callable[[int], str]
    of: Callable[[str], str]
    sentences: Mapping[str, str]
    rules: Mapping[Rule, str]
    twists: Twists
