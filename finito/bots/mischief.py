"""Faults on order: when each is due, and how a player goes about it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from random import Random
from types import MappingProxyType
from typing import Final

from finito.bots.breaches import breaches, open_deeds, places_for
from finito.bots.choice import turn
from finito.bots.deeds import Deed
from finito.bots.table import Home, Table
from referee.actions import Hand
from referee.places import ESPRESSO, HAND, WASTE


@dataclass(slots=True)
class Mischief:
    """The faults still to be done; one at a time, so that each stays a single fault."""

    pending: list[tuple[float, str]]
    current: str | None = None
    done: list[tuple[str, int]] = field(default_factory=list)

    def due(self, t: float) -> list[str]:
        if self.current is not None:
            return []
        return [name for when, name in self.pending if when <= t]

    def wants(self, name: str, t: float) -> bool:
        return bool(self.pending) and name in self.due(t)

    def begun(self, name: str) -> None:
        self.current = name

    def landed(self, name: str, action: int) -> None:
        entry = next(entry for entry in self.pending if entry[1] == name)
        self.pending.remove(entry)
        self.done.append((name, action))

    def over(self) -> None:
        self.current = None


def planned_fault(table: Table, home: Home, names: list[str], rng: Random) -> Deed | None:
    """A deed that breaks just one of these rules, if this is a moment for it."""
    for name in names:
        if name not in _WAYS:
            continue
        deeds = [
            replace(deed, fault=name)
            for deed in _WAYS[name](table, home, rng)
            if not _ends_stack(table, deed) and breaches(table, deed) == {name}
        ]
        if deeds:
            return rng.choice(deeds)
    return None


def _ends_stack(table: Table, deed: Deed) -> bool:
    """A fault with the last Espresso card would be two matters at once."""
    return deed.kind == "play" and deed.source == ESPRESSO and len(table.homes[deed.owner].espresso) < 3


def own_cards(table: Table, home: Home, pile: int | None) -> Iterator[Deed]:
    """Every open card of the player towards one pile, fitting or not."""
    for place, card in home.open_places():
        if (home.name, place) not in table.locks:
            yield Deed("play", home.name, home.name, place, card, pile, hand=home.side)


def _any_pile(table: Table, home: Home, _: Random) -> Iterator[Deed]:
    for pile in table.piles:
        yield from own_cards(table, home, pile)


def _fitting(table: Table, home: Home, _: Random) -> Iterator[Deed]:
    yield from open_deeds(table, home, home)


def _opening(table: Table, home: Home, _: Random) -> Iterator[Deed]:
    yield from own_cards(table, home, None)


def _others_cards(table: Table, home: Home, _: Random) -> Iterator[Deed]:
    for owner in table.homes.values():
        if owner is not home:
            yield from open_deeds(table, home, owner)


def _other_hand(table: Table, home: Home, rng: Random) -> Iterator[Deed]:
    other: Hand = "left" if home.side == "right" else "right"
    hand: Hand = "both" if rng.random() < 0.3 else other
    if home.has_played:
        for deed in open_deeds(table, home, home):
            yield replace(deed, hand=hand)


def _before_refill(table: Table, home: Home, _: Random) -> Iterator[Deed]:
    yield from open_deeds(table, home, home)
    if len(home.hand) >= 3:
        yield turn(home, 3)


def _covered_cards(table: Table, home: Home, _: Random) -> Iterator[Deed]:
    deepest = min(3, len(home.waste) - 1)
    covered = [(WASTE, depth, home.waste[-1 - depth]) for depth in range(1, deepest + 1)]
    covered += [(HAND, depth, card) for depth, card in enumerate(home.hand[:-4:-1])]
    for place, depth, card in covered:
        if not table.is_joker(card):
            for pile in places_for(table, card):
                yield Deed("play", home.name, home.name, place, card, pile, hand=home.side, depth=depth)


def _other_source(_: Table, home: Home, __: Random) -> Iterator[Deed]:
    slot = home.slot_to_fill()
    for place in (WASTE, HAND):
        cards = home.cards_at(place)
        if slot is not None and cards and home.joker_pile is None:
            yield Deed("refill", home.name, home.name, place, cards[-1], slot=slot, hand=home.side)


def _other_count(table: Table, home: Home, _: Random) -> Iterator[Deed]:
    yield turn(home, 4)
    if home.first_pass or not table.eights_go_on:  # later on, edition forum-1996 may allow two
        yield turn(home, 2)


def _early_call(table: Table, home: Home, _: Random) -> Iterator[Deed]:
    if all(pile.joker_by is None for pile in table.piles.values()):
        yield Deed("finito", home.name, home.name, hand=home.side)


Way = Callable[[Table, Home, Random], Iterator[Deed]]
_WAYS: Final[MappingProxyType[str, Way]] = MappingProxyType(
    {
        "wrong-number": _any_pile,
        "wrong-colour": _any_pile,
        "pile-complete": _any_pile,
        "joker-on-eight": _any_pile,
        "must-start-with-zero": _opening,
        "before-start": _fitting,
        "after-finito": _fitting,
        "not-yours": _others_cards,
        "two-hands": _other_hand,
        "help-not-refilled": _before_refill,
        "joker-not-followed": _before_refill,
        "not-open": _covered_cards,
        "refill-source": _other_source,
        "turn-count": _other_count,
        "false-finito": _early_call,
    }
)
# These wait for something another player does, or the player did before.
TRIGGERED: Final = ("too-late", "joker-on-joker", "impossible-card")
FAULTS: Final = (*_WAYS, *TRIGGERED)
