"""A round under a camera on the table's pages: what the live referee says, and what people say about it."""

from __future__ import annotations

import threading
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol

from finito.judging import WrittenRounds
from finito.live import LiveReferee
from finito.live.events import LiveEvent
from finito.web.board_json import board_json
from finito.web.journal import Journal
from finito.web.keeping import Recorder
from finito.web.on_table import Ruling
from finito.web.spoken import in_all_languages
from finito.web.tables import Table
from referee.actions import Action, Amend, Correction, Count, Finito, RoundHeader, Start, Undo
from referee.errors import RefereeError
from referee.notation import entry_to_json, parse_entry
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
    """Something a person said: a ruling, a correction with the action as it was before, or a count."""

    number: int
    line: int
    ruling: Ruling | None = None
    before: Action | None = None
    counted: bool = False


class WatchedRound:
    """Feed it observations from the watching thread; pages correct it from theirs."""

    def __init__(
        self,
        table: Table,
        referee: LiveRound,
        journal: Journal | None = None,
        recorder: Recorder | None = None,
    ) -> None:
        """What people say goes into the journal, what the referee says to the recorder."""
        self._table, self._referee = table, referee
        self._journal, self._recorder = journal, recorder
        self._fed = 0
        self._retelling = self._opened = False
        self._lock = threading.RLock()
        self._last: dict[int, LiveEvent] = {}
        self._words: dict[int, _Word] = {}  # by number, those that stand
        self._numbers = _OF_PEOPLE
        self._now = 0.0
        self.result: Json | None = None
        self.counted: dict[str, int] = {}

    @property
    def now(self) -> float:
        return self._now

    def feed(self, observation: Observation) -> list[LiveEvent]:
        """The referee's events, after the pages have heard them."""
        with self._lock:
            if self._recorder is not None and not self._retelling:
                observation = self._recorder.observed(observation)
            self._fed += 1
            self._now = max(self._now, observation.t)
            events = self._referee.feed(observation)
            self._tell(events)
            return events

    def retell(self, observations: Iterable[Observation], words: Sequence[Json]) -> None:
        """Comes to where it was before the server was killed: what it saw, and what people said."""
        with self._lock:
            self._retelling = self._opened = True
            waiting = list(words)
            for observation in observations:
                waiting = self._heard_by_now(waiting)
                self.feed(observation)
            for word in waiting:
                self._hear(word)
            self._retelling = False
            with self._table.retold():
                for line in sorted(self._last):
                    self._push(self._last[line], again=True)
                self._stand()

    def _heard_by_now(self, words: list[Json]) -> list[Json]:
        while words and int(words[0]["after"]) <= self._fed:
            self._hear(words.pop(0))
        return words

    def _hear(self, word: Json) -> None:
        """A word of the journal; it was fit to be said once, so it is again."""
        entry = word["entry"]
        if word["do"] == "call":
            self._called(parse_entry(entry))  # type: ignore[arg-type]
        elif word["do"] == "rule":
            self._ruled(int(entry["line"]), entry["ruling"])
        elif word["do"] == "correct":
            self._corrected(parse_entry(entry))  # type: ignore[arg-type]
        else:
            self._counted(parse_entry(entry))  # type: ignore[arg-type]

    def _by_people(self, do: str, entry: Json, deed: Callable[[], int]) -> int:
        """Does what a person says; it is in the journal before any page hears of it."""
        with self._lock, self._table.held():
            number = deed()
            if self._journal is not None:
                self._journal.add({"type": "word", "after": self._fed, "do": do, "entry": entry})
            return number

    def call(self, action: Start | Finito) -> None:
        """A word said by the page's button, at the time of the last frame."""
        self._by_people("call", entry_to_json(action), lambda: self._called(action))

    def _called(self, action: Start | Finito) -> int:
        if isinstance(action, Finito):
            if action.player not in self._referee.header.players:
                raise RefereeError(f"{action.player!r} does not play in this round")
            self._tell(self._referee.call_finito(action.player, self._now))
        else:
            self._tell(self._referee.start(self._now, action.player))
        return 0

    def rule(self, line: int, ruling: Ruling) -> int:
        entry = {"line": line, "ruling": ruling}
        return self._by_people("rule", entry, lambda: self._ruled(line, ruling))

    def _ruled(self, line: int, ruling: Ruling) -> int:
        event = self._last.get(line)
        if event is None or event.verdict.legal:
            raise RefereeError(f"line {line} was not called; only a call can be ruled on")
        if ruling == "wrong":
            return self._corrected(Undo(line))
        if ruling == "right" and event.verdict.unsure:
            return self._corrected(Amend(line, event.action))
        word = self._said(line, ruling=ruling)
        self._push(event)
        self._stand()
        return word.number

    def correct(self, correction: Correction) -> int:
        """Undo and amend by line; undoing a word of a person takes that word back."""
        return self._by_people("correct", entry_to_json(correction), lambda: self._corrected(correction))

    def _corrected(self, correction: Correction) -> int:
        word = self._words.get(correction.line)
        if word is not None and isinstance(correction, Undo):
            return self._take_back(word)
        event = self._last.get(correction.line)
        if event is None:
            raise RefereeError(f"line {correction.line} is no action or correction; name one that is")
        said = self._said(correction.line, before=event.action)
        if isinstance(correction, Amend):
            self._amended(correction.line, correction.action)
        else:
            self._tell(self._referee.correct(correction), corrected=correction.line)
        return said.number

    def _amended(self, line: int, action: Action) -> None:
        """The referee says nothing of a line whose verdict is the old one; it stands again all the same."""
        events = self._referee.correct(Amend(line, action))
        if line not in {event.line for event in events}:
            self._last[line] = replace(self._last[line], action=action, said="changed")
        self._tell(events, corrected=line)

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
            self._by_people("count", entry_to_json(count), lambda: self._counted(count))
            assert self.result is not None
            return self.result

    def _counted(self, count: Count) -> int:
        """Counting again replaces the first count."""
        if not self._is_open():
            raise RefereeError("the table is not set up yet; there is nothing to count")
        self.result = WrittenRounds().result(self._referee.recorded().count(count))
        self.counted = dict(count.by_back)
        self._words = {number: word for number, word in self._words.items() if not word.counted}
        word = self._said(0, counted=True)
        self._record(entry_to_json(count))
        self._record(self.result)
        self._stand()
        return word.number

    def suggestion(self) -> dict[str, int]:
        with self._lock:
            if not self._is_open():
                return dict.fromkeys(self._referee.header.players, 0)
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

    def _said(
        self, line: int, *, ruling: Ruling | None = None, before: Action | None = None, counted: bool = False
    ) -> _Word:
        self._numbers += 1
        word = _Word(self._numbers, line, ruling, before, counted)
        self._words[word.number] = word
        return word

    def _take_back(self, word: _Word) -> int:
        del self._words[word.number]
        if word.counted:
            self.result, self.counted = None, {}
            self._record({"type": "result", "uncounted": True})
            self._stand()
        elif word.before is not None:
            self._amended(word.line, word.before)
        else:
            self._push(self._last[word.line])
            self._stand()
        return word.number

    def _tell(self, events: Sequence[LiveEvent], corrected: int | None = None) -> None:
        for event in events:
            self._last[event.line] = event
            self._record_opening()
            self._push(event, corrected=event.line == corrected)
        if corrected is not None and corrected not in {event.line for event in events}:
            self._push(self._last[corrected], corrected=True)  # nothing changed but that it is settled now
        if corrected is not None and self.result is not None:
            again = Count(tuple(self.counted.items()))
            self.result = WrittenRounds().result(self._referee.recorded().count(again))
        if events or corrected is not None:
            self._stand()

    def _push(self, event: LiveEvent, *, corrected: bool = False, again: bool = False) -> None:
        if self._retelling:
            return
        game = self._referee.header.game
        told = event.json("en", game)
        if corrected:
            told["corrected"] = True
        for word in self._words.values():
            if word.line == event.line:
                told |= {"settled_by": word.number} | ({"ruling": word.ruling} if word.ruling else {})
        if not again:
            self._record(told)
        self._table.push(told, in_all_languages(event.verdict.reason, game))

    def _record(self, line: Json) -> None:
        if self._recorder is not None and not self._retelling:
            self._recorder.act(line)

    def _record_opening(self) -> None:
        """The round and its deal, as far as it was seen, come before the first thing that happens."""
        live: Any = getattr(self._referee, "referee", self._referee)  # of one that also ends the round
        opened: RoundReferee | None = live.round
        if self._opened or opened is None:
            return
        self._opened = True
        self._record(entry_to_json(opened.header))
        for deal in getattr(opened, "dealt", ()):
            self._record(entry_to_json(deal))

    def _is_open(self) -> bool:
        """Whether the deal was seen; asking for the log before would open the round without it."""
        live = getattr(self._referee, "referee", self._referee)
        return not isinstance(live, LiveReferee) or live.round is not None

    def _stand(self) -> None:
        if self._retelling:
            return
        log = self._referee.log
        self._table.stand(board_json(log.rules, log.state, self.faults()), self.result)
