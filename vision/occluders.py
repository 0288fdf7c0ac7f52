"""Whose arm is over a spot: an arm comes from the table edge at which its player sits.

From the spot to where each player's shoulders may be, a line is drawn; the arm of whoever reaches there
hides that line. No silhouette needs to be cut apart where arms meet.
"""

from __future__ import annotations

import math
from collections import deque
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table_plane import TablePlane
from calibration.zones import Point, SeatZone, TableZones
from referee.actions import Hand
from vision.change import Mask
from vision.tracking.sighting import Hidden

Array: TypeAlias = NDArray[Any]

_BEHIND: Final = 320.0  # millimetres from a player's row to the shoulders
_ASIDE: Final = (-210.0, -140.0, -70.0, 0.0, 70.0, 140.0, 210.0)  # where shoulders may be, and elbows lead
_SAMPLES: Final = 26
_NEAR: Final = 110.0  # millimetres before the spot that must be hidden too: an arm ends in a hand
_LEAST: Final = 0.6
_BEYOND: Final = 110.0  # an arm that goes on so far behind the spot reaches for something else
_PASSING: Final = 0.35
_ONE_SIDE: Final = 75.0  # millimetres from the middle of the body to a shoulder
_PAST: Final = 3.0  # seconds
_SAME: Final = 4.0  # millimetres within which the lines to all shoulders are the same
_KEPT: Final = 500
_WORTH_SHOWING: Final = 0.002  # of the picture: less than this is no arm
_ROUGHLY: Final = 1.5  # cells by which an outline that is shown may be off
FULL: Final = 0.15  # share of a card that may be hidden and yet it is seen


@dataclass(frozen=True, eq=False)
class _Moment:
    t: float
    unknown: Mask | None  # None: everything was in sight
    foreign: Mask | None


@dataclass(frozen=True, eq=False)
class _Ways:
    """Lines from a spot to every shoulder of every player (players x asides x points)."""

    cells: Array
    inside: Array
    near: Array
    beyond: Array
    long_enough: Array


