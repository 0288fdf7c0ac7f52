"""Which of two outlines that share much are two cards, and which are one card outlined twice."""

from __future__ import annotations

import math

import numpy as np
from numpy.typing import NDArray

from vision.finding.clusters import Cluster
from vision.finding.maps import STRIDE
from vision.finding.selection import chosen, overlap

WIDE, TALL = 60.0, 90.0
Quad = NDArray[np.float64]


def lying(x: float, y: float, degrees: float = 0.0) -> Quad:
    """The corners of a card with its middle there."""
    turn = math.radians(degrees)
    across, down = np.array([math.cos(turn), math.sin(turn)]), np.array([-math.sin(turn), math.cos(turn)])
    halves = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return np.array([(x, y) + a * across * WIDE / 2 + b * down * TALL / 2 for a, b in halves])


def voted_for(corners: Quad, top: float, below: float) -> Cluster:
    """A card with votes from all cells of a box as wide as it, between two heights of the picture."""
    left, right = corners[:, 0].min() / STRIDE, corners[:, 0].max() / STRIDE
    x, y = np.meshgrid(np.arange(round(left), round(right)), np.arange(top // STRIDE, below // STRIDE))
    cells = np.stack([x.ravel(), y.ravel()], axis=1).astype(np.intp)
    return Cluster(corners, np.full(4, 2.0), len(cells), 0.9, 0.05, 1.0, at=cells, weight=np.ones(len(cells)))


def test_a_deck_in_a_hand_that_is_outlined_twice_is_one_card() -> None:
    deck, shifted = lying(200, 200), lying(200, 220)
    assert 0.5 < overlap(deck, shifted) < 0.8
    found = chosen([voted_for(deck, 160, 220), voted_for(shifted, 200, 264)], np.array([0.9, 0.7]), 0.5)
    assert [cluster.corners is deck for cluster, _ in found] == [True]


def test_a_card_that_shows_a_strip_below_another_is_a_card() -> None:
    upper, lower = lying(200, 200), lying(200, 220)
    found = chosen([voted_for(upper, 160, 244), voted_for(lower, 248, 264)], np.array([0.9, 0.7]), 0.5)
    assert len(found) == 2


def test_a_card_laid_across_another_is_a_card_though_their_votes_are_mixed() -> None:
    one, other = lying(200, 200), lying(200, 200, 30)
    assert 0.5 < overlap(one, other) < 0.8
    found = chosen([voted_for(one, 160, 240), voted_for(other, 160, 240)], np.array([0.9, 0.7]), 0.5)
    assert len(found) == 2
