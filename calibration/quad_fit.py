"""One table plane from things of known size that lie anywhere on it, each turned as it likes.

Neither the places of the things nor the camera are known. A homography is right when it maps every quad
to its true shape: so each mapped quad is laid over that shape as well as it can be, and what is left over
is made small for all quads together.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import least_squares

from calibration.lens import Lens, nominal_lens

Array: TypeAlias = NDArray[Any]

_TILTS: Final = (0.0, 12.0, 24.0, 36.0, 48.0, 60.0)  # degrees
_ZOOMS: Final = (0.7, 1.0, 1.6, 2.6)  # focal length in picture widths
_HEADINGS: Final = 12
_USUAL_BEND: Final = 0.08  # spread of k1 among lenses, for a focal length of one picture width
_STARTS: Final = 2
_TRIALS: Final = 4
_HOLD: Final = 1e-3  # keeps the plane from sliding and turning, which changes no shape


@dataclass(frozen=True, eq=False)
class QuadFit:
    """Homography from pinhole pixels to mm, the lens in use, and each quad's leftover in pixels (N x 4)."""

    to_mm: Array
    lens: Lens
    leftover: Array
    shapes: Array


def rectangle_mm(width: float, height: float) -> Array:
    """Corners of a shape around its middle, clockwise from its top left (y down)."""
    return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (np.array([width, height]) / 2)


def mapped(homography: Array, points: Array) -> Array:
    """Points (... x 2) through a homography."""
    flat = np.asarray(points, np.float64)
    lifted = flat @ homography[:, :2].T + homography[:, 2]
    return np.asarray(lifted[..., :2] / lifted[..., 2:])


def laid_over(quads: Array, shapes: Array) -> Array:
    """Each shape (N x 4 x 2) moved and turned onto its quad as well as it can be."""
    middle = quads.mean(axis=1, keepdims=True)
    q = (quads - middle) @ np.array([1, 1j])
    s = shapes @ np.array([1, 1j])
    turn = (q * s.conj()).sum(axis=1)
    turn /= np.maximum(np.abs(turn), 1e-12)
    placed = s * turn[:, None]
    return np.asarray(np.stack([placed.real, placed.imag], axis=-1) + middle)


def fit_quads(
    quads: Array, shape: Array, size: tuple[int, int], lens: Lens | None, noise: float
) -> QuadFit | None:
    """The plane for quads in pixels (N x 4 x 2) that all have one true shape (4 x 2, mm).

    Without a lens its main bend is found along with the plane. A quad may start at any corner. `noise` is
    the usual error of a corner in pixels: what deviates more counts less. None if no camera sees them so.
    """
    known = lens or nominal_lens(size)
    straight = known.straight(quads.reshape(-1, 2)).reshape(quads.shape)
    best: tuple[float, Array, float, Array] | None = None
    for start, shapes in _starts(straight, shape, size):
        cost, homography, k1 = _refined(start, quads, shapes, size, lens, noise)
        if best is None or cost < best[0]:
            best = (cost, homography, k1, shapes)
    if best is None:
        return None
    _, homography, k1, shapes = best
    used = lens or nominal_lens(size, k1)
    straight = used.straight(quads.reshape(-1, 2)).reshape(quads.shape)
    on_table = mapped(homography, straight)
    back = mapped(np.linalg.inv(homography), laid_over(on_table, shapes))
    leftover = np.linalg.norm(back - straight, axis=-1)
    return QuadFit(homography, used, leftover, shapes)


def doubt_mm(fit: QuadFit, quads: Array, size: tuple[int, int], lens: Lens | None, noise: float) -> float:
    """How far (RMS) the plane would put the quads elsewhere had their corners been seen a little otherwise.

    What is left over after the fit says less: the fit follows the errors of the corners.
    """
    rng = np.random.default_rng(0)
    here = mapped(fit.to_mm, fit.lens.straight(quads.reshape(-1, 2)))
    ways = []
    for _ in range(_TRIALS):
        shaken = quads + rng.normal(0.0, noise, quads.shape)
        _, homography, k1 = _refined(fit.to_mm, shaken, fit.shapes, size, lens, noise)
        used = lens or nominal_lens(size, k1)
        there = mapped(homography, used.straight(quads.reshape(-1, 2)))
        ways.append(there - laid_over(there[None], (here - here.mean(axis=0))[None])[0])
    return float(np.sqrt(np.mean(np.square(ways)) * 2))


