"""What the live referee says, in the form of the contract's `watch` lines."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Literal

from referee.actions import Action
from referee.language import sentence
from referee.notation import entry_to_json
from referee.verdicts import Verdict
from vision.inference.inferred import Inferred

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class LiveEvent:
    """An action with its verdict. `said` tells a first word from a later change of it."""

    line: int
    action: Action
    verdict: Verdict
    confidence: float
    moment: float
    seen: tuple[int, int] | None
    told: float  # the time of the observation that made it final
    said: Literal["new", "changed", "withdrawn"] = "new"
    inferred: Inferred | None = None

    def json(self, language: str = "en", game: str = "espresso") -> Json:
        """A line of `finito watch --json`."""
        line = entry_to_json(self.action)
        line["t"] = round(self.moment, 3)
        verdict = self.verdict
        line |= {
            "verdict": verdict.outcome.value,
            "rule": None if verdict.rule is None else verdict.rule.value,
            "why": sentence(verdict.reason, language, game),
            "confidence": round(self.confidence, 3),
            "seen": [] if self.seen is None else list(self.seen),
            "line": self.line,
        }
        return line if self.said == "new" else line | {"said": self.said}
