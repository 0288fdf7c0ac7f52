"""Proposes seats, places and centre from the cards of a freshly dealt table.

Every player has a row of cards of one direction: the Espresso stack and the helps, perhaps the waste. The
waste is empty at first: its place is proposed at the free end.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from calibration.errors import CalibrationError
from calibration.zones import PlaceZone, Point, Polygon, SeatZone, TableZones, place_names
from referee.places import Seat

Array: TypeAlias = NDArray[Any]

SEATS: Final = (2, 6)
_NEAR: Final = 1.45  # card heights between neighbours of one row
_TURNED: Final = 25.0  # degrees by which neighbours may differ
_IN_LINE: Final = 0.45  # card heights a card may lie before or behind its row
_COMPASS: Final = tuple(Seat)
_BESIDE: Final = 2.2  # card heights beside the places within which piles are laid
_CORNERS_OFF: Final = 2.0  # millimetres by which the outline of the centre may be simplified
_APART: Final = 0.6  # card widths by which a gap must be wider to set the stack apart


@dataclass(frozen=True)
class DealtCard:
    """The middle of a card in millimetres and the direction of its long side in degrees (mod 180)."""

    x: float
    y: float
    angle: float


def dealt_card(corners_mm: Array) -> DealtCard:
    """From four corners in millimetres, whichever comes first."""
    a, b, c, d = np.asarray(corners_mm, np.float64)
    one, other = (b + c - a - d) / 2, (c + d - a - b) / 2
    long = one if np.linalg.norm(one) > np.linalg.norm(other) else other
    x, y = (a + b + c + d) / 4
    return DealtCard(float(x), float(y), float(np.degrees(np.arctan2(long[1], long[0])) % 180))


def propose_zones(
    cards: Sequence[DealtCard], players: int | None = None, helps: int = 3, card_mm: Point = (59.0, 91.0)
) -> TableZones:
    """Seats with their places, and the centre between them; refused with what was seen instead."""
    rows = _rows(cards, card_mm)
    whole = [row for row in rows if helps + 1 <= len(row) <= helps + 2]
    if players is not None:
        if len(whole) != players:
            raise CalibrationError(_not_dealt(rows, helps, f"{players} players"))
    elif not SEATS[0] <= len(whole) <= SEATS[1] or len(whole) < len([row for row in rows if len(row) > 1]):
        raise CalibrationError(_not_dealt(rows, helps, f"{SEATS[0]} to {SEATS[1]} players"))
    middle = np.mean([_middle(row) for row in whole], axis=0)
    laid = [_places(row, middle, helps, card_mm) for row in whole]
    seats = _named(laid, middle)
    return TableZones(seats, _centre(seats, card_mm), card_mm)


def _rows(cards: Sequence[DealtCard], card_mm: Point) -> list[list[DealtCard]]:
    """Cards joined with neighbours that lie beside them and are turned alike."""
    left = list(cards)
    rows = []
    while left:
        row, todo = [], [left.pop(0)]
        while todo:
            card = todo.pop()
            row.append(card)
            beside = [other for other in left if _neighbours(card, other, card_mm)]
            left = [other for other in left if other not in beside]
            todo += beside
        rows.append(row)
    return rows


def _neighbours(a: DealtCard, b: DealtCard, card_mm: Point) -> bool:
    turned = abs((a.angle - b.angle + 90) % 180 - 90)
    return turned < _TURNED and math.hypot(a.x - b.x, a.y - b.y) < _NEAR * card_mm[1]


def _middle(row: Sequence[DealtCard]) -> Array:
    return np.asarray(np.mean([(card.x, card.y) for card in row], axis=0))


def _outward(row: Sequence[DealtCard], middle: Array) -> Array:
    """Towards the owner: along the cards' long sides, away from the middle of the table."""
    doubled = np.mean([np.exp(2j * np.radians(card.angle)) for card in row])
    half = np.angle(doubled) / 2
    out = np.array([np.cos(half), np.sin(half)])
    return out if out @ (_middle(row) - middle) >= 0 else -out


def _places(row: Sequence[DealtCard], middle: Array, helps: int, card_mm: Point) -> SeatZone:
    out = _outward(row, middle)
    right = np.array([out[1], -out[0]])  # the owner looks inward
    angle = round(float(np.degrees(np.arctan2(-out[0], out[1]))), 1) % 360
    line = sorted(row, key=lambda card: float(right @ (card.x, card.y)))
    spots = [np.array([card.x, card.y]) for card in _in_order(line, out, helps, card_mm)]
    if len(spots) == helps + 1:
        spots.append(_free_end(spots, right * card_mm[0] * 1.2))
    zones = tuple(
        PlaceZone(name, round(float(x), 1), round(float(y), 1), angle)
        for name, (x, y) in zip(place_names(helps), spots, strict=True)
    )
    return SeatZone(Seat.SOUTH, angle, zones)


