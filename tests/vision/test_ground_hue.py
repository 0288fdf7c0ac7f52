"""A card in glare keeps its hue: a net that takes a pale blue card for a red one is not believed."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck, EnrolledDesign
from referee.cards import parse_face
from vision.card_reader import CardReader
from vision.reading.answers import COLOURS, CROP_HEIGHT, CROP_WIDTH, EMBEDDING, NUMBERS, SIDES
from vision.reading.deck_match import colour_index, face_shares
from vision.reading.ground_hue import ground_hue
from vision.reading.looking import Looks

Crop = NDArray[np.uint8]
RED, BLUE, GREEN = (80, 60, 230), (240, 190, 95), (70, 110, 60)  # blue, green and red of inks
PALE_BLUE = (237, 224, 190)  # the blue one in the glare of a lamp
PALE_RED = (205, 200, 240)
WHITE = (246, 248, 250)


def card(ground: tuple[int, int, int], figure: tuple[int, int, int] = (40, 40, 40)) -> Crop:
    crop = np.empty((CROP_HEIGHT, CROP_WIDTH, 3), np.uint8)
    crop[:] = ground
    crop[40:64, 30:42] = figure
    return crop


def design(name: str, crop: Crop, axis: int) -> EnrolledDesign:
    face = parse_face(name)
    number = np.eye(len(NUMBERS), dtype=np.float32)[face.number or 0]
    colour = np.eye(len(COLOURS), dtype=np.float32)[colour_index(face)]
    return EnrolledDesign(name, np.eye(EMBEDDING, dtype=np.float32)[axis][None], number, colour, crop)


def deck_of(crops: dict[str, Crop]) -> EnrolledDeck:
    faces = tuple(design(name, crop, i) for i, (name, crop) in enumerate(crops.items()))
    return EnrolledDeck("told", "espresso", faces, (), 59 / 91, "told")


def taken_for(first: int, colour: int, crop: Crop) -> Looks:
    """A look by which the net is sure of the design of that number, and of a 5 of that colour."""
    sides, numbers, colours = np.eye(len(SIDES)), np.eye(len(NUMBERS)), np.eye(len(COLOURS))
    return Looks(
        sides[SIDES.index("face")][None],
        np.ones(1),
        numbers[5][None],
        colours[colour][None],
        np.eye(EMBEDDING)[first][None],
        crop[None],
        np.zeros((1, len(NUMBERS))),
    )


def shares_of(deck: EnrolledDeck, looks: Looks) -> dict[str, float]:
    reader = CardReader()
    said = face_shares(looks, deck, reader.measured, reader.twin)[0]
    return {face.name: float(share) for face, share in zip(deck.faces, said, strict=True)}


COLOURED = {"R5": card(RED), "G5": card(GREEN), "B5": card(BLUE), "B7": card(BLUE)}


def test_a_pale_blue_card_that_the_net_takes_for_red_is_rather_the_blue_one_of_its_number() -> None:
    reader = CardReader()
    said = shares_of(deck_of(COLOURED), taken_for(0, 0, card(PALE_BLUE)))
    assert max(said, key=lambda name: said[name]) == "B5"
    assert said["B5"] < reader.measured.enrolled_colour  # and nobody is accused of it
    assert said["R5"] < 0.2


def test_a_pale_red_card_stays_the_red_one() -> None:
    assert shares_of(deck_of(COLOURED), taken_for(0, 0, card(PALE_RED)))["R5"] > 0.99


def test_a_card_of_pale_print_in_warm_light_stays_what_the_net_says() -> None:
    pale = {"R5": card(PALE_RED), "Y5": card((190, 225, 235)), "B5": card((215, 185, 150))}
    warm = np.clip(card((215, 185, 150)) * np.array([0.4, 0.85, 1.4]), 0, 255).astype(np.uint8)
    assert shares_of(deck_of(pale), taken_for(2, 3, warm))["B5"] > 0.99


def test_cards_of_white_ground_are_told_by_the_net_alone() -> None:
    white = {name: card(WHITE, ink) for name, ink in (("R5", RED), ("G5", GREEN), ("B5", BLUE))}
    assert shares_of(deck_of(white), taken_for(0, 0, card(WHITE, BLUE)))["R5"] > 0.99


def test_a_card_in_the_dark_has_no_hue() -> None:
    assert not ground_hue(card((3, 2, 6), (1, 1, 1))).any()
