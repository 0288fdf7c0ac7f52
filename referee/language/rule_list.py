"""The rules that may be called in a round, each with the sentence that holds in its variant and edition."""

from __future__ import annotations

from typing import Final

from referee.language import words_of
from referee.language.speaking import Speaker
from referee.language.words import Words
from referee.rules.pile_game import PileRules
from referee.verdicts import Rule

JOKER_RULES: Final = frozenset({Rule.JOKER_ON_EIGHT, Rule.JOKER_ON_JOKER, Rule.JOKER_NOT_FOLLOWED})


def rules_called(rules: PileRules, language: str = "en") -> tuple[tuple[Rule, str], ...]:
    """Every rule the referee may call under these rules, in the order of the contracts' table."""
    words = words_of(language)
    speaker = Speaker(words, rules.game)
    templates = _templates(words, rules)
    return tuple((rule, speaker.rule(templates[rule])) for rule in Rule if _holds(rule, rules))


def _holds(rule: Rule, rules: PileRules) -> bool:
    if rule in JOKER_RULES:
        return rules.zero
    if rule is Rule.NOT_YOURS:
        return not rules.chaos
    return rule is not Rule.HOME_ORDER or rules.game.home_building


def _templates(words: Words, rules: PileRules) -> dict[Rule, str]:
    templates = dict(words.rules)
    twists = words.twists
    for holds, twist in (
        (rules.zero, twists.zero),
        (rules.restart_on_last, twists.restart_on_last),
        (rules.twos_after_fruitless, twists.twos_after_fruitless),
    ):
        if holds:
            templates.update(twist)
    return templates
