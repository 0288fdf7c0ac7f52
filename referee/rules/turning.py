"""What happens at home: refilling help cards, turning and taking up the hand, building, and the call."""

from __future__ import annotations

from dataclasses import replace

from referee.actions import Build, Refill, Turn
from referee.cards import UNKNOWN, Colour, Face
from referee.places import ESPRESSO, HAND, HELP_INDEX, WASTE
from referee.rules.home import (
    card_at,
    contradicts,
    disputed,
    elsewhere,
    facing,
    loose_at,
    newly_shown,
    noticed,
    settled,
    taken,
)
from referee.rules.laying import empty_help, waiting_joker
from referee.rules.parameters import BOYS
from referee.state import Side, changed
from referee.verdicts import Rule, Verdict, illegal, legal, unsure


def judge_refill(side: Side, name: str, action: Refill) -> Verdict:
    slot, face = HELP_INDEX[action.slot], action.face
    side = _facing_refill(side, action)
    if action.source != ESPRESSO:
        return illegal(Rule.REFILL_SOURCE, "refill-source", name, action.slot, action.source)
    if not side.espresso:
        return illegal(Rule.REFILL_SOURCE, "refill-from-empty", name, action.slot)
    if elsewhere(side, face, ESPRESSO):
        return illegal(Rule.IMPOSSIBLE_CARD, "impossible-card", name, face)
    if not side.top.could_be(face):
        return illegal(Rule.REFILL_SOURCE, "refill-not-top", name, action.slot, face, side.top)
    if contradicts(side, action.reveals, ESPRESSO):
        return illegal(Rule.IMPOSSIBLE_CARD, "impossible-card", name, action.reveals)
    occupant = side.helps[slot]
    if occupant is not None:
        return unsure(None, "slot-not-empty", name, action.slot, occupant)
    return legal("refilled", name, side.top.merged(face), action.slot)


def _facing_refill(side: Side, action: Refill) -> Side:
    """What was called back to the slot or the stack has stayed in the centre if the slot is now filled."""
    if not side.loose:
        return side
    loose = loose_at(side, action.slot)
    if loose is not None:
        side = settled(side, loose)
    return facing(side, action.source, action.face)


def after_refill(side: Side, action: Refill) -> Side:
    slot = HELP_INDEX[action.slot]
    side = _facing_refill(side, action)
    occupant = side.helps[slot]
    if occupant is not None:  # it left unseen: keep the count of cards
        side = changed(side, hand=side.hand + 1, seen_race=side.seen_race & ~occupant.bit)
    known = card_at(side, action.source)
    card = known.merged(action.face) if known is not None and known.could_be(action.face) else action.face
    if elsewhere(side, card, action.source):
        side = disputed(side, card)
    if card.bit & side.disputed:
        card = UNKNOWN
    side = taken(changed(side, seen_stock=side.seen_stock & ~card.bit), action.source, action.reveals)
    return changed(
        side,
        helps=(*side.helps[:slot], card, *side.helps[slot + 1 :]),
        stolen=side.stolen & ~(1 << slot),
        seen_race=side.seen_race | card.bit,
    )


def judge_turn(side: Side, action: Turn, usual: int, twos_allowed: bool) -> Verdict:
    name, count = action.player, action.count
    blocked = None
    if side.joker or None in side.helps:
        blocked = waiting_joker(side, name) or empty_help(side, name)
        if blocked is not None and blocked.illegal:
            return blocked
    if count != usual or side.hand < usual:
        breach = _miscount(side, name, count, usual, twos_allowed)
        if breach is not None:
            return breach
    if newly_shown(after_recycle(side) if count > side.hand else side, action.top, WASTE):
        return illegal(Rule.IMPOSSIBLE_CARD, "impossible-card", name, action.top)
    return blocked or legal("turned", name, count, action.top)


def plain_turn(side: Side, action: Turn, usual: int) -> Side | None:
    """The side after a turn that is plainly right, as most are; None where the rules must be asked."""
    count, card = action.count, action.top
    if count != usual or side.hand < count or side.loose or side.joker or None in side.helps:
        return None
    if card.bit & side.disputed or newly_shown(side, card, WASTE):
        return None
    return changed(
        side,
        hand=side.hand - count,
        waste=side.waste + (UNKNOWN,) * (count - 1) + (card,),
        seen_stock=side.seen_stock | card.bit,
    )


def _miscount(side: Side, name: str, count: int, usual: int, twos_allowed: bool) -> Verdict | None:
    allowed = _allowed_counts(side, usual, twos_allowed)
    if count not in allowed:
        if side.vague and count < usual:
            return unsure(Rule.TURN_COUNT, "maybe-turn-count", name, count, usual)
        return illegal(Rule.TURN_COUNT, "turn-count", name, count, min(allowed, default=usual), side.hand)
    return None


