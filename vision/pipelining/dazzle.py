"""Places in glare, of which somebody has to be told: an Espresso stack that is empty there is never seen to
be, and piles that a lamp burns out are not seen at all.

While cards lie in an Espresso place the table around them shows how it is lit; once they seem to be gone, the
place itself. In the centre a card is burnt out if much of one is all white: no card is without print there.
"""

from __future__ import annotations

from collections.abc import Container, Sequence
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.places import ESPRESSO
from vision.change import ChangeWatch
from vision.observations import Spot
from vision.pipelining.geometry import Geometry
from vision.tracker import Outline

Array: TypeAlias = NDArray[Any]

GLARE: Final = 0.4  # share of a spot in glare from which on nobody can tell whether it is bare
_FOR_LONG: Final = 6.0  # seconds; a lamp that is carried past dazzles for less
_EVERY: Final = 0.5  # seconds between two looks
_AROUND: Final = 1.4  # by a card's size: so far the table around a stack tells of the light
_A_CARD: Final = 0.7  # by its width: a square of that size that is all white holds no print of a card
_ALL: Final = 0.97  # and this share of that: corners are round
_EDGE: Final = 1.1  # and so much belongs to a card: its edge, and cards of the stack that lie askew


class Dazzle:
    """Remembers since when each player's Espresso place, or a card in the centre, lies in glare."""

    def __init__(self) -> None:
        self._since: dict[str, float] = {}
        self._centre_since = np.inf
        self.centre = False  # whether a card in the centre has been burnt out for long
        self._looked = -np.inf
        self.players: tuple[str, ...] = ()  # those whose place has been in glare for long

    def look(
        self,
        t: float,
        change: ChangeWatch,
        geometry: Geometry,
        outlines: Sequence[Outline],
        hidden: Container[Spot],
        unseen: Container[Spot],
    ) -> None:
        """`hidden` are spots of which nothing is known now; before the `unseen` among them is no hand."""
        if t - self._looked < _EVERY:
            return
        self._looked = t
        self._look_at_centre(t, change, geometry)
        cards = [
            geometry.cells((each.x, each.y), each.angle)
            for each in outlines
            if not each.bare and each.spot not in unseen
        ]
        for place in outlines:
            player = place.spot.player
            if player is None or place.spot.place != ESPRESSO:
                continue
            if place.spot in hidden and place.spot not in unseen:
                continue  # a hand tells nothing of the light
            cells = geometry.cells((place.x, place.y), place.angle)
            if not place.bare and _lit(change, cells, cards) >= GLARE:
                self._since.setdefault(player, t)
            else:
                self._since.pop(player, None)
        self.players = tuple(player for player, since in self._since.items() if t - since >= _FOR_LONG)

    def _look_at_centre(self, t: float, change: ChangeWatch, geometry: Geometry) -> None:
        burnt = change.burnt_out()
        cv2.bitwise_and(burnt, geometry.centre(change.shape), dst=burnt)
        lit = cv2.countNonZero(burnt) > 0 and _card_in(burnt, geometry)
        self._centre_since = min(self._centre_since, t) if lit else np.inf
        self.centre = t - self._centre_since >= _FOR_LONG


def _card_in(burnt: Array, geometry: Geometry) -> bool:
    """Whether most of a card, whichever way it lies, is among the cells that are burnt out."""
    width = geometry.card_width((geometry.size[0] / 2, geometry.size[1] / 2)) / geometry.scale
    side = max(1, round(_A_CARD * width))
    return bool(cv2.boxFilter(burnt, cv2.CV_32F, (side, side)).max() >= _ALL * 255)


def _lit(change: ChangeWatch, place: Array, cards: Sequence[Array]) -> float:
    """The share of the table in and around a place that is all white; what lies under cards is left out."""
    around = _grown(place, _AROUND)
    height, width = change.shape
    x0, y0 = (max(0, int(edge)) for edge in np.floor(around.min(axis=0)))
    x1, y1 = (int(edge) for edge in np.minimum(np.ceil(around.max(axis=0)) + 1, (width, height)))
    if x0 >= x1 or y0 >= y1:
        return 0.0
    table = np.zeros((y1 - y0, x1 - x0), np.uint8)
    cv2.fillConvexPoly(table, np.round(around - (x0, y0)).astype(np.int32), 255)
    for card in cards:
        cv2.fillConvexPoly(table, np.round(_grown(card, _EDGE) - (x0, y0)).astype(np.int32), 0)
    return change.glare((x0, y0, x1, y1), table)


def _grown(quad: Array, by: float) -> Array:
    middle = quad.mean(axis=0)
    return np.asarray(middle + (quad - middle) * by)
