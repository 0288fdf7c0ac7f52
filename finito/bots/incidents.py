"""Faults that hang on what just happened: the slower of two equal cards, a second joker, a foreign card."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING

from finito.bots.applying import Done
from finito.bots.breaches import breaches, places_for
from finito.bots.deeds import STRAY_FAULTS, Deed
from finito.bots.mischief import own_cards
from finito.bots.table import Home
from referee.actions import Play
from referee.cards import UNKNOWN, Colour, Face, face
from referee.places import ESPRESSO, WASTE

if TYPE_CHECKING:
    from finito.bots.simulation import Bot, Simulation


def joker_can_return(bot: Bot) -> bool:
    """A joker left alone is taken back later; its place must not have been filled by then."""
    return bot.joker is not None and bot.joker.source in (ESPRESSO, WASTE)


def to_take_back(bot: Bot, deed: Deed, done: Done) -> Deed | None:
    """What the player has to take back after this fault."""
    if deed.fault == "joker-not-followed":
        assert bot.joker is not None
        return replace(bot.joker, kind="take_back", then=None)
    if deed.fault in STRAY_FAULTS:
        return replace(deed, kind="take_back", pile=done.target.pile, fault=None)
    return None


def tempt(sim: Simulation, bot: Bot, deed: Deed, done: Done, t: float) -> None:
    """Lets another player go wrong right after this honest deed."""
    if not sim.mischief.due(t):
        return
    if deed.kind == "finito":
        _after_finito(sim, t)
    elif deed.kind == "play" and deed.then is not None:
        _tempt_others(sim, bot, done, t, "joker-on-joker", {face(colour, 0) for colour in Colour})
    elif deed.kind == "play":
        _tempt_others(sim, bot, done, t, "too-late", {deed.face})


def _tempt_others(sim: Simulation, bot: Bot, done: Done, t: float, name: str, cards: set[Face]) -> None:
    if not sim.mischief.wants(name, t):
        return
    for other in sim.rng.sample(sim.bots, len(sim.bots)):
        if other is bot or not other.deciding(t):
            continue
        for deed in own_cards(sim.table, other.home, done.target.pile):
            last = deed.source == ESPRESSO and len(other.home.espresso) < 3
            if deed.face in cards and not last and breaches(sim.table, deed) == {name}:
                other.token += 1
                sim.begin(other, replace(deed, fault=name), t, thinking=0.02)
                return


def _after_finito(sim: Simulation, t: float) -> None:
    """A hand under way does not stop, or a player goes on as if nothing had been called."""
    if not sim.mischief.wants("after-finito", t):
        return
    for other in sim.bots:
        deed = other.deed
        if not other.carrying or deed is None or deed.fault or deed.then or other.joker:
            continue
        last = deed.source == ESPRESSO and len(other.home.espresso) < 2
        if not last and breaches(sim.table, deed) == {"after-finito"}:
            other.deed = replace(deed, fault="after-finito")
            sim.mischief.begun("after-finito")
            return
    for other in sim.bots:
        if other.deciding(t):
            other.token += 1
            sim.at(t + 0.02, other, sim.think)


def may_smuggle(sim: Simulation, bot: Bot, deed: Deed, t: float) -> bool:
    """Whether the card under the waste top, seen by nobody yet, can be one of a second deck."""
    if not sim.mischief.wants("impossible-card", t) or deed.fault or deed.then or bot.joker:
        return False
    own = deed.kind == "play" and deed.source == WASTE and deed.owner == deed.player
    waste = bot.home.waste
    return own and len(waste) > 1 and waste[-2] not in bot.home.seen and _double(sim, bot.home) is not None


def _double(sim: Simulation, home: Home) -> Deed | None:
    """The play of a second copy of a card that this back already has in the centre."""
    laid = [card for pile in sim.table.piles.values() for owner, card in pile.cards if owner == home.name]
    plays = [
        Deed("play", home.name, home.name, WASTE, card, pile, hand=home.side, fault="impossible-card")
        for card in laid
        if not sim.table.is_joker(card)
        for pile in places_for(sim.table, card)
    ]
    # a card that opens a pile cannot be outrun by others
    return next((deed for deed in plays if deed.pile is None), plays[0] if plays else None)


def smuggle(sim: Simulation, bot: Bot, done: Done) -> Done:
    """Swaps the new waste top for a card of a second deck; nobody has seen it before it is played."""
    double = _double(sim, bot.home)
    if double is None or not isinstance(done.action, Play):
        return done
    bot.home.swapped = bot.home.waste[-1]
    bot.home.waste[-1] = double.face
    bot.forced = double
    sim.mischief.begun("impossible-card")
    return replace(done, action=replace(done.action, reveals=UNKNOWN))


def unsmuggle(home: Home) -> None:
    """The foreign card was not played after all: the right one lies there again."""
    assert home.swapped is not None
    home.waste[-1], home.swapped = home.swapped, None