class Arms:
    """Arms over the table of one camera; masks are in cells of `scale` pixels."""

    def __init__(
        self,
        plane: TablePlane,
        zones: TableZones,
        players: Mapping[str, str],
        scale: float,
        shape: tuple[int, int],
    ) -> None:
        self._plane = plane
        self._scale = scale
        self._card = zones.card_mm
        self._bodies = [(players[seat.seat], _shoulders(seat)) for seat in zones.seats]
        self._past: deque[_Moment] = deque()
        self._shape = shape
        self._ways: dict[tuple[int, int], _Ways] = {}
        self._kernel = np.ones((5, 5), np.uint8)

    def remember(self, t: float, unknown: Mask | None, foreign: Mask | None) -> None:
        """What hides the table at a moment."""
        if foreign is not None:
            foreign = np.asarray(cv2.dilate(foreign, self._kernel), np.uint8)
        self._past.append(_Moment(t, unknown, foreign))
        while self._past[0].t < t - _PAST:
            self._past.popleft()

    def forget(self) -> None:
        self._past.clear()

    def now_over(self, at: Point) -> Hidden:
        """Whose arms are over a spot in the last remembered moment."""
        foreign = self._past[-1].foreign if self._past else None
        return Hidden() if foreign is None else self._over(foreign, at)

    def outlines(self) -> list[Array]:
        """The outlines, in pixels, of what is over the table in the last remembered moment."""
        foreign = self._past[-1].foreign if self._past else None
        if foreign is None:
            return []
        found, _ = cv2.findContours(foreign, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_SIMPLE)
        least = _WORTH_SHOWING * foreign.size
        return [
            cv2.approxPolyDP(each, _ROUGHLY, True).reshape(-1, 2) * self._scale
            for each in found
            if cv2.contourArea(each) >= least
        ]

    def before(self, at: Point, angle: float, t: float, least: float = FULL) -> tuple[float, Hidden]:
        """When a place was last seen clearly before `t`, and whose arms were over it since.

        `least` is the share of it that is hidden from which on it is not seen clearly.
        """
        cells = self.cells(at, angle)
        reach: dict[str, float] = {}
        hands: list[Hand] = []
        since = t
        for moment in reversed(self._past):
            if moment.t >= t:
                continue
            since = moment.t
            if moment.unknown is None or hidden_share(moment.unknown, cells) < least:
                break
            if moment.foreign is not None:
                over = self._over(moment.foreign, at)
                for name, chance in over.reach:
                    reach[name] = reach.get(name, 0.0) + chance
                hands += [over.hand] if over.hand else []
        whole = sum(reach.values())
        shares = tuple(
            (name, chance / whole) for name, chance in sorted(reach.items(), key=lambda item: -item[1])
        )
        same = hands[0] if hands and all(hand == hands[0] for hand in hands) else None
        return since, Hidden(shares, same)

    def cells(self, at: Point, angle: float) -> Array:
        """The outline of a card there, in cells."""
        return self._plane.card_outline(at[0], at[1], angle - 90, self._card) / self._scale

    def _over(self, foreign: Mask, at: Point) -> Hidden:
        ways = self._ways_to(at)
        hit = foreign[ways.cells[..., 1], ways.cells[..., 0]] > 0
        whole, near, beyond = (_share(hit, part) for part in (ways.inside, ways.near, ways.beyond))
        scores = np.where(ways.long_enough, np.minimum(whole, 0.5 + near / 2), 0.0)
        weights: dict[str, float] = {}
        sides: dict[str, Hand | None] = {}
        for i, (player, _) in enumerate(self._bodies):
            best = int(scores[i].argmax())
            if (score := float(scores[i, best])) > _LEAST:
                ends = 1.0 - (1.0 - _PASSING) * float(beyond[i, best])
                weights[player] = ((score - _LEAST) / (1 - _LEAST)) ** 2 * ends
                sides[player] = _side(scores[i].tolist())
        ranked = sorted(weights.items(), key=lambda item: -item[1])
        return Hidden(tuple(ranked), sides[ranked[0][0]]) if ranked else Hidden()

    def _ways_to(self, at: Point) -> _Ways:
        """The lines from a spot to all shoulders, and a bit beyond it; spots come again and again."""
        key = (round(at[0] / _SAME), round(at[1] / _SAME))
        if key not in self._ways:
            if len(self._ways) > _KEPT:
                self._ways.clear()
            self._ways[key] = self._drawn_ways(at)
        return self._ways[key]

    def _drawn_ways(self, at: Point) -> _Ways:
        shoulders = np.array([each for _, each in self._bodies])  # players x asides x 2
        length = np.linalg.norm(shoulders - np.array(at), axis=2)[..., None]
        parts = np.linspace(0.0, 1.0, _SAMPLES) * np.ones_like(length)
        behind = -np.linspace(0.6, 1.0, 5) * _BEYOND / np.maximum(1.0, length)
        along = np.concatenate([parts, behind], axis=2)
        points = np.array(at) + along[..., None] * (shoulders - np.array(at))[:, :, None]
        cells = np.round(self._plane.pixels(points.reshape(-1, 2)) / self._scale).reshape(points.shape)
        limit = np.array([self._shape[1], self._shape[0]])
        shown = ((cells >= 0) & (cells < limit)).all(axis=3)
        on_way = shown & (along >= 0)
        near = on_way & (along * length <= _NEAR)
        return _Ways(
            np.clip(cells, 0, limit - 1).astype(np.intp),
            on_way,
            near,
            shown & (along < 0),
            (on_way.sum(axis=2) >= 3) & near.any(axis=2),
        )


def _share(hit: Array, part: Array) -> Array:
    return np.asarray((hit & part).sum(axis=2) / np.maximum(1, part.sum(axis=2)))


def hidden_share(mask: Mask, outline: Array) -> float:
    """The part of a card's outline (4 x 2, in cells) that a mask covers; 1 if it lies outside the picture."""
    low = np.floor(outline.min(axis=0)).astype(int)
    high = np.ceil(outline.max(axis=0)).astype(int) + 1
    x0, y0 = max(0, int(low[0])), max(0, int(low[1]))
    x1, y1 = min(mask.shape[1], int(high[0])), min(mask.shape[0], int(high[1]))
    if x0 >= x1 or y0 >= y1:
        return 1.0
    card = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(card, np.round(outline - (x0, y0)).astype(np.int32), 255)
    area = cv2.countNonZero(card)
    return cv2.countNonZero(cv2.bitwise_and(card, mask[y0:y1, x0:x1])) / area if area else 1.0


def _shoulders(seat: SeatZone) -> list[Point]:
    turn = math.radians(seat.angle)
    out, right = (-math.sin(turn), math.cos(turn)), (math.cos(turn), math.sin(turn))
    x = sum(place.x for place in seat.places) / len(seat.places) + _BEHIND * out[0]
    y = sum(place.y for place in seat.places) / len(seat.places) + _BEHIND * out[1]
    return [(x + aside * right[0], y + aside * right[1]) for aside in _ASIDE]


def _side(scores: list[float]) -> Hand | None:
    """Left or right, if all lines that are hidden best come from one shoulder."""
    best = max(scores)
    if best < 0.85:
        return None
    asides = [aside for aside, score in zip(_ASIDE, scores, strict=True) if score > best - 0.03]
    middle = sum(asides) / len(asides)
    return "right" if middle > _ONE_SIDE else "left" if middle < -_ONE_SIDE else None
