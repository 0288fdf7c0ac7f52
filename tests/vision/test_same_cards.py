"""Cards of one picture are one rectangle on one plane: what that says of their outlines."""

from __future__ import annotations

import math

import numpy as np
import pytest
from numpy.typing import NDArray

from finito.virtual_table.camera import Camera
from finito.virtual_table.scene import Rendered
from models.evaluation.finding_truth import corner_error
from tests.vision.rendered_photos import open_cards
from vision.card_finder import FoundCard
from vision.finding.common_plane import agreed_plane
from vision.finding.company import off_size
from vision.finding.same_cards import alike

Floats = NDArray[np.float64]

_SIZE = (1280, 720)
_FACES = ("R2", "Y5", "G7", "B3", "R8", "Y1", "G4", "B6")


def _lying(camera: Camera, cards: int = 12, size: tuple[float, float] = (63.0, 88.0)) -> Floats:
    """Outlines of cards that lie about under a camera, from a short side of the card each."""
    rng = np.random.default_rng(1)
    wide, tall = size[0] / 2, size[1] / 2
    outlines = []
    for i in range(cards):
        x, y, turn = (i % 4 - 1.5) * 130, (i // 4 - 1) * 130, float(rng.uniform(0, 2 * math.pi))
        own = np.array([-wide - 1j * tall, wide - 1j * tall, wide + 1j * tall, -wide + 1j * tall])
        placed = own * np.exp(1j * turn) + x + 1j * y
        outlines.append(camera.project(np.stack([placed.real, placed.imag, np.zeros(4)], axis=1)))
    return np.array(outlines)


def _short_first(quads: Floats) -> Floats:
    sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    lying = sides[:, 0] + sides[:, 2] > sides[:, 1] + sides[:, 3]
    return np.where(lying[:, None, None], np.roll(quads, 1, axis=1), quads)


def _truth(photo: Rendered) -> Floats:
    return np.array([card.corners for card in photo.cards], np.float64)


def _alike(photo: Rendered, quads: Floats, spread: float | Floats = 4.0) -> Floats:
    spreads = np.broadcast_to(np.asarray(spread, np.float64), quads.shape[:2])
    return alike(np.asarray(photo.picture, np.uint8), quads, quads, spreads, np.full(len(quads), 0.95))


def _error(truth: Floats, outline: Floats) -> float:
    return corner_error(truth.astype(np.float32), outline.astype(np.float32))


def _narrowed(quad: Floats, part: float) -> Floats:
    """The outline as if a band across the card were its lower edge."""
    moved = quad.copy()
    moved[2:] += part * (quad[[1, 0]] - quad[[2, 3]])
    return moved


@pytest.mark.parametrize("k1", [0.0, -0.08, 0.08])
@pytest.mark.parametrize("tilt", [0.0, 20.0, 45.0])
def test_cards_seen_aslant_through_a_bending_lens_agree_on_their_plane(tilt: float, k1: float) -> None:
    camera = Camera(size=_SIZE, distance=700, tilt=tilt, field_of_view=65, k1=k1, k2=k1 * k1 / 2)
    quads = _lying(camera)
    short = _short_first(quads)
    plane, turned = agreed_plane(short, np.ones(12), np.ones((12, 4)), _SIZE)
    laid = np.where(turned[:, None, None], np.roll(short, 1, axis=1), short)
    off, middle, turn = plane.laid(laid, np.ones((12, 4)))
    assert off.max() < 0.02
    again = plane.outlines(middle, turn)
    assert max(_error(a, b) for a, b in zip(laid, again, strict=True)) < 0.02


def test_points_come_back_from_the_plane() -> None:
    plane, _ = agreed_plane(
        _short_first(_lying(Camera(size=_SIZE, distance=700, tilt=30, k1=0.1))),
        np.ones(12),
        np.ones((12, 4)),
        _SIZE,
    )
    points = np.random.default_rng(2).uniform((0, 0), _SIZE, (50, 2))
    assert np.allclose(plane.in_picture(plane.flat(points)), points, atol=1e-6)


def test_what_lies_along_a_side_is_told_by_the_plane_where_the_picture_misleads() -> None:
    quads = _lying(Camera(size=_SIZE, distance=700, tilt=50))
    short = _short_first(quads)
    misled = np.array([not np.allclose(a, b) for a, b in zip(quads, short, strict=True)])
    assert misled.any()
    _, turned = agreed_plane(short, np.ones(12), np.ones((12, 4)), _SIZE)
    assert np.array_equal(turned, misled)


def test_a_band_taken_for_an_edge_gives_way_to_the_size_of_the_others() -> None:
    photo = open_cards(_FACES)
    truth = _truth(photo)
    quads = truth.copy()
    quads[3] = _narrowed(truth[3], 0.08)
    assert _error(truth[3], quads[3]) > 0.05
    better = _alike(photo, quads)
    assert max(_error(a, b) for a, b in zip(truth, better, strict=True)) < 0.02


def test_outlines_that_are_right_stay_right() -> None:
    photo = open_cards(_FACES)
    truth = _truth(photo)
    better = _alike(photo, truth)
    assert max(_error(a, b) for a, b in zip(truth, better, strict=True)) < 0.015


def test_what_is_much_smaller_keeps_its_outline() -> None:
    photo = open_cards(_FACES)
    quads = _truth(photo)
    quads[2] = quads[2].mean(axis=0) + 0.6 * (quads[2] - quads[2].mean(axis=0))
    assert _error(quads[2], _alike(photo, quads)[2]) < 1e-6


def test_a_corner_that_nobody_saw_follows_from_the_others() -> None:
    photo = open_cards(_FACES)
    truth = _truth(photo)
    quads, spread = truth.copy(), np.full((len(truth), 4), 4.0)
    width = float(np.linalg.norm(truth[5, 1] - truth[5, 0]))
    quads[5, 2] += 0.3 * width
    spread[5, 2] = 0.3 * width
    assert _error(truth[5], _alike(photo, quads, spread)[5]) < 0.03


def test_three_outlines_agree_on_nothing() -> None:
    photo = open_cards(_FACES[:3])
    quads = _truth(photo)
    quads[0] = _narrowed(quads[0], 0.1)
    assert np.array_equal(_alike(photo, quads), quads)


def test_outlines_of_all_sizes_stay_as_they_are() -> None:
    photo = open_cards(_FACES)
    quads = _truth(photo)
    middles = quads.mean(axis=1, keepdims=True)
    quads = middles + (quads - middles) * np.linspace(0.4, 1.3, len(quads))[:, None, None]
    assert np.array_equal(_alike(photo, quads), quads)


def test_what_was_given_the_size_of_the_others_is_judged_by_its_own() -> None:
    """Or a square of the cloth would be as large as all cards."""
    first = np.array([(0, 0), (60, 0), (60, 90), (0, 90)], np.float32)
    corners = [first + np.array((100 * i, 0), np.float32) for i in range(5)]
    cards = [FoundCard(quad, 0.9, 1.0, 5400.0) for quad in corners[:4]]
    cards.append(FoundCard(corners[4], 0.9, 1.0, 2700.0))
    off = off_size(cards, np.full(5, 0.9), np.ones(5), 1000)
    assert off[4] > 0.4 > 0.2 > off[:4].max()