def _allowed_counts(side: Side, usual: int, twos_allowed: bool) -> set[int]:
    if side.vague:
        return {usual, 2} if twos_allowed else {usual}
    allowed = {min(usual, side.hand)}
    fruitless = side.twos
    if side.hand < usual:  # the waste may have been taken up without a word
        allowed.add(min(usual, side.hand + len(side.waste)))
        fruitless = fruitless or not side.fruitful
    if twos_allowed and fruitless:
        allowed.add(min(2, max(allowed)))
    return allowed - {0}


def after_recycle(side: Side) -> Side:
    """The waste taken up as the hand, or put below what is left of it."""
    side = _buried(side)
    hand = side.hand + len(side.waste)
    return changed(side, hand=hand, waste=(), twos=not side.fruitful, fruitful=False)


def _buried(side: Side) -> Side:
    """A card called back to the waste may have stayed in the centre: under new cards nobody can tell."""
    if loose_at(side, WASTE) is None:
        return side
    loose = tuple(replace(each, place=HAND) if each.place == WASTE else each for each in side.loose)
    return changed(side, loose=loose, vague=True)


def after_turn(side: Side, action: Turn) -> Side:
    if action.count > side.hand:
        side = after_recycle(side)
    if side.loose:
        side = _buried(side)
    if side.joker:
        side = changed(side, joker=0, joker_sure=False)
    count = min(action.count, side.hand)
    if not count:
        return side
    side, card = noticed(side, action.top, WASTE)
    return changed(
        side,
        hand=side.hand - count,
        waste=side.waste + (UNKNOWN,) * (count - 1) + (card,),
        seen_stock=side.seen_stock | card.bit,
    )


def judge_build(side: Side, name: str, action: Build) -> Verdict:
    side = facing(side, action.source, action.face)
    lying = card_at(side, action.source)
    if lying is None or not lying.could_be(action.face):
        if lying is None:
            return illegal(Rule.NOT_OPEN, "nothing-there", action.face, name, action.source)
        return illegal(Rule.NOT_OPEN, "not-open", action.face, name, action.source, lying)
    if elsewhere(side, action.face, action.source):
        return illegal(Rule.IMPOSSIBLE_CARD, "impossible-card", name, action.face)
    below = side.helps[HELP_INDEX[action.slot]]
    card = lying.merged(action.face)
    if below is None:
        return illegal(Rule.HOME_ORDER, "home-empty", name, action.slot)
    fitting = _home_fits(below, card)
    if fitting is None:
        return unsure(Rule.HOME_ORDER, "maybe-home", card, action.slot)
    if not fitting:
        return illegal(Rule.HOME_ORDER, "home-order", card, action.slot, below)
    return legal("built", card, action.slot, name)


def _home_fits(below: Face, card: Face) -> bool | None:
    """Descending by one, boys and girls in turn; None while that cannot be told."""
    if below.number is not None and card.number is not None and card.number != below.number - 1:
        return False
    if below.colour is not None and card.colour is not None and _boy(below.colour) == _boy(card.colour):
        return False
    return True if below.known and card.known else None


def _boy(colour: Colour) -> bool:
    return colour in BOYS


def after_build(side: Side, action: Build) -> Side:
    slot = HELP_INDEX[action.slot]
    side = facing(side, action.source, action.face)
    lying = card_at(side, action.source)
    card = lying.merged(action.face) if lying is not None and lying.could_be(action.face) else action.face
    if elsewhere(side, card, action.source):
        side = disputed(side, card)
    if card.bit & side.disputed:
        card = UNKNOWN
    side = taken(side, action.source, action.reveals)
    below = side.helps[slot]
    under = side.under[slot] if below is None else (*side.under[slot], below)
    return changed(
        side,
        helps=(*side.helps[:slot], card, *side.helps[slot + 1 :]),
        under=(*side.under[:slot], under, *side.under[slot + 1 :]),
        seen_race=side.seen_race | card.bit,
        seen_stock=side.seen_stock & ~card.bit,
    )


def judge_finito(side: Side, name: str) -> Verdict:
    waiting = waiting_joker(side, name)
    if waiting is not None and waiting.illegal:
        return waiting
    if not side.espresso:
        return waiting or legal("finito", name)
    called_back = sum(loose.place == ESPRESSO for loose in side.loose)
    if side.espresso_least - called_back > 0:
        return illegal(Rule.FALSE_FINITO, "false-finito", name, side.espresso)
    return unsure(Rule.FALSE_FINITO, "maybe-finito", name)
