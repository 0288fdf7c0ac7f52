"""Pixels to millimetres on rendered tables, against the true camera."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.errors import CalibrationError
from calibration.markers import SeenMarker, find_markers
from calibration.table_plane import TablePlane, plane_from_cards, plane_from_known_markers, plane_from_markers
from finito.virtual_table.camera import Camera
from finito.virtual_table.scene import Clutter
from tests.calibration.photos import lens_of, photo, plane_errors, table_scene, without_cards

SEEDS = range(4)


def marker_plane(seed: int, known_lens: bool) -> tuple[TablePlane, Camera]:
    scene = table_scene(seed)
    seen = find_markers(without_cards(scene))
    assert len(seen) == 4
    lens = lens_of(scene.camera) if known_lens else None
    return plane_from_markers(seen, scene.camera.size, lens), scene.camera


@pytest.mark.parametrize("known_lens", [True, False])
def test_markers_laid_anywhere_give_millimetres_without_measuring(known_lens: bool) -> None:
    errors = []
    for seed in SEEDS:
        plane, camera = marker_plane(seed, known_lens)
        off = plane_errors(plane, camera)
        errors.append(off.mean())
        assert off.max() < 4.0, f"table {seed}"
        assert 0.05 < plane.error_mm < 2.0
    assert np.median(errors) < 0.6
    assert max(errors) < 1.3


@pytest.mark.parametrize("known_lens", [True, False])
def test_cards_give_the_plane_where_no_markers_lie(known_lens: bool) -> None:
    errors = []
    for seed in SEEDS:
        scene = table_scene(seed, cards=18, markers=False)
        rng = np.random.default_rng(seed)
        quads = np.array([card.corners for card in photo(scene).cards if card.cut_off == 0])
        # As a finder gives them: a pixel off, and starting at any corner.
        quads = quads + rng.normal(0, 1.0, quads.shape)
        quads = np.array([np.roll(quad, int(rng.integers(4)), axis=0) for quad in quads])
        lens = lens_of(scene.camera) if known_lens else None
        plane = plane_from_cards(quads, scene.camera.size, lens)
        errors.append(plane_errors(plane, scene.camera, (300.0, 160.0)).mean())
    assert np.median(errors) < 1.3
    assert max(errors) < 2.5


def test_quads_that_are_no_cards_do_not_spoil_the_plane() -> None:
    scene = table_scene(1, cards=18, markers=False)
    quads = np.array([card.corners for card in photo(scene).cards if card.cut_off == 0])
    spoilt = quads.copy()
    spoilt[0] = (quads[0] - quads[0].mean(axis=0)) * 1.7 + quads[0].mean(axis=0)  # a phone
    spoilt[1] += np.random.default_rng(0).normal(0, 30, (4, 2))  # a misfit
    clean, disturbed = (plane_from_cards(each, scene.camera.size) for each in (quads, spoilt))
    assert plane_errors(disturbed, scene.camera).mean() < plane_errors(clean, scene.camera).mean() + 0.7


def test_south_is_the_bottom_edge_and_nothing_is_mirrored() -> None:
    plane, camera = marker_plane(2, True)
    x, y = camera.size[0] / 2, camera.size[1] / 2
    here, right, down = plane.mm(np.array([[x, y], [x + 50, y], [x, y + 50]]))
    assert (right - here)[0] > 20
    assert (down - here)[1] > 20
    assert abs((down - here)[0]) < 0.05 * (down - here)[1]


def test_pixels_and_millimetres_are_inverse_and_the_sky_is_no_table() -> None:
    plane, _ = marker_plane(3, True)
    points = np.array([[-200.0, 100.0], [0.0, 0.0], [150.0, -120.0]])
    assert plane.mm(plane.pixels(points)) == pytest.approx(points, abs=1e-3)
    tilted = replace(plane, to_mm=((1.0, 0.0, 0.0), (0.0, 1.0, 0.0), (0.0, -0.01, 1.0)))
    assert np.isnan(tilted.mm(np.array([[500.0, 700.0]]))).all()


def test_a_card_outline_has_the_size_of_a_card() -> None:
    plane, _ = marker_plane(0, True)
    corners = plane.mm(plane.card_outline(30, -20, 37))
    sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
    assert sides == pytest.approx([59, 91, 59, 91], abs=0.01)
    assert corners.mean(axis=0) == pytest.approx([30, -20], abs=0.01)


def test_a_camera_that_went_elsewhere_finds_back_by_its_markers() -> None:
    scene = table_scene(4)
    plane = plane_from_markers(find_markers(without_cards(scene)), scene.camera.size, lens_of(scene.camera))
    elsewhere = replace(
        scene, camera=replace(scene.camera, heading=scene.camera.heading + 25, tilt=20.0, distance=1200)
    )
    found = plane_from_known_markers(find_markers(without_cards(elsewhere)), plane)
    assert found is not None
    spots = np.array([[x, y, 0.0] for x in (-150, 0, 150) for y in (-100, 0, 100)])
    before, after = plane.mm(scene.camera.project(spots)), found.mm(elsewhere.camera.project(spots))
    assert np.abs(before - after).max() < 1.5


def test_one_pushed_marker_does_not_pull_the_table_along() -> None:
    scene = table_scene(5)
    seen = find_markers(without_cards(scene))
    plane = plane_from_markers(seen, scene.camera.size, lens_of(scene.camera))
    pushed = (*seen[:3], SeenMarker(seen[3].id, seen[3].corners + 40.0))
    found = plane_from_known_markers(pushed, plane)
    assert found is not None
    spots = plane.pixels(np.array([[0.0, 0.0], [150.0, 80.0]]))
    assert np.abs(found.mm(spots) - plane.mm(spots)).max() < 1.0


def test_hidden_markers_are_named() -> None:
    scene = table_scene(0)
    two = replace(scene, clutter=scene.clutter[:2])
    with pytest.raises(CalibrationError, match="markers 2, 3 cannot be seen"):
        plane_from_markers(find_markers(without_cards(two)), scene.camera.size)


def test_a_marker_laid_twice_is_refused() -> None:
    scene = table_scene(0)
    twice = replace(scene, clutter=(*scene.clutter, Clutter("aruco", 2, 0.0, 0.0, 30.0)))
    with pytest.raises(CalibrationError, match="marker 2 lies on the table twice"):
        find_markers(without_cards(twice))


def test_markers_of_another_size_than_each_other_are_refused() -> None:
    scene = table_scene(0)
    seen = list(find_markers(without_cards(scene)))
    middle = seen[1].corners.mean(axis=0)
    seen[1] = SeenMarker(seen[1].id, (seen[1].corners - middle) * 0.6 + middle)
    with pytest.raises(CalibrationError, match="50 mm"):
        plane_from_markers(seen, scene.camera.size, lens_of(scene.camera))


def test_three_cards_are_too_few_for_a_plane() -> None:
    with pytest.raises(CalibrationError, match="3 cards"):
        plane_from_cards(np.random.default_rng(0).uniform(0, 500, (3, 4, 2)), (1280, 720))
