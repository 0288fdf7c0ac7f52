"""The lens: where a pinhole camera would have put each pixel. From photos of the ChArUco board."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.printables import LENS_BOARD, LensBoard

Array: TypeAlias = NDArray[Any]

WORST_RMS: Final = 1.0  # pixels
LEAST_PICTURES: Final = 4
LEAST_CORNERS: Final = 8
LEAST_COVER: Final = 0.35  # of the picture's area, for the lens to be known near its edges
_LEAST_TURN: Final = 15.0  # degrees between two boards; held all alike they do not tell the focal length
_BETTER_FIT: Final = 0.9
_EXACT: Final = 1e-8  # of a focal length


@dataclass(frozen=True)
class Lens:
    """Focal lengths and centre in pixels of a picture size, and how lines bend (k1, k2, p1, p2, k3)."""

    size: tuple[int, int]
    focal: tuple[float, float]
    centre: tuple[float, float]
    bend: tuple[float, float, float, float, float] = (0.0, 0.0, 0.0, 0.0, 0.0)
    rms: float | None = None

    @property
    def matrix(self) -> Array:
        (fx, fy), (cx, cy) = self.focal, self.centre
        return np.array([[fx, 0.0, cx], [0.0, fy, cy], [0.0, 0.0, 1.0]])

    def straight(self, pixels: Array) -> Array:
        """Where a pinhole camera would show the given pixels (N x 2)."""
        points = np.asarray(pixels, np.float64).reshape(-1, 2)
        if not any(self.bend) or not len(points):
            return points
        rays = (points - self.centre) / self.focal
        wanted = rays.copy()
        for _ in range(20):
            step = wanted - self._bent(rays)
            rays += step
            if np.abs(step).max() < _EXACT:
                break
        return np.asarray(rays * self.focal + self.centre)

    def bent(self, pixels: Array) -> Array:
        """The pixels (N x 2) in which this lens shows what a pinhole camera would show there."""
        points = np.asarray(pixels, np.float64).reshape(-1, 2)
        if not any(self.bend):
            return points
        return self._bent((points - self.centre) / self.focal) * self.focal + self.centre

    def _bent(self, rays: Array) -> Array:
        k1, k2, p1, p2, k3 = self.bend
        a, b = rays[:, 0], rays[:, 1]
        r2 = a * a + b * b
        radial = 1 + r2 * (k1 + r2 * (k2 + r2 * k3))
        return np.stack(
            [
                a * radial + 2 * p1 * a * b + p2 * (r2 + 2 * a * a),
                b * radial + p1 * (r2 + 2 * b * b) + 2 * p2 * a * b,
            ],
            axis=1,
        )

    def resized(self, size: tuple[int, int]) -> Lens:
        """The same lens for pictures of another size; the shape must be the same."""
        scale = size[0] / self.size[0]
        if abs(size[1] / self.size[1] / scale - 1) > 0.01:
            raise CalibrationError(
                f"the lens was calibrated for pictures of {_by(self.size)} pixels, not {_by(size)}; "
                "calibrate it again with pictures of that shape"
            )
        centre = tuple((c + 0.5) * scale - 0.5 for c in self.centre)
        focal = (self.focal[0] * scale, self.focal[1] * scale)
        return Lens(size, focal, (centre[0], centre[1]), self.bend, self.rms)


def nominal_lens(size: tuple[int, int], k1: float = 0.0) -> Lens:
    """A lens for a camera nobody has calibrated: straight but for one number, focal length = width."""
    width = float(size[0])
    return Lens(size, (width, width), ((size[0] - 1) / 2, (size[1] - 1) / 2), (k1, 0.0, 0.0, 0.0, 0.0))


@dataclass(frozen=True, eq=False)
class BoardSighting:
    """Where the board's inner corners are in a picture (N x 2 pixels), and which ones."""

    name: str
    size: tuple[int, int]
    corners: Array
    ids: Array


@dataclass(frozen=True)
class LensReport:
    """The lens, how well each picture fits it (RMS in pixels), and what could be better."""

    lens: Lens
    pictures: tuple[tuple[str, float], ...]
    cover: float
    advice: tuple[str, ...] = ()


