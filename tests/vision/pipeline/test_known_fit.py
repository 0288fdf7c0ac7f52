"""A card that was found too wide is moved to its own edges, not to those of its neighbour."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.finding.selection import overlap
from vision.pipelining.known_fit import moved_to_edges

WIDTH, HEIGHT, GAP = 42, 64, 5
TABLE, RED, YELLOW = (150, 120, 130), (40, 40, 200), (30, 200, 230)


def card_at(x: float, y: float, angle: float = 0.0) -> NDArray[np.float32]:
    """Corners of a card around a middle, clockwise, its width first."""
    turn = np.radians(angle)
    ways = np.array([[np.cos(turn), np.sin(turn)], [-np.sin(turn), np.cos(turn)]])
    half = np.array([(-WIDTH, -HEIGHT), (WIDTH, -HEIGHT), (WIDTH, HEIGHT), (-WIDTH, HEIGHT)]) / 2
    return np.asarray(half @ ways + (x, y), np.float32)


def table(*cards: tuple[NDArray[np.float32], tuple[int, int, int]]) -> NDArray[np.uint8]:
    picture = np.full((240, 320, 3), TABLE, np.uint8)
    for corners, colour in cards:
        cv2.fillConvexPoly(picture, np.round(corners * 16).astype(np.int32), colour, cv2.LINE_AA, 4)
        middle = tuple(int(v) for v in corners.mean(axis=0))
        cv2.circle(picture, middle, 11, (0, 0, 0), -1, cv2.LINE_AA)
    return picture


@pytest.mark.parametrize("side", [-1, 1])
def test_a_card_found_up_to_its_neighbours_edge_is_moved_to_its_own(side: int) -> None:
    own, neighbour = card_at(160, 120), card_at(160 + side * (WIDTH + GAP), 120)
    picture = table((own, RED), (neighbour, RED))
    found = moved_to_edges(picture, card_at(160 + side * GAP / 2, 120), (GAP / 2 + 1, 1.0))
    assert found is not None
    assert overlap(found, own) > 0.94


def test_the_top_of_an_untidy_pile_is_told_from_what_shows_below_it() -> None:
    top, below = card_at(160, 120, 4), card_at(154, 124, -9)
    picture = table((below, YELLOW), (top, RED))
    found = moved_to_edges(picture, card_at(157, 122, 0), (6.0, 6.0))
    assert found is not None
    assert overlap(found, top) > 0.92


def test_where_there_are_no_edges_there_is_no_card() -> None:
    assert moved_to_edges(table(), card_at(160, 120), (4.0, 4.0)) is None


def test_a_card_cut_by_the_frame_does_no_harm() -> None:
    assert moved_to_edges(table(), card_at(2, 2), (4.0, 4.0)) is None
