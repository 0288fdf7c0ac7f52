"""Figures in corners: where a card is half hidden, its corner may still tell its number."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from referee.cards import parse_face
from tests.vision.rendered_photos import open_cards
from tests.vision.shipped import nets_or_skip
from vision.card_reader import CardReader
from vision.reading.answers import NUMBERS
from vision.reading.corner_figures import corner_evidence, with_corners
from vision.reading.corner_windows import HEIGHT, REGION, WIDTH, corner_windows, region_in, window

Floats = NDArray[np.float64]
TRUST = (0.1, 1.0)


def saying(figure: str, chance: float = 0.97) -> Floats:
    """What a corner says of a figure; `other` is that there is none."""
    shares = np.full(len(NUMBERS), (1 - chance) / (len(NUMBERS) - 1))
    shares[NUMBERS.index(figure)] = chance
    return shares


def of(whole: Floats, *corners: Floats) -> Floats:
    evidence = corner_evidence(np.stack(corners)[None], TRUST)
    return np.asarray(with_corners(whole[None], evidence)[0], np.float64)


def test_a_corner_settles_what_the_whole_card_leaves_open() -> None:
    open_between = (saying("6", 0.5) + saying("8", 0.5)) / 2
    said = of(open_between, saying("8"), saying("other"))
    assert NUMBERS[int(said.argmax())] == "8"
    assert said.max() > 0.95


def test_corners_without_a_figure_leave_the_number_as_it_was() -> None:
    before = saying("3", 0.7)
    said = of(before, saying("other", 0.999), saying("other", 0.999))
    assert said[:-1] == pytest.approx(before[:-1], abs=0.02)


def test_two_corners_that_contradict_each_other_settle_nothing() -> None:
    said = of(np.full(len(NUMBERS), 1 / len(NUMBERS)), saying("2"), saying("5"))
    assert said.max() < 0.6


def test_a_card_upside_down_shows_the_same_corners_in_the_other_order() -> None:
    photo = open_cards(["R5"])
    quad = np.asarray(photo.cards[0].corners, np.float32)
    stands, turned = (corner_windows(photo.picture, [np.roll(quad, by, axis=0)])[0] for by in (0, 2))
    assert np.array_equal(stands, turned[::-1])


def test_the_window_is_where_the_figure_stands() -> None:
    quad = np.array([(100, 100), (300, 100), (300, 400), (100, 400)], np.float32)
    left, top, right, bottom = REGION
    assert region_in(quad)[0] == pytest.approx((100 + 200 * left, 100 + 300 * top))
    assert region_in(quad)[2] == pytest.approx((100 + 200 * right, 100 + 300 * bottom))
    picture = np.zeros((500, 500, 3), np.uint8)
    picture[100:400, 100:300] = 200
    cut = window(picture, quad, REGION, (WIDTH, HEIGHT))
    assert cut[0, 0].max() < 60
    assert cut[-1, -1].min() == 200


@pytest.mark.parametrize("face", ["R3", "Y7", "G4", "B2", "R8", "G5"])
def test_a_card_of_which_only_the_upper_end_shows_tells_its_number(face: str) -> None:
    nets_or_skip()
    photo = open_cards([face])
    quad = np.asarray(photo.cards[0].corners, np.float32)
    picture = photo.picture.copy()
    covered = region_in(quad, (-0.1, 0.3, 1.1, 1.1))
    cv2.fillConvexPoly(picture, np.rint(covered).astype(np.int32), (90, 110, 120), cv2.LINE_AA)
    reading = CardReader().read(picture, [quad])[0]
    assert reading.face.number == parse_face(face).number
