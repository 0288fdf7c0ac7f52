"""The eye of the pipeline: finds cards in a part of a frame, and reads them."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

from calibration.deck_enrolment import EnrolledDeck
from vision.card_reader import CardReader, CardReading
from vision.frame import Frame
from vision.observations import Chances
from vision.pipelining.known_size import Box, KnownSizeFinder, Part
from vision.reading.crops import Quad


class Eye(Protocol):
    def look(self, frame: Frame, box: Box, width: float) -> Part:
        """Cards about so many pixels wide within a box of the frame."""

    def read(self, frame: Frame, quads: Sequence[Quad]) -> list[CardReading]:
        """What the cards with these corners show, in their order."""


@dataclass(frozen=True)
class NetEye:
    """Finder and reader that ship, with the deck at hand."""

    finder: KnownSizeFinder
    reader: CardReader
    deck: EnrolledDeck | None = None

    def look(self, frame: Frame, box: Box, width: float) -> Part:
        return self.finder.look(frame.picture, box, width)

    def read(self, frame: Frame, quads: Sequence[Quad]) -> list[CardReading]:
        return self.reader.read(frame.picture, quads, self.deck) if quads else []


def face_chances(reading: CardReading) -> Chances:
    """Whole faces only: half a face says nothing that adds up."""
    return tuple((str(face), chance) for face, chance in reading.face_guesses if face.known)


def back_chances(reading: CardReading) -> Chances:
    return tuple(reading.back_guesses)
