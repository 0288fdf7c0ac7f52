"""The reader: cutting out, keeping silent when unsure, and reading with the net that ships."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck, enrol
from finito.virtual_table.decks import house_deck
from models.evaluation.reading import outcome, photo_rows
from models.evaluation.reading_photos import PHOTOS
from referee.cards import UNKNOWN, Colour, face, parse_face
from vision.card_reader import CardReader
from vision.onnx_model import BadModel
from vision.reading.answers import COLOURS, CROP_HEIGHT, CROP_WIDTH, MARGIN_X, MARGIN_Y, NUMBERS, SIDES
from vision.reading.back_groups import groups
from vision.reading.crops import cut_out, lies_either_way, light_of, upright_quad

Quad = NDArray[np.float32]
ABOUT: Mapping[str, Any] = {
    "sha256": "0" * 64,
    "temperature": {"side": 1.0, "upright": 1.0, "number": 1.0, "colour": 1.0},
    "sharper": {"number": 1.0, "colour": 1.0},
    "answers_from": {"side": 0.9, "number": 0.9, "colour": 0.9, "upright": 0.9},
    "enrolled": {
        "weight": {"embedding": 20.0, "number": 0.5, "colour": 0.5, "back": 30.0, "side": 10.0},
        "number": 0.9,
        "colour": 0.9,
        "back": 0.9,
    },
    "same_back": 0.7,
    "card_or_not": (0.0, 1.0, 1.0, 0.0),
}


class FixedNet:
    """A net that gives every crop the same answers."""

    def __init__(
        self, side: str, number: dict[str, float], colour: dict[str, float], up: float = 0.5
    ) -> None:
        self.about = ABOUT
        self._shares = (
            [0.98 if name == side else 0.01 for name in SIDES],
            [1 - up, up],
            [number.get(name, 1e-6) for name in NUMBERS],
            [colour.get(name, 1e-6) for name in COLOURS],
        )

    def __call__(self, *inputs: NDArray[Any]) -> list[NDArray[Any]]:
        count = len(inputs[0])
        logits = [np.tile(np.log(np.array(share, np.float32)), (count, 1)) for share in self._shares]
        return [*logits, np.tile(np.eye(1, 64, dtype=np.float32), (count, 1))]


# The share of real number cards that the net in this version reads (0.892, see its card); the aim is 0.95.
HELD = 0.87
BLANK = np.full((200, 200, 3), 90, np.uint8)
SQUARE = np.array([(40, 30), (100, 30), (100, 120), (40, 120)], np.float32)


def read_as(number: dict[str, float], colour: dict[str, float]) -> str:
    reading = CardReader(FixedNet("face", number, colour)).read(BLANK, [SQUARE])[0]
    return str(reading.face)


def test_what_is_read_surely_is_said() -> None:
    assert read_as({"5": 0.97, "6": 0.03}, {"R": 0.99}) == "R5"


def test_an_unsure_number_is_a_question_mark_and_the_colour_stays() -> None:
    assert read_as({"6": 0.5, "9": 0.5}, {"R": 0.99}) == "R?"


def test_an_unsure_colour_is_a_question_mark_and_the_number_stays() -> None:
    assert read_as({"5": 0.97}, {"G": 0.6, "B": 0.4}) == "?5"


def test_a_sign_on_a_green_card_is_no_number() -> None:
    assert read_as({"other": 0.99}, {"G": 0.99}) == "G?"


def test_an_orange_card_has_none_of_the_four_colours() -> None:
    assert read_as({"3": 0.99}, {"other": 0.99}) == "?3"


def test_guesses_are_the_likeliest_first_and_add_up_to_at_most_one() -> None:
    net = FixedNet("face", {"6": 0.6, "9": 0.4}, {"R": 0.9, "Y": 0.1})
    guesses = CardReader(net).read(BLANK, [SQUARE])[0].face_guesses
    assert guesses[0][0] is parse_face("R6")
    assert guesses[1][0] is parse_face("R9")
    chances = [chance for _, chance in guesses]
    assert chances == sorted(chances, reverse=True)
    assert sum(chances) <= 1 + 1e-9


def test_a_back_has_no_face_and_a_group() -> None:
    readings = CardReader(FixedNet("back", {}, {})).read(BLANK, [SQUARE, SQUARE])
    assert [(r.side, r.face, r.back, r.group) for r in readings] == [("back", UNKNOWN, None, 1)] * 2


def test_upright_is_unknown_when_the_net_cannot_tell() -> None:
    undecided = CardReader(FixedNet("face", {"8": 1.0}, {"R": 1.0}, up=0.5)).read(BLANK, [SQUARE])
    assert undecided[0].upright is None


def test_a_quad_without_area_is_no_card_and_harms_no_other() -> None:
    flat = np.array([(10, 10), (60, 10), (110, 10), (160, 10)], np.float32)
    readings = CardReader(FixedNet("face", {"5": 0.99}, {"R": 0.99})).read(BLANK, [flat, SQUARE])
    assert [r.side for r in readings] == ["none", "face"]


def test_no_quads_no_readings() -> None:
    assert CardReader(FixedNet("face", {}, {})).read(BLANK, []) == []


@pytest.mark.parametrize("first", range(4))
@pytest.mark.parametrize("clockwise", [True, False])
def test_corners_in_any_order_give_a_card_that_stands(first: int, clockwise: bool) -> None:
    corners = np.roll(SQUARE if clockwise else SQUARE[::-1], first, axis=0)
    quad = upright_quad(corners)
    short, long = np.linalg.norm(quad[1] - quad[0]), np.linalg.norm(quad[2] - quad[1])
    assert short < long
    assert cv2.contourArea(quad, oriented=True) > 0


def test_a_card_seen_at_such_a_slant_that_it_looks_square_may_lie_either_way() -> None:
    square = np.array([(40, 30), (100, 30), (100, 92), (40, 92)], np.float32)
    assert lies_either_way(square)
    assert not lies_either_way(SQUARE)


def test_the_crop_shows_the_card_with_a_rim_of_table() -> None:
    picture = np.full((300, 300, 3), 40, np.uint8)
    quad = np.array([(80, 60), (200, 70), (190, 240), (75, 230)], np.float32)
    cv2.fillConvexPoly(picture, quad.astype(np.int32), (200, 180, 160))
    crop = cut_out(picture, quad)
    assert crop.shape == (CROP_HEIGHT, CROP_WIDTH, 3)
    assert (crop[MARGIN_Y + 3 : -MARGIN_Y - 3, MARGIN_X + 3 : -MARGIN_X - 3, 0] > 190).all()
    assert (crop[: MARGIN_Y - 2, :, 0] < 60).all()


def test_the_light_of_a_picture_tells_a_warm_lamp() -> None:
    warm = np.full((90, 160, 3), (60, 100, 150), np.uint8)
    light = light_of(warm)
    assert light[2] > light[0]
    assert light[6] == 1


def test_backs_of_two_designs_fall_into_two_groups() -> None:
    rng = np.random.default_rng(1)
    designs = np.eye(64)[[0, 1, 0, 1, 1]] + rng.normal(0, 0.02, (5, 64))
    designs /= np.linalg.norm(designs, axis=1, keepdims=True)
    assert groups(designs, 0.7) == [1, 2, 1, 2, 2]


@pytest.mark.parametrize(
    ("truth", "read", "expected"),
    [
        ("R5", "R5", "right"),
        ("R5", "R?", "abstained"),
        ("R5", "??", "abstained"),
        ("R5", "none", "abstained"),
        ("R5", "R6", "wrong"),
        ("R5", "G?", "wrong"),
        ("R5", "back", "wrong"),
        ("R?", "R?", "right"),
    ],
)
def test_a_reading_is_wrong_as_soon_as_one_stated_part_is(truth: str, read: str, expected: str) -> None:
    assert outcome(truth, read) == expected


# What follows holds the net that ships.


@pytest.fixture(scope="module")
def reader() -> CardReader:
    try:
        return CardReader()
    except BadModel as error:
        pytest.skip(str(error))


def table_of(
    names: list[str], side: str, tone: tuple[int, int, int] = (70, 90, 110)
) -> tuple[Any, list[Quad]]:
    """House cards side by side on a plain table, every other one upside down, and their corners."""
    deck = house_deck()
    picture = np.full((220, 110 * len(names) + 40, 3), tone, np.uint8)
    quads = []
    for i, name in enumerate(names):
        card = deck.face(name) if side == "face" else deck.back(name)
        small = cv2.resize(card, (90, 140), interpolation=cv2.INTER_AREA)
        left = 30 + 110 * i
        picture[40:180, left : left + 90] = small[::-1, ::-1] if i % 2 else small
        quads.append(np.array([(left, 40), (left + 90, 40), (left + 90, 180), (left, 180)], np.float32))
    return picture, quads


def test_the_house_deck_is_read_without_being_enrolled(reader: CardReader) -> None:
    names = list(house_deck().faces)
    picture, quads = table_of(names, "face")
    found = [outcome(name, str(r.face)) for name, r in zip(names, reader.read(picture, quads), strict=True)]
    assert found.count("wrong") == 0
    assert found.count("right") >= 0.9 * len(names)


@pytest.fixture(scope="module")
def house(reader: CardReader) -> EnrolledDeck:
    deck = house_deck()
    seen: dict[str, dict[str, Any]] = {}
    for side, names in (("face", list(deck.faces)), ("back", list(deck.backs))):
        picture, quads = table_of(names, side)
        light = light_of(picture)
        seen[side] = {n: (crop, light) for n, crop in zip(names, reader.crops(picture, quads), strict=True)}
    return enrol("house", "espresso", seen["face"], seen["back"], reader.look, reader.model_hash)


def test_an_enrolled_deck_is_read_in_warm_dim_light(reader: CardReader, house: EnrolledDeck) -> None:
    names = list(house_deck().faces)
    picture, quads = table_of(names, "face", (50, 120, 60))
    dim = np.clip(picture * np.array([0.42, 0.62, 0.8]), 0, 255).astype(np.uint8)
    found = [outcome(n, str(r.face)) for n, r in zip(names, reader.read(dim, quads, house), strict=True)]
    assert found.count("wrong") == 0
    assert found.count("right") >= 0.9 * len(names)


def test_enrolled_backs_are_told_apart_by_name(reader: CardReader, house: EnrolledDeck) -> None:
    names = list(house_deck().backs)
    picture, quads = table_of(names, "back", (160, 150, 140))
    readings = reader.read(picture, quads, house)
    assert [r.side for r in readings] == ["back"] * len(names)
    assert all(r.back in (name, None) for name, r in zip(names, readings, strict=True))
    assert sum(r.back == name for name, r in zip(names, readings, strict=True)) >= 0.9 * len(names)


def test_backs_of_one_design_share_a_group_without_a_deck(reader: CardReader) -> None:
    first, second = house_deck().backs[:2]
    picture, quads = table_of([first, second, first, second, first], "back")
    assert [r.group for r in reader.read(picture, quads)] == [1, 2, 1, 2, 1]


def test_an_empty_table_and_a_sheet_of_paper_are_not_read_as_cards(reader: CardReader) -> None:
    picture = np.full((300, 400, 3), (60, 80, 120), np.uint8)
    cv2.rectangle(picture, (220, 60), (320, 215), (235, 238, 240), cv2.FILLED)
    paper = np.array([(220, 60), (320, 60), (320, 215), (220, 215)], np.float32)
    readings = reader.read(picture, [SQUARE, paper])
    assert readings[0].side == "none"
    assert readings[1].face.number is None


def test_a_card_whose_figures_are_covered_is_not_guessed(reader: CardReader) -> None:
    picture, quads = table_of(["R5", "B7"], "face")
    for quad in quads:
        left, top = (int(v) for v in quad[0])
        picture[top : top + 140, left : left + 90] = np.median(picture[top + 60, left : left + 90], axis=0)
    assert all(r.face.number is None for r in reader.read(picture, quads))


def test_the_order_of_quads_is_the_order_of_readings(reader: CardReader) -> None:
    picture, quads = table_of(["R1", "Y2", "G3", "B4"], "face")
    there = [r.face for r in reader.read(picture, quads)]
    back = [r.face for r in reader.read(picture, quads[::-1])]
    assert there == back[::-1]
    assert there[0] in (face(Colour.RED, 1), face(Colour.RED, None), face(None, 1), UNKNOWN)


@pytest.mark.slow
def test_number_cards_in_real_photos_are_read_by_a_reader_that_never_saw_their_deck(
    reader: CardReader,
) -> None:
    if not (PHOTOS / "labels.jsonl").exists():
        pytest.skip("the real photos are not part of the project and not beside it")
    rows = [row.outcome for row in photo_rows(reader) if "no number" not in row.set]
    assert rows.count("right") >= HELD * len(rows)
    assert rows.count("wrong") <= 0.01 * len(rows)
