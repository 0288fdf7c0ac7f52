"""White is read off the marker paper, and bad light is named."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.lighting import WhiteReference, white_from_cards, white_from_markers
from calibration.markers import find_markers
from finito.virtual_table.scene import Light, Scene, Sensor
from tests.calibration.photos import photo, table_scene, without_cards

EVEN = (Light(0.0, 0.0, 2500.0, 1.0, 300.0),)


def white_of(scene: Scene) -> WhiteReference:
    picture = without_cards(scene)
    white = white_from_markers(picture, find_markers(picture))
    assert white is not None
    return white


def lit(**sensor: object) -> Scene:
    scene = table_scene(1, (1280, 720))
    return replace(scene, lights=EVEN, ambient=1.0, sensor=replace(Sensor(exposure=0.85), **sensor))  # type: ignore[arg-type]


def test_good_light_needs_no_advice() -> None:
    assert white_of(lit()).advice == ()


@pytest.mark.parametrize("cast", [(0.6, 0.95, 1.1), (1.1, 1.0, 0.7), (0.9, 1.1, 0.9)])
def test_the_cast_of_the_light_is_measured_and_taken_out(cast: tuple[float, float, float]) -> None:
    neutral, tinted = white_of(lit()), white_of(lit(white_balance=cast))
    ratio = np.array(tinted.bgr) / np.array(neutral.bgr)
    assert ratio / ratio[1] == pytest.approx(np.array(cast) / cast[1], rel=0.08)
    patch = np.full((4, 4, 3), tinted.bgr, np.uint8)
    assert np.ptp(tinted.balanced(patch).reshape(-1, 3).astype(int), axis=1).max() <= 2


def test_strongly_coloured_light_is_named() -> None:
    assert any("coloured" in sentence for sentence in white_of(lit(white_balance=(0.55, 0.95, 1.1))).advice)


def test_darkness_is_named() -> None:
    white = white_of(lit(exposure=0.25))
    assert white.level < 90
    assert any("dark" in sentence for sentence in white.advice)


def test_burnt_paper_is_named() -> None:
    white = white_of(lit(exposure=2.2))
    assert white.burnt > 0.3
    assert any("burnt" in sentence for sentence in white.advice)


def test_no_markers_no_white() -> None:
    assert white_from_markers(np.full((100, 100, 3), 200, np.uint8), ()) is None


def test_white_rims_of_cards_stand_in_for_markers() -> None:
    scene = replace(lit(white_balance=(0.75, 1.0, 1.05)), cards=table_scene(1, (1280, 720), 12).cards)
    rendered = photo(scene)
    quads = np.array([card.corners for card in rendered.cards])
    by_cards, by_markers = white_from_cards(rendered.picture, quads), white_of(scene)
    assert by_cards is not None
    assert np.array(by_cards.bgr) == pytest.approx(np.array(by_markers.bgr), rel=0.1)


def test_coloured_rims_are_not_taken_for_white() -> None:
    picture = np.full((400, 400, 3), (30, 60, 210), np.uint8)
    quads = np.array([[[10, 10], [60, 10], [60, 90], [10, 90]]] * 4, float)
    assert white_from_cards(picture, quads) is None
