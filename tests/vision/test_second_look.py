"""What may be a card is looked at a second time: cut out upright, judged, its corners moved."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from tests.vision.rendered_photos import open_cards
from tests.vision.truth_net import truth_net
from vision.card_finder import CardFinder
from vision.finding.second_look import (
    CHANNELS,
    HEIGHT,
    WIDTH,
    SecondLook,
    moved,
    shifts_to,
    short_side_first,
    views,
)
from vision.finding.selection import FEATURES
from vision.onnx_model import OnnxModel

UPRIGHT = np.array([(100, 100), (160, 104), (158, 196), (98, 192)], np.float32)
OWN = 6


class Judge:
    """Stands in for the net: the same odds for everything, every corner moved by the same."""

    def __init__(self, odds: float, shift: tuple[float, float] = (0.0, 0.0)) -> None:
        self.about: Mapping[str, Any] = {"honest": [0.0, 1.0]}
        self._answer = np.array([odds, *shift * 4], np.float32)
        self.seen = 0

    def __call__(self, *inputs: NDArray[Any]) -> list[NDArray[Any]]:
        self.seen += len(inputs[0])
        return [np.tile(self._answer, (len(inputs[0]), 1))]


def second(judge: Judge) -> SecondLook:
    return SecondLook(cast(OnnxModel, judge))


@given(
    st.lists(st.floats(-0.3, 0.3), min_size=8, max_size=8),
    st.integers(0, 3),
)
@settings(max_examples=60, deadline=None, derandomize=True)
def test_the_shifts_to_a_card_move_the_corners_onto_it(shifts: list[float], turn: int) -> None:
    quad = short_side_first(UPRIGHT)
    card = moved(quad, np.array(shifts).reshape(4, 2))
    back = moved(quad, shifts_to(quad, np.roll(card, turn, axis=0)))
    apart = min(float(np.abs(np.roll(back, k, axis=0) - card).max()) for k in range(4))
    assert apart < 0.05


def test_a_card_on_its_side_is_cut_out_upright() -> None:
    lying = np.array([(100, 100), (200, 100), (200, 160), (100, 160)], np.float32)
    quad = short_side_first(lying)
    assert np.linalg.norm(quad[1] - quad[0]) < np.linalg.norm(quad[2] - quad[1])
    assert {tuple(p) for p in quad} == {tuple(p) for p in lying}


def test_a_view_shows_the_card_in_its_middle_and_which_cells_are_its_own() -> None:
    photo = open_cards(("R2", "Y5", "G7", "B3"))
    clusters, sheets, _ = CardFinder(truth_net(photo)).clusters(photo.picture)
    made = views(photo.picture, clusters, sheets)
    assert made.shape == (len(clusters), HEIGHT, WIDTH, CHANNELS)
    for view in made:
        own = view[..., OWN]
        assert own[HEIGHT // 3 : -HEIGHT // 3, WIDTH // 3 : -WIDTH // 3].mean() > 200
        assert own[:4].mean() < 20
        assert own[:, :3].mean() < 20


def test_what_the_second_look_rejects_is_no_card() -> None:
    photo = open_cards(("R2", "Y5", "G7", "B3"))
    assert len(CardFinder(truth_net(photo), second=second(Judge(4.0))).find(photo.picture)) == 4
    assert CardFinder(truth_net(photo), second=second(Judge(-4.0))).find(photo.picture) == []


def test_corners_go_where_the_second_look_says() -> None:
    photo = open_cards(("R2", "Y5", "G7", "B3"))
    finder = CardFinder(truth_net(photo))
    clusters, sheets, _ = finder.clusters(photo.picture)
    rows, sure = np.zeros((len(clusters), 12)), np.ones(len(clusters))
    judged, _ = second(Judge(4.0, (0.1, 0.0))).judged(photo.picture, clusters, sheets, rows, sure)
    for before, after in zip(clusters, judged, strict=True):
        step = after.corners.mean(axis=0) - before.corners.mean(axis=0)
        assert float(np.linalg.norm(step)) == pytest.approx(0.1 * before.width, rel=0.1)


def test_what_is_hardly_likely_costs_no_second_look() -> None:
    photo = open_cards(("R2", "Y5"))
    clusters, sheets, _ = CardFinder(truth_net(photo)).clusters(photo.picture)
    judge = Judge(4.0)
    rows, hardly = np.zeros((len(clusters), 12)), np.full(len(clusters), 0.001)
    judged, chances = second(judge).judged(photo.picture, clusters, sheets, rows, hardly)
    assert (judged, len(chances), judge.seen) == ([], 0, 0)


def test_how_sure_the_votes_are_of_a_corner_stays_with_it() -> None:
    photo = open_cards(("R2", "Y5"))
    picture = np.asarray(photo.picture, np.uint8)
    clusters, sheets, _ = CardFinder(truth_net(photo)).clusters(picture)
    one = clusters[0]
    for corners in (one.corners, np.roll(one.corners, 1, axis=0)):
        lying = replace(one, corners=corners, spread=np.arange(4.0))
        rows, chances = np.zeros((1, FEATURES)), np.ones(1)
        (looked,), _ = second(Judge(3.0)).judged(picture, [lying], sheets, rows, chances)
        for corner, spread in zip(looked.corners, looked.spread, strict=True):
            assert np.linalg.norm(corners - corner, axis=1).argmin() == spread
