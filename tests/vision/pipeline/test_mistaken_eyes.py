"""Cards and cloth that the eyes mistake: patterns that lay there, faint readings, cards not found."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
import pytest

from referee.cards import parse_face
from tests.vision.pipeline.filmed import looks
from tests.vision.pipeline.perfect_eye import PerfectEye
from tests.vision.pipeline.still_table import Fooled, card_in, laid_by_a_hand, slot_in, still_table
from vision.card_reader import CardReading
from vision.frame import Frame
from vision.observations import Look, Observation
from vision.pipeline import Pipeline
from vision.pipelining.known_size import Box, Part
from vision.reading.crops import Quad


@pytest.mark.parametrize("from_start", [True, False])
def test_a_pattern_of_the_cloth_that_lay_there_from_the_start_is_no_pile(from_start: bool) -> None:
    film, setting = still_table()
    eye = Fooled(film.lines, card_in(setting, 10.0, 5.0, 20.0))
    pipeline = Pipeline(setting, eye, film.frames[-1], from_start=from_start)
    told: list[Observation] = []
    for i in range(1, 30):
        still = film.frames[-1]
        told += pipeline.see(Frame(still.picture, still.t + i / 15, still.number + i))
    assert any(look.spot.is_centre for look in looks(told)) == (not from_start)


@pytest.mark.parametrize("chance", [0.4, 0.98])
def test_what_hardly_reads_as_a_card_and_was_laid_by_nobody_is_no_pile(chance: float) -> None:
    """A lamp's spot moves over a checked cloth."""
    film, setting = still_table()
    still, cloth = film.frames[-1], card_in(setting, 10.0, 5.0, 20.0)
    eye = Fooled(film.lines, cloth)
    eye.chance = chance
    pipeline = Pipeline(setting, eye, still, from_start=True)
    lit = still.picture.copy()
    cv2.fillConvexPoly(lit, np.round(cloth).astype(np.int32), (200, 225, 230))
    told: list[Observation] = []
    for i in range(1, 45):
        picture = lit if i > 8 else still.picture
        told += pipeline.see(Frame(picture, still.t + i / 15, still.number + i))
    assert any(look.spot.is_centre for look in looks(told)) == (chance > 0.9)


class _Glancing(PerfectEye):
    """Sees another card at a spot from some moment on; without a close look it is hardly sure of it."""

    def __init__(self, lines: tuple[str, ...], spot: Quad, from_then: float) -> None:
        super().__init__(lines)
        self._spot, self._from_then = spot, from_then
        self._last = json.loads(lines[-1])["frame"]
        self._looked = -1.0

    def look(self, frame: Frame, box: Box, width: float) -> Part:
        x, y = self._spot.mean(axis=0)
        if box[0] <= x <= box[2] and box[1] <= y <= box[3]:
            self._looked = frame.t
        return super().look(replace(frame, number=self._last), box, width)

    def read(self, frame: Frame, quads: Sequence[Quad]) -> list[CardReading]:
        readings = super().read(replace(frame, number=self._last), quads)
        if frame.t < self._from_then:
            return readings
        face, chance = parse_face("R4"), 0.98 if self._looked == frame.t else 0.94
        four = CardReading("face", face, ((face, chance),), confidence=chance, sure_of_side=True)
        return [
            four if math.dist(quad.mean(axis=0), self._spot.mean(axis=0)) < 8 else reading
            for quad, reading in zip(quads, readings, strict=True)
        ]


def test_a_card_laid_under_a_hand_that_a_glance_does_not_name_is_looked_at_closely_at_once() -> None:
    film, setting = still_table()
    still, quad = film.frames[-1], slot_in(setting, "help2")
    gone = still.t + 1.5
    eye = _Glancing(film.lines, quad, gone - 0.2)
    pipeline = Pipeline(setting, eye, still)
    told: list[tuple[float, Observation]] = []
    for i in range(1, 40):
        t, picture = still.t + i / 15, still.picture.copy()
        if gone - 0.5 < t < gone:  # a hand that moves
            x, y = (round(float(v)) for v in quad.mean(axis=0))
            cv2.rectangle(
                picture, (x - 20, y - 24 + i % 3 * 5), (x + 20, y + 24), (40, 60, 90 + i % 2 * 40), -1
            )
        told += [(t, each) for each in pipeline.see(Frame(picture, t, still.number + i))]
    seen = [t for t, each in told if isinstance(each, Look) and each.faces[:1] and each.faces[0][0] == "R4"]
    assert seen
    assert seen[0] < gone + 0.5


@pytest.mark.parametrize("missed", [True, False])
def test_a_place_is_not_bare_until_the_hand_comes_if_a_card_lay_there_that_was_not_found(
    missed: bool,
) -> None:
    look = laid_by_a_hand(card=0.6 if missed else 2.0, hand=2.0)
    assert look.since == pytest.approx(0.6 if missed else 2.0, abs=0.15)
