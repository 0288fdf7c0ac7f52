"""A round under a camera on the table's pages: what the live referee says, and what people say about it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from finito.judging import WrittenRounds
from finito.live.events import LiveEvent
from finito.web.board_json import board_json
from finito.web.on_table import Ruling
from finito.web.spoken import in_all_languages
from finito.web.tables import Table
from referee.actions import Action, Amend, Correction, Count, Finito, RoundHeader, Start, Undo
from referee.errors import RefereeError
from referee.round import RoundReferee
from referee.rules.pile_game import PileRules
from referee.state import RoundState
from vision.observations import Observation

Json = dict[str, Any]
_OF_PEOPLE: Final = 5_000_000  # corrections are numbered from here on, far above the lines of a round


class Log(Protocol):
    @property
    def rules(self) -> PileRules: ...

    @property
    def state(self) -> RoundState: ...


class LiveRound(Protocol):
    """What is needed of `finito.live.LiveReferee`."""

    header: RoundHeader

    @property
    def log(self) -> Log: ...

    def feed(self, observation: Observation) -> list[LiveEvent]: ...

    def start(self, t: float, player: str | None = None) -> list[LiveEvent]: ...

    def call_finito(self, player: str, t: float) -> list[LiveEvent]: ...

    def correct(self, correction: Correction) -> list[LiveEvent]: ...

    def recorded(self) -> RoundReferee: ...


@dataclass(frozen=True, slots=True)
class _Word:
    """Something a person said: a ruling, or a correction with the action as it was before."""

    number: int
    line: int
    ruling: Ruling | None = None
    before: Action | None = None


class WatchedRound:
    """Feed it observations from the watching thread; pages correct it from theirs."""

    def __init__(self, table: Table, referee: LiveRound) -> None:
        self._table, self._referee = table, referee
        self._lock = threading.RLock()
        self._last: dict[int, LiveEvent] = {}
        self._words: dict[int, _Word] = {}  # by number, those that stand
        self._numbers = _OF_PEOPLE
        self._now = 0.0
        self.result: Json | None = None
        self.counted: dict[str, int] = {}

    def feed(self, observation: Observation) -> list[LiveEvent]:
        """The referee's events, after the pages have heard them."""
        with self._lock:
            self._now = max(self._now, observation.t)
            events = self._referee.feed(observation)
            self._tell(events)
            return events

    def call(self, action: Start | Finito) -> None:
        """A word said by the page's button, at the time of the last frame."""
        with self._lock:
            if isinstance(action, Finito):
                if action.player not in self._referee.header.players:
                    raise RefereeError(f"{action.player!r} does not play in this round")
                self._tell(self._referee.call_finito(action.player, self._now))
            else:
                self._tell(self._referee.start(self._now, action.player))

    def rule(self, line: int, ruling: Ruling) -> int:
        with self._lock:
            event = self._last.get(line)
            if event is None or event.verdict.legal:
                raise RefereeError(f"line {line} was not called; only a call can be ruled on")
            if ruling == "wrong":
                return self.correct(Undo(line))
            if ruling == "right" and event.verdict.unsure:
                return self.correct(Amend(line, event.action))
            word = self._said(line, ruling=ruling)
            self._push(event)
            self._stand()
            return word.number

    def correct(self, correction: Correction) -> int:
        """Undo and amend by line; undoing a word of a person takes that word back."""
        with self._lock:
            word = self._words.get(correction.line)
            if word is not None and isinstance(correction, Undo):
                return self._take_back(word)
            event = self._last.get(correction.line)
            if event is None:
                raise RefereeError(f"line {correction.line} is no action or correction; name one that is")
            said = self._said(correction.line, before=event.action)
            self._tell(self._referee.correct(correction), corrected=correction.line)
            return said.number

    def undo_last(self) -> int:
        with self._lock:
            if self._words:
                return self.correct(Undo(max(self._words)))
            standing = [line for line, event in self._last.items() if event.said != "withdrawn"]
            if not standing:
                raise RefereeError("there is nothing to undo yet")
            return self.correct(Undo(max(standing)))

    def count(self, count: Count) -> Json:
        with self._lock:
            self.result = WrittenRounds().result(self._referee.recorded().count(count))
            self.counted = dict(count.by_back)
            self._stand()
            return self.result

    def suggestion(self) -> dict[str, int]:
        with self._lock:
            log = self._referee.log
            return {name: side.centre for name, side in zip(log.rules.players, log.state.sides, strict=True)}

    def faults(self) -> Counter[str]:
        counted: Counter[str] = Counter()
        passed = {word.line for word in self._words.values() if word.ruling == "pass"}
        for line, event in self._last.items():
            name = getattr(event.action, "player", None)
            if (
                event.verdict.illegal
                and event.said != "withdrawn"
                and line not in passed
                and name is not None
            ):
                counted[name] += 1
        return counted

    def _said(self, line: int, *, ruling: Ruling | None = None, before: Action | None = None) -> _Word:
        self._numbers += 1
        word = _Word(self._numbers, line, ruling, before)
        self._words[word.number] = word
        return word

    def _take_back(self, word: _Word) -> int:
        del self._words[word.number]
        if word.before is not None:
            self._tell(self._referee.correct(Amend(word.line, word.before)), corrected=word.line)
        else:
            self._push(self._last[word.line])
            self._stand()
        return word.number

    def _tell(self, events: Sequence[LiveEvent], corrected: int | None = None) -> None:
        for event in events:
            self._last[event.line] = event
            self._push(event, corrected=event.line == corrected)
        if corrected is not None and corrected not in {event.line for event in events}:
            self._push(self._last[corrected], corrected=True)  # nothing changed but that it is settled now
        if events or corrected is not None:
            self._stand()

    def _push(self, event: LiveEvent, *, corrected: bool = False) -> None:
        game = self._referee.header.game
        told = event.json("en", game)
        if corrected:
            told["corrected"] = True
        for word in self._words.values():
            if word.line == event.line:
                told |= {"settled_by": word.number} | ({"ruling": word.ruling} if word.ruling else {})
        self._table.push(told, in_all_languages(event.verdict.reason, game))

    def _stand(self) -> None:
        log = self._referee.log
        self._table.stand(board_json(log.rules, log.state, self.faults()), self.result)
