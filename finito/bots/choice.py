"""What an honest bot does next: Espresso stack first, then the help cards, the waste, the hand."""

from __future__ import annotations

from random import Random

from finito.bots.breaches import can_build, open_deeds
from finito.bots.deeds import Deed
from finito.bots.table import Home, Table
from finito.bots.temper import Temper
from referee.cards import face
from referee.places import ESPRESSO, HELPS, WASTE


def next_deed(table: Table, home: Home, temper: Temper, rng: Random) -> Deed | None:
    """The deed a player goes for, or None when there is nothing to do."""
    slot = home.slot_to_fill()
    if slot is not None:
        return refill(home, slot)
    seen = [deed for deed in open_deeds(table, home, home) if rng.random() < temper.attention]
    if table.zero and rng.random() < temper.boldness and (joker := joker_deed(table, home, rng)):
        return joker
    if seen:
        best = [deed for deed in seen if deed.source == seen[0].source]
        return best[0] if len(best) == 1 else rng.choice(best)
    if table.game.home_building and (built := build_deed(home, rng)):
        return built
    if table.chaos and (stolen := stolen_deed(table, home, temper, rng)):
        return stolen
    return stock_deed(table, home, rng)


def refill(home: Home, slot: str) -> Deed:
    return Deed("refill", home.name, home.name, ESPRESSO, home.espresso[-1], slot=slot, hand=home.side)


def joker_deed(table: Table, home: Home, rng: Random) -> Deed | None:
    """A 0 together with the card that follows it, wherever both are open."""
    own = [(place, card) for place, card in home.open_places() if (home.name, place) not in table.locks]
    plans = []
    for place, card in own:
        if card.number != 0 or (place == ESPRESSO and len(home.espresso) < 2):
            continue
        joker = Deed("play", home.name, home.name, place, card, hand=home.side)
        for other, follower in own:
            if other == place or not follower.number:
                continue
            then = Deed("play", home.name, home.name, other, follower, hand=home.side)
            plans += [_with(joker, pile, then) for pile in _joker_piles(table, follower.number)]
    return rng.choice(plans) if plans else None


def _joker_piles(table: Table, follower: int) -> list[int | None]:
    if follower == 1:
        return [None]
    return [
        pile.number
        for pile in table.piles.values()
        if pile.next == follower - 1 and _quiet(table, pile.number)
    ]


def _quiet(table: Table, number: int) -> bool:
    pile = table.piles[number]
    return bool(pile.cards) and not pile.busy


def _with(joker: Deed, pile: int | None, then: Deed) -> Deed:
    return Deed("play", joker.player, joker.owner, joker.source, joker.face, pile, hand=joker.hand, then=then)


def build_deed(home: Home, rng: Random) -> Deed | None:
    """Lays the top of the race stack, or at times of the waste, onto a help card at home."""
    for place, card in home.open_places():
        if place not in (ESPRESSO, WASTE) or (place == WASTE and rng.random() < 0.6):
            continue
        for slot, cards in zip(HELPS, home.helps, strict=False):
            if cards and can_build(cards[-1], card):
                return Deed("build", home.name, home.name, place, card, slot=slot, hand=home.side)
    return None


def stolen_deed(table: Table, home: Home, temper: Temper, rng: Random) -> Deed | None:
    """An open card of somebody else, above all one that makes room for an own card."""
    own = {card for _, card in home.open_places()}
    for owner in table.homes.values():
        if owner is home or rng.random() > temper.attention:
            continue
        for deed in open_deeds(table, home, owner):
            if deed.source == ESPRESSO and len(owner.espresso) < 2:
                continue
            assert deed.face.number is not None
            useful = face(deed.face.colour, deed.face.number + 1) in own
            if rng.random() < (0.9 if useful else 0.2 * temper.boldness):
                return deed
    return None


def stock_deed(table: Table, home: Home, rng: Random) -> Deed | None:
    """Turns cards from the hand, or takes up the waste again."""
    left = len(home.hand)
    forum = table.eights_go_on
    if left == 0 or (left < 3 and home.waste and not forum and rng.random() < 0.6):
        if not home.waste:
            return None
        fruitless = home.turns > 0 and not home.fruitful
        return recycle(home, shuffled=left == 0 and (forum or fruitless))
    return turn(home, min(2 if home.twos else 3, left))


def recycle(home: Home, *, shuffled: bool, impasse: bool = False) -> Deed:
    return Deed("recycle", home.name, home.name, WASTE, shuffled=shuffled, impasse=impasse, hand=home.side)


def turn(home: Home, count: int) -> Deed:
    return Deed("turn", home.name, home.name, "hand", count=count, hand=home.side)
