"""The rules of a round that is watched: besides actions it takes in what was seen without an action."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TypeAlias

from referee.actions import Action, Interval
from referee.cards import UNKNOWN, Face
from referee.places import ESPRESSO, HAND, HELP_INDEX, WASTE
from referee.rules.home import card_at
from referee.rules.pile_game import PileRules
from referee.state import Pile, RoundState, Side, Top, changed, with_pile
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
        if side.espresso:  # what was not seen to leave the stack is taken to be somewhere
            hand = side.hand + side.espresso
            state = state.with_side(changed(side, espresso=0, espresso_least=0, hand=hand, vague=True))
        return state if state.caller is not None else changed(state, caller=side.index, caller_sure=False)
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


def with_card_seen(side: Side, place: str, card: Face) -> Side:
    """The side with an open card that was seen at a place and left it, whatever was missed before."""
    lying = card_at(side, place)
    if not card.known or (lying is not None and lying.could_be(card)) or place == HAND:
        return side
    if place == WASTE:  # turned, and the turn was not told
        hand = max(0, side.hand - 1)
        return changed(side, waste=(*side.waste, card), hand=hand)
    if place == ESPRESSO:
        return changed(side, top=card, espresso=max(1, side.espresso))
    slot = HELP_INDEX[place]
    helps = (*side.helps[:slot], card, *side.helps[slot + 1 :])
    if lying is not None or not side.espresso:
        return changed(side, helps=helps)
    least = max(0, side.espresso_least - 1)
    return changed(side, helps=helps, espresso=side.espresso - 1, espresso_least=least, top=UNKNOWN)


def with_slot_filled(side: Side, slot: str) -> Side:
    """The side with a help slot that was filled though the refill is told only later."""
    index = HELP_INDEX[slot]
    return changed(side, helps=(*side.helps[:index], UNKNOWN, *side.helps[index + 1 :]))


def goes_before(one: Face, other: Face) -> bool:
    """Whether a pile that shows the one may take the other next."""
    if one.number is None or other.number is None:
        return False
    return one.colour == other.colour and one.number + 1 == other.number


def grows_to(top: Top | None, card: Face) -> bool:
    """Whether a pile that shows this may, by one card after another that fits, come to take that card."""
    if top is None or top.joker or top.colour is None or card.colour is None or card.number is None:
        return True
    return top.colour is card.colour and top.number + 1 < card.number
