"""The plane that the cards of a picture share: all are one rectangle, seen through one lens.

Points on the plane are complex numbers, in halves of the picture's long side where the camera looks straight.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

# What is fitted: two tilts, logarithm of the focal length (in long sides of the picture), how the
# lens bends lines, logarithms of a card's height and of its width by its height. What is usual, and how much.
_USUAL: Final = np.array([0.0, 0.0, -0.1, 0.0, 0.0, -0.385])
_APART: Final = np.array([0.5, 0.5, 0.3, 0.02, 1e3, 0.06])
_FARTHEST_STEP: Final = np.array([0.3, 0.3, 0.3, 0.03, 0.3, 0.1])
_HEIGHT: Final = 4
_A_LITTLE: Final = 1e-4
_STEPS: Final = np.vstack([np.zeros(6), _A_LITTLE * np.eye(6)])
_EXACT: Final = 0.02  # heights of a card by which the corners of sure outlines are off
# Outlines that are off by more than so many card heights say little; at first more is forgiven.
_OFF: Final = (0.08, 0.06, 0.04, 0.03, 0.02, 0.02, 0.02)
_ASKED_AGAIN: Final = (2, 5)  # rounds before which it is asked anew which sides are the short ones
_OTHER_SIZE: Final = 0.15
_MUCH_BETTER: Final = 0.5
_LEAST_DEPTH: Final = 0.05
_CORNERS: Final = np.array([-1 - 1j, 1 - 1j, 1 + 1j, -1 + 1j]) / 2


@dataclass(frozen=True, eq=False)
class CommonPlane:
    """`said` are the fitted numbers, `size` that of the picture."""

    said: Array
    size: tuple[int, int]

    @property
    def height(self) -> float:
        return float(np.exp(self.said[_HEIGHT]))

    @property
    def width(self) -> float:
        return float(np.exp(self.said[_HEIGHT] + self.said[_HEIGHT + 1]))

    @property
    def card(self) -> Array:
        """Corners of a card around its middle."""
        return np.asarray(_CORNERS.real * self.width + 1j * _CORNERS.imag * self.height)

    def flat(self, points: Array) -> Array:
        """Points of the picture (…×2) on the plane."""
        return _flat(self.said, _rays(points, self.size))

    def in_picture(self, places: Array) -> Array:
        """Places on the plane as points of the picture (…×2)."""
        lens = 2 * np.exp(self.said[2])
        (cos_x, cos_y), (sin_x, sin_y) = np.cos(self.said[:2]), np.sin(self.said[:2])
        along, down = places.real / lens, places.imag / lens
        depth = sin_y * along + cos_y
        x, y, depth = cos_y * along - sin_y, cos_x * down + sin_x * depth, cos_x * depth - sin_x * down
        depth = np.maximum(depth, _LEAST_DEPTH)
        x, y = x / depth * lens, y / depth * lens
        bent = 1 - 4 * self.said[3] * (x * x + y * y)
        scale = max(self.size) / (1 + np.sqrt(np.maximum(bent, 0.0)))
        wide, tall = self.size
        return np.stack([x * scale + (wide - 1) / 2, y * scale + (tall - 1) / 2], axis=-1)

    def outlines(self, middle: Array, turn: Array) -> Array:
        """Cards laid somewhere, as they are seen in the picture (N×4×2)."""
        return self.in_picture(middle[:, None] + turn[:, None] * self.card)

    def laid(self, quads: Array, trust: Array) -> tuple[Array, Array, Array]:
        """Cards laid upon outlines (N×4×2): how far off these are (in heights), middles and turns."""
        off, middle, turn = _laid(self.said, _rays(quads, self.size), trust)
        return _mean_off(off, trust), middle, turn


def agreed_plane(
    quads: Array, worth: Array, trust: Array, size: tuple[int, int]
) -> tuple[CommonPlane, NDArray[np.bool_]]:
    """The plane in which most of the worth of the outlines (N×4×2) are cards of one size.

    `trust` (N×4) is how much the corners say. Also: which outlines begin with what is a long side on the
    plane though it is a short one in the picture.
    """
    rays, turned = _rays(quads, size), np.zeros(len(quads), np.bool_)
    said = _USUAL.copy()
    weight = _start(said, rays, worth, trust)
    for i, forgiven in enumerate(_OFF):
        if i in _ASKED_AGAIN:
            lies_across = _lies_across(said, rays, trust)
            turned ^= lies_across
            rays = np.where(lies_across[:, None], np.roll(rays, 1, axis=1), rays)
            trust = np.where(lies_across[:, None], np.roll(trust, 1, axis=1), trust)
        off, _, _ = _laid(said + _STEPS[:, None], rays, trust)
        if i:
            weight = worth / (1 + (_mean_off(off[0], trust) / forgiven) ** 2) ** 2
        said = said + _step(said, off, np.sqrt(weight[:, None] * trust) / _EXACT)
    return CommonPlane(said, size), turned


def _lies_across(said: Array, rays: Array, trust: Array) -> NDArray[np.bool_]:
    """Which outlines fit much better if what was taken for a short side is a long one."""
    other = np.roll(rays, 1, axis=1), np.roll(trust, 1, axis=1)
    now, then = (_mean_off(_laid(said, *each)[0], each[1]) for each in ((rays, trust), other))
    return np.asarray(then**2 < _MUCH_BETTER * now**2)


def _start(said: Array, rays: Array, worth: Array, trust: Array) -> Array:
    """Sets the height to what the middle one of the outlines has; how much each of them counts at first."""
    flat = _flat(said, rays)
    areas = np.abs(((flat[:, 2] - flat[:, 0]) * (flat[:, 3] - flat[:, 1]).conj()).imag) / 2
    sizes = (np.log(np.maximum(areas, 1e-12)) - said[_HEIGHT + 1]) / 2
    order = np.argsort(sizes)
    upto = np.cumsum((worth * trust.mean(axis=1))[order])
    said[_HEIGHT] = sizes[order][np.searchsorted(upto, upto[-1] / 2)]
    return np.asarray(worth / (1 + ((sizes - said[_HEIGHT]) / _OTHER_SIZE) ** 2))


def _step(said: Array, off: Array, weight: Array) -> Array:
    """One step of Gauss and Newton; `off` is of the corners now, and after a little of each number."""
    seen = (off * weight).reshape(len(off), -1)
    both = np.hstack([seen.real, seen.imag])
    slopes = (both[1:] - both[0]) / _A_LITTLE
    square = slopes @ slopes.T + np.diag(_APART**-2)
    step = np.linalg.solve(square, -(slopes @ both[0]) - (said - _USUAL) / _APART**2)
    return np.asarray(np.clip(step, -_FARTHEST_STEP, _FARTHEST_STEP))


def _rays(points: Array, size: tuple[int, int]) -> Array:
    wide, tall = size
    centred = (points[..., 0] - (wide - 1) / 2) + 1j * (points[..., 1] - (tall - 1) / 2)
    return np.asarray(centred / (max(size) / 2))


def _flat(said: Array, rays: Array) -> Array:
    """Rays on the plane, by one row of numbers or by each of several (…×1×6)."""
    tilts, lens, bend = said[..., :2, None], 2 * np.exp(said[..., 2, None]), said[..., 3, None]
    seen = rays / ((1 + bend * (rays.real**2 + rays.imag**2)) * lens)
    cos, sin = np.cos(tilts), np.sin(tilts)
    down = cos[..., 0, :] * seen.imag - sin[..., 0, :]
    depth = sin[..., 0, :] * seen.imag + cos[..., 0, :]
    along = cos[..., 1, :] * seen.real + sin[..., 1, :] * depth
    depth = np.maximum(cos[..., 1, :] * depth - sin[..., 1, :] * seen.real, _LEAST_DEPTH)
    return np.asarray((along + 1j * down) * (lens / depth))


def _laid(said: Array, rays: Array, trust: Array) -> tuple[Array, Array, Array]:
    """How far corners are from those of a card laid upon them, as seen from it; its middle and its turn."""
    flat = _flat(said, rays)
    height = np.exp(said[..., _HEIGHT, None])
    card = _CORNERS.imag * 1j * height + _CORNERS.real * height * np.exp(said[..., _HEIGHT + 1, None])
    share = trust / trust.sum(axis=1, keepdims=True)
    middle, own = (flat * share).sum(axis=-1), (card * share).sum(axis=-1)
    flat, card = flat - middle[..., None], card - own[..., None]
    turn = (flat * card.conj() * share).sum(axis=-1)
    turn = turn / np.maximum(np.abs(turn), 1e-12)
    off = (flat * turn.conj()[..., None] - card) / height
    return off, middle - turn * own, turn


def _mean_off(off: Array, trust: Array) -> Array:
    return np.asarray(np.sqrt((np.abs(off) ** 2 * trust).sum(axis=1) / trust.sum(axis=1)))
