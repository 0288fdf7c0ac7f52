"""A table at rest before the first play, and eyes that make one mistake each."""

from __future__ import annotations

import json
import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np

from finito.live_setup import TableSetUp
from referee.cards import parse_face
from tests.vision.pipeline.filmed import Piece, looks, piece, watched
from tests.vision.pipeline.perfect_eye import PerfectEye
from vision.card_finder import FoundCard
from vision.card_reader import CardReading
from vision.frame import Frame
from vision.observations import Look, Observation
from vision.pipeline import Pipeline, Setting
from vision.pipelining.known_size import Box, Part
from vision.reading.crops import Quad, upright_quad


def still_table() -> tuple[Piece, Setting]:
    film = piece(-1.0, -0.2)
    ready: list[TableSetUp] = []
    list(watched(film, film.eye(), ready))
    return film, ready[0].setting


def card_in(setting: Setting, x: float, y: float, angle: float) -> Quad:
    """The corners, in pixels, of a card that lies there."""
    return np.asarray(setting.plane.card_outline(x, y, angle, setting.zones.card_mm), np.float32)


def slot_in(setting: Setting, name: str) -> Quad:
    """The same for a place of the first player."""
    place = setting.zones.seats[0].place(name)
    return card_in(setting, place.x, place.y, place.angle)


class Noting(PerfectEye):
    """Remembers where it looked, and how much it read."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        super().__init__(lines)
        self.boxes: list[Box] = []
        self.reads = 0

    def read(self, frame: Frame, quads: Sequence[Quad]) -> list[CardReading]:
        self.reads += len(quads)
        return super().read(frame, quads)

    def look(self, frame: Frame, box: Box, width: float) -> Part:
        self.boxes.append(box)
        return super().look(frame, box, width)


class Fooled(PerfectEye):
    """Takes a spot of the cloth in the middle of the table for a card."""

    def __init__(self, lines: tuple[str, ...], cloth: Quad) -> None:
        super().__init__(lines)
        self._cloth = cloth
        self._last = json.loads(lines[-1])["frame"]
        self.chance = 0.98

    def look(self, frame: Frame, box: Box, width: float) -> Part:
        part = super().look(replace(frame, number=self._last), box, width)
        cloth = FoundCard(upright_quad(self._cloth), 0.99, 1.0)
        return Part([*part.cards, cloth], part.occluders, part.cell)

    def read(self, frame: Frame, quads: Sequence[Quad]) -> list[CardReading]:
        readings = super().read(replace(frame, number=self._last), quads)
        face = parse_face("R4")
        four = CardReading("face", face, ((face, self.chance),), confidence=self.chance, sure_of_side=True)
        return [
            four if math.dist(quad.mean(axis=0), self._cloth.mean(axis=0)) < 8 else reading
            for quad, reading in zip(quads, readings, strict=True)
        ]


class Late(Fooled):
    """Finds and reads a card in the middle of the table only from some moment on."""

    from_then = math.inf

    def look(self, frame: Frame, box: Box, width: float) -> Part:
        part = super().look(frame, box, width)
        return part if frame.t >= self.from_then else Part(part.cards[:-1], part.occluders, part.cell)

    def read(self, frame: Frame, quads: Sequence[Quad]) -> list[CardReading]:
        self.chance = 0.98 if frame.t >= self.from_then else 0.2
        return super().read(frame, quads)


def laid_by_a_hand(card: float, hand: float, lamp: float = math.inf) -> Look:
    """The look at a new pile; a card shows there from one moment on, and at another a hand is over it.

    The card is found once the hand is gone. Moments are seconds after the table was set up; at `lamp` a light
    is switched on.
    """
    film, setting = still_table()
    still, place = film.frames[-1], card_in(setting, 10.0, 5.0, 20.0)
    eye = Late(film.lines, place)
    eye.from_then = still.t + hand + 0.4
    pipeline = Pipeline(setting, eye, still, from_start=True)
    told: list[Observation] = []
    for i in range(1, round((hand + 1.3) * 15)):
        after, picture = i / 15, still.picture.copy()
        if after > lamp:
            picture = np.asarray(cv2.add(picture, np.full_like(picture, 35)), np.uint8)
        if after > card:
            cv2.fillConvexPoly(picture, np.round(place).astype(np.int32), (235, 240, 240))
        if hand < after < hand + 0.4:
            x, y = (round(float(v)) for v in place.mean(axis=0))
            cv2.rectangle(picture, (x - 16, y - 22 + i % 3 * 3), (x + 16, 269), (40, 60, 90 + i % 2 * 40), -1)
        told += pipeline.see(Frame(picture, still.t + after, still.number + i))
    (look,) = (each for each in looks(told) if each.spot.is_centre and not each.again)
    return replace(look, since=look.since - still.t)
