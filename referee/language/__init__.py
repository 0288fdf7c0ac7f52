"""Reasons and rules put into words, in the four languages of the table."""

from __future__ import annotations

from types import MappingProxyType
from typing import Final

from referee.errors import NotationError
from referee.language.de import GERMAN
from referee.language.en import ENGLISH
from referee.language.fr import FRENCH
from referee.language.nl import DUTCH
from referee.language.speaking import Speaker
from referee.language.words import Words
from referee.rules.parameters import game_parameters
from referee.verdicts import Reason, Rule

LANGUAGES: Final = MappingProxyType({words.code: words for words in (ENGLISH, GERMAN, FRENCH, DUTCH)})


def words_of(language: str) -> Words:
    try:
        return LANGUAGES[language]
    except KeyError:
        known = ", ".join(LANGUAGES)
        raise NotationError(f"the language {language!r} is not known; known are {known}") from None


def sentence(reason: Reason, language: str = "en", game: str = "espresso") -> str:
    """The reason of a verdict as one sentence."""
    return Speaker(words_of(language), game_parameters(game)).sentence(reason)


def rule_sentence(rule: Rule, language: str = "en", game: str = "espresso") -> str:
    """A rule of a game as one sentence."""
    words = words_of(language)
    return Speaker(words, game_parameters(game)).rule(words.rules[rule])
