"""Table tops and floors without end: a kind and a seed give a texture that repeats without a seam."""

import math
from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np

from finito.virtual_table.camera import Array, View
from finito.virtual_table.resample import look_up
from finito.virtual_table.scene import Surface
from finito.virtual_table.surface_patterns import PATTERNS

KINDS = tuple(sorted(PATTERNS))
_FLOOR_DEPTH = -720.0


@lru_cache(maxsize=24)
def texture(kind: str, seed: int, grain: float) -> tuple[Array, ...]:
    """The texture of a surface, at `grain` pixels per mm and then halved again and again.

    BGRA, since OpenCV looks up four channels in half the time of three.
    """
    draw: Callable[[np.random.Generator, float], Array] = PATTERNS[kind]
    drawn = draw(np.random.default_rng([seed, KINDS.index(kind)]), grain)
    levels = [cv2.cvtColor(drawn, cv2.COLOR_BGR2BGRA)]
    while levels[-1].shape[0] > 32:
        levels.append(cv2.resize(levels[-1], None, fx=0.5, fy=0.5, interpolation=cv2.INTER_AREA))
    return tuple(levels)


def surface_picture(view: View, surface: Surface, floor: Surface) -> Array:
    """The empty table (BGR), with the floor beyond its edge where the surface has one."""
    top = _look(view, surface, 0.0)
    if surface.size is None:
        return top
    inside = _inside(view, surface, 0.0)
    if inside.min() >= 1:
        return top
    edge = _inside(view, surface, -28.0)
    ground = _look(view, floor, _FLOOR_DEPTH).astype(np.float32)
    side = np.asarray(top.mean(axis=(0, 1)) * 0.55, np.float32)
    dark = _inside(view, surface, -260.0, 120.0)[:, :, None]
    ground *= 0.75 - 0.4 * dark
    ground += (side - ground) * edge[:, :, None]
    ground += (top - ground) * inside[:, :, None]
    return ground.astype(np.uint8)


def _at_height(view: View, height: float) -> Array:
    """The points each pixel looks at on a plane above or below the table."""
    if height == 0:
        return view.grid
    shrink = 1 - height / view.centre[2]
    move = np.array([[shrink, 0, view.centre[0] * (1 - shrink)], [0, shrink, view.centre[1] * (1 - shrink)]])
    return cv2.transform(view.grid, move)


def _look(view: View, surface: Surface, height: float) -> Array:
    levels = texture(surface.kind, surface.seed, surface.grain)
    scale = view.pixels_per_mm / (1 - height / view.centre[2])
    step = min(len(levels) - 1, max(0, int(math.log2(max(1.0, surface.grain / scale)) + 0.4)))
    level = levels[step]
    density = surface.grain / 2**step
    side = level.shape[0]
    cos, sin = (f(math.radians(surface.angle)) * density / side for f in (math.cos, math.sin))
    where = cv2.transform(_at_height(view, height), np.array([[cos, sin, 0.5], [-sin, cos, 0.5]]))
    # Brought back into the tile: OpenCV is slow, and ends at sixteen bits, beyond it.
    where -= np.floor(where)
    where *= side
    seen = cv2.cvtColor(look_up(level, where, repeat=True), cv2.COLOR_BGRA2BGR)
    if surface.tint == (1.0, 1.0, 1.0) and surface.saturation == 1.0:
        return seen
    return cv2.transform(seen, saturation_matrix(surface.saturation) * np.array(surface.tint)[:, None])


def saturation_matrix(amount: float) -> Array:
    """The 3×3 matrix that makes BGR colours stronger (above 1) or greyer (below 1)."""
    grey = np.tile(np.array([0.114, 0.587, 0.299]), (3, 1))
    return np.asarray(grey + (np.eye(3) - grey) * amount)


def _inside(view: View, surface: Surface, height: float, soft: float = 0.0) -> Array:
    """1 where a pixel looks at the table top (or at its outline at another height), 0 outside, softly."""
    if surface.size is None:
        raise ValueError("a surface without size has no edge")
    points = _at_height(view, height)
    half = np.array(surface.size, np.float32) / 2
    if surface.round:
        away = (1 - np.sqrt(((points / half) ** 2).sum(axis=2))) * float(half.min())
    else:
        gap = half - np.abs(points)
        away = cv2.min(gap[:, :, 0], gap[:, :, 1])
    sharp = 1 / max(soft, 1 / view.pixels_per_mm)
    return np.asarray(np.clip(away * sharp + 0.5, 0, 1))
