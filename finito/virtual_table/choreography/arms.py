"""Where a hand is at a moment: from home to the grip, with the cards to their place, and home again."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Final

from finito.virtual_table.choreography.homes import Home, Point
from finito.virtual_table.choreography.moves import Carried, Lie, Move, Side
from finito.virtual_table.scene import Card

# The fingers grip a card this far (mm) before its middle.
_GRIP: Final = 27.0
_ALOFT: Final = 30.0
WAITING_HEIGHT: Final = 12.0 + _ALOFT
_FLIP_ALOFT: Final = 42.0
_STEEPEST: Final = 78.0
_DRAWN: Final = 3  # of more cards in the fingers only the outermost are drawn
_FLIP: Final = (0.2, 0.8)


@dataclass(frozen=True)
class Reach:
    """The point a hand holds, its height, and the part (0..1) of the way its cards have come."""

    x: float
    y: float
    z: float
    part: float


def eased(part: float) -> float:
    """From 0 to 1 as a hand moves: it starts and stops gently."""
    part = min(1.0, max(0.0, part))
    return part * part * part * (10 - 15 * part + 6 * part * part)


def waiting(home: Home, side: Side, near: bool) -> Point:
    """Where a hand waits between its ways: just behind the row, or off the table."""
    aside = 1.0 if side == "right" else -1.0
    return home.at(aside * 95.0, 112.0) if near else home.at(aside * 150.0, 330.0)


def reach(move: Move, t: float, before: Point, after: Point) -> Reach:
    """Where the hand of a move is; it comes from `before` and goes to `after`."""
    start = (move.start.x, move.start.y)
    if move.grips is None or move.releases is None:
        turn = move.leaves + 0.45 * (move.home - move.leaves)
        short = _between(before, start, 0.8)
        if t < turn:
            return _way(before, short, (t - move.leaves) / (turn - move.leaves), 0.0)
        return _way(short, after, (t - turn) / (move.home - turn), 0.0)
    if t < move.grips:
        return _way(before, start, (t - move.leaves) / max(1e-3, move.grips - move.leaves), 0.0, move.start.z)
    end = move.cards[-1].end if move.cards else move.start
    if t < move.releases:
        return _carrying(move, t, end)
    # The other way round: heights run from the table up to the hand's way home.
    back = _way(
        after, (end.x, end.y), 1 - (t - move.releases) / max(1e-3, move.home - move.releases), 0.0, end.z
    )
    return Reach(back.x, back.y, back.z, 1.0)


def _between(a: Point, b: Point, part: float) -> Point:
    return a[0] + (b[0] - a[0]) * part, a[1] + (b[1] - a[1]) * part


def _way(a: Point, b: Point, part: float, done: float, z: float = 12.0) -> Reach:
    """An empty hand on its way from a to b, where it comes down to height z."""
    gone = eased(part)
    x, y = _between(a, b, gone)
    return Reach(x, y, z + (1 - gone) * _ALOFT, done)


def _carrying(move: Move, t: float, end: Lie) -> Reach:
    part = carried_part(move, t)
    if move.via is not None:
        target = move.via
        x, y = _between((move.start.x, move.start.y), (target.x, target.y), part)
        return Reach(x, y, move.start.z + _ALOFT * min(1.0, 4 * part), part)
    x, y = _between((move.start.x, move.start.y), (end.x, end.y), part)
    return Reach(x, y, _height(move.start.z, end.z, part, _aloft(move)), part)


def _aloft(move: Move) -> float:
    flips = any(card.side_before != card.side_after for card in move.cards)
    return _FLIP_ALOFT if flips else _ALOFT


def _height(start: float, end: float, part: float, aloft: float) -> float:
    return start + (end - start) * part + aloft * math.sin(math.pi * part)


def carried_part(move: Move, t: float) -> float:
    """How far on their way the cards are; a hand that turns back stops short of its goal."""
    assert move.grips is not None
    assert move.releases is not None
    if move.turns_back is None:
        return eased((t - move.grips) / max(1e-3, move.releases - move.grips))
    if t < move.turns_back:
        return 0.85 * eased((t - move.grips) / max(1e-3, move.turns_back - move.grips))
    return 0.85 * eased((move.releases - t) / max(1e-3, move.releases - move.turns_back))


def direction(home: Home, side: Side, x: float, y: float) -> float:
    """The degrees in which a hand points that reaches from its shoulder to a point; 0 is north."""
    sx, sy = home.shoulder(side)
    return math.degrees(math.atan2(x - sx, sy - y))


def fingers(at: Point, angle: float, back: float = _GRIP) -> Point:
    """Where the fingers are that hold a card whose middle is at a point."""
    turn = math.radians(angle)
    return at[0] - math.sin(turn) * back, at[1] + math.cos(turn) * back


def held_cards(move: Move, t: float, motion: Point) -> tuple[tuple[Card, ...], tuple[str, ...]]:
    """The cards in the fingers as they are drawn, lowest first, and the names of those hidden among them."""
    part = carried_part(move, t)
    flipped = eased((part - _FLIP[0]) / (_FLIP[1] - _FLIP[0]))
    cards = [_held(move, card, part, flipped, motion) for card in move.cards]
    if cards and cards[0].side == move.cards[0].side_before != move.cards[0].side_after:
        cards.reverse()  # a packet that is turned over shows its other end
    shown = cards if len(cards) <= _DRAWN else [cards[0], *cards[1 - _DRAWN :]]
    names = {card.name for card in shown}
    return tuple(shown), tuple(card.name for card in cards if card.name not in names)


def _held(move: Move, carried: Carried, part: float, flipped: float, motion: Point) -> Card:
    start, end = carried.start, carried.end
    turned = carried.side_before != carried.side_after
    side, yaw = carried.side_before, 0.0
    if turned and flipped > 0:
        side = carried.side_before if flipped < 0.5 else carried.side_after
        yaw = min(_STEEPEST, 180 * min(flipped, 1 - flipped)) * (1 if flipped < 0.5 else -1)
    if move.via is not None:
        x, y = _between((start.x, start.y), (move.via.x, move.via.y), part)
        angle, height = start.angle + _turn(start.angle, move.via.angle) * part, start.z
        lift = _ALOFT * min(1.0, 4 * part)
    else:
        x, y = _between((start.x, start.y), (end.x, end.y), part)
        angle, height = start.angle + _turn(start.angle, end.angle) * part, start.z + (end.z - start.z) * part
        lift = _aloft(move) * math.sin(math.pi * part)
    pitch = -6.0 * math.sin(math.pi * part)
    return Card(
        carried.card,
        side,
        carried.face,
        carried.back,
        x,
        y,
        angle,
        height,
        lift,
        pitch,
        yaw,
        motion=motion,
    )


def _turn(start: float, end: float) -> float:
    """The shorter way round; a card is the same upside down only by chance, so no half turns are saved."""
    return (end - start + 180) % 360 - 180
