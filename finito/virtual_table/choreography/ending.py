"""The end of a round: everybody clears their places, turns piles over, sorts the backs and spreads them."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Final

from finito.virtual_table.choreography.errands import Errand, Wanted
from finito.virtual_table.choreography.homes import ROW, Home
from finito.virtual_table.choreography.moves import Lie
from finito.virtual_table.choreography.stage import Stage
from finito.virtual_table.scene import CARD_THICKNESS
from finito.virtual_table.surface_patterns import Rng
from referee.places import HAND

COUNT: Final = "count"
_PAUSE: Final = 1.0
_STILL: Final = 2.5
# Reach, carry, return: seconds.
_CLEAR: Final = (0.24, 0.36, 0.22)
_TURN_OVER: Final = (0.34, 0.55, 0.28)
_SORT: Final = (0.34, 0.5, 0.26)
_LINE: Final = 18  # cards side by side; more begin a second line
_LINE_APART: Final = 98.0
_FAN_RADIUS: Final = 260.0


@dataclass
class _Clock:
    """The hand of one player at the end: when it is free."""

    home: Home
    free: float

    def errand(
        self,
        deed: str,
        source: str,
        target: str,
        cards: tuple[Wanted, ...],
        times: tuple[float, float, float],
    ) -> Errand:
        leaves, (reach, carry, back) = self.free, times
        grips = round(leaves + reach, 3)
        releases = round(grips + carry, 3)
        home = round(releases + back, 3)
        self.free = round(home + 0.06, 3)
        who = self.home
        return Errand(who.player, who.side, deed, source, target, cards, leaves, grips, releases, home)


@dataclass(frozen=True)
class Ending:
    """When the decks are taken off the table, and when the film ends."""

    cleared: dict[str, float]
    counted: float
    ends: float


def perform_ending(stage: Stage, homes: dict[str, Home], rng: Rng, over: float) -> Ending:
    """Lets the hands do all that follows the last action."""
    clocks = {
        name: _Clock(home, round(over + _PAUSE + float(rng.uniform(0, 0.5)), 3))
        for name, home in homes.items()
    }
    stage.perform([errand for clock in clocks.values() for errand in _clearing(stage, clock)])
    cleared = {name: clock.free for name, clock in clocks.items()}
    _wait_for_all(clocks, rng)
    stage.perform(_turning_over(stage, clocks))
    _wait_for_all(clocks, rng)
    fanned = bool(rng.random() < 0.4)
    turns = enumerate(clocks.values())
    stage.perform([e for turn, clock in turns for e in _sorting(stage, clock, rng, turn, fanned)])
    counted = max(clock.free for clock in clocks.values())
    return Ending(cleared, round(counted, 3), round(counted + _STILL, 3))


def _wait_for_all(clocks: dict[str, _Clock], rng: Rng) -> None:
    """Nobody goes on before everybody is ready."""
    ready = max(clock.free for clock in clocks.values())
    for clock in clocks.values():
        clock.free = round(ready + 0.05 + float(rng.uniform(0, 0.4)), 3)


def _clearing(stage: Stage, clock: _Clock) -> Iterator[Errand]:
    """What was not played goes back into the hand."""
    player = clock.home.player
    for name in ROW:
        place = f"{player} {name}"
        cards = tuple(
            Wanted(stage.backs[card], stage.faces[card], False, card) for card in stage.stacks.get(place, ())
        )
        if cards:
            yield clock.errand("clear", place, f"{player} {HAND}", cards, _CLEAR)


def _turning_over(stage: Stage, clocks: dict[str, _Clock]) -> Iterator[Errand]:
    """Each pile is turned face down by a player near it who has time; the lowest card comes to lie on top."""
    for place, lie in stage.slop.piles.items():
        stack = stage.stacks.get(place)
        if not stack:
            continue
        clock = min(
            clocks.values(), key=lambda c: c.free + math.hypot(c.home.x - lie.x, c.home.y - lie.y) / 250
        )
        cards = tuple(Wanted(stage.backs[c], stage.faces[c], False, c) for c in reversed(stack))
        yield clock.errand("turn over", place, place, cards, _TURN_OVER)


def _sorting(stage: Stage, clock: _Clock, rng: Rng, turn: int, fanned: bool) -> Iterator[Errand]:
    """Everybody picks the cards with their own back out of the piles and lays them out."""
    player = clock.home.player
    own = [
        (place, mine)
        for place in stage.slop.piles
        if (mine := [card for card in stage.stacks.get(place, ()) if stage.backs[card] == player])
    ]
    shift = turn * len(own) // 4
    own = own[shift:] + own[:shift]  # so that not all hands meet at one pile
    total = sum(len(mine) for _, mine in own)
    lies = iter(_spread(clock.home, total, rng, fanned))
    for place, mine in own:
        cards = tuple(Wanted(player, stage.faces[card], False, card, next(lies)) for card in mine)
        yield clock.errand("sort", place, f"{player} {COUNT}", cards, _SORT)


def _spread(home: Home, total: int, rng: Rng, fanned: bool) -> list[Lie]:
    """Lines or fans in front of a player, every card showing a strip of more than 12 mm."""
    width = 5 * (home.card_mm[0] + 10.0)
    lies = []
    for i in range(total):
        line, n = divmod(i, _LINE)
        length = min(_LINE, total - line * _LINE)
        step = min(home.card_mm[0] + 4.0, (width - home.card_mm[0]) / max(1, length - 1))
        along = (n - (length - 1) / 2) * step
        u, v, turn = along, -line * _LINE_APART, 0.0
        if fanned and step < 40:
            turn = along / _FAN_RADIUS
            u, v = _FAN_RADIUS * math.sin(turn), v + _FAN_RADIUS * (1 - math.cos(turn)) - 20
        x, y = home.at(u + float(rng.normal(0, 1.0)), v + float(rng.normal(0, 2.5)))
        angle = home.angle + math.degrees(turn) + float(rng.normal(0, 2.2))
        lies.append(Lie(x, y, angle, min(n, 4) * CARD_THICKNESS))
    return lies
