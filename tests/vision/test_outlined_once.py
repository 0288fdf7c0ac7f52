"""What is reported of outlines that lie upon each other once corners were moved onto edges."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np

from referee.cards import parse_face
from tests.vision.test_outlined_twice import lying
from vision.card_finder import FoundCard
from vision.card_reader import CardReading
from vision.finding.selection import overlap
from vision.table_reader import TableReader

NOTHING = np.zeros((400, 400, 3), np.uint8)


class Finds:
    def __init__(self, *cards: tuple[float, float] | tuple[float, float, float]) -> None:
        """Cards at these heights of the picture, with these chances, turned by so many degrees."""
        self._cards = [
            FoundCard(lying(200, y, *turned).astype(np.float32), score, 1.0) for y, score, *turned in cards
        ]

    def find(self, _picture: Any) -> list[FoundCard]:
        return self._cards


class ReadsFives:
    def read(self, _picture: Any, quads: Sequence[Any], _deck: Any = None) -> list[CardReading]:
        five = parse_face("R5")
        return [CardReading("face", five, ((five, 0.99),), confidence=0.99, upright=True) for _ in quads]


def reported(*cards: tuple[float, float] | tuple[float, float, float]) -> list[int]:
    """The heights at which cards are reported."""
    seen = TableReader(Finds(*cards), ReadsFives(), (0.0, 1.0, 0.0, 0.0)).read(NOTHING)
    return sorted(round(float(card.corners[:, 1].mean())) for card in seen)


def test_a_deck_in_a_hand_is_outlined_once_however_sure_its_foot_is() -> None:
    assert overlap(lying(200, 200), lying(200, 206)) > 0.8
    assert reported((206, 0.97), (200, 0.99)) == [200]


def test_a_doubtful_outline_that_mostly_lies_upon_a_sure_one_is_not_reported() -> None:
    assert 0.5 < overlap(lying(200, 200), lying(200, 224)) < 0.8
    assert reported((200, 0.99), (224, 0.6)) == [200]


def test_a_sure_card_that_shows_a_strip_below_another_is_reported() -> None:
    assert reported((200, 0.99), (224, 0.95)) == [200, 224]


def test_a_doubtful_card_that_lies_half_below_another_is_reported() -> None:
    assert overlap(lying(200, 200), lying(200, 236)) < 0.5
    assert reported((200, 0.99), (236, 0.6)) == [200, 236]


def test_a_doubtful_card_that_lies_across_another_is_reported() -> None:
    assert 0.5 < overlap(lying(200, 200), lying(200, 204, 25)) < 0.8
    assert reported((200, 0.99), (204, 0.6, 25)) == [200, 204]


def test_what_is_in_sight_and_no_card_to_the_reader_is_none_however_clear_its_edges_are() -> None:
    class ReadsNothing:
        def read(self, _picture: Any, quads: Sequence[Any], _deck: Any = None) -> list[CardReading]:
            return [CardReading("none", confidence=0.6, no_card=0.6) for _ in quads]

    board = TableReader(Finds((200, 0.99)), ReadsNothing(), (0.0, 1.0, 0.0, 0.0))
    assert board.read(NOTHING) == []
