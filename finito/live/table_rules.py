"""The rules of a round that is watched: besides actions it takes in what was seen without an action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from referee.actions import Action, Interval
from referee.rules.pile_game import PileRules
from referee.state import Pile, RoundState, Top, changed, with_pile
from referee.verdicts import Verdict, legal
from vision.inference.inferred import PileSeen
from vision.inference.table import Tops


@dataclass(frozen=True, slots=True)
class StackSeenEmpty:
    """A player's stack is seen to be empty, whatever was counted before."""

    player: str
    t: Interval


Happening: TypeAlias = Action | PileSeen | StackSeenEmpty


def judge(rules: PileRules, state: RoundState, what: Happening) -> Verdict:
    if isinstance(what, PileSeen | StackSeenEmpty):
        return legal("running")
    return rules.judge(state, what)


def apply(rules: PileRules, state: RoundState, what: Happening, verdict: Verdict) -> RoundState:
    if isinstance(what, PileSeen):
        return with_pile_seen(rules, state, what.pile, what.tops)
    if isinstance(what, StackSeenEmpty):
        side = state.sides[rules.index[what.player]]
        hand = side.hand + side.espresso  # what was not seen to leave the stack is taken to be somewhere
        return state.with_side(changed(side, espresso=0, espresso_least=0, hand=hand, vague=True))
    return rules.apply(state, what, verdict)


def with_pile_seen(rules: PileRules, state: RoundState, number: int, tops: Tops) -> RoundState:
    """The state with a pile as it is seen; what lies below its top stays unknown."""
    seen = tuple(top for top, _ in tops if top is not None)
    there = state.piles[number - 1] if number <= len(state.piles) else None
    height = max(1, 0 if there is None else there.height)
    pile = Pile(seen, height=height) if seen else changed(rules.unseen_pile, height=height)
    return changed(state, piles=with_pile(state.piles, number, pile))


def known_tops(state: RoundState, number: int) -> tuple[Top, ...]:
    """What the referee takes a pile to show, or perhaps to show."""
    if number > len(state.piles):
        return ()
    pile = state.piles[number - 1]
    return pile.tops + pile.doubts
