"""The log of a round that may grow in its middle: every later verdict is then given anew."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from finito.live.entries import Entry
from finito.live.fairness import fair
from finito.live.ordering import position
from finito.live.table_rules import Happening, apply, judge, known_tops, with_pile_seen
from referee.actions import Finito, Play, Start, Turn
from referee.rules.pile_game import PileRules
from referee.state import RoundState
from referee.verdicts import Verdict

Doubt = Callable[[Entry, Verdict], Verdict]


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
            what = self._counted(before, entry.what)
            verdict = self._doubt(entry, fair(entry, judge(self.rules, before, what)))
            state = apply(self.rules, before, what, verdict)
            self._states.append(state)
            entry.what, entry.verdict = what, verdict
            if not entry.silent and (entry.told is None or _differs(entry.told, verdict)):
                differ.append(entry)
        return differ

    def rejudge_all(self) -> list[Entry]:
        return self.rejudge(0)

    def _in_step(self, state: RoundState, entry: Entry) -> RoundState:
        """The referee's pile, brought into step where the eyes are sure that it shows something else."""
        what, said = entry.what, entry.inferred
        if not isinstance(what, Play) or what.pile is None or said is None or what.opens or not said.before:
            return state
        known = known_tops(state, what.pile)
        if any(chance > 0.02 and top in known for top, chance in said.before):
            return state
        return with_pile_seen(self.rules, state, what.pile, said.before)

    def _counted(self, state: RoundState, what: Happening) -> Happening:
        """How many cards were turned cannot be seen from above: as many as the rules ask for."""
        if not isinstance(what, Turn):
            return what
        side, usual = state.sides[self.rules.index[what.player]], self.rules.game.stock_turn
        count = min(usual, side.hand) or min(usual, len(side.waste)) or usual
        return what if what.count == count else replace(what, count=count)


def _differs(one: Verdict, other: Verdict) -> bool:
    return (one.outcome, one.rule) != (other.outcome, other.rule)


def announces(what: Happening) -> bool:
    """Whether it is a word of a player and no deed with cards."""
    return isinstance(what, Start | Finito)
