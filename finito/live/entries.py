"""The log of a watched round: one entry for each thing that happened, with its verdict as it stands."""

from __future__ import annotations

from dataclasses import dataclass, field

from finito.live.table_rules import Happening
from referee.verdicts import Verdict
from vision.inference.inferred import Inferred
from vision.inference.table import PlaceKey


@dataclass(slots=True, eq=False)
class Entry:
    """A line of the log. `told` is the verdict the table has heard; `held` delays the first word on it."""

    line: int
    what: Happening
    moment: float
    inferred: Inferred | None
    touched: dict[PlaceKey, float] = field(default_factory=dict)
    verdict: Verdict | None = None
    told: Verdict | None = None
    held_until: float | None = None
    void: bool = False  # withdrawn by later evidence or by a person
    settled_by_hand: bool = False  # a person said so: nothing overrules it
    unproven: Inferred | None = None  # the evidence that did not bear out an accusation
    handless: bool = False  # no hand could be told of an arm in plain view: perhaps there were two
    silent: bool = False  # no action of anybody: nothing is said of it

    @property
    def confidence(self) -> float:
        return 1.0 if self.inferred is None else self.inferred.confidence
