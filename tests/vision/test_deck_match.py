"""Faces of an enrolled deck: what the net made of their crops, what they are, and what their corners say."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck, EnrolledDesign
from referee.cards import parse_face
from tests.vision.shipped import nets_or_skip
from vision.card_reader import CardReader
from vision.reading.answers import COLOURS, CROP_HEIGHT, CROP_WIDTH, EMBEDDING, NUMBERS, SIDES
from vision.reading.corner_windows import HEIGHT, WIDTH
from vision.reading.deck_match import colour_index, face_scores, number_index
from vision.reading.looking import Looks

Floats = NDArray[np.float64]
WEIGHTS = np.array([1.0, 1.0, 1.0])
OPEN = np.full(len(NUMBERS), 1 / len(NUMBERS))
CROP = np.zeros((CROP_HEIGHT, CROP_WIDTH, 3), np.uint8)


def sure_of(index: int, count: int, chance: float = 0.98) -> Floats:
    shares = np.full(count, (1 - chance) / (count - 1))
    shares[index] = chance
    return shares


def number(figure: int, chance: float = 0.98) -> Floats:
    return sure_of(figure, len(NUMBERS), chance)


def unit(axis: int) -> Floats:
    return np.asarray(np.eye(EMBEDDING)[axis])


def design(name: str, read_as: Floats, axis: int = 0) -> EnrolledDesign:
    face = parse_face(name) if len(name) == 2 else None
    colour = OPEN[: len(COLOURS)] if face is None else sure_of(colour_index(face), len(COLOURS))
    prototypes, number_, colour_ = (part.astype(np.float32) for part in (unit(axis)[None], read_as, colour))
    return EnrolledDesign(name, prototypes, number_, colour_, CROP)


def red(read_as: Sequence[Floats]) -> tuple[EnrolledDesign, ...]:
    return tuple(design(f"R{n}", read) for n, read in enumerate(read_as))


def seen(whole: Floats, corners: Floats | None = None, side: str = "face", axis: int = 0) -> Looks:
    return Looks(
        sure_of(SIDES.index(side), len(SIDES), 0.9)[None],
        np.array([1.0]),
        whole[None],
        sure_of(0, len(COLOURS))[None],
        unit(axis)[None],
        CROP[None],
        (np.zeros(len(NUMBERS)) if corners is None else corners)[None],
    )


def likeliest(looks: Looks, faces: tuple[EnrolledDesign, ...]) -> str:
    return faces[int((face_scores(looks, faces)[0] @ WEIGHTS).argmax())].name


def test_a_face_that_the_net_could_not_read_when_it_was_enrolled_is_known_by_its_corners() -> None:
    corners = np.log(number(2, 0.9))
    assert likeliest(seen(OPEN, corners), red([OPEN] * 9)) == "R2"


def test_a_number_read_for_sure_speaks_for_the_face_of_which_the_net_was_unsure() -> None:
    read = [number(n) for n in range(9)]
    read[5], read[6] = number(5, 0.4), number(5, 0.5)
    assert likeliest(seen(number(5, 0.99)), red(read)) == "R5"


def test_a_face_that_the_net_always_takes_for_another_is_still_known_by_that() -> None:
    read = [number(n) for n in range(9)]
    read[1], read[7] = number(7), number(2)
    assert likeliest(seen(number(7)), red(read)) == "R1"


@pytest.mark.parametrize(("name", "index"), [("R0", 0), ("B8", 8), ("G?", len(NUMBERS) - 1)])
def test_the_answers_have_a_place_for_every_number(name: str, index: int) -> None:
    assert number_index(parse_face(name)) == index


def test_corners_are_read_of_a_face_that_the_net_takes_for_a_back_where_the_deck_knows_better() -> None:
    nets_or_skip()
    deck = EnrolledDeck("odd", "espresso", (design("R1", OPEN, 0),), (design("pizza", OPEN, 1),), 0.65, "")
    asked: list[int] = []

    def windows(rows: NDArray[np.intp]) -> NDArray[np.uint8]:
        asked.extend(int(row) for row in rows)
        return np.zeros((len(rows), 2, HEIGHT, WIDTH, 3), np.uint8)

    looks = seen(OPEN, side="back")
    reader = CardReader()
    reader.with_corners(looks, windows)
    assert asked == []
    reader.with_corners(looks, windows, deck)
    assert asked == [0]
