"""Moves a card of known size to where its own edges are.

Cards that lie side by side, or upon others of which a little shows, are found too wide: up to the neighbour's
edge, or around all that peeps out below. A card of the right size has edges on all four of its sides in one
place only.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.reading.crops import Quad

Array: TypeAlias = NDArray[Any]

_POINTS: Final = 12  # on each side
_INSET: Final = 0.14  # of a side at either end: corners are round
_BESIDE: Final = 1.3  # pixels within and without that are compared
_PLAIN_EDGE: Final = 60.0  # grey levels from which on an edge is as plain as any
_EDGE: Final = 15.0  # grey levels that are an edge on the faintest side
_REST: Final = 0.15  # how much the mean of all sides counts beside it
_FAINT: Final = 5.0  # a side on which less differs shows no edge
_ANGLES: Final = (-6.0, -3.0, 0.0, 3.0, 6.0)  # degrees
_STEP: Final = 2.0  # pixels
_LEAST_REACH: Final = 2.0
_FINER: Final = ((-1.5, 0.0, 1.5), (-1.0, 0.0, 1.0))  # degrees, and pixels along both sides


def moved_to_edges(picture: Picture, card: Quad, reach: tuple[float, float]) -> Quad | None:
    """The card moved by so many pixels at most along its first and its second side; None where it has no
    edges on all sides."""
    across, down = (max(_LEAST_REACH, part) for part in reach)
    steps = [_steps(across), _steps(down)]
    best, _ = _likeliest(picture, card, _ANGLES, steps[0], steps[1])
    best, sides = _likeliest(picture, best, _FINER[0], _FINER[1], _FINER[1])
    return best if sides.min() >= _FAINT else None


def _steps(reach: float) -> tuple[float, ...]:
    count = int(np.ceil(reach / _STEP))
    return tuple(float(step) for step in np.linspace(-reach, reach, 2 * count + 1))


def _likeliest(
    picture: Picture,
    card: Quad,
    angles: tuple[float, ...],
    across: tuple[float, ...],
    down: tuple[float, ...],
) -> tuple[Quad, Array]:
    """Of all these turns and shifts that with the strongest edges, and how strong they are on each side."""
    corners = np.asarray(card, np.float64)
    middle = corners.mean(axis=0)
    first, second = (_unit(corners[i] - corners[0]) for i in (1, 3))
    shifts = np.array([du * first + dv * second for du in across for dv in down])
    turns = np.array([_turn(angle) for angle in angles])
    points, out = _on_sides(corners - middle)
    places = np.einsum("aij,pj->api", turns, points)[:, None] + shifts[None, :, None] + middle
    beside = _BESIDE * np.einsum("aij,pj->api", turns, out)[:, None]
    sides = _edges(picture, places, beside).reshape(len(turns), len(shifts), 4, _POINTS).mean(axis=3)
    # A frame drawn on the card is stronger than its rim, but no card has it on all of its sides.
    worth = np.minimum(sides.min(axis=2), _EDGE) + _REST * sides.mean(axis=2)
    turn, shift = np.unravel_index(int(worth.argmax()), sides.shape[:2])
    best = (corners - middle) @ turns[turn].T + middle + shifts[shift]
    return np.asarray(best, np.float32), sides[turn, shift]


def _edges(picture: Picture, places: Array, beside: Array) -> Array:
    """How much a picture differs from one side of places to the other."""
    both = np.stack([places + beside, places - beside]).astype(np.float32)
    low, high = np.floor(both.min(axis=(0, 1, 2, 3))), np.ceil(both.max(axis=(0, 1, 2, 3)))
    x, y = (max(0, int(edge)) for edge in low)
    part = picture[y : max(y + 1, int(high[1]) + 1), x : max(x + 1, int(high[0]) + 1)]
    flat = (both - np.array([x, y], np.float32)).reshape(2, -1, 4 * _POINTS, 2)
    x_of, y_of = np.ascontiguousarray(flat[..., 0]), np.ascontiguousarray(flat[..., 1])
    seen = [
        cv2.remap(part, x_of[side], y_of[side], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for side in (0, 1)
    ]
    apart = np.asarray(cv2.absdiff(seen[0], seen[1]))
    return np.asarray(np.minimum(apart.max(axis=2), _PLAIN_EDGE), np.float32)


def _on_sides(corners: Array) -> tuple[Array, Array]:
    """Points along the four sides around the middle, and the way out of the card at each."""
    share = np.linspace(_INSET, 1 - _INSET, _POINTS)[None, :, None]
    ahead = np.roll(corners, -1, axis=0)
    points = corners[:, None] * (1 - share) + ahead[:, None] * share
    out = np.array([_unit(side) for side in (corners + ahead) / 2])
    return points.reshape(-1, 2), np.repeat(out, _POINTS, axis=0)


def _unit(way: Array) -> Array:
    return np.asarray(way / max(1e-6, float(np.linalg.norm(way))))


def _turn(degrees: float) -> Array:
    angle = np.radians(degrees)
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
