"""The table's plane from the cards on it: all of one known shape and one size, seen by a usual camera."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

Array: TypeAlias = NDArray[Any]

_USUAL_LENS: Final = -0.1  # logarithm of the focal length in long sides of the picture
_LENSES_APART: Final = 0.25
# How far a fit may go for the cards' sake: tilts in radians and the lens, in heights of a card.
_HOLD_TILT, _HOLD_LENS = 0.05, 0.03
# Outlines that are off by more than so many card heights say little; at first more is forgiven.
_OFF: Final = (0.08, 0.04, 0.02, 0.02, 0.02, 0.02)
_OTHER_SIZE: Final = 0.1
_FAR_MORE: Final = 1.5


@dataclass(frozen=True, eq=False)
class TablePlane:
    """`matrix` makes a picture flat; a card is `height` high in it."""

    matrix: Array
    height: float


def moved_by(matrix: Array, points: Array) -> Array:
    """Points (…×2) under a homography."""
    flat = np.asarray(points, np.float64).reshape(-1, 1, 2)
    return np.asarray(cv2.perspectiveTransform(flat, matrix)).reshape(np.shape(points))


def plane_of(quads: Sequence[Array], worth: Array, aspect: float, size: tuple[int, int]) -> TablePlane:
    """The plane in which most of the worth of the outlines (from a short side each) are cards of one size.

    `aspect` is the width of a card by its height, `size` that of the picture.
    """
    corners = np.stack(quads).astype(np.float64)
    start = moved_by(_flattening((0.0, 0.0, _USUAL_LENS), size), corners)
    sizes = np.log([max(1e-6, np.sqrt(abs(cv2.contourArea(q.astype(np.float32))) / aspect)) for q in start])
    usual = _weighed_median(sizes, worth)
    given = np.array([0.0, 0.0, _USUAL_LENS, usual])
    weight = worth / (1 + ((sizes - usual) / _OTHER_SIZE) ** 2)

    def residuals(said: Array) -> Array:
        off = rigid_misfit(moved_by(_flattening(said[:3], size), corners), aspect, float(np.exp(said[3])))[0]
        off = off / np.exp(said[3]) * np.sqrt(weight)[:, None]
        held = [
            _HOLD_TILT * said[0],
            _HOLD_TILT * said[1],
            _HOLD_LENS * (said[2] - _USUAL_LENS) / _LENSES_APART,
        ]
        return np.concatenate([off.real.ravel(), off.imag.ravel(), held])

    for forgiven in _OFF:
        given = least_squares(residuals, given).x
        height = float(np.exp(given[3]))
        off, _, _ = rigid_misfit(moved_by(_flattening(given[:3], size), corners), aspect, height)
        far = np.sqrt((np.abs(off) ** 2).mean(axis=1)) / height
        weight = worth / (1 + (far / forgiven) ** 2) ** 2
    return TablePlane(_flattening(given[:3], size), float(np.exp(given[3])))


def agreed(
    quads: Sequence[Array], worth: Array, more: Sequence[Array], aspect: float, size: tuple[int, int]
) -> tuple[list[Array], Array]:
    """The outlines to tell the plane by: with `more` of another origin, if far more of all agree then."""
    if not more:
        return list(quads), worth
    both, weight = [*quads, *more], np.append(worth, np.ones(len(more)))

    def agreement(own: Sequence[Array], own_worth: Array) -> float:
        plane = plane_of(own, own_worth, aspect, size)
        off, _, _ = rigid_misfit(moved_by(plane.matrix, np.stack(both)), aspect, plane.height)
        far = np.sqrt((np.abs(off) ** 2).mean(axis=1)) / plane.height
        return float((weight / (1 + (far / _OFF[-1]) ** 2) ** 2).sum())

    better = agreement(both, weight) > _FAR_MORE * agreement(quads, worth)
    return (both, weight) if better else (list(quads), worth)


def rigid_misfit(quads: Array, aspect: float, height: float) -> tuple[Array, Array, Array]:
    """How far corners (N×4×2) are from those of a card laid upon them (complex), its middle and its angle."""
    wide, tall = aspect * height / 2, height / 2
    card = np.array([-wide - 1j * tall, wide - 1j * tall, wide + 1j * tall, -wide + 1j * tall])
    seen = quads[..., 0] + 1j * quads[..., 1]
    middle = seen.mean(axis=1)
    turn = ((seen - middle[:, None]) * card.conj()).sum(axis=1)
    turn = turn / np.maximum(np.abs(turn), 1e-12)
    return seen - middle[:, None] - turn[:, None] * card, middle, np.angle(turn)


def _flattening(said: Sequence[float] | Array, size: tuple[int, int]) -> Array:
    """Turns a camera, tilted by two angles and with a lens of some focal length, to look straight down."""
    lens = max(size) * float(np.exp(said[2]))
    rays = np.array([[1 / lens, 0, -size[0] / 2 / lens], [0, 1 / lens, -size[1] / 2 / lens], [0, 0, 1]])
    turned, _ = cv2.Rodrigues(np.array([said[0], said[1], 0.0]))
    return np.asarray(turned @ rays)


def _weighed_median(values: Array, worth: Array) -> float:
    order = np.argsort(values)
    upto = np.cumsum(worth[order])
    return float(values[order][np.searchsorted(upto, upto[-1] / 2)])
