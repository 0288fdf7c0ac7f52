"""A round as a film: the scene of any moment follows from the moment alone."""

from __future__ import annotations

import math
from bisect import bisect_right
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Final

from finito.virtual_table.choreography.arms import (
    WAITING_HEIGHT,
    Reach,
    direction,
    fingers,
    held_cards,
    reach,
)
from finito.virtual_table.choreography.ending import Ending
from finito.virtual_table.choreography.homes import Home, Point, Polygon
from finito.virtual_table.choreography.moves import Epoch, Move, Side
from finito.virtual_table.choreography.setting import Room
from finito.virtual_table.choreography.slop import HELD_HEIGHT
from finito.virtual_table.choreography.ways import Way, Ways, ways_of
from finito.virtual_table.scene import CARD_THICKNESS, Card, Hand, Scene
from referee.places import HAND

SIDES: Final[tuple[Side, Side]] = ("left", "right")
_LEAST_SMEAR: Final = 1.5
_LEAVES_TABLE: Final = 0.9
_OFF: Final = 620.0
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
    def _ways(self) -> dict[tuple[str, Side], Ways]:
        return {
            (home.player, side): ways_of(self.moves, home, side)
            for home in self.homes.values()
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
            busy: dict[Side, Way] = {}
            for side in SIDES:
                if (way := self._ways[home.player, side].at(t)) is not None:
                    busy[side] = way
            deck = epoch.decks[home.player]
            hidden += deck[1:]
            holder: Side = "left" if home.playing == "right" else "right"
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

    def _moving(self, home: Home, busy: dict[Side, Way], t: float, hidden: list[str]) -> list[Actor]:
        """The hands that are on their way, with the cards between their fingers."""
        actors = []
        for side, way in busy.items():
            at, motion = self._reach(way, t)
            leads = way.move.hand != "both" or side == home.side
            held: tuple[Card, ...] = ()
            if leads and way.move.carries(t):
                held, inside = held_cards(way.move, t, motion)
                hidden += inside
            actors.append(Actor(home.player, side, self._hand(home, side, way.move, at, motion, held)))
        side = home.playing
        if side not in busy and (spot := self._ways[home.player, side].pausing(t)) is not None:
            hand = self._pose(home, side, Reach(*spot, WAITING_HEIGHT, 0.0), (0.0, 0.0), ())
            actors.append(Actor(home.player, side, hand))
        return actors

    def _reach(self, way: Way, t: float) -> tuple[Reach, Point]:
        """Where the hand is, and how far it moves while the shutter is open."""
        half = self.room.shutter / 2
        at, early, late = (reach(way.move, t + d, way.before, way.after) for d in (0.0, -half, half))
        smear = (late.x - early.x, late.y - early.y)
        return at, smear if math.hypot(*smear) >= _LEAST_SMEAR else (0.0, 0.0)

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
