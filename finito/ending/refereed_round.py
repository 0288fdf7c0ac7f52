"""A watched round from its deal to its score: the live referee, and what comes before and after its calls."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Any, Final

from finito.ending.at_home import HomeLooks
from finito.ending.clearing import Clearing
from finito.ending.laid_unseen import laid_unseen
from finito.ending.log_record import record_of
from finito.ending.lying import Top
from finito.ending.reconciling import Reconciled, reconcile
from finito.judging import WrittenRounds
from finito.live import LiveEvent, LiveReferee
from finito.live.finito_watch import done_at_once
from finito.live.judged_log import JudgedLog
from finito.live.opening import WatchedRound
from referee.actions import Correction, Count, Finito, RoundHeader
from referee.notation import entry_to_json
from referee.round import RoundReferee
from vision.inference.table import Layer
from vision.observations import Counted, Observation

Json = dict[str, Any]
_MOST_HELD: Final = 4000  # observations of a table that looks cleared
_PERHAPS: Final = 0.02  # chance from which on a card may be this one, where no other fits
_RATHER: Final = 0.5  # chance from which on a card is rather this one than any other
_ASKED_AFTER: Final = 3  # counts that do not agree before that is asked: cards are still being sorted


class RefereedRound:
    """Stands where a live referee does, and knows when the round is over.

    What is seen of a table that is being cleared is held back: nobody plays any more. Where it turns out to
    be no clearing, it is told after all.
    """

    def __init__(self, referee: LiveReferee) -> None:
        self.referee = referee
        self.header: RoundHeader = referee.header
        self.counted: Reconciled | None = None
        self._clearing = Clearing(referee.header.players)
        self.homes = HomeLooks()
        self._held: list[Observation] = []
        self._counts: list[Counted] = []
        self._opened = False
        self._last: dict[int, LiveEvent] = {}

    @property
    def log(self) -> JudgedLog:
        return self.referee.log

    @property
    def now(self) -> float:
        return self.referee.now

    @property
    def finito(self) -> str | None:
        """Who called Finito validly."""
        if self.referee.round is None:
            return None
        state = self.log.state
        sure = state.caller is not None and state.caller_sure
        return self.header.players[state.caller] if sure and state.caller is not None else None

    @property
    def over(self) -> bool:
        """Whether the table is being cleared, or was."""
        return self.counted is not None or self._clearing.over(self.finito)

    def feed(self, observation: Observation) -> list[LiveEvent]:
        if self.counted is not None:
            return []
        self._clearing.feed(observation)
        if isinstance(observation, Counted):
            self._counts.append(observation)
            found = self._reconciled() if self.over else None
            self.counted = found if found is not None and found.settled else None
            return []
        if self.over:
            self._held = [*self._held, observation][-_MOST_HELD:]
            return []
        held, self._held, self._counts = self._held, [], []
        return self._noted([event for each in (*held, observation) for event in self._feed(each)])

    def _feed(self, observation: Observation) -> list[LiveEvent]:
        self.homes.feed(observation)
        return self.referee.feed(observation)

    def start(self, t: float, player: str | None = None) -> list[LiveEvent]:
        return self._noted(self.referee.start(t, player))

    def call_finito(self, player: str, t: float) -> list[LiveEvent]:
        return self._noted(self.referee.call_finito(player, t))

    def correct(self, correction: Correction) -> list[LiveEvent]:
        return self._noted(self.referee.correct(correction))

    def recorded(self) -> RoundReferee:
        return self.referee.recorded()

    def opening(self) -> list[Json]:
        """The lines of the round and of its deals, once."""
        round_ = self.referee.round
        if self._opened or round_ is None:
            return []
        self._opened = True
        deals = round_.dealt if isinstance(round_, WatchedRound) else []
        return [entry_to_json(round_.header), *(entry_to_json(deal) for deal in deals)]

    def ended(self, force: bool = False) -> Reconciled | None:
        """The count, once it is plain; `force` where no more will be seen, which may leave a question."""
        if self.counted is None and force and self.referee.round is not None:
            self.counted = self._reconciled()
        return self.counted

    def closing(self, language: str = "en") -> list[Json]:
        """The lines of the count and the result; none before it was counted."""
        if self.counted is None:
            return []
        count = Count(tuple(self.counted.by_back.items()))
        result = WrittenRounds(language).result(self.recorded().count(count))
        if self.counted.question is not None:
            result["question"] = self.counted.question
        if self.counted.by_log:
            result["counted_by"] = "log and piles"  # the cards lay too close to be counted one by one
        return [entry_to_json(count), result]

    def faults(self) -> Counter[str]:
        """Illegal calls that stand, by player."""
        accused = [event.action for event in self._last.values() if event.verdict.illegal and _stands(event)]
        return Counter(str(action.player) for action in accused if getattr(action, "player", None))

    def last_words(self) -> list[LiveEvent]:
        """The last event of every line."""
        return list(self._last.values())

    def _noted(self, events: list[LiveEvent]) -> list[LiveEvent]:
        self._last |= {event.line: event for event in events}
        return events

    @property
    def question(self) -> str | None:
        """What is asked: after the count, or while counting goes on and does not come out right."""
        if self.counted is not None:
            return self.counted.question
        return self._reconciled().question if self.over and len(self._counts) >= _ASKED_AFTER else None

    def _reconciled(self) -> Reconciled:
        strayed = [
            (gone.owner, face)
            for gone, face in self.referee.strayed()
            if not self.homes.moved((gone.owner, face), gone.place, gone.t)
        ]
        strayed += laid_unseen(self.referee.inference, self.homes)
        record = record_of(self.log, self.header.players, self._piles(), self.homes, strayed)
        found = reconcile(record, self._counts, self.log.rules.game.cards_per_back)
        return found if found.question is not None else replace(found, question=self._who_was_first())

    def _who_was_first(self) -> str | None:
        """Of two who are done at once nobody sees who calls first; a call that was told says it."""
        caller = self.finito
        other = None if caller is None else done_at_once(self.referee.inference, caller)
        calls = [
            entry.what for entry in self.log.entries if isinstance(entry.what, Finito) and not entry.void
        ]
        told = any(call.player == caller and call.t is not None and call.t.exact for call in calls)
        if other is None or told:
            return None
        return f"{caller} and {other} were done at once; who of them called Finito first?"

    def _piles(self) -> dict[int, tuple[Top, ...] | None]:
        """What was on top of each pile; of those below zero, which nobody was seen to begin, nothing."""
        inference = self.referee.inference
        piles: dict[int, tuple[Top, ...] | None] = {-stack: None for stack in inference.unexplained}
        for stack in inference.stacks():
            piles[stack.pile] = tuple(self._top(layer) for layer in stack.layers)
        return piles

    def _top(self, layer: Layer) -> Top:
        faces = self.referee.inference.setting.faces
        face, chance = faces.best(layer.faces)
        perhaps = tuple(each for each, share in zip(faces.all, layer.faces, strict=True) if share > _PERHAPS)
        read = face if chance > _RATHER else None
        return Top(read, layer.deed, layer.laid.since, layer.laid.t, perhaps)


def _stands(event: LiveEvent) -> bool:
    return event.said != "withdrawn"
