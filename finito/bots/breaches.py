"""Which rules a deed would break on the true table, by their names in the notation.

Names that begin with `~` are no rules: they say that the deed cannot or should not be done now, or that a
rule book could call it by more than one name. An honest deed breaks nothing; an injected fault breaks
exactly its own rule.
"""

from __future__ import annotations

from typing import Final

from finito.bots.deeds import Deed
from finito.bots.table import Home, Pile, Table
from referee.cards import Face
from referee.places import ESPRESSO, HAND, HELP_INDEX
from referee.rules.parameters import BOYS

GONE: Final = "~gone"  # the card or the place is not there any more
BUSY: Final = "~busy"  # somebody else is at it
UNCLEAR: Final = "~unclear"  # more than one rule could be named


def breaches(table: Table, deed: Deed) -> set[str]:
    """All that is wrong with this deed at this moment."""
    home = table.homes[deed.player]
    found = _locked(table, deed)
    if deed.kind == "play":
        return found | _play(table, home, deed)
    if deed.kind == "take_back":
        return found
    if not table.started or table.finito is not None:
        found.add(GONE)
    if deed.kind == "refill":
        return found | _refill(home, deed)
    if deed.kind == "build":
        return found | _build(home, deed)
    if home.joker_pile is not None:
        found.add("joker-not-followed")
    if deed.kind == "finito":
        return found | ({"false-finito"} if home.espresso else set())
    return found | (_turn(home, deed) if deed.kind == "turn" else _recycle(home, deed))


def _locked(table: Table, deed: Deed) -> set[str]:
    for place in deed.touched():
        holder = table.locks.get(place)
        if holder is not None and holder != deed.player:
            return {BUSY}
    return set()


def _play(table: Table, home: Home, deed: Deed) -> set[str]:
    found: set[str] = set()
    if not table.started:
        found.add("before-start")
    if table.finito is not None:
        found.add("after-finito")
    if deed.hand != home.side:
        found.add("two-hands" if home.has_played or deed.hand == "both" else UNCLEAR)
    found |= _source(table, deed)
    found |= _laid(table, deed)
    following = home.joker_pile is not None and deed.pile == home.joker_pile
    if home.slot_to_fill() is not None and not following:
        found.add("help-not-refilled")
    if home.joker_pile is not None and not following:
        found.add("joker-not-followed")
    if table.is_joker(deed.face) and deed.then is not None:
        found |= _follower(table, deed, deed.then)
    return found


def _source(table: Table, deed: Deed) -> set[str]:
    found: set[str] = set()
    cards = table.homes[deed.owner].cards_at(deed.source)
    if len(cards) <= deed.depth or cards[-1 - deed.depth] != deed.face:
        found.add(GONE)
    if deed.depth or deed.source == HAND:
        found.add("not-open")
    if deed.owner != deed.player:
        if not table.chaos:
            found.add("not-yours")
        if deed.source == ESPRESSO and len(cards) < 2:
            found.add(UNCLEAR)
    if (deed.owner, deed.face) in table.laid:
        found.add("impossible-card")
    return found


def _laid(table: Table, deed: Deed) -> set[str]:
    if deed.pile is None:
        return set() if table.opens(deed.face) else {"must-start-with-zero"}
    pile = table.piles[deed.pile]
    if pile.stray is not None:
        return {BUSY}
    if not pile.cards:
        return {GONE}
    return misfit(table, pile, deed.face, deed.player)


def misfit(table: Table, pile: Pile, card: Face, player: str) -> set[str]:
    """What is wrong with this card on this pile."""
    if pile.joker_by is not None:
        return _on_joker(table, pile, card, player)
    if pile.next > table.game.last_number:
        return _on_complete(table, pile, card)
    if table.is_joker(card):
        return {UNCLEAR} if pile.next >= table.game.last_number else set()
    if card.number == pile.next:
        return set() if card.colour == pile.colour else {"wrong-colour"}
    if any(laid == card for _, laid in pile.cards):
        plain = pile.laps == 0 and (card == pile.top or not table.zero)
        return {"too-late"} if plain and card.colour == pile.colour else {UNCLEAR}
    assert card.number is not None
    # where jokers stand for numbers, a number below the top may count as already received
    return {UNCLEAR} if table.zero and card.number < pile.next else {"wrong-number"}


