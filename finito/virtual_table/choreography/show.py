"""A round as a film: the scene of any moment follows from the moment alone."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from finito.virtual_table.choreography.arms import (
    Reach,
    direction,
    fingers,
    held_cards,
    reach,
    waiting,
)
from finito.virtual_table.choreography.ending import Ending
from finito.virtual_table.choreography.homes import Home, Point, Polygon
from finito.virtual_table.choreography.moves import Epoch, Move, Side
from finito.virtual_table.choreography.setting import Room
from finito.virtual_table.choreography.slop import HELD_HEIGHT
from finito.virtual_table.scene import CARD_THICKNESS, Card, Hand, Scene
from referee.places import HAND

SIDES: Final[tuple[Side, Side]] = ("left", "right")
# A hand with less time than this between two ways stays near the row.
_BREATH: Final = 1.3
_LEAST_SMEAR: Final = 1.5
_LEAVES_TABLE: Final = 0.7
_OFF: Final = 330.0
_BOTH: Final = 34.0


@dataclass(frozen=True)
class Actor:
    """A hand in a frame and whose it is."""

    player: str
    side: Side
    hand: Hand


@dataclass(frozen=True)
class Moment:
    """A frame to be drawn. `hidden` names the cards that exist and are not drawn: inside a deck or packet."""

    t: float
    scene: Scene
    actors: tuple[Actor, ...]
    hidden: tuple[str, ...]
    places: dict[str, str]


@dataclass(frozen=True)
class Show:
    """Everything that happens at one virtual table, from the first frame to the last."""

    homes: dict[str, Home]
    room: Room
    moves: tuple[Move, ...]
    epochs: tuple[Epoch, ...]
    ending: Ending
    looks: dict[str, int]
    backs: dict[str, str]
    faces: dict[str, str]
    zones: dict[str, Polygon]

    @property
    def seconds(self) -> float:
        return self.ending.ends

    @cached_property
    def _starts(self) -> list[float]:
        return [epoch.t for epoch in self.epochs]

    @cached_property
    def _ways(self) -> dict[tuple[str, Side], list[Move]]:
        return {
            (player, side): [move for move in self.moves if move.player == player and move.uses(side)]
            for player in self.homes
            for side in SIDES
        }

    def epoch(self, t: float) -> Epoch:
        return self.epochs[max(0, bisect_right(self._starts, t) - 1)]

    def moment(self, t: float, frame: int) -> Moment:
        """The scene at `t` seconds."""
        epoch = self.epoch(t)
        hidden: list[str] = []
        decks: list[Card] = []
        holding: list[Actor] = []
        moving: list[Actor] = []
        for home in self.homes.values():
            busy: dict[Side, Move] = {}
            for side in SIDES:
                if (move := self._active(home.player, side, t)) is not None:
                    busy[side] = move
            deck = epoch.decks[home.player]
            hidden += deck[1:]
            holder: Side = "left" if home.side == "right" else "right"
            if holder not in busy:
                holding.append(self._holding(home, holder, deck, t))
            elif deck:
                decks.append(self._deck(home, deck, (0.0, 0.0), 0.0))
            moving += self._moving(home, busy, t, hidden)
        actors = (*holding, *moving)
        scene = replace(
            self.room.scene,
            cards=(*epoch.resting, *decks),
            hands=tuple(actor.hand for actor in actors),
        )
        scene = self.room.conditions.at(scene, t, frame)
        return Moment(t, scene, actors, tuple(hidden), epoch.places)

    def _active(self, player: str, side: Side, t: float) -> Move | None:
        """The way a hand is on; a later one that has begun already takes over."""
        ways = self._ways[player, side]
        i = bisect_right(ways, t, key=lambda move: move.leaves) - 1
        return ways[i] if i >= 0 and t < ways[i].home else None

    def _waits(self, home: Home, side: Side, move: Move, after: bool) -> Point:
        """Where the hand is before or after a way: home in a long pause, near its cards in a short one."""
        if side != home.side:
            return home.place(HAND)
        ways = self._ways[home.player, side]
        i = bisect_right(ways, move.leaves, key=lambda other: other.leaves) - 1
        one, other = (i, i + 1) if after else (i - 1, i)
        if one < 0 or other >= len(ways):
            return waiting(home, side, near=False)
        return waiting(home, side, near=ways[other].leaves - ways[one].home < _BREATH)

    def _moving(self, home: Home, busy: dict[Side, Move], t: float, hidden: list[str]) -> list[Actor]:
        """The hands that are on their way, with the cards between their fingers."""
        actors = []
        for side, move in busy.items():
            at, motion = self._reach(home, side, move, t)
            leads = move.hand != "both" or side == home.side
            held: tuple[Card, ...] = ()
            if leads and move.carries(t):
                held, inside = held_cards(move, t, motion)
                hidden += inside
            actors.append(Actor(home.player, side, self._hand(home, side, move, at, motion, held)))
        waits = self._waiting_near(home, busy, t)
        return [*actors, *waits]

    def _waiting_near(self, home: Home, busy: dict[Side, Move], t: float) -> list[Actor]:
        """The playing hand in a short pause between two ways."""
        if home.side in busy or home.side == "both":
            return []
        ways = self._ways[home.player, home.side]
        i = bisect_right(ways, t, key=lambda move: move.leaves)
        if i == 0 or i >= len(ways) or ways[i].leaves - ways[i - 1].home >= _BREATH:
            return []
        x, y = waiting(home, home.side, near=True)
        return [Actor(home.player, home.side, self._pose(home, home.side, Reach(x, y, 42.0, 0), (0, 0), ()))]

    def _reach(self, home: Home, side: Side, move: Move, t: float) -> tuple[Reach, Point]:
        before, after = (self._waits(home, side, move, after) for after in (False, True))
        at = reach(move, t, before, after)
        half = self.room.shutter / 2
        early, late = (reach(move, t + d, before, after) for d in (-half, half))
        dx, dy = late.x - early.x, late.y - early.y
        # A hand slows down within a frame: outside its way the reach stays where it ends.
        smear = (dx, dy) if math.hypot(dx, dy) >= _LEAST_SMEAR else (0.0, 0.0)
        return at, smear

    def _hand(
        self, home: Home, side: Side, move: Move, at: Reach, motion: Point, held: tuple[Card, ...]
    ) -> Hand:
        if move.hand == "both":
            aside = math.radians(home.angle)
            off = _BOTH if side == "right" else -_BOTH
            at = replace(at, x=at.x + off * math.cos(aside), y=at.y + off * math.sin(aside))
        return self._pose(home, side, at, motion, held)

    def _pose(self, home: Home, side: Side, at: Reach, motion: Point, held: tuple[Card, ...]) -> Hand:
        angle = direction(home, side, at.x, at.y)
        x, y = fingers((at.x, at.y), angle)
        look = self.looks[home.player]
        return Hand(look, x, y, angle, at.z + 3, "carry", side == "left", 5.0, held, motion)

    def _holding(self, home: Home, side: Side, deck: tuple[str, ...], t: float) -> Actor:
        """The hand that holds the deck; it is never quite still, and leaves with the deck at the end."""
        phase = self.looks[home.player] % 100
        sway = (2.5 * math.sin(t * 0.9 + phase), 2.0 * math.sin(t * 1.3 + 2 * phase))
        gone = min(1.0, max(0.0, (t - self.ending.cleared[home.player]) / _LEAVES_TABLE))
        x, y = home.place(HAND)
        off = home.at(0.0, _OFF * gone * gone * (3 - 2 * gone))
        off = (off[0] - home.x + sway[0], off[1] - home.y + sway[1])
        angle = direction(home, side, x, y)
        hx, hy = fingers((x + off[0], y + off[1]), angle, 16.0)
        held = (self._deck(home, deck, off, HELD_HEIGHT),) if deck else ()
        look = self.looks[home.player]
        hand = Hand(look, hx, hy, angle, HELD_HEIGHT - 4, "hold", side == "left", 5.0, held)
        return Actor(home.player, side, hand)

    def _deck(self, home: Home, deck: tuple[str, ...], off: Point, z: float) -> Card:
        """A held deck is drawn as one thick card: the one on top."""
        x, y = home.place(HAND)
        top = deck[0]
        turn = home.angle + 14.0 * home.handed
        return Card(
            top,
            "back",
            self.faces[top],
            self.backs[top],
            x + off[0],
            y + off[1],
            turn,
            z,
            thickness=len(deck) * CARD_THICKNESS,
        )
