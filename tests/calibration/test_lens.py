"""The lens is recovered from photos of the board, or refused with what would help."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from calibration.errors import CalibrationError
from calibration.lens import BoardSighting, LensReport, calibrate_lens, find_board, nominal_lens
from tests.calibration.photos import board_cameras, board_photo, lens_of


def sightings(count: int, seed: int = 0, tilted: bool = True, bulge: float = 0.0) -> list[BoardSighting]:
    found = []
    for number, camera in enumerate(board_cameras(count, seed, tilted)):
        seen = find_board(board_photo(camera, number, bulge=bulge), f"board{number}.jpg")
        if seen is not None:
            found.append(seen)
    return found


@pytest.fixture(scope="module")
def report() -> LensReport:
    return calibrate_lens(sightings(12))


def test_focal_length_and_centre_are_recovered(report: LensReport) -> None:
    truth = lens_of(board_cameras(1)[0])
    assert report.lens.focal == pytest.approx(truth.focal, rel=0.006)
    assert report.lens.centre == pytest.approx(truth.centre, abs=6.0)
    assert report.lens.rms is not None
    assert report.lens.rms < 0.4


def test_straight_lines_are_made_straight_all_over_the_picture(report: LensReport) -> None:
    truth = lens_of(board_cameras(1)[0])
    x, y = np.meshgrid(np.linspace(80, 1200, 9), np.linspace(50, 670, 7))
    pixels = np.stack([x.ravel(), y.ravel()], axis=1)
    rays = [(lens.straight(pixels) - lens.centre) / lens.focal for lens in (report.lens, truth)]
    # A shifted centre is a turned camera: rays are compared up to a homography.
    import cv2

    homography = cv2.findHomography(rays[0], rays[1])[0]
    moved = cv2.perspectiveTransform(rays[0][None], homography)[0]
    assert np.linalg.norm(moved - rays[1], axis=1).max() * truth.focal[0] < 0.6


def test_bending_undoes_straightening(report: LensReport) -> None:
    pixels = np.array([[10.0, 15.0], [640.0, 360.0], [1260.0, 700.0], [900.0, 30.0]])
    assert report.lens.bent(report.lens.straight(pixels)) == pytest.approx(pixels, abs=1e-4)


def test_a_lens_fits_pictures_of_half_the_size_and_no_other_shape(report: LensReport) -> None:
    half = report.lens.resized((640, 360))
    pixels = np.array([[100.0, 50.0], [500.0, 300.0]])
    full = report.lens.straight((pixels + 0.5) * 2 - 0.5)
    assert half.straight(pixels) == pytest.approx((full + 0.5) / 2 - 0.5, abs=1e-6)
    with pytest.raises(CalibrationError, match="1280 x 720"):
        report.lens.resized((1024, 768))


def test_a_board_that_is_not_flat_is_refused_above_one_pixel_with_its_rms() -> None:
    with pytest.raises(CalibrationError, match=r"[1-9]\.\d\d pixels RMS.*flat"):
        calibrate_lens(sightings(8, bulge=14.0))


def test_boards_held_all_alike_are_refused_with_tilt_it() -> None:
    with pytest.raises(CalibrationError, match="tilt the board"):
        calibrate_lens(sightings(6, tilted=False))


def test_too_few_pictures_are_refused() -> None:
    with pytest.raises(CalibrationError, match="found in 2 pictures"):
        calibrate_lens(sightings(2))


def test_pictures_of_different_sizes_are_refused_by_name() -> None:
    seen = sightings(4)
    odd = replace(seen[2], size=(720, 1280))
    with pytest.raises(CalibrationError, match=r"board2\.jpg has 720 x 1280"):
        calibrate_lens([seen[0], seen[1], odd, seen[3]])


def test_a_picture_without_the_board_shows_none() -> None:
    assert find_board(np.full((480, 640, 3), 120, np.uint8)) is None


def test_a_lens_nobody_calibrated_changes_nothing() -> None:
    pixels = np.array([[0.0, 0.0], [123.4, 56.7]])
    assert np.array_equal(nominal_lens((640, 480)).straight(pixels), pixels)
