"""Values put into the words of a sentence; the template says how each is to be spoken."""

from __future__ import annotations

from dataclasses import dataclass
from types import MappingProxyType
from typing import Final

from referee.cards import Face
from referee.language.words import Words
from referee.rules.parameters import PileGame
from referee.state import Top
from referee.verdicts import Reason


@dataclass(frozen=True, slots=True)
class ProperNames:
    """What a game calls its race stack, and the call of whoever has emptied it: the same in all languages."""

    game: str
    race: str
    call: str


PROPER_NAMES: Final = MappingProxyType(
    {
        "espresso": ProperNames("Espresso", "Espresso", "Finito"),
        "ligretto": ProperNames("Ligretto", "Ligretto", "Ligretto"),
        "dutch-blitz": ProperNames("Dutch Blitz", "Blitz", "Blitz"),
    }
)


@dataclass(frozen=True, slots=True)
class Speaker:
    """One language speaking of one game."""

    words: Words
    game: PileGame

    @property
    def proper(self) -> ProperNames:
        return PROPER_NAMES[self.game.name]

    def sentence(self, reason: Reason) -> str:
        template = self.words.sentences[reason.key]
        values = (self._spoken(value) for value in reason.values)
        return template.format(*values, race=self.proper.race, call=self.proper.call)

    def rule(self, template: str) -> str:
        game = self.game
        return template.format(
            race=self.proper.race,
            call=self.proper.call,
            first=game.first_number,
            second=game.first_number + 1,
            last=game.last_number,
            turn=game.stock_turn,
        )

    def _spoken(self, value: object) -> object:
        if isinstance(value, Reason):
            return self.sentence(value)
        if isinstance(value, Face | Top) or value is None:
            return _Card(value, self)
        if isinstance(value, str):
            return _Name(value, self)
        if isinstance(value, int):
            return _Count(value, self.words)
        raise TypeError(f"a reason cannot speak of {value!r}")


@dataclass(frozen=True, slots=True)
class _Name:
    """A name as it is, or the word for a place or a hand where the sentence asks for one."""

    value: str
    speaker: Speaker

    def __format__(self, spec: str) -> str:
        words = self.speaker.words
        if spec == "place":
            return words.places[self.value].format(race=self.speaker.proper.race)
        if spec == "from":
            return words.origins[self.value].format(race=self.speaker.proper.race)
        if spec == "hand":
            return words.hands[self.value]
        return words.of(self.value) if spec == "of" else format(self.value, spec)


@dataclass(frozen=True, slots=True)
class _Count:
    value: int
    words: Words

    def __format__(self, spec: str) -> str:
        return self.words.cards(self.value) if spec == "cards" else format(self.value, spec)


@dataclass(frozen=True, slots=True)
class _Card:
    """A card or the top of a pile; none is a pile upon which no one card is known to fit."""

    value: Face | Top | None
    speaker: Speaker

    def __format__(self, spec: str) -> str:
        value, words = self.value, self.speaker.words
        if spec == "colour":
            colour = None if value is None else value.colour
            return words.other_colour if colour is None else words.colours[colour]
        if spec == "next":
            return self._next()
        if spec:
            raise ValueError(f"a card has no {spec!r}")
        return words.other_card if value is None else words.card(value.colour, value.number)

    def _next(self) -> str:
        value, words = self.value, self.speaker.words
        if value is None or value.number is None or value.number >= self.speaker.game.last_number:
            return words.other_card
        number = value.number + 1
        return words.any_colour(number) if value.colour is None else words.card(value.colour, number)
