"""What the other cards of a picture say about one."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from numpy.typing import NDArray

from vision.card_finder import FoundCard
from vision.finding.company import off_size

LONG_SIDE = 1280.0


def card(x: float, y: float, height: float = 90.0, score: float = 0.95) -> FoundCard:
    wide = height * 0.65
    corners = np.array([(x, y), (x + wide, y), (x + wide, y + height), (x, y + height)], np.float32)
    return FoundCard(corners, score, 1.0)


def by_score(cards: list[FoundCard], said: list[float] | None = None) -> NDArray[np.float64]:
    scores = np.array([one.score for one in cards])
    return off_size(cards, scores, np.array(said or [1.0] * len(cards)), LONG_SIDE)


def row(count: int = 8, **more: float) -> list[FoundCard]:
    return [card(100.0 + 120 * i, 300.0, **more) for i in range(count)]


def test_a_card_half_as_high_as_all_others_is_off_size_and_they_are_not() -> None:
    off = by_score([*row(), card(400, 600, height=45.0)])
    assert off[-1] > 1.0
    assert off[:-1].max() < 0.1


def test_cards_that_grow_towards_the_camera_are_all_of_one_size() -> None:
    aslant = [card(200.0 + 150 * i, 80.0 * j, 60.0 + 3 * j) for i in range(4) for j in range(8)]
    assert by_score(aslant).max() < 0.2  # without the slope 0.33


def test_of_a_card_that_lies_alone_nothing_is_said() -> None:
    assert by_score([card(100, 100)]) == pytest.approx([0])


def test_a_crowd_that_nobody_believes_in_does_not_set_the_size() -> None:
    cloth = [replace(one, score=0.13) for one in row(12, height=45.0)]
    off = by_score([*cloth, *row(3)])
    assert off[-3:].max() < 0.25
    assert off[:-3].min() > 0.8


def test_a_card_that_was_read_sets_the_size_among_squares_of_cloth() -> None:
    cards = [*row(12, height=45.0, score=0.1), card(400, 600, score=0.25)]
    off = by_score(cards, [1.0] * 12 + [30.0])
    assert off[-1] < 0.3
    assert off[:-1].min() > 0.8


def test_the_whole_table_taken_for_a_face_does_not_set_the_size_of_forty_backs() -> None:
    backs = [card(60.0 + 120 * i, 60.0 + 150 * j) for i in range(10) for j in range(4)]
    off = by_score([*backs, card(100, 20, height=1300.0, score=0.4)], [1.0] * 40 + [30.0])
    assert off[-1] > 1.0
    assert off[:-1].max() < 0.2


def test_no_cards_have_no_company() -> None:
    assert by_score([]).shape == (0,)
