"""What the referee says of an action: an outcome, the rule by name, and the reason in any language."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from functools import lru_cache
from typing import Final


class Outcome(StrEnum):
    LEGAL = "legal"
    ILLEGAL = "illegal"
    UNSURE = "unsure"


class Rule(StrEnum):
    """Every rule a verdict may name; the contracts' table, and what the family's home building adds."""

    MUST_START_WITH_ZERO = "must-start-with-zero"
    WRONG_NUMBER = "wrong-number"
    WRONG_COLOUR = "wrong-colour"
    PILE_COMPLETE = "pile-complete"
    NOT_OPEN = "not-open"
    NOT_YOURS = "not-yours"
    HELP_NOT_REFILLED = "help-not-refilled"
    REFILL_SOURCE = "refill-source"
    TURN_COUNT = "turn-count"
    TWO_HANDS = "two-hands"
    BEFORE_START = "before-start"
    AFTER_FINITO = "after-finito"
    FALSE_FINITO = "false-finito"
    JOKER_ON_EIGHT = "joker-on-eight"
    JOKER_ON_JOKER = "joker-on-joker"
    JOKER_NOT_FOLLOWED = "joker-not-followed"
    TOO_LATE = "too-late"
    IMPOSSIBLE_CARD = "impossible-card"
    HOME_ORDER = "home-order"


@dataclass(frozen=True, slots=True)
class Reason:
    """Why, before it is put into words: a key of the sentence tables and the values it speaks of."""

    key: str
    values: tuple[object, ...] = ()


@dataclass(frozen=True, slots=True)
class Verdict:
    """The answer to one action."""

    outcome: Outcome
    rule: Rule | None
    reason: Reason

    @property
    def legal(self) -> bool:
        return self.outcome is Outcome.LEGAL

    @property
    def illegal(self) -> bool:
        return self.outcome is Outcome.ILLEGAL

    @property
    def unsure(self) -> bool:
        return self.outcome is Outcome.UNSURE


@lru_cache(maxsize=4096)
def legal(key: str, *values: object) -> Verdict:
    return Verdict(Outcome.LEGAL, None, Reason(key, values))


def illegal(rule: Rule, key: str, *values: object) -> Verdict:
    return Verdict(Outcome.ILLEGAL, rule, Reason(key, values))


def unsure(rule: Rule | None, key: str, *values: object) -> Verdict:
    """Unsure, with the rule that may have been broken where there is one in question."""
    return Verdict(Outcome.UNSURE, rule, Reason(key, values))


# What a pile, a hand or the shout shows by itself, whatever happened at home before.
PLAIN_TO_SEE: Final = frozenset(
    {
        Rule.MUST_START_WITH_ZERO,
        Rule.WRONG_NUMBER,
        Rule.WRONG_COLOUR,
        Rule.PILE_COMPLETE,
        Rule.NOT_YOURS,
        Rule.TWO_HANDS,
        Rule.BEFORE_START,
        Rule.AFTER_FINITO,
        Rule.JOKER_ON_EIGHT,
        Rule.JOKER_ON_JOKER,
        Rule.TOO_LATE,
    }
)
