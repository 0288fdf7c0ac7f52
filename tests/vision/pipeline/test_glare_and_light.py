"""Lamps over the table: glare in which nothing is to be read, and light that changes in the middle of it."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
import pytest

from finito.live_setup import TableSetUp
from tests.vision.pipeline.filmed import Piece, looks, piece, watched
from tests.vision.pipeline.test_pipeline import _Late, _Noting
from vision.card_finder import FoundCard
from vision.card_reader import CardReading
from vision.frame import Frame
from vision.observations import Covered, Observation
from vision.pipeline import Pipeline, Setting
from vision.pipelining.known_size import Box, Part
from vision.reading.crops import Quad


def still_table() -> tuple[Piece, Setting]:
    film = piece(-1.0, -0.2)
    ready: list[TableSetUp] = []
    list(watched(film, film.eye(), ready))
    return film, ready[0].setting


class _Dazzled(_Noting):
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
    slot = setting.zones.seats[0].place("help2")
    outline = setting.plane.card_outline(slot.x, slot.y, slot.angle, setting.zones.card_mm)
    quad = np.asarray(outline, np.float32)
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


def test_a_card_laid_after_the_light_changed_was_not_laid_when_it_did() -> None:
    film, setting = still_table()
    still = film.frames[-1]
    outline = setting.plane.card_outline(10.0, 5.0, 20.0, setting.zones.card_mm)
    place = np.asarray(outline, np.float32)
    eye = _Late(film.lines, place)
    pipeline = Pipeline(setting, eye, still, from_start=True)
    lamp, hand = still.t + 0.6, still.t + 2.5
    eye.from_then = hand + 0.4
    told: list[Observation] = []
    for i in range(1, 55):
        t, picture = still.t + i / 15, still.picture.copy()
        if t > lamp:
            picture = np.asarray(cv2.add(picture, np.full_like(picture, 35)), np.uint8)
        if t > hand:
            cv2.fillConvexPoly(picture, np.round(place).astype(np.int32), (235, 240, 240))
        if hand < t < hand + 0.4:
            x, y = (round(float(v)) for v in place.mean(axis=0))
            cv2.rectangle(picture, (x - 16, y - 22 + i % 3 * 3), (x + 16, 269), (40, 60, 90 + i % 2 * 40), -1)
        told += pipeline.see(Frame(picture, t, still.number + i))
    (look,) = (each for each in looks(told) if each.spot.is_centre and not each.again)
    assert look.since == pytest.approx(hand, abs=0.15)
