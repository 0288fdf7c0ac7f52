"""The log of a round that may grow in its middle: every later verdict is then given anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Final

from finito.live.entries import Entry
from finito.live.fairness import fair
from finito.live.ordering import position
from finito.live.table_rules import Happening, apply, judge, known_tops, with_card_seen, with_pile_seen
from referee.actions import Play, Refill, Turn
from referee.cards import UNKNOWN
from referee.places import HAND
from referee.rules.pile_game import PileRules
from referee.state import RoundState
from referee.verdicts import Rule, Verdict

_EYES_SURE: Final = 0.9
Doubt = Callable[[Entry, Verdict, RoundState], Verdict]


class JudgedLog:
    """Entries in the order in which they happened, with the state before each."""

    def __init__(self, rules: PileRules, opening: RoundState, doubt: Doubt) -> None:
        self.rules = rules
        self.entries: list[Entry] = []
        self._states = [opening]
        self._doubt = doubt

    @property
    def state(self) -> RoundState:
        return self._states[-1]

    def insert(self, entry: Entry) -> list[Entry]:
        """Puts an entry where it belongs; all whose verdicts differ from what was told, itself included."""
        at = position(self.entries, entry)
        self.entries.insert(at, entry)
        return self.rejudge(at)

    def moved(self, *entries: Entry) -> list[Entry]:
        """Puts entries where their new moments belong; all whose verdicts differ from what was told."""
        first = min(self.entries.index(entry) for entry in entries)
        for entry in entries:
            self.entries.remove(entry)
        for entry in entries:
            at = position(self.entries, entry)
            self.entries.insert(at, entry)
            first = min(first, at)
        return self.rejudge(first)

    def entry(self, line: int) -> Entry | None:
        return next((entry for entry in reversed(self.entries) if entry.line == line), None)

    def rejudge(self, at: int) -> list[Entry]:
        """Judges from that position on; the entries whose verdict is not the one that was told."""
        del self._states[at + 1 :]
        state = self._states[at]
        differ = []
        for entry in self.entries[at:]:
            if entry.void:
                self._states.append(state)
                continue
            before = self._in_step(state, entry)
            what = self._plain(before, entry.what)
            verdict = self._doubt(entry, fair(entry, judge(self.rules, before, what)), before)
            state = apply(self.rules, before, what, verdict)
            self._states.append(state)
            entry.verdict = verdict
            if not entry.silent and (entry.told is None or _differs(entry.told, verdict)):
                differ.append(entry)
        return differ

    def rejudge_all(self) -> list[Entry]:
        return self.rejudge(0)

    def _in_step(self, state: RoundState, entry: Entry) -> RoundState:
        """The referee's table, brought into step where the eyes are sure that it shows something else."""
        what, said = entry.what, entry.inferred
        if said is None or not isinstance(what, Play | Refill):
            return state
        if what.source != HAND and said.confidence > _EYES_SURE:
            owner = (what.owner if isinstance(what, Play) else None) or what.player
            side = state.sides[self.rules.index[owner]]
            state = state.with_side(with_card_seen(side, what.source, what.face))
        if not isinstance(what, Play) or what.pile is None or what.opens or not said.before:
            return state
        known = known_tops(state, what.pile)
        if any(chance > 0.02 and top in known for top, chance in said.before):
            return state
        return with_pile_seen(self.rules, state, what.pile, said.before)

    def _plain(self, state: RoundState, what: Happening) -> Happening:
        """A turn as it is judged: how many were turned cannot be seen from above, so as many as is right;
        and a card that cannot be there was misread."""
        if not isinstance(what, Turn):
            return what
        side, usual = state.sides[self.rules.index[what.player]], self.rules.game.stock_turn
        count = usual if side.vague else min(usual, side.hand) or min(usual, len(side.waste)) or usual
        what = what if what.count == count else replace(what, count=count)
        if judge(self.rules, state, what).rule is Rule.IMPOSSIBLE_CARD:
            what = replace(what, top=UNKNOWN)
        return what


def _differs(one: Verdict, other: Verdict) -> bool:
    return (one.outcome, one.rule) != (other.outcome, other.rule)
