"""The live referee: observations in, judged actions out; what was said may be taken back on better evidence."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from finito.live.entries import Entry
from finito.live.events import LiveEvent
from finito.live.fairness import doubtful
from finito.live.judged_log import JudgedLog
from finito.live.opening import opening_round
from finito.live.ordering import touches
from finito.live.table_rules import Happening, StackSeenEmpty
from referee.actions import Amend, Correction, Finito, Interval, Play, RoundHeader, Start, Undo
from referee.errors import RefereeError
from referee.places import ESPRESSO
from referee.round import RoundReferee
from referee.verdicts import Rule, Verdict
from vision.action_inference import ActionInference
from vision.inference.inferred import Inferred, PileSeen
from vision.inference.priors import Priors
from vision.observations import Observation, Tick

_STAYS_EMPTY: Final = 0.5  # seconds for which a stack must be seen empty before Finito is called
_UNEXPLAINED: Final = 4.0  # and so long if its last card was not seen to go anywhere
_HELD: Final = 2.5  # seconds for which a call waits for a place to be seen


class LiveReferee:
    """One round under a camera."""

    def __init__(self, header: RoundHeader, priors: Priors | None = None) -> None:
        self.header = header
        self.inference = ActionInference(header, priors)
        self.round: RoundReferee | None = None
        self._log: JudgedLog | None = None
        self._lines = 0
        self._by_number: dict[int, Entry] = {}
        self._held: list[Entry] = []
        self._started = False
        self._finito: str | None = None
        self._called: float | None = None  # when Finito was called validly
        self._early: list[Entry] = []  # words heard before the table was taken in

    @property
    def now(self) -> float:
        return self.inference.now

    @property
    def log(self) -> JudgedLog:
        """The round so far; the table is taken in as it is seen by now."""
        if self._log is None:
            self.round = opening_round(self.header, self.inference)
            self._log = JudgedLog(self.round.rules, self.round.opening_state(), self._checked)
        return self._log

    def feed(self, observation: Observation) -> list[LiveEvent]:
        """The calls that this observation makes, and those it changes."""
        said = self.inference.feed(observation)
        if self.inference.adopting:
            return []
        events: list[LiveEvent] = []
        if self._early:
            early, self._early = self._early, []
            for entry in early:
                events += self._insert(entry)
        for inferred in said:
            events += self._take(inferred)
        if isinstance(observation, Tick):
            events += self._release()
            events += self._call()
        return events

    def start(self, t: float, player: str | None = None) -> list[LiveEvent]:
        """The shout, by key or page. Without it the first play starts the round."""
        if self._started:
            return []
        self._started = True
        return self._word(Start(Interval(t, t), player), t)

    def call_finito(self, player: str, t: float) -> list[LiveEvent]:
        """A player's own call, by key or page: checked like any other."""
        events: list[LiveEvent] = []
        place = self.inference.place(player, ESPRESSO)
        if place.seen and place.shown is None:
            events += self._seen_empty(player, t)
        events += self._word(Finito(player, Interval(t, t)), t)
        self._note_caller(t)
        return events

    def correct(self, correction: Correction) -> list[LiveEvent]:
        """A person's word: the line did not happen, or was another action. All later verdicts follow."""
        entry = self.log.entry(correction.line)
        if entry is None:
            raise RefereeError(f"line {correction.line} is no earlier action; name one that is")
        if isinstance(correction, Undo):
            entry.void = True
        elif isinstance(correction, Amend):
            assert self.round is not None
            self.round.checks.action(correction.action)
            entry.what, entry.void, entry.settled_by_hand = correction.action, False, True
            entry.inferred = None
        events = [] if not entry.void else [self._event(entry, "withdrawn")]
        return events + self._tell(self.log.rejudge_all())

    def _word(self, what: Start | Finito, t: float) -> list[LiveEvent]:
        self._lines += 1
        entry = Entry(self._lines, what, t, None)
        if self.inference.adopting:
            self._early.append(entry)
            return []
        return self._insert(entry)

    def _take(self, inferred: Inferred) -> list[LiveEvent]:
        known = self._by_number.get(inferred.number)
        if known is not None:
            return self._heard_again(known, inferred)
        if inferred.said == "withdrawn":
            return []
        events: list[LiveEvent] = []
        if not self._started and isinstance(inferred.action, Play):
            moment = min(inferred.moment, inferred.looks[0].since)
            events += self.start(moment)
        self._lines += 1
        entry = Entry(self._lines, inferred.action, inferred.moment, inferred, touches(inferred))
        entry.silent = isinstance(inferred.action, PileSeen)
        self._by_number[inferred.number] = entry
        return events + self._insert(entry)

    def _heard_again(self, entry: Entry, inferred: Inferred) -> list[LiveEvent]:
        """Better evidence on an earlier line. What a person settled stays."""
        if entry.settled_by_hand or entry.void:
            return []
        entry.inferred = inferred
        events: list[LiveEvent] = []
        if inferred.said == "withdrawn":
            entry.void = True
            events.append(self._event(entry, "withdrawn"))
        else:
            different = entry.what != inferred.action
            entry.what = inferred.action
            if different and entry.told is not None:
                entry.told = None
                changed = self.log.rejudge(self.log.entries.index(entry))
                return [self._event(each, "changed") for each in changed if self._mark(each)]
        return events + self._tell(self.log.rejudge(self.log.entries.index(entry)))

    def _insert(self, entry: Entry) -> list[LiveEvent]:
        return self._tell(self.log.insert(entry))

    def _tell(self, entries: list[Entry]) -> list[LiveEvent]:
        """What is to be said now; an accusation that needs a look at an empty slot waits for it."""
        events = []
        for entry in entries:
            if entry.told is None and self._waits(entry):
                continue
            said = "new" if entry.told is None else "changed"
            self._mark(entry)
            events.append(self._event(entry, said))
        return events

    def _mark(self, entry: Entry) -> bool:
        entry.told = entry.verdict
        return True

    def _event(self, entry: Entry, said: str) -> LiveEvent:
        what = entry.what
        assert not isinstance(what, PileSeen | StackSeenEmpty)
        verdict = entry.verdict
        assert verdict is not None
        return LiveEvent(
            line=entry.line,
            action=what,
            verdict=verdict,
            confidence=entry.confidence,
            moment=entry.moment,
            seen=None if entry.inferred is None else entry.inferred.seen,
            told=self.now,
            said="new" if said == "new" else "changed" if said == "changed" else "withdrawn",
            inferred=entry.inferred,
        )

    def _waits(self, entry: Entry) -> bool:
        verdict = entry.verdict
        if verdict is None or verdict.rule is not Rule.HELP_NOT_REFILLED or entry.inferred is None:
            return False
        if entry.held_until is None:
            entry.held_until = self.now + _HELD
            self._held.append(entry)
        return self.now < entry.held_until

    def _release(self) -> list[LiveEvent]:
        """Accusations of an empty slot, once it was seen empty after the play, or doubts when it was not."""
        if not self._held:
            return []
        events = []
        for entry in list(self._held):
            if entry.void or entry.told is not None:
                self._held.remove(entry)
                continue
            at = self.log.entries.index(entry)
            events += self._tell([each for each in self.log.rejudge(at) if each is not entry])
            verdict = entry.verdict
            assert verdict is not None
            open_case = verdict.rule is Rule.HELP_NOT_REFILLED and verdict.unsure
            if not open_case or entry.held_until is None or self.now >= entry.held_until:
                self._held.remove(entry)
                self._mark(entry)
                events.append(self._event(entry, "new"))
        return events

    def _checked(self, entry: Entry, verdict: Verdict) -> Verdict:
        """What only the table as it is seen can settle: whether a slot was empty when the play was made."""
        if not verdict.illegal or entry.inferred is None or entry.settled_by_hand:
            return verdict
        if verdict.rule is Rule.HELP_NOT_REFILLED:
            return verdict if self._slot_was_empty(entry, verdict) else doubtful(entry, verdict)
        if verdict.rule is Rule.AFTER_FINITO:
            when = entry.inferred.action.t
            after = when is not None and self._called is not None and when.start >= self._called
            return verdict if after else doubtful(entry, verdict)
        return verdict

    def _slot_was_empty(self, entry: Entry, verdict: Verdict) -> bool:
        player, slot = (str(value) for value in verdict.reason.values[:2])
        place, priors = self.inference.place(player, slot), self.inference.priors
        assert entry.inferred is not None
        done = max(look.t for look in entry.inferred.looks)
        if place.shown is None:
            return place.clear_at(self.now, priors.covered_holds, priors.settle) >= done
        return place.look is not None and place.look.since >= done

    def _call(self) -> list[LiveEvent]:
        """Finito, when a stack is seen to be empty and its last card has gone somewhere."""
        if self._finito is not None:
            return []
        for player in self.header.players:
            place = self.inference.place(player, ESPRESSO)
            if place.shown is not None or not place.seen or place.look is None:
                continue
            if place.hidden(self.now, self.inference.priors.covered_holds):
                continue
            stays = self.now - place.look.t
            explained = self._explained(player)
            if stays >= _STAYS_EMPTY and (explained or stays >= _UNEXPLAINED):
                events = self._seen_empty(player, place.look.t)
                self._finito, self._called = player, self.now
                when = Interval(place.look.t, self.now)
                self._lines += 1
                finito = Entry(self._lines, Finito(player, when), self.now, None)
                return events + self._insert(finito)
        return []

    def _explained(self, player: str) -> bool:
        open_ones = self.inference.table.open_departures()
        return not any((gone.owner, gone.place) == (player, ESPRESSO) for gone in open_ones)

    def _seen_empty(self, player: str, t: float) -> list[LiveEvent]:
        side = self.log.state.sides[self.log.rules.index[player]]
        if not side.espresso:
            return []
        entry = Entry(0, StackSeenEmpty(player, Interval(t, t)), self.now, None, silent=True)
        return self._insert(entry)

    def _note_caller(self, t: float) -> None:
        if self._log is None:
            return
        state = self._log.state
        if state.caller is not None and state.caller_sure:
            self._finito = self.header.players[state.caller]
            self._called = self._called or t

    def recorded(self) -> RoundReferee:
        """The round told again to a referee of written rounds, for the count and the score."""
        assert self._log is not None
        assert self.round is not None
        told = opening_round(self.header, self.inference, like=self.round)
        for entry in self._log.entries:
            what: Happening = entry.what
            if not entry.void and not isinstance(what, PileSeen | StackSeenEmpty):
                told.act(entry.line, replace(what, t=None))
        return told