def _on_joker(table: Table, pile: Pile, card: Face, player: str) -> set[str]:
    if pile.joker_by != player:
        return {"joker-on-joker"} if table.is_joker(card) else {BUSY}
    return set() if card.number == pile.next else {UNCLEAR}


def _on_complete(table: Table, pile: Pile, card: Face) -> set[str]:
    if table.zero and card.number == 0:
        return {UNCLEAR} if table.eights_go_on and card.colour == pile.colour else {"joker-on-eight"}
    if table.eights_go_on and card.number == 0 and card.colour == pile.colour:
        return set()
    had = card.colour == pile.colour or any(laid == card for _, laid in pile.cards)
    return {UNCLEAR} if had else {"pile-complete"}


def _follower(table: Table, joker: Deed, follower: Deed) -> set[str]:
    """A joker needs its follower at hand, and time to lay it before somebody calls."""
    stands_for = table.game.first_number if joker.pile is None else table.piles[joker.pile].next
    if follower.face.number != stands_for + 1:
        return {GONE}
    cards = table.homes[follower.owner].cards_at(follower.source)
    if not cards or cards[-1] != follower.face or any(home.emptied for home in table.homes.values()):
        return {GONE}
    holder = table.locks.get((follower.owner, follower.source))
    return set() if holder in (None, follower.player) else {BUSY}


def _refill(home: Home, deed: Deed) -> set[str]:
    cards = home.cards_at(deed.source)
    found = set() if deed.source == ESPRESSO else {"refill-source"}
    if not cards or not home.espresso or home.helps[HELP_INDEX[deed.slot]]:
        found.add(GONE)
    return found


def _build(home: Home, deed: Deed) -> set[str]:
    cards, below = home.cards_at(deed.source), home.helps[HELP_INDEX[deed.slot]]
    if not cards or cards[-1] != deed.face or not below or not can_build(below[-1], deed.face):
        return {GONE}
    return {"help-not-refilled"} if home.slot_to_fill() is not None else set()


def can_build(below: Face, card: Face) -> bool:
    """Dutch Blitz at home: descending, boys and girls in turn."""
    assert below.number is not None
    return card.number == below.number - 1 and (card.colour in BOYS) != (below.colour in BOYS)


def _turn(home: Home, deed: Deed) -> set[str]:
    found = {"help-not-refilled"} if home.slot_to_fill() is not None else set()
    left = len(home.hand)
    if left < deed.count:
        found.add(GONE)
    if deed.count != min(3, left) and not (home.twos and deed.count == min(2, left)):
        found.add("turn-count")
    return found


def _recycle(home: Home, deed: Deed) -> set[str]:
    if home.slot_to_fill() is not None:  # first things first, though no rule names it
        return {GONE}
    nothing = not home.waste and not (deed.impasse and home.hand)
    return {GONE} if nothing or (len(home.hand) > 2 and not deed.impasse) else set()


def open_deeds(table: Table, home: Home, owner: Home) -> list[Deed]:
    """Plays of the open cards of `owner` by the player of `home` that fit now, jokers aside."""
    deeds = []
    for place, card in owner.open_places():
        if (owner.name, place) in table.locks or table.is_joker(card):
            continue
        for pile in places_for(table, card):
            deed = Deed("play", home.name, owner.name, place, card, pile, hand=home.side)
            deeds.append(deed)
    return deeds


def places_for(table: Table, card: Face) -> list[int | None]:
    """The piles a card fits on; None is a new one."""
    piles: list[int | None] = [*table.fits_on(card)]
    return [*piles, None] if table.opens(card) else piles
