"""The live referee: observations in, judged actions out; better evidence may take back what was said."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from finito.live.entries import Entry
from finito.live.events import LiveEvent
from finito.live.evidence import Evidence
from finito.live.finito_watch import another_first, came_back, emptied
from finito.live.hands import PlayingHands, with_hand_of
from finito.live.judged_log import JudgedLog
from finito.live.lying_open import SWEPT
from finito.live.opening import opening_round
from finito.live.ordering import touches
from finito.live.table_rules import Happening, StackSeenEmpty
from referee.actions import (
    Amend,
    Correction,
    Finito,
    Interval,
    Play,
    Refill,
    RoundHeader,
    Start,
    TakeBack,
    Turn,
    Undo,
)
from referee.cards import Face
from referee.errors import RefereeError
from referee.places import ESPRESSO
from referee.round import RoundReferee
from referee.verdicts import Rule
from vision.action_inference import ActionInference
from vision.inference.inferred import Inferred, PileSeen
from vision.inference.priors import Priors
from vision.inference.table import Departure
from vision.observations import Observation, Tick

_CALLS_AT_ONCE: Final = 0.2  # no player calls sooner than this after the last card
_NO_TIME: Final = 1e-6  # seconds by which two moments are one
_PUT_DOWN: Final = 3.0  # seconds in which a stack that was only lifted lies there again
_HELD: Final = 1.6  # seconds for which a doubt waits for what may settle it
_SEEN_HOME: Final = (0.0, 1.5)  # seconds after a card is said to be taken off a pile in which it is seen home
_OF_HOME: Final = frozenset(
    {None, Rule.HELP_NOT_REFILLED, Rule.NOT_OPEN, Rule.IMPOSSIBLE_CARD, Rule.REFILL_SOURCE}
)


class LiveReferee:
    """One round under a camera."""

    def __init__(self, header: RoundHeader, priors: Priors | None = None, shout: bool = False) -> None:
        """`shout`: the start is told by key or page; otherwise the first play starts the round."""
        self.header = header
        self._shout = shout
        self.inference = ActionInference(header, priors)
        self.round: RoundReferee | None = None
        self._log: JudgedLog | None = None
        self._lines = 0
        self._by_number: dict[int, Entry] = {}
        self._held: list[Entry] = []
        self._again: list[tuple[float, Entry]] = []  # questions, and when to ask them again
        self._hands = PlayingHands()
        self._started = False
        self._finito: str | None = None
        self._own_call: list[Entry] = []  # what a call of ours put into the log
        self._lifted: tuple[float, list[Entry]] = (0.0, [])  # a stack seen empty at a player's own call
        self._evidence = Evidence(self.inference)
        self._early: list[Entry] = []  # words heard before the table was taken in

    @property
    def now(self) -> float:
        return self.inference.now

    @property
    def log(self) -> JudgedLog:
        """The round so far; the table is taken in as it is seen by now."""
        return self._log or self._open()

    def _open(self) -> JudgedLog:
        if self._log is None:
            self.round = opening_round(self.header, self.inference)
            self._log = JudgedLog(self.round.rules, self.round.opening_state(), self._evidence.checked)
            self._evidence.opened(self.round.rules, self._log.entries)
        return self._log

    def feed(self, observation: Observation) -> list[LiveEvent]:
        """The calls that this observation makes, and those it changes."""
        said = self.inference.feed(observation)
        if self.inference.adopting:
            return []
        events: list[LiveEvent] = []
        self._open()
        if self._early:
            early, self._early = self._early, []
            for entry in early:
                events += self._insert(entry)
        for inferred in said:
            events += self._take(inferred)
        if isinstance(observation, Tick):
            events += self._release() + self._asked_again()
            events += self._call()
        return events

    def strayed(self) -> list[tuple[Departure, Face]]:
        """What left a stack or a slot before Finito, and was explained by nothing that was seen since."""
        called, best = self._evidence.called, self.inference.setting.faces.best
        gone = [each for each in self.inference.strayed if called is None or each.t <= called]
        return [(each, best(each.faces)[0]) for each in gone]

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
            more = self._log is not None and self._left(player) > 1
            events += self._seen_empty(player, t)
            self._lifted = (t, self._own_call if more else [])
        self._own_call = []
        events += self._word(Finito(player, Interval(t, t)), t)
        self._note_caller(t)
        return events

    def correct(self, correction: Correction) -> list[LiveEvent]:
        """A person's word: the line did not happen, or was another action. All later verdicts follow."""
        entry = self.log.entry(correction.line)
        if entry is None:
            raise RefereeError(f"line {correction.line} is no earlier action; name one that is")
        if entry.inferred is not None:
            self.inference.settled_by_person(entry.inferred.number)
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
        if not self._started and not self._shout and isinstance(inferred.action, Play):
            moment = min(inferred.moment, inferred.looks[0].since)
            events += self.start(moment)
        self._lines += 1
        entry = Entry(self._lines, inferred.action, inferred.moment, inferred, touches(inferred))
        entry.silent = isinstance(inferred.action, PileSeen)
        self._by_number[inferred.number] = entry
        earlier = self._hands.taken(entry)
        events += self._insert(entry)
        if isinstance(inferred.action, TakeBack):
            self._ask_of_taken(inferred.action)
        if earlier:
            first = min(self.log.entries.index(each) for each in earlier)
            events += self._tell(self.log.rejudge(first))
        return events + self._call_timed_anew()

    def _call_timed_anew(self) -> list[LiveEvent]:
        """The last card of the stack for which we called may be told only now, and be laid after our call."""
        if len(self._own_call) < 2:
            return []
        seen, call = self._own_call
        if call.void or not isinstance(seen.what, StackSeenEmpty):
            return []
        moment = self._last_laid(seen.what.player, seen.moment - _CALLS_AT_ONCE) + _CALLS_AT_ONCE
        if abs(moment - seen.moment) < _NO_TIME or moment > call.moment + _PUT_DOWN:
            return []  # nothing new, or the table is being cleared by now
        seen.what, seen.moment = replace(seen.what, t=Interval(moment, moment)), moment
        call.moment = max(call.moment, moment)  # a call that came too early counts once it is true
        self._evidence.called = call.moment
        return self._tell(self.log.moved(seen, call))

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
            before = entry.what
            entry.what = with_hand_of(before, inferred.action)
            self._hands.amended(entry)
            different = entry.what != before
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
        if entry.inferred is not None and entry.verdict is not None:
            self.inference.judged(entry.inferred.number, entry.verdict.legal)
        if entry.verdict is not None and entry.verdict.unsure and self._swept_settles(entry):
            looks = entry.inferred.looks if entry.inferred is not None else ()
            last = max((look.t for look in looks), default=entry.moment)
            self._again.append((last + SWEPT, entry))
        return True

    def _swept_settles(self, entry: Entry) -> bool:
        """Whether it is a question to which the slow sweep may know the answer."""
        assert entry.verdict is not None
        return isinstance(entry.what, Turn) or entry.verdict.rule is Rule.NOT_OPEN

    def _ask_of_taken(self, taken: TakeBack) -> None:
        """A card that is taken home after Finito came too late: once it is seen there, that is said."""
        if self._evidence.called is None:
            return
        for entry in self.log.entries:
            what = entry.what
            if (
                isinstance(what, Play)
                and not entry.void
                and (what.face, what.pile) == (taken.face, taken.pile)
            ):
                self._again += [(self.now + seconds, entry) for seconds in _SEEN_HOME]

    def _asked_again(self) -> list[LiveEvent]:
        """Questions that time alone settles: by now the slow sweep has shown what it could."""
        due = [entry for when, entry in self._again if when < self.now]
        if not due:
            return []
        self._again = [(when, entry) for when, entry in self._again if when >= self.now]
        return self._tell(self.log.rejudge(min(self.log.entries.index(entry) for entry in due)))

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
        """Doubts about what lies at home may be settled by what is under way, or by a look at a slot."""
        verdict = entry.verdict
        if verdict is None or verdict.legal or entry.inferred is None or verdict.rule not in _OF_HOME:
            return False
        if verdict.illegal and verdict.rule is not Rule.HELP_NOT_REFILLED:
            return False
        if entry.held_until is None:
            entry.held_until = self.now + (_HELD if isinstance(entry.what, Play) else 2 * _HELD)
            self._held.append(entry)
        return self.now < entry.held_until

    def _release(self) -> list[LiveEvent]:
        """Says what was held back, once it is settled or has waited long enough."""
        if not self._held:
            return []
        first = min(self.log.entries.index(entry) for entry in self._held)
        events = self._tell([entry for entry in self.log.rejudge(first) if entry not in self._held])
        for entry in list(self._held):
            verdict = entry.verdict
            if entry.void or entry.told is not None:
                self._held.remove(entry)
            elif verdict is not None and (not verdict.unsure or self.now >= (entry.held_until or 0.0)):
                self._held.remove(entry)
                self._mark(entry)
                events.append(self._event(entry, "new"))
        return events

    def _call(self) -> list[LiveEvent]:
        """Finito, when a stack is seen to be empty; and no Finito, when its last card is back."""
        if self._finito is not None:
            back = came_back(self.inference, self._finito, self._evidence.called)
            return self._recall() if back and (self._own_call or self._only_lifted()) else []
        for player in self.header.players:
            since = emptied(self.inference, player, self._left(player), self._went(player))
            if since is not None and not another_first(self.inference, player):
                moment = self._last_laid(player, since) + _CALLS_AT_ONCE
                events, called = self._seen_empty(player, moment), max(moment, self.now)
                self._finito, self._evidence.called = player, called
                self._lines += 1
                call = Entry(self._lines, Finito(player, Interval(since, self.now)), called, None)
                self._own_call.append(call)
                return events + self._insert(call)
        return []

    def _left(self, player: str) -> int:
        """How many cards should lie on a stack; of a round joined late nobody knows."""
        assert self.round is not None
        state = self.log.state
        return 0 if state.late else state.sides[self.round.rules.index[player]].espresso

    def _last_off_stack(self, player: str) -> Inferred | None:
        """What is said of the last card that left a player's stack."""
        for entry in reversed(self.log.entries):
            what, said = entry.what, entry.inferred
            if entry.void or said is None or not isinstance(what, Play | Refill) or what.source != ESPRESSO:
                continue
            if ((what.owner if isinstance(what, Play) else None) or what.player) == player:
                return said
        return None

    def _went(self, player: str) -> float:
        """How sure it is where the last card went that left a player's stack."""
        said = self._last_off_stack(player)
        if said is None:
            return 1.0
        # Of two who went for one pile, one may have turned back: that is no story of its own.
        return said.confidence if said.order_unknown else max(said.confidence, said.done)

    def _last_laid(self, player: str, seen_empty: float) -> float:
        """When the last card of a stack was laid at the earliest: nobody calls with it in the hand."""
        said, place = self._last_off_stack(player), self.inference.place(player, ESPRESSO)
        when = None if said is None or said.looks[0] is not place.look else said.action.t
        return seen_empty if when is None else max(when.start, min(seen_empty, when.end))

    def _only_lifted(self) -> bool:
        """Whether a stack that seemed empty at its player's call was put down again: the call was false."""
        t, seen = self._lifted
        if self.now - t < _PUT_DOWN:
            self._own_call = seen
        return bool(self._own_call)

    def _recall(self) -> list[LiveEvent]:
        """The call was ours and too early: it is taken back, and all that was judged by it."""
        calls, self._own_call, self._finito, self._evidence.called = self._own_call, [], None, None
        events = []
        for entry in calls:
            if not entry.silent and not entry.void:
                events.append(self._event(entry, "withdrawn"))
            entry.void = True
        return events + self._tell(self.log.rejudge(min(self.log.entries.index(entry) for entry in calls)))

    def _seen_empty(self, player: str, t: float) -> list[LiveEvent]:
        """From now on the player may have called; until the call is heard, later plays are in doubt."""
        entry = Entry(0, StackSeenEmpty(player, Interval(t, t)), t, None, silent=True)
        self._own_call = [entry]
        return self._insert(entry)

    def _note_caller(self, t: float) -> None:
        if self._log is None:
            return
        state = self._log.state
        if state.caller is not None and state.caller_sure:
            self._finito = self.header.players[state.caller]
            self._evidence.called = self._evidence.called or t

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
