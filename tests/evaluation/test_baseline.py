"""The afternoon baseline is a fair one: it does what such a baseline can do."""

from __future__ import annotations

import cv2
import numpy as np
import pytest

from models.evaluation.baseline import SiftAlbum, contour_cards, crop_of, nearest_hue
from models.evaluation.baseline_set import BaselineRow, baseline_lines, baseline_table
from models.evaluation.finding_truth import judged
from tests.vision.rendered_photos import open_cards

FACES = ("R2", "Y5", "G7", "B3")


def test_contours_find_cards_that_lie_apart_and_sift_knows_them_again() -> None:
    photo, again = open_cards(FACES), open_cards(tuple(reversed(FACES)))
    quads = [card.corners.astype(np.float32) for card in photo.cards]
    assert len(judged(quads, [], contour_cards(photo.picture)).pairs) == len(FACES)
    album = SiftAlbum((card.face, photo.picture, quad) for card, quad in zip(photo.cards, quads, strict=True))
    for card in again.cards:
        assert album.read(again.picture, card.corners.astype(np.float32)) == card.face


@pytest.mark.parametrize(
    ("colour", "initial"),
    [((30, 30, 220), "R"), ((30, 200, 230), "Y"), ((60, 160, 60), "G"), ((200, 110, 20), "B")],
)
def test_the_nearest_hue_is_the_printed_one(colour: tuple[int, int, int], initial: str) -> None:
    card = np.full((300, 200, 3), 250, np.uint8)
    cv2.rectangle(card, (20, 20), (180, 280), colour, cv2.FILLED)
    assert nearest_hue(card) == initial


def test_a_card_without_colour_has_no_hue() -> None:
    assert nearest_hue(np.full((300, 200, 3), 240, np.uint8)) == "?"


def test_crops_stand_on_their_short_side() -> None:
    picture = np.zeros((100, 200, 3), np.uint8)
    quad = np.array([[10, 10], [130, 10], [130, 90], [10, 90]], np.float32)
    assert crop_of(picture, quad).shape == (300, 200, 3)


def test_ours_must_be_right_as_often_in_every_folder_and_take_a_twentieth_of_the_time() -> None:
    def row(folder: str, method: str, verdict: str, seconds: float) -> BaselineRow:
        return BaselineRow(folder, "photo", "R5", method, "R5", verdict, 0.05, seconds, False)

    rows = [
        row("tidy", "ours", "right", 0.004),
        row("tidy", "contours", "right", 0.1),
        row("messy", "ours", "missed", 0.004),
        row("messy", "contours", "right", 0.1),
    ]
    lines = {line.set: line.verdict for line in baseline_lines(rows) if line.of}
    assert lines == {
        "beside contours, tidy": "met",
        "beside contours, messy": "MISSED",
        "beside contours": "met",
    }
    assert baseline_table(rows).count("messy") == 2
