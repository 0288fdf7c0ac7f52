"""Lamps over the table: glare in which nothing is to be read, and light that changes in the middle of it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from tests.vision.pipeline.filmed import looks
from tests.vision.pipeline.still_table import Noting, laid_by_a_hand, slot_in, still_table
from vision.card_finder import FoundCard
from vision.card_reader import CardReading
from vision.frame import Frame
from vision.observations import Covered, Observation
from vision.pipeline import Pipeline
from vision.pipelining.geometry import Geometry
from vision.pipelining.known_size import Box, Part
from vision.reading.crops import Quad


class _Dazzled(Noting):
    """Reads nothing at a spot; it may take the spot for a card all the same."""

    def __init__(self, lines: tuple[str, ...], spot: Quad, finds: bool) -> None:
        super().__init__(lines)
        self._spot, self._finds = spot, finds

    def look(self, frame: Frame, box: Box, width: float) -> Part:
        part = super().look(frame, box, width)
        kept = [card for card in part.cards if not self._there(card.corners)]
        x, y = self._spot.mean(axis=0)
        if self._finds and box[0] <= x <= box[2] and box[1] <= y <= box[3]:
            kept.append(FoundCard(self._spot, 0.99, 1.0))
        return Part(kept, part.occluders, part.cell)

    def read(self, frame: Frame, quads: Sequence[Quad]) -> list[CardReading]:
        nothing = CardReading("none", confidence=0.98, sure_of_side=True)
        readings = super().read(frame, quads)
        return [nothing if self._there(quad) else each for quad, each in zip(quads, readings, strict=True)]

    def _there(self, quad: Quad) -> bool:
        return math.dist(quad.mean(axis=0), self._spot.mean(axis=0)) < 8


@pytest.mark.parametrize("finds", [False, True])
def test_a_spot_of_which_nothing_can_be_told_stays_unknown_and_does_not_keep_the_eyes_busy(
    finds: bool,
) -> None:
    film, setting = still_table()
    still = film.frames[-1]
    quad = slot_in(setting, "help2")
    lit = still.picture.copy()
    if not finds:
        x, y = (round(float(v)) for v in quad.mean(axis=0))
        cv2.circle(lit, (x, y), 24, (255, 255, 255), -1)
    eye = _Dazzled(film.lines, quad, finds)
    pipeline = Pipeline(setting, eye, Frame(lit, still.t, still.number))
    told: list[Observation] = []
    for i in range(1, 121):
        if i == 60:
            eye.boxes.clear()
            eye.reads, told = 0, []
        told += pipeline.see(Frame(lit, still.t + i / 15, still.number))
    assert len(eye.boxes) <= 14  # in four seconds: the sweep, and now and then the spot
    assert eye.reads <= 40
    assert any(isinstance(each, Covered) and each.spot.place == "help2" for each in told)
    assert not any(look.spot.place == "help2" for look in looks(told))


def dazzled_after(seconds: float, radius: float, taken: bool, lit: float = math.inf) -> tuple[str, ...]:
    """Who is told to lie in glare, with a lamp over the first player's Espresso place for `lit` seconds.

    `radius` is the lamp's, by the height of a card; the stack lies there, or was `taken` in its light.
    """
    film, setting = still_table()
    still = film.frames[-1]
    quad = slot_in(setting, "espresso")
    x, y = (round(float(v)) for v in quad.mean(axis=0))
    height = max(math.dist(quad[0], quad[1]), math.dist(quad[1], quad[2]))
    bright = still.picture.copy()
    cv2.circle(bright, (x, y), round(radius * height), (255, 255, 255), -1)
    if not taken:
        box = np.round(quad).astype(np.int32)
        cards = np.zeros(bright.shape[:2], np.uint8)
        cv2.fillConvexPoly(cards, box, 255)
        bright[cards > 0] = still.picture[cards > 0]
    eye = _Dazzled(film.lines, quad, False) if taken else film.eye()
    pipeline = Pipeline(setting, eye, still)
    for i in range(1, round(seconds * 15)):
        picture = bright if i / 15 < lit else still.picture
        pipeline.see(Frame(picture, still.t + i / 15, still.number))
    return pipeline.dazzled


@pytest.mark.parametrize("taken", [False, True])
def test_a_lamp_that_glares_on_an_espresso_place_for_long_is_noticed(taken: bool) -> None:
    _, setting = still_table()
    owner = setting.players[setting.zones.seats[0].seat]
    assert dazzled_after(9.0, 0.9, taken) == (owner,)
    assert dazzled_after(4.0, 0.9, taken) == ()


def test_light_that_passes_or_falls_beside_the_stack_is_no_glare() -> None:
    assert dazzled_after(9.0, 0.9, False, lit=5.0) == ()
    assert dazzled_after(9.0, 0.25, False) == ()


def burnt_out_after(seconds: float, figure: bool) -> bool:
    """Whether it is noticed that a card of the centre is white all over, or but for its `figure`."""
    film, setting = still_table()
    still = film.frames[-1]
    geometry = Geometry(setting.plane, setting.zones, 1.0, still.picture.shape[1::-1])
    middle = np.array(setting.zones.centre).mean(axis=0)
    quad = np.round(geometry.quad((float(middle[0]), float(middle[1])), 90.0)).astype(np.int32)
    bright = still.picture.copy()
    cv2.fillConvexPoly(bright, quad, (255, 255, 255))
    if figure:
        x, y = (int(v) for v in quad.mean(axis=0))
        cv2.circle(bright, (x, y), max(3, round(0.16 * math.dist(quad[0], quad[1]))), (40, 40, 40), -1)
    pipeline = Pipeline(setting, film.eye(), still)
    for i in range(1, round(seconds * 15)):
        pipeline.see(Frame(bright, still.t + i / 15, still.number))
    return pipeline.centre_burnt_out


def test_a_card_of_the_centre_that_a_lamp_burns_out_is_noticed_after_a_while() -> None:
    assert burnt_out_after(9.0, figure=False)
    assert not burnt_out_after(4.0, figure=False)
    assert not burnt_out_after(9.0, figure=True)


def test_a_card_laid_after_the_light_changed_was_not_laid_when_it_did() -> None:
    assert laid_by_a_hand(card=2.5, hand=2.5, lamp=0.6).since == pytest.approx(2.5, abs=0.15)
