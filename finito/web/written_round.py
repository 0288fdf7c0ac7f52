"""A round told line by line, judged, corrected and counted; what it says goes to the table's pages."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from contextlib import suppress
from dataclasses import replace
from typing import Any, Final

from finito.errors import BadInput
from finito.judging import WrittenRounds
from finito.web.board_json import board_json
from finito.web.journal import Journal
from finito.web.on_table import Ruling
from finito.web.spoken import in_all_languages
from finito.web.tables import Table
from referee.actions import (
    Action,
    Amend,
    Correction,
    Count,
    Deal,
    Finito,
    Play,
    Remark,
    RoundHeader,
    Start,
    Undo,
)
from referee.cards import face
from referee.corrections import effective
from referee.errors import RefereeError
from referee.judge import Answer
from referee.notation import entry_to_json, parse_entry
from referee.round import RoundReferee
from referee.rules.pile_game import PileRules
from referee.verdicts import Rule

Json = dict[str, Any]
RULING: Final = "ruling"
UNCOUNT: Final = "uncount"
_OF_PEOPLE: Final = (RULING, UNCOUNT, "undo", "amend", "count", "result")
_MISREAD: Final = frozenset({Rule.WRONG_NUMBER, Rule.WRONG_COLOUR, Rule.MUST_START_WITH_ZERO})


class WrittenRound:
    """The journal's first line is the page's own; every other is an entry of the round or a ruling on one."""

    def __init__(self, table: Table, journal: Journal) -> None:
        self._lock = threading.RLock()
        self._table, self._journal = table, journal
        self._log: list[tuple[int, Action | Correction]] = []
        self._deals: list[Deal] = []
        self._referee: RoundReferee | None = None
        self._said: dict[int, Answer[Action]] = {}
        self._rulings: dict[int, tuple[int, Ruling]] = {}  # by line: the line of the ruling, and which
        self._voided: dict[int, int] = {}  # by line: the correction that took it out
        self._amended: dict[int, int] = {}
        self._heard: list[int] = []  # lines of people's corrections, rulings and count, for undo
        self._count_line: int | None = None
        self.result: Json | None = None
        self.counted: dict[str, int] = {}
        for number, line in enumerate(journal.lines[1:], start=2):
            with suppress(RefereeError):  # it was refused when it was told, too
                self._take(number, line)

    @property
    def entries(self) -> int:
        """How many lines of the round were told, without what people said about them."""
        return sum(
            line.get("type") not in _OF_PEOPLE and "by" not in line for line in self._journal.lines[1:]
        )

    @property
    def referee(self) -> RoundReferee:
        if self._referee is None:
            raise BadInput("no round is on the table yet; start one first")
        return self._referee

    def tell(self, entry: RoundHeader | Deal | Action) -> None:
        """What happens next on the table."""
        self._write(entry_to_json(entry))

    def call(self, action: Start | Finito) -> None:
        """A word that somebody said by the page's button."""
        self._write({**entry_to_json(action), "by": "page"})

    def correct(self, correction: Correction) -> int:
        """A person's word: that line did not happen, or was another one. Gives the line of the correction."""
        with self._lock:
            known = {number for number, _ in self._log} | {number for number, _ in self._rulings.values()}
            if correction.line not in known:
                raise RefereeError(f"line {correction.line} is no action or correction; name one that is")
            if isinstance(correction, Amend):
                self.referee.checks.action(correction.action)
            return self._write(entry_to_json(correction))

    def rule(self, line: int, ruling: Ruling) -> int:
        """What the table says of a call: it is right, it is wrong, or it shall pass this time."""
        with self._lock:
            answer = self._said.get(line)
            if answer is None or answer.verdict.legal:
                raise RefereeError(f"line {line} was not called; only a call can be ruled on")
            if ruling == "wrong":
                return self.correct(self._charitable(answer))
            return self._write({"type": RULING, "line": line, "ruling": ruling})

    def undo_last(self) -> int:
        """Takes back what a person said last, or else the last action."""
        with self._lock:
            if self._heard and self._heard[-1] == self._count_line:
                return self._write({"type": UNCOUNT})
            if self._heard:
                return self.correct(Undo(self._heard[-1]))
            standing = [number for number, _ in effective(self._log)]
            if not standing:
                raise RefereeError("there is nothing to undo yet")
            return self.correct(Undo(standing[-1]))

    def count(self, count: Count) -> Json:
        """The cards of the centre by back; counting again replaces the first count."""
        with self._lock:
            for name, cards in (*count.by_back, *count.race_left):
                self.referee.checks.counted(name, cards)
            self._write(entry_to_json(count))
            assert self.result is not None
            return self.result

    def suggestion(self) -> dict[str, int]:
        """Cards in the centre by back, as far as they were seen to go there."""
        state = self.referee.state
        return {name: side.centre for name, side in zip(self.referee.rules.players, state.sides, strict=True)}

    def _write(self, line: Json) -> int:
        with self._lock:
            self._probe(line)
            number = self._journal.add(line)
            self._take(number, line)
            return number

    def _probe(self, line: Json) -> None:
        """What cannot be judged is refused before it is written: the journal must always be readable."""
        if line["type"] not in (RULING, UNCOUNT):
            entry = parse_entry(line)
            if isinstance(entry, RoundHeader):
                RoundReferee(entry)
            elif self._referee is None:
                raise RefereeError("a round begins with its header")
            elif not isinstance(entry, Deal | Undo | Amend | Count):
                self._referee.checks.action(entry)  # type: ignore[arg-type]

    def _take(self, number: int, line: Json) -> None:
        if line["type"] == RULING:
            self._rulings[int(line["line"])] = (number, line["ruling"])
            self._heard.append(number)
            self._say(int(line["line"]))
            self._stand()
            return
        if line["type"] == UNCOUNT:
            self._uncount()
            self._stand()
            return
        entry = parse_entry(line)
        if isinstance(entry, RoundHeader):
            self._referee = RoundReferee(entry)
        elif isinstance(entry, Deal):
            self._deals.append(entry)
            self.referee.deal(entry)
        elif isinstance(entry, Count):
            self._answer(self.referee.close())
            self._uncount()
            self.counted = dict(entry.by_back)
            self.result = WrittenRounds().result(self.referee.count(entry))
            self._count_line = number
            self._heard.append(number)
        elif isinstance(entry, Remark):
            return
        elif isinstance(entry, Undo | Amend):
            self._corrected(number, entry)
        else:
            action: Action = entry
            answers = self.referee.act(number, action)
            self._log.append((number, action))
            self._answer(answers)
        self._stand()

    def _uncount(self) -> None:
        if self._count_line in self._heard:
            self._heard.remove(self._count_line)
        self._count_line, self.result, self.counted = None, None, {}

    def _corrected(self, number: int, correction: Correction) -> None:
        ruled = {made: line for line, (made, _) in self._rulings.items()}
        if isinstance(correction, Undo) and correction.line in ruled:
            del self._rulings[ruled[correction.line]]
            self._heard.remove(correction.line)
            self._say(ruled[correction.line])
            return
        waited, done = self.referee.correct(number, correction)
        self._answer(waited)
        self._log.append((number, correction))
        if correction.line in self._heard:
            self._heard.remove(correction.line)
        else:
            self._heard.append(number)
        corrections = dict(self._corrections())
        before = {**self._voided, **self._amended}
        self._voided = {entry.line: at for at, entry in corrections.items() if isinstance(entry, Undo)}
        self._amended = {entry.line: at for at, entry in corrections.items() if isinstance(entry, Amend)}
        for answer in done.changed:
            self._said[answer.line] = answer
        touched = {line for line in {*before, *self._voided, *self._amended} if line in self._said}
        corrected = _target(self._log, correction)
        for line in sorted({answer.line for answer in done.changed} | touched):
            self._say(line, "withdrawn" if line in self._voided else "changed", corrected=line == corrected)
        again = self.referee.recount()
        if again is not None and self._count_line is not None:
            self.result = WrittenRounds().result(again)

    def _corrections(self) -> list[tuple[int, Correction]]:
        """Those that stand: undoing a correction takes it out."""
        void: set[int] = set()
        for line, entry in reversed(self._log):
            if isinstance(entry, Undo) and line not in void:
                void.add(entry.line)
        return [
            (line, entry) for line, entry in self._log if isinstance(entry, Undo | Amend) and line not in void
        ]

    def _charitable(self, answer: Answer[Action]) -> Correction:
        """A call that is wrong: the card was misread if one that fits explains it; else nothing happened."""
        action, line = answer.action, answer.line
        rule = answer.verdict.rule
        if isinstance(action, Play) and action.pile is not None and rule in _MISREAD:
            before = self._told(entry for entry in effective(self._log) if entry[0] < line)
            piles = before.state.piles
            top = next(iter(piles[action.pile - 1].tops), None) if action.pile <= len(piles) else None
            fits = face(action.face.colour, 0) if top is None else face(top.colour, top.number + 1)
            amend = Amend(line, replace(action, face=fits))
            again = {each.line: each.verdict for each in self._replayed([*self._log, (line + 10**6, amend)])}
            if fits.known and line in again and not again[line].illegal:
                return amend
        return Undo(line)

    def _told(self, entries: Any) -> RoundReferee:
        told = RoundReferee(self.referee.header)
        for deal in self._deals:
            told.deal(deal)
        for line, action in entries:
            told.act(line, action)
        return told

    def _replayed(self, log: Sequence[tuple[int, Action | Correction]]) -> list[Answer[Action]]:
        told = self._told(())
        answers = []
        for line, action in effective(log):
            answers += told.act(line, action)
        return [*answers, *told.close()]

    def _answer(self, answers: Sequence[Answer[Action]]) -> None:
        for answer in answers:
            self._said[answer.line] = answer
            self._say(answer.line, "new")

    def _say(self, line: int, said: str = "changed", *, corrected: bool = False) -> None:
        answer = self._said.get(line)
        if answer is None:
            return
        verdict = answer.verdict
        told = entry_to_json(answer.action)
        told |= {
            "line": line,
            "verdict": verdict.outcome.value,
            "rule": None if verdict.rule is None else verdict.rule.value,
            "why": "",
            "confidence": 1.0,
            "seen": [],
        }
        if isinstance(answer.action, Play):
            told["pile"] = answer.action.pile
        if said != "new":
            told["said"] = said
        if corrected:
            told["corrected"] = True
        ruling = self._rulings.get(line)
        if ruling is not None:
            told |= {"ruling": ruling[1], "settled_by": ruling[0]}
        settled = self._voided.get(line, self._amended.get(line))
        if settled is not None:
            told |= {"settled_by": settled, "said": "withdrawn" if line in self._voided else "changed"}
        self._table.push(told, in_all_languages(verdict.reason, self.referee.header.game))

    def _stand(self) -> None:
        if self._referee is None:
            return
        rules: PileRules = self._referee.rules
        state = self._referee.state if self._log else self._referee.opening_state()
        self._table.stand(board_json(rules, state, self.faults()), self.result)

    def faults(self) -> Counter[str]:
        """Illegal plays by player, without those that were let pass or taken out."""
        counted: Counter[str] = Counter()
        for line, answer in self._said.items():
            ruling = self._rulings.get(line, (0, ""))[1]
            fault = answer.verdict.illegal or (answer.verdict.unsure and ruling == "right")
            name = getattr(answer.action, "player", None)
            if fault and ruling != "pass" and line not in self._voided and name is not None:
                counted[name] += 1
        return counted


def _target(log: Sequence[tuple[int, Action | Correction]], correction: Correction) -> int:
    """The action that a correction, or the undoing of one, is about."""
    by_line = dict(log)
    line = correction.line
    while isinstance(entry := by_line.get(line), Undo | Amend):
        line = entry.line
    return line
