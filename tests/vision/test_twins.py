"""Cards beside enrolled designs, looked at together by a net."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray

from tests.vision.test_cell_match import DESIGNS, EITHER_WAY, KNOWN
from vision.reading.cell_evidence import CellWeights
from vision.reading.cell_match import CLUES
from vision.reading.cell_shares import compared

Crops = NDArray[np.uint8]


class Pixelwise:
    """Takes for one print what is the same pixel by pixel."""

    def __init__(self) -> None:
        self.pairs = 0

    def __call__(self, cards: Crops, designs: Crops) -> list[NDArray[Any]]:
        assert cards.shape == designs.shape
        self.pairs += len(cards)
        same = np.abs(cards.astype(np.float32) - designs).mean(axis=(1, 2, 3)) < 1
        return [np.where(same, 5.0, -5.0).astype(np.float32)]


def test_a_net_for_twins_adds_its_odds_to_the_clues() -> None:
    twin = Pixelwise()
    seen = compared(DESIGNS[3], KNOWN, EITHER_WAY, twin)
    assert seen.clues.shape == (5, len(CLUES) + 1)
    assert seen.clues[:, -1].argmax() == 3
    assert twin.pairs == 5


def test_a_card_upside_down_is_turned_before_it_is_compared() -> None:
    seen = compared(np.ascontiguousarray(DESIGNS[1][::-1, ::-1]), KNOWN, EITHER_WAY, Pixelwise())
    assert seen.turned[1]
    assert seen.clues[1, -1] > 0


def test_only_the_designs_asked_for_are_looked_at() -> None:
    twin = Pixelwise()
    chosen = np.array([4, 1], np.intp)
    assert compared(DESIGNS[1], KNOWN[chosen], EITHER_WAY, twin).clues[:, -1].tolist() == [-5.0, 5.0]
    assert twin.pairs == 2


def test_weights_that_know_of_twins_serve_without_the_net() -> None:
    weights = CellWeights(np.ones(len(CLUES) + 1), np.zeros(1))
    seen = compared(DESIGNS[2], KNOWN, EITHER_WAY)
    assert weights.score(seen, np.zeros((5, 1))) == pytest.approx(seen.clues.sum(axis=1))
