"""What a language brings: names of colours and places, sentences for reasons, and the rules in words."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass

from referee.cards import Colour
from referee.verdicts import Rule


@dataclass(frozen=True)
class Words:
    """One language. `card` puts a colour (or none) and a number (or none) into words."""

    code: str
    colours: Mapping[Colour, str]
    places: Mapping[str, str]
    hands: Mapping[str, str]
    card: Callable[[Colour | None, int | None], str]
    any_colour: Callable[[int], str]
    sentences: Mapping[str, str]
    rules: Mapping[Rule, str]
