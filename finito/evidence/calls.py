"""The calls that a picture has to show: what was illegal, and what the referee is not sure of."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import dataclass
from typing import Any, Final

from finito.recording.ending import time_of
from finito.recording.session import WrittenAction
from finito.recording.telling import final_actions
from referee.actions import RoundHeader
from referee.errors import RefereeError
from referee.language import rule_sentence
from referee.language.rule_list import rules_called
from referee.notation import parse_entry
from referee.rules.espresso import rules_for
from referee.verdicts import Rule

CALLED: Final = ("illegal", "unsure")
OUTCOMES: Final = {
    "en": {"illegal": "Illegal", "unsure": "Not sure"},
    "de": {"illegal": "Regelverstoß", "unsure": "Unsicher"},
    "fr": {"illegal": "Coup interdit", "unsure": "Incertain"},
    "nl": {"illegal": "Overtreding", "unsure": "Niet zeker"},
}


@dataclass(frozen=True, slots=True)
class Call:
    """A verdict that accuses or doubts, with the action it speaks of."""

    line: int
    entry: dict[str, Any]

    @property
    def t(self) -> float:
        """When the card lay there, at the latest."""
        return time_of(self.entry)

    @property
    def rule(self) -> Rule | None:
        try:
            return Rule(str(self.entry.get("rule")))
        except ValueError:
            return None

    @property
    def outcome(self) -> str:
        return str(self.entry.get("verdict"))

    @property
    def frames(self) -> tuple[int, int] | None:
        """The numbers of the first and last frame that show it."""
        seen = self.entry.get("seen")
        if isinstance(seen, list) and seen and all(isinstance(each, int) for each in seen):
            return min(seen), max(seen)
        return None


def calls_in(actions: Iterable[WrittenAction]) -> list[Call]:
    """Calls that stood in the end."""
    return [Call(a.line, a.entry) for a in final_actions(actions) if a.entry.get("verdict") in CALLED]


def headline(call: Call, language: str) -> str:
    """Who, what and when, as a title."""
    outcome = OUTCOMES.get(language, OUTCOMES["en"]).get(call.outcome, call.outcome)
    player = call.entry.get("player")
    rule = f" ({call.rule.value})" if call.rule else ""
    minutes, seconds = divmod(max(0.0, call.t), 60)
    return f"{outcome}{rule}{f' – {player}' if player else ''} – {int(minutes)}:{seconds:04.1f}"


def rule_in_words(rule: Rule, header: RoundHeader | None, language: str) -> str:
    """The rule as it reads in the variant and edition of the round."""
    if header is None:
        return rule_sentence(rule, language)
    known = dict(rules_called(rules_for(header), language))
    return known.get(rule) or rule_sentence(rule, language, header.game)


def header_of(actions: Iterable[WrittenAction], line: int) -> RoundHeader | None:
    """The round that a line belongs to."""
    found: RoundHeader | None = None
    for action in actions:
        if action.line > line:
            break
        if action.entry.get("type") == "round":
            try:
                entry = parse_entry(action.entry)
            except RefereeError:
                continue
            found = entry if isinstance(entry, RoundHeader) else found
    return found