def _starts(quads: Array, shape: Array, size: tuple[int, int]) -> list[tuple[Array, Array]]:
    """The likeliest among many cameras: looking straight down or tilted any way, through any lens."""
    candidates = []
    for zoom in _ZOOMS:
        for tilt in _TILTS:
            for heading in range(_HEADINGS if tilt else 1):
                looking = _looking(size, zoom * size[0], tilt, 360.0 * heading / _HEADINGS)
                scored = _scaled(looking, quads, shape)
                if scored is not None:
                    candidates.append(scored)
    candidates.sort(key=lambda scored: scored[0])
    return [(homography, shapes) for _, homography, shapes in candidates[:_STARTS]]


def _looking(size: tuple[int, int], focal: float, tilt: float, heading: float) -> Array:
    """Homography to a plane at distance 1 seen with that tilt towards that heading."""
    a, b = np.radians(tilt), np.radians(heading)
    turn = np.array([[np.cos(b), np.sin(b), 0], [-np.sin(b), np.cos(b), 0], [0, 0, 1]])
    lean = np.array([[1, 0, 0], [0, np.cos(a), -np.sin(a)], [0, np.sin(a), np.cos(a)]])
    rotation = turn.T @ lean @ turn
    to_ray = np.array(
        [[1 / focal, 0, -(size[0] - 1) / 2 / focal], [0, 1 / focal, -(size[1] - 1) / 2 / focal], [0, 0, 1]]
    )
    return np.asarray(rotation @ to_ray)


def _scaled(homography: Array, quads: Array, shape: Array) -> tuple[float, Array, Array] | None:
    """How badly the quads fit, the homography scaled to millimetres, and each quad's shape, which may start
    at the next corner; None if the horizon is in view."""
    depth = quads.reshape(-1, 2) @ homography[2, :2] + homography[2, 2]
    if depth.min() <= 1e-3 * max(depth.max(), 1e-9):
        return None
    on_plane = mapped(homography, quads)
    wide = np.linalg.norm(on_plane - on_plane.mean(axis=1, keepdims=True), axis=(1, 2))
    true = float(np.linalg.norm(shape))
    scale = float(np.median(true / np.maximum(wide, 1e-12)))
    homography = np.diag([scale, scale, 1.0]) @ homography
    on_table = on_plane * scale
    ways = [np.repeat(np.roll(shape, by, axis=0)[None], len(quads), axis=0) for by in (0, 1)]
    off = [np.linalg.norm(on_table - laid_over(on_table, way), axis=-1).mean(axis=1) / true for way in ways]
    shapes = np.where((off[1] < off[0])[:, None, None], ways[1], ways[0])
    return float(np.minimum(np.minimum(*off), 0.3).mean()), homography, shapes


def _refined(
    start: Array, quads: Array, shapes: Array, size: tuple[int, int], lens: Lens | None, noise: float
) -> tuple[float, Array, float]:
    # Parameters are changes of the start in a picture scaled to about 1, so that all are of like size.
    whole = np.diag([1.0 / size[0], 1.0 / size[0], 1.0])
    whole[:2, 2] = -0.5, -0.5 * size[1] / size[0]
    base = start @ np.linalg.inv(whole)
    base /= base[2, 2]
    spread = np.abs(base).max()
    scale = np.array([spread] * 6 + [1.0, 1.0])
    bend = lens is None
    fixed = None if bend else (lens or nominal_lens(size)).straight(quads.reshape(-1, 2)).reshape(quads.shape)

    def unpacked(change: Array) -> tuple[Array, float]:
        homography = base + np.append(change[:8] * scale, 0.0).reshape(3, 3)
        return homography @ whole, float(change[8]) * _USUAL_BEND if bend else 0.0

    def straightened(k1: float) -> Array:
        if fixed is not None:
            return fixed
        return nominal_lens(size, k1).straight(quads.reshape(-1, 2)).reshape(quads.shape)

    def residuals(change: Array) -> Array:
        homography, k1 = unpacked(change)
        straight = straightened(k1)
        on_table = mapped(homography, straight)
        off = (on_table - laid_over(on_table, shapes)) / _mm_per_pixel(homography, straight) / noise
        return np.concatenate([off.ravel(), change[:8] * _HOLD, change[8:]])

    result = least_squares(
        residuals,
        np.zeros(9 if bend else 8),
        loss="soft_l1",
        x_scale="jac",
        max_nfev=60,
        ftol=1e-5,
        xtol=1e-6,
    )
    homography, k1 = unpacked(result.x)
    return float(result.cost), homography, k1


def _mm_per_pixel(homography: Array, points: Array) -> Array:
    """The scale of the plane at each quad's middle (N x 1 x 1)."""
    middle = points.mean(axis=1)
    depth = middle @ homography[2, :2] + homography[2, 2]
    area = np.abs(np.linalg.det(homography) / depth**3)
    return np.asarray(np.sqrt(area)[:, None, None])
