"""An eye without a fault: it finds and reads what the truth of a simulated session says."""

from __future__ import annotations

import json
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from referee.cards import parse_face
from vision.card_finder import FoundCard
from vision.card_reader import CardReading
from vision.finding.selection import overlap
from vision.frame import Frame
from vision.pipelining.known_size import Box, Part
from vision.reading.crops import Quad, upright_quad
from vision.table_reader import SeenCard, TableReader

_CELL = 4.0
_SEEN = 0.3  # of a card must be visible for it to be found
_SURE = 0.98


class PerfectEye:
    """Knows the lines of frames.jsonl, by the number of the frame.

    `now` is the number of the frame that the set-up looks at: it is given pictures without a number.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        told = (json.loads(line) for line in lines)
        self._frames: dict[int, dict[str, Any]] = {line["frame"]: line for line in told}
        self.now = 0
        self.looks = 0

    def table(self) -> TableReader:
        return cast(TableReader, _Table(self))

    def all_cards(self) -> list[SeenCard]:
        cards = [card for card in self._frames[self.now]["cards"] if card["visible"] > _SEEN]
        quads = [upright_quad(card["corners"]) for card in cards]
        readings = self.read(Frame(np.zeros((1, 1, 3), np.uint8), 0.0, self.now), quads)
        return [
            SeenCard(quad, reading, 0.99, card["visible"])
            for quad, reading, card in zip(quads, readings, cards, strict=True)
        ]

    def look(self, frame: Frame, box: Box, width: float) -> Part:  # noqa: ARG002 (it knows all sizes)
        truth = self._frames[frame.number]
        self.looks += 1
        cards = [
            FoundCard(upright_quad(card["corners"]), 0.99, card["visible"])
            for card in truth["cards"]
            if card["visible"] >= _SEEN and card["cut_off"] < 0.2 and _within(box, card["corners"])
        ]
        size = (round((box[2] - box[0]) / _CELL), round((box[3] - box[1]) / _CELL))
        hands = np.zeros((max(1, size[1]), max(1, size[0])), np.uint8)
        for hand in truth["hands"]:
            outline = (np.array(hand["outline"]) - box[:2]) / _CELL
            cv2.fillPoly(hands, [np.round(outline).astype(np.int32)], 1)
        return Part(cards, hands.astype(np.float32), _CELL)

    def read(self, frame: Frame, quads: Sequence[Quad]) -> list[CardReading]:
        truth = self._frames[frame.number]["cards"]
        corners = [np.array(card["corners"], np.float32) for card in truth]
        return [self._read(quad, truth, corners) for quad in quads]

    def _read(
        self, quad: Quad, truth: list[dict[str, Any]], corners: list[NDArray[np.float32]]
    ) -> CardReading:
        there = [card for card, other in zip(truth, corners, strict=True) if overlap(quad, other) > 0.45]
        top = max(there, key=lambda card: float(card["visible"]), default=None)
        if top is None or top["visible"] < _SEEN:
            return CardReading("none", confidence=_SURE, sure_of_side=True)
        if top["side"] == "back":
            return CardReading(
                "back", back=top["back"], back_guesses=((top["back"], _SURE),), sure_of_side=True
            )
        face = parse_face(top["face"])
        return CardReading("face", face, ((face, _SURE),), confidence=_SURE, sure_of_side=True)


@dataclass(frozen=True)
class _Table:
    eye: PerfectEye

    def read(self, *_: object) -> list[SeenCard]:
        return self.eye.all_cards()


def _within(box: Box, corners: list[list[float]]) -> bool:
    x, y = np.array(corners).mean(axis=0)
    return bool(box[0] <= x <= box[2] and box[1] <= y <= box[3])