def find_board(picture: Array, name: str = "picture", board: LensBoard = LENS_BOARD) -> BoardSighting | None:
    """The board in a picture; None if too little of it is seen."""
    detector = cv2.aruco.CharucoDetector(board.opencv())
    grey = cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    corners, ids, _, _ = detector.detectBoard(grey)
    if ids is None or len(ids) < LEAST_CORNERS:
        return None
    size = (picture.shape[1], picture.shape[0])
    return BoardSighting(name, size, np.asarray(corners).reshape(-1, 2), np.asarray(ids).ravel())


def calibrate_lens(sightings: Sequence[BoardSighting], board: LensBoard = LENS_BOARD) -> LensReport:
    """The lens that explains all sightings; refused above 1 px RMS or when the pictures cannot tell."""
    _check(sightings)
    size = sightings[0].size
    fits = [_fit(sightings, size, board, k3) for k3 in (False, True)]
    best = fits[1] if fits[1].rms < fits[0].rms * _BETTER_FIT else fits[0]
    named = tuple((sighting.name, rms) for sighting, rms in zip(sightings, best.per_picture, strict=True))
    if best.rms > WORST_RMS:
        worst, error = max(named, key=lambda pair: pair[1])
        raise CalibrationError(
            f"the lens fits only to {best.rms:.2f} pixels RMS, the limit is {WORST_RMS:g}; leave out {worst} "
            f"({error:.2f}), glue the board to something flat, and take sharp pictures without zoom"
        )
    if best.turn < _LEAST_TURN:
        raise CalibrationError(
            "these pictures do not tell the focal length; tilt the board by 30 to 45 degrees in different "
            "directions in some of them"
        )
    cover = _cover(sightings, size)
    advice = ("Show the board near the edges and corners of the picture too.",) if cover < LEAST_COVER else ()
    return LensReport(best.lens, named, cover, advice)


@dataclass(frozen=True)
class _Fit:
    lens: Lens
    rms: float
    per_picture: tuple[float, ...]
    turn: float  # the largest angle between the boards of two pictures, degrees


def _check(sightings: Sequence[BoardSighting]) -> None:
    if len(sightings) < LEAST_PICTURES:
        raise CalibrationError(
            f"the board was found in {len(sightings)} pictures, {LEAST_PICTURES} are needed; take about ten, "
            "near and far, tilted and in all corners of the picture"
        )
    for sighting in sightings:
        if sighting.size != sightings[0].size:
            raise CalibrationError(
                f"{sighting.name} has {_by(sighting.size)} pixels, {sightings[0].name} has "
                f"{_by(sightings[0].size)}; all must come from the same camera, size and way of holding it"
            )


def _fit(sightings: Sequence[BoardSighting], size: tuple[int, int], board: LensBoard, k3: bool) -> _Fit:
    places = np.asarray(board.opencv().getChessboardCorners(), np.float32)
    on_board = [places[sighting.ids] for sighting in sightings]
    seen = [sighting.corners.astype(np.float32) for sighting in sightings]
    flags = 0 if k3 else cv2.CALIB_FIX_K3
    start = nominal_lens(size).matrix
    flags |= cv2.CALIB_USE_INTRINSIC_GUESS
    try:
        rms, matrix, bend, turns, _, _, _, errors = cv2.calibrateCameraExtended(
            on_board, seen, size, start, np.zeros(5), flags=flags
        )
    except cv2.error:
        raise CalibrationError(
            "no lens explains these pictures; take new ones, sharp, with the whole board in view"
        ) from None
    k = np.ravel(bend)
    lens = Lens(
        size,
        (float(matrix[0, 0]), float(matrix[1, 1])),
        (float(matrix[0, 2]), float(matrix[1, 2])),
        (float(k[0]), float(k[1]), float(k[2]), float(k[3]), float(k[4])),
        float(rms),
    )
    return _Fit(lens, float(rms), tuple(float(e) for e in np.ravel(errors)), _largest_turn(turns))


def _largest_turn(turns: Sequence[Array]) -> float:
    facing = np.array([cv2.Rodrigues(np.asarray(turn))[0][:, 2] for turn in turns])
    return float(np.degrees(np.arccos(np.clip(facing @ facing.T, -1, 1).min())))


def _cover(sightings: Sequence[BoardSighting], size: tuple[int, int]) -> float:
    """The part of the picture in which corners were seen."""
    corners = np.concatenate([sighting.corners for sighting in sightings]).astype(np.float32)
    return float(cv2.contourArea(cv2.convexHull(corners))) / (size[0] * size[1])


def _by(size: tuple[int, int]) -> str:
    return f"{size[0]} x {size[1]}"