def _free_end(spots: list[Array], usual: Array) -> Array:
    """Where the waste will lie: at the end of the helps that is further from the stack."""
    stack, first, last = spots[0], spots[1], spots[-1]
    step = (last - first) / (len(spots) - 2) if len(spots) > 2 else usual
    ends = (last + step, first - step)
    return max(ends, key=lambda end: float(np.linalg.norm(end - stack)))


def _in_order(line: list[DealtCard], out: Array, helps: int, card_mm: Point) -> list[DealtCard]:
    """Stack first, then the helps from left to right; then the waste, if there is one.

    The stack is the card that lies out of line or behind a wider gap; otherwise the leftmost.
    """
    if len(line) != helps + 1:
        return line
    depth = np.array([out @ (card.x, card.y) for card in line])
    odd = int(np.argmax(np.abs(depth - np.median(depth))))
    if abs(depth[odd] - np.median(depth)) > _IN_LINE * card_mm[1]:
        return [line[odd], *(card for i, card in enumerate(line) if i != odd)]
    gaps = [math.hypot(b.x - a.x, b.y - a.y) for a, b in pairwise(line)]
    if gaps[-1] > max(gaps[:-1]) + _APART * card_mm[0]:
        return [line[-1], *line[:-1]]
    return line


def _named(laid: Sequence[SeatZone], middle: Array) -> tuple[SeatZone, ...]:
    """Names by where people sit around the table, each name once, clockwise from south."""
    at = np.array([np.mean([(zone.x, zone.y) for zone in seat.places], axis=0) for seat in laid]) - middle
    reach = np.maximum(np.abs(at).max(axis=0), 1.0)
    out = np.array([[-np.sin(np.radians(s.angle)), np.cos(np.radians(s.angle))] for s in laid])
    towards = at / reach.max() + 0.7 * out  # both where the cards lie and where they point
    angles = np.degrees(np.arctan2(-towards[:, 0], towards[:, 1])) % 360
    cost = np.array([[((a - 45 * i + 180) % 360 - 180) ** 2 for i in range(8)] for a in angles])
    rows, names = linear_sum_assignment(cost)
    named = sorted((int(name), laid[int(row)]) for row, name in zip(rows, names, strict=True))
    return tuple(SeatZone(_COMPASS[name], seat.angle, seat.places) for name, seat in named)


def _centre(seats: Sequence[SeatZone], card_mm: Point) -> Polygon:
    """The hull of the inner edges of all places, and what lies beside it: piles need not be between rows.

    Nothing behind anybody's row belongs to it: there hands rest and decks lie. Beside the ends of a row piles
    are laid, so the polygon need not be convex.
    """
    inner = [corner for seat in seats for zone in seat.places for corner in zone.outline(card_mm)[:2]]
    turn = np.radians(np.arange(0, 360, 30))
    around = _BESIDE * card_mm[1] * np.stack([np.cos(turn), np.sin(turn)], axis=1)
    wide = (np.array(inner)[:, None] + around[None]).reshape(-1, 2)
    low, high = np.floor(wide.min(axis=0)), np.ceil(wide.max(axis=0))
    size = (high - low).astype(int) + 1
    watched = np.zeros((size[1], size[0]), np.uint8)  # a cell is a millimetre
    cv2.fillConvexPoly(watched, cv2.convexHull(_cells(wide - low)), 255)
    for seat in seats:
        cv2.fillConvexPoly(watched, _cells(_behind(seat, card_mm, float(size.sum())) - low), 0)
    parts, _ = cv2.findContours(watched, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
    whole = cv2.approxPolyDP(max(parts, key=cv2.contourArea), _CORNERS_OFF, True)[:, 0]
    return tuple((float(x), float(y)) for x, y in whole + low)


def _behind(seat: SeatZone, card_mm: Point, far: float) -> Array:
    """What lies behind a player's row, seen from the middle of the table, up to `far` millimetres.

    It widens with the distance from the row: hands rest and decks lie beside a player's elbows, too.
    """
    a = np.radians(seat.angle)
    out, right = np.array([-np.sin(a), np.cos(a)]), np.array([np.cos(a), np.sin(a)])
    row = np.array([corner for zone in seat.places for corner in zone.outline(card_mm)[:2]])
    edge = out * (row @ out).max()
    ends = edge + right * (row @ right).min(), edge + right * (row @ right).max()
    return np.array([*ends, ends[1] + far * (out + right), ends[0] + far * (out - right)])


def _cells(points: Array) -> NDArray[np.int32]:
    return np.round(points).astype(np.int32)


def _not_dealt(rows: Sequence[Sequence[DealtCard]], helps: int, wanted: str) -> str:
    sizes = ", ".join(str(len(row)) for row in sorted(rows, key=len, reverse=True)) or "none"
    return (
        f"the table does not look dealt for {wanted}: rows of {sizes} cards were seen, and every player "
        f"needs a row of {helps + 1}, the Espresso stack and {helps} helps, with nothing in the centre"
    )
