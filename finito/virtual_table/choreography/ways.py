"""The ways of one hand through a round, one after the other, with the pauses between them."""

from __future__ import annotations

import math
from bisect import bisect_right
from collections.abc import Iterable
from dataclasses import dataclass, replace
from typing import Final

from finito.virtual_table.choreography.arms import waiting
from finito.virtual_table.choreography.homes import Home, Point
from finito.virtual_table.choreography.moves import Move, Side
from referee.places import HAND

# With less time than this (s) between two ways a hand stays near its row instead of leaving the table.
_BREATH: Final = 1.3
# How fast (mm/s on average) a hand moves that has time; bots only say by when it is free again.
_UNHURRIED: Final = 1300.0


@dataclass(frozen=True)
class Way:
    """A move, from where its hand comes and where it goes."""

    move: Move
    before: Point
    after: Point


@dataclass(frozen=True)
class Ways:
    """All ways of one hand in order."""

    ways: tuple[Way, ...]
    starts: tuple[float, ...]

    def at(self, t: float) -> Way | None:
        """The way the hand is on; a later one that has begun takes over."""
        i = bisect_right(self.starts, t) - 1
        return self.ways[i] if i >= 0 and t < self.ways[i].move.home else None

    def pausing(self, t: float) -> Point | None:
        """Where the hand waits that is on no way, mostly off the table; None if it never does anything."""
        i = bisect_right(self.starts, t)
        if not self.ways:
            return None
        return self.ways[i - 1].after if i else self.ways[0].before


def ways_of(moves: Iterable[Move], home: Home, side: Side) -> Ways:
    """The ways of a player's left or right hand; where there is time it takes it."""
    own = [move for move in moves if move.player == home.player and move.uses(side)]
    off = home.place(HAND) if side != home.side else waiting(home, side, near=False)
    near = home.place(HAND) if side != home.side else waiting(home, side, near=True)
    ways: list[Way] = []
    before = off
    for i, move in enumerate(own):
        follower = own[i + 1] if i + 1 < len(own) else None
        pause = math.inf if follower is None else follower.leaves - move.home
        after = near if pause < _BREATH else off
        if follower is None:
            move = replace(move, home=max(move.home, _end(move) + _seconds(_last(move), after)))
        else:
            move, own[i + 1] = _unhurried(move, follower, after)
        if i == 0 and move.grips is not None:
            move = replace(move, leaves=max(0.0, min(move.leaves, move.grips - _seconds(_first(move), off))))
        ways.append(Way(move, before, after))
        before = after
    return Ways(tuple(ways), tuple(way.move.leaves for way in ways))


def _unhurried(one: Move, other: Move, wait: Point) -> tuple[Move, Move]:
    """Two moves that share the time between the release of one and the grip of the other."""
    end, grip = _end(one), other.leaves if other.grips is None else other.grips
    back, out = _seconds(_last(one), wait), _seconds(wait, _first(other))
    if other.grips is None:
        return replace(one, home=min(max(one.home, end + back), grip)), other
    share = min(1.0, max(0.0, grip - end) / (back + out))
    home, leaves = end + back * share, grip - out * share
    return replace(one, home=home), replace(other, leaves=max(home, leaves))


def _seconds(a: Point, b: Point) -> float:
    return max(0.12, math.dist(a, b) / _UNHURRIED)


def _end(move: Move) -> float:
    return move.home - 0.12 if move.releases is None else move.releases


def _first(move: Move) -> Point:
    return move.start.x, move.start.y


def _last(move: Move) -> Point:
    end = move.cards[-1].end if move.cards else move.start
    return end.x, end.y
