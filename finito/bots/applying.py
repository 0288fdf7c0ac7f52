"""Deeds done: the true table changes and an action is written."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random

from finito.bots.deeds import STRAY_FAULTS, Deed
from finito.bots.motions import PILE, MovedCard, Spot
from finito.bots.table import Home, Pile, Table
from referee.actions import Action, Build, Finito, Interval, Play, Recycle, Refill, TakeBack, Turn
from referee.cards import UNKNOWN, Face
from referee.places import HAND, HELP_INDEX, WASTE


@dataclass(frozen=True, slots=True)
class Done:
    """An action with what a drawn table needs to know of it."""

    action: Action
    source: Spot
    target: Spot
    cards: tuple[MovedCard, ...]


def apply(table: Table, deed: Deed, t: float, rng: Random) -> Done:
    """Does the deed, right or wrong, at the moment `t`."""
    when = Interval(t, t)
    home = table.homes[deed.player]
    if deed.kind == "play":
        return _play(table, deed, when)
    if deed.kind == "take_back":
        return _take_back(table, deed, when)
    if deed.kind == "refill":
        return _refill(home, deed, when)
    if deed.kind == "build":
        return _build(home, deed, when)
    if deed.kind == "turn":
        return _turn(home, deed, when)
    if deed.kind == "recycle":
        return _recycle(table, home, deed, when, rng)
    table.finito = table.finito or (None if home.espresso else home.name)
    spot = Spot(HAND, home.name)
    return Done(Finito(home.name, when), spot, spot, ())


def _take(home: Home, place: str, depth: int = 0) -> tuple[Face, Face]:
    """The card and what is open at that place afterwards."""
    cards = home.cards_at(place)
    card = cards.pop(-1 - depth)
    revealed = cards[-1] if cards and place != HAND else UNKNOWN
    home.seen |= {card, revealed}
    return card, revealed


def _play(table: Table, deed: Deed, when: Interval) -> Done:
    owner, player = table.homes[deed.owner], table.homes[deed.player]
    card, revealed = _take(owner, deed.source, deed.depth)
    pile = table.new_pile() if deed.pile is None else table.piles[deed.pile]
    if deed.fault in STRAY_FAULTS:
        pile.stray = (owner.name, card)
    else:
        table.lay(pile, owner.name, card, player.name)
    if deed.fault is None:  # a play that is called back shows nobody which hand is the right one
        player.has_played = True
    if deed.source == WASTE:
        owner.fruitful, owner.twos = True, False
    action = Play(
        player=player.name,
        face=card,
        source=deed.source,
        pile=deed.pile,
        t=when,
        owner=None if owner is player else owner.name,
        reveals=revealed,
        hand=deed.hand,
    )
    moved = MovedCard(owner.name, card, up_before=deed.source != HAND, up_after=True)
    return Done(action, Spot(deed.source, owner.name), Spot(PILE, pile=pile.number), (moved,))


def _take_back(table: Table, deed: Deed, when: Interval) -> Done:
    assert deed.pile is not None
    pile = table.piles[deed.pile]
    if pile.stray is not None:
        pile.stray = None
    else:
        table.lift_joker(pile)
    table.homes[deed.owner].cards_at(deed.source).append(deed.face)
    action = TakeBack(deed.player, deed.face, deed.pile, when)
    moved = MovedCard(deed.owner, deed.face, up_before=True, up_after=True)
    return Done(action, Spot(PILE, pile=deed.pile), Spot(deed.source, deed.owner), (moved,))


def _refill(home: Home, deed: Deed, when: Interval) -> Done:
    card, revealed = _take(home, deed.source)
    home.helps[HELP_INDEX[deed.slot]].append(card)
    action = Refill(home.name, deed.slot, card, when, revealed, deed.source)
    return _at_home(home, deed, action, card)


def _build(home: Home, deed: Deed, when: Interval) -> Done:
    card, revealed = _take(home, deed.source)
    home.helps[HELP_INDEX[deed.slot]].append(card)
    if deed.source == WASTE:
        home.fruitful = True
    action = Build(home.name, card, deed.source, deed.slot, when, revealed)
    return _at_home(home, deed, action, card)


def _at_home(home: Home, deed: Deed, action: Action, card: Face) -> Done:
    moved = MovedCard(home.name, card, up_before=deed.source != HAND, up_after=True)
    return Done(action, Spot(deed.source, home.name), Spot(deed.slot, home.name), (moved,))


def _turn(home: Home, deed: Deed, when: Interval) -> Done:
    cards = [home.hand.pop() for _ in range(deed.count)]
    home.waste += cards
    home.turns += 1
    home.seen.add(cards[-1])
    moved = tuple(MovedCard(home.name, card, up_before=False, up_after=True) for card in cards)
    action = Turn(home.name, deed.count, when, cards[-1])
    return Done(action, Spot(HAND, home.name), Spot(WASTE, home.name), moved)


def _recycle(table: Table, home: Home, deed: Deed, when: Interval, rng: Random) -> Done:
    moved = tuple(MovedCard(home.name, card, up_before=True, up_after=False) for card in home.waste)
    home.hand = home.waste[::-1] + home.hand
    home.waste = []
    if deed.shuffled:
        rng.shuffle(home.hand)
    fruitless = home.turns > 0 and not home.fruitful
    home.twos = table.eights_go_on and not deed.impasse and (home.twos or fruitless)
    home.turns, home.fruitful, home.first_pass = 0, False, False
    action = Recycle(home.name, when, deed.shuffled)
    return Done(action, Spot(WASTE, home.name), Spot(HAND, home.name), moved)


def carried(table: Table, deed: Deed) -> tuple[MovedCard, ...]:
    """The cards a hand holds on the way, before the deed is done."""
    if deed.kind == "turn":
        cards = table.homes[deed.owner].hand[: -1 - deed.count : -1]
        return tuple(MovedCard(deed.owner, card, up_before=False, up_after=False) for card in cards)
    if deed.kind == "recycle":
        cards = table.homes[deed.owner].waste
        return tuple(MovedCard(deed.owner, card, up_before=True, up_after=True) for card in cards)
    up = deed.source != HAND
    return (MovedCard(deed.owner, deed.face, up_before=up, up_after=up),)


def goal(deed: Deed, piles: dict[int, Pile]) -> Spot:
    """Where the hand is heading."""
    if deed.kind == "play":
        return Spot(PILE, pile=len(piles) + 1 if deed.pile is None else deed.pile)
    if deed.kind == "turn" or deed.kind == "recycle":
        return Spot(WASTE if deed.kind == "turn" else HAND, deed.owner)
    return Spot(deed.source if deed.kind == "take_back" else deed.slot, deed.owner)
