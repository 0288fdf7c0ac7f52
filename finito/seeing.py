"""The eyes: finder, reader and the deck at hand, wired in one place; what they refuse becomes a sentence."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np

from calibration.deck_enrolment import BadDeck, EnrolledDeck, enrol
from calibration.errors import CalibrationError
from finito.deck_library import DeckLibrary
from finito.errors import BadInput
from vision.back_counter import BackCounter
from vision.card_finder import CardFinder
from vision.card_reader import CardReader
from vision.errors import VisionError
from vision.frame import Picture
from vision.laid_apart import read_apart
from vision.onnx_model import load
from vision.overlay import Mark, annotated
from vision.reading.answers import CROP_HEIGHT, CROP_WIDTH, MARGIN_X, MARGIN_Y
from vision.reading.crops import light_of
from vision.sources import read_picture
from vision.table_reader import LEAST_WORTH_READING, SeenCard, TableReader

HOUSE = "house"
_TABLE = (96, 110, 122)  # a dull table for the house deck as drawn
_JPEG_QUALITY = 90


@dataclass(frozen=True)
class Eyes:
    """The nets of this version."""

    finder: CardFinder
    reader: CardReader

    @property
    def table(self) -> TableReader:
        return TableReader(self.finder, self.reader, self.reader.measured.card_or_not)

    def apart(self, picture: Picture) -> list[SeenCard]:
        """The cards of an enrolment photo: laid apart, all of one size."""
        return read_apart(picture, self.finder, self.table)


@contextmanager
def plainly() -> Iterator[None]:
    """Whatever the eyes refuse, as the sentence the user gets."""
    try:
        yield
    except (VisionError, BadDeck, CalibrationError) as problem:
        raise BadInput(str(problem)) from None


def open_eyes() -> Eyes:
    """The nets that ship, checked by their hashes."""
    with plainly():
        return Eyes(CardFinder(least_score=LEAST_WORTH_READING, one_size=False), CardReader())


def look_at(path: Path) -> Picture:
    """The picture of a file, upright."""
    with plainly():
        return read_picture(path)


def open_deck(deck: str | None, reader: CardReader) -> EnrolledDeck | None:
    """A deck of the library or a folder; the house deck is known as it is drawn until it is enrolled."""
    if deck is None:
        return None
    library = DeckLibrary.of_user()
    if deck == HOUSE and HOUSE not in library.names and not Path(HOUSE).is_dir():
        return house_as_drawn(reader)
    return library.load(deck, reader.model_hash)


def open_counter(deck: str) -> tuple[BackCounter, EnrolledDeck]:
    """A counter for the backs of a deck."""
    with plainly():
        net, reader = load("finder"), CardReader()
    enrolled = open_deck(deck, reader)
    assert enrolled is not None
    if not enrolled.backs:
        raise BadInput(f"the deck {enrolled.name} has no backs; enrol it again with photos of its backs")
    return BackCounter(net, reader, enrolled, open_eyes().finder), enrolled


def house_as_drawn(reader: CardReader) -> EnrolledDeck:
    """The house deck learnt from its drawings instead of photos."""
    from finito.virtual_table.decks import house_deck

    deck = house_deck()
    faces = {face: _as_crop(deck.face(face)) for face in deck.faces}
    backs = {back: _as_crop(deck.back(back)) for back in deck.backs}
    light = light_of(np.concatenate([*faces.values(), *backs.values()], axis=1))
    return enrol(
        HOUSE,
        "espresso",
        {face: (crop, light) for face, crop in faces.items()},
        {back: (crop, light) for back, crop in backs.items()},
        reader.look,
        reader.model_hash,
        deck.card_mm[0] / deck.card_mm[1],
    )


def _as_crop(drawing: Picture) -> Picture:
    crop = np.full((CROP_HEIGHT, CROP_WIDTH, 3), _TABLE, np.uint8)
    size = (CROP_WIDTH - 2 * MARGIN_X, CROP_HEIGHT - 2 * MARGIN_Y)
    crop[MARGIN_Y:-MARGIN_Y, MARGIN_X:-MARGIN_X] = cv2.resize(drawing, size, interpolation=cv2.INTER_AREA)
    return crop


class Annotator:
    """Writes pictures with what was seen into a folder; nothing is written over in one run."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder
        self._written: set[Path] = set()
        try:
            folder.mkdir(parents=True, exist_ok=True)
        except OSError as error:
            reason = error.strerror or str(error)
            raise BadInput(f"{folder} cannot be made a folder for pictures ({reason})") from None

    def write(self, image: Path, picture: Picture, marks: Sequence[Mark]) -> Path:
        path, number = self._folder / f"{image.stem}.jpg", 1
        # A picture must not be written over by its own annotation either.
        while path in self._written or path.resolve() == image.resolve():
            number += 1
            path = self._folder / f"{image.stem}-{number}.jpg"
        self._written.add(path)
        made, content = cv2.imencode(
            ".jpg", annotated(picture, marks), [cv2.IMWRITE_JPEG_QUALITY, _JPEG_QUALITY]
        )
        try:
            path.write_bytes(content.tobytes() if made else b"")
        except OSError as error:
            reason = error.strerror or str(error)
            raise BadInput(f"{path} cannot be written ({reason}); choose another folder") from None
        return path
