"""A line as a page of one language says it."""

from __future__ import annotations

from functools import cache
from typing import Any

from referee.language import LANGUAGES, rule_sentence, sentence
from referee.verdicts import Reason, Rule

Json = dict[str, Any]


def spoken(line: Json, language: str, game: str) -> Json:
    """The line with its reason and its rule in words; `words` itself stays here."""
    said = {name: value for name, value in line.items() if name != "words"}
    words = line.get("words") or {}
    if language in words:
        said["why"] = words[language]
    rule = line.get("rule")
    said["says"] = rule_in_words(str(rule), language, game) if rule else None
    return said


def in_all_languages(reason: Reason, game: str) -> dict[str, str]:
    return {code: sentence(reason, code, game) for code in LANGUAGES}


@cache
def rule_in_words(rule: str, language: str, game: str) -> str | None:
    try:
        return rule_sentence(Rule(rule), language, game)
    except ValueError:
        return None
