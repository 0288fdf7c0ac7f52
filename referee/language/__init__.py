"""Reasons and rules put into words, in the four languages of the table."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.cards import Face
from referee.errors import NotationError
from referee.language.en import ENGLISH
from referee.language.words import Words
from referee.state import Top
from referee.verdicts import Reason, Rule

LANGUAGES: Final = {words.code: words for words in (ENGLISH,)}


def words_of(language: str) -> Words:
    try:
        return LANGUAGES[language]
    except KeyError:
        known = ", ".join(LANGUAGES)
        raise NotationError(f"the language {language!r} is not known; known are {known}") from None


def sentence(reason: Reason, language: str = "en") -> str:
    """The reason of a verdict as one sentence."""
    words = words_of(language)
    return words.sentences[reason.key].format(*(_spoken(value, words) for value in reason.values))


def rule_sentence(rule: Rule, language: str = "en") -> str:
    return words_of(language).rules[rule]


def _spoken(value: object, words: Words) -> object:
    if isinstance(value, Reason):
        return sentence(value, words.code)
    if isinstance(value, Face | Top):
        return _Spoken(value, words)
    if isinstance(value, str):
        return words.places.get(value) or words.hands.get(value) or value
    return value


@dataclass(frozen=True, slots=True)
class _Spoken:
    """A card in a sentence: `{0}` names it, `{0:number}`, `{0:colour}` and `{0:next}` speak of it."""

    value: Face | Top
    words: Words

    def __format__(self, spec: str) -> str:
        value = self.value
        if spec == "number":
            return "?" if value.number is None else str(value.number)
        if spec == "colour":
            return "?" if value.colour is None else self.words.colours[value.colour]
        if spec == "next":
            assert value.number is not None
            number = value.number + 1
            return (
                self.words.any_colour(number)
                if value.colour is None
                else self.words.card(value.colour, number)
            )
        return self.words.card(value.colour, value.number)
