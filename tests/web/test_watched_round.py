"""A round under a camera on the pages: a live referee that says what it is told to."""

from __future__ import annotations

from collections import Counter
from typing import Any

import pytest

from finito.live.events import LiveEvent
from finito.web.tables import Table
from finito.web.watched_round import WatchedRound
from referee.actions import Amend, Correction, Count, Finito, RoundHeader, Undo
from referee.errors import RefereeError
from referee.judge import Answer
from referee.notation import parse_line
from referee.round import RoundReferee
from referee.rules.pile_game import PileRules
from referee.state import RoundState
from tests.web.written import LINES
from vision.observations import Observation, Tick


class ScriptedReferee:
    """Judges the written round as a live referee would: one action for each look at the table."""

    def __init__(self) -> None:
        entries: list[Any] = [parse_line(line) for line in LINES.strip().splitlines()]
        self.header: RoundHeader = entries[0]
        self._deals, self._actions = entries[1:3], entries[3:]
        self._told: dict[int, Any] = {}
        self._void: set[int] = set()
        self._verdicts: dict[int, Any] = {}
        self.told = self._referee()[0]
        self.round: RoundReferee | None = None

    @property
    def log(self) -> ScriptedReferee:
        return self

    @property
    def rules(self) -> PileRules:
        return self.told.rules

    @property
    def state(self) -> RoundState:
        return self.told.state

    def _referee(self) -> tuple[RoundReferee, list[Answer[Any]]]:
        told = RoundReferee(self.header)
        for deal in self._deals:
            told.deal(deal)
        answers = []
        for line, action in self._told.items():
            if line not in self._void:
                answers += told.act(line, action)
        return told, [*answers, *told.close()]

    def _judged(self) -> list[LiveEvent]:
        self.told, answers = self._referee()
        events = []
        for answer in answers:
            before = self._verdicts.get(answer.line)
            if before != answer.verdict:
                self._verdicts[answer.line] = answer.verdict
                said = "new" if before is None else "changed"
                events.append(self._event(answer.line, said))
        return events

    def _event(self, line: int, said: Any) -> LiveEvent:
        return LiveEvent(line, self._told[line], self._verdicts[line], 1.0, float(line), (1, 2), 1.0, said)

    def feed(self, observation: Observation) -> list[LiveEvent]:
        assert observation.t >= 0
        line = len(self._told) + 1
        self._told[line] = self._actions[line - 1]
        return self._judged()

    def start(self, t: float, player: str | None = None) -> list[LiveEvent]:
        raise AssertionError((t, player))

    def call_finito(self, player: str, t: float) -> list[LiveEvent]:
        self._told[len(self._told) + 1] = Finito(player, None)
        assert t == 6.0
        return self._judged()

    def correct(self, correction: Correction) -> list[LiveEvent]:
        line = correction.line
        if isinstance(correction, Undo):
            self._void.add(line)
            return [self._event(line, "withdrawn"), *self._judged()]
        self._void.discard(line)
        self._told[line] = correction.action
        self._verdicts.pop(line, None)
        return self._judged()

    def recorded(self) -> RoundReferee:
        return self._referee()[0]


@pytest.fixture
def table() -> Table:
    return Table()


@pytest.fixture
def watched(table: Table) -> WatchedRound:
    round_ = WatchedRound(table, ScriptedReferee())
    for number in range(6):
        round_.feed(Tick(number + 1.0, number))
    return round_


def call_of(table: Table) -> dict[str, Any]:
    lines = table.snapshot("de")["lines"]
    found: dict[str, Any] = next(line for line in lines if line["rule"] == "wrong-colour")
    return found


def test_what_the_live_referee_says_is_on_the_pages_in_their_language(
    watched: WatchedRound, table: Table
) -> None:
    assert watched.faults() == Counter(pizza=1)
    assert "jetzt kommt die gelbe 2" in call_of(table)["why"]
    assert table.snapshot("en")["board"]["points"] == {"pizza": 1, "gelato": 1}


def test_an_overruled_call_falls_and_comes_back(watched: WatchedRound, table: Table) -> None:
    line = call_of(table)["line"]
    watched.rule(line, "wrong")
    withdrawn = call_of(table)
    assert (withdrawn["said"], withdrawn["corrected"]) == ("withdrawn", True)
    assert watched.faults() == Counter()
    watched.correct(Undo(withdrawn["settled_by"]))
    assert "settled_by" not in call_of(table)
    assert watched.faults() == Counter(pizza=1)


def test_what_passes_is_no_fault_until_it_is_undone(watched: WatchedRound, table: Table) -> None:
    watched.rule(call_of(table)["line"], "pass")
    assert (call_of(table)["ruling"], watched.faults()) == ("pass", Counter())
    watched.undo_last()
    assert ("ruling" in call_of(table), watched.faults()) == (False, Counter(pizza=1))


def test_an_amended_card_counts(watched: WatchedRound, table: Table) -> None:
    entry: Any = parse_line('{"type": "play", "player": "pizza", "face": "Y2", "from": "help1", "to": 1}')
    watched.correct(Amend(call_of(table)["line"], entry))
    assert table.snapshot("en")["board"]["points"]["pizza"] == 2
    assert watched.suggestion() == {"pizza": 2, "gelato": 1}
    assert watched.count(Count((("pizza", 2), ("gelato", 1))))["points"] == {"pizza": 2, "gelato": 1}
    watched.undo_last()
    assert (watched.result, watched.counted) == (None, {})
    assert table.snapshot("en")["result"] is None
    watched.undo_last()
    assert table.snapshot("en")["board"]["points"]["pizza"] == 1


def test_a_finito_by_button_is_judged(watched: WatchedRound, table: Table) -> None:
    watched.call(Finito("gelato", None))
    assert table.snapshot("en")["lines"][-1]["rule"] == "false-finito"
    with pytest.raises(RefereeError, match="does not play"):
        watched.call(Finito("nobody", None))


def test_what_was_not_called_cannot_be_ruled_on(watched: WatchedRound) -> None:
    for line in (1, 99):
        with pytest.raises(RefereeError, match="was not called"):
            watched.rule(line, "wrong")
    with pytest.raises(RefereeError, match="no action"):
        watched.correct(Undo(99))
