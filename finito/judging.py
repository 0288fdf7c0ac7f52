"""Lines of a written round in, JSON answers out: what `finito judge` and the live referee share."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from referee.actions import Amend, Count, Deal, Remark, RoundHeader, Undo
from referee.errors import RefereeError
from referee.judge import Answer
from referee.language import sentence, words_of
from referee.notation import Entry
from referee.round import Corrected, RoundReferee
from referee.scoring import ScoreSheet
from referee.verdicts import Reason, Verdict

Json = dict[str, Any]


class WrittenRounds:
    """A record of one round after the other; totals carry over while the players stay the same."""

    def __init__(self, language: str = "en") -> None:
        words_of(language)
        self.language = language
        self.round: RoundReferee | None = None

    def feed(self, line: int, entry: Entry) -> Iterator[Json]:
        """The answers that this entry makes final."""
        if isinstance(entry, RoundHeader):
            yield from self._open(entry)
            return
        if isinstance(entry, Remark):
            return
        referee = self.round
        if referee is None:
            raise RefereeError('the record must begin with a round line: {"type": "round", "players": [...]}')
        if isinstance(entry, Deal):
            referee.deal(entry)
        elif isinstance(entry, Count):
            yield from self.close()
            yield self.result(referee.count(entry))
        elif isinstance(entry, Undo | Amend):
            before = referee.recount()
            waited, corrected = referee.correct(line, entry)
            yield from map(self.answer, waited)
            yield self.corrected(corrected)
            after = referee.recount()
            if after is not None and after != before:
                yield self.result(after)
        else:
            yield from map(self.answer, referee.act(line, entry))

    def close(self) -> Iterator[Json]:
        """The answers that waited for more lines, when none will come."""
        if self.round is not None:
            yield from map(self.answer, self.round.close())

    @property
    def _game(self) -> str:
        return "espresso" if self.round is None else self.round.header.game

    def _open(self, header: RoundHeader) -> Iterator[Json]:
        yield from self.close()
        before = self.round
        carried = before.totals if before is not None and before.header.players == header.players else ()
        self.round = RoundReferee(header, carried)

    def answer(self, answer: Answer[Any]) -> Json:
        return {"line": answer.line, **self.verdict(answer.verdict)}

    def verdict(self, verdict: Verdict) -> Json:
        rule = None if verdict.rule is None else verdict.rule.value
        why = sentence(verdict.reason, self.language, self._game)
        return {"verdict": verdict.outcome.value, "rule": rule, "why": why}

    def corrected(self, done: Corrected) -> Json:
        key = "undone" if isinstance(done.correction, Undo) else "amended"
        why = sentence(Reason(key, (done.correction.line,)), self.language, self._game)
        changed = [self.answer(answer) for answer in done.changed]
        return {"line": done.line, "verdict": "legal", "rule": None, "why": why, "changed": changed}

    def result(self, sheet: ScoreSheet) -> Json:
        unsure = [
            {"back": back, "counted": counted, "recorded": recorded}
            for back, counted, recorded in sheet.unsure
        ]
        return {
            "type": "result",
            "points": dict(sheet.points),
            "finito": sheet.caller,
            "totals": dict(sheet.totals),
            "winner": sheet.winner,
            "expected": sheet.expected,
            "unsure": unsure,
        }
