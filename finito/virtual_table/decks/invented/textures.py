"""Textures over a whole card, as masks: stripes, rays, lattices, tiled motifs, marbling, guilloche."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache
from random import Random
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from finito.virtual_table.decks.deck import PX_PER_MM, Picture
from finito.virtual_table.decks.invented.brush import fill, moved
from finito.virtual_table.decks.invented.motifs import Motif

Floats = NDArray[np.float32]
_TWO_PI = 2 * np.pi


@dataclass(frozen=True)
class Texture:
    kind: str
    angle: float
    period_mm: float
    duty: float
    twist: float
    seed: int

    @classmethod
    def random(cls, rng: Random, kinds: tuple[str, ...] = ()) -> Texture:
        angle = rng.choice((0.0, 45.0, 90.0, 135.0, rng.uniform(0, 180)))
        period = rng.uniform(1.2, 4.0) if rng.random() < 0.4 else rng.uniform(3.0, 14.0)
        kind = rng.choice(kinds or tuple(_MASKS))
        return cls(kind, angle, period, rng.uniform(0.3, 0.7), rng.uniform(0, 1), rng.randrange(1 << 30))


@lru_cache(maxsize=64)
def texture_mask(texture: Texture, size: tuple[int, int]) -> Picture:
    mask = _MASKS[texture.kind](texture, size)
    mask.flags.writeable = False
    return mask


@lru_cache(maxsize=8)
def _grid(size: tuple[int, int]) -> tuple[Floats, Floats]:
    x = (np.arange(size[0], dtype=np.float32) - size[0] / 2) / PX_PER_MM
    y = (np.arange(size[1], dtype=np.float32) - size[1] / 2) / PX_PER_MM
    across, down = np.meshgrid(x, y)
    return across.astype(np.float32), down.astype(np.float32)


def _turned(texture: Texture, size: tuple[int, int]) -> tuple[Floats, Floats]:
    x, y = _grid(size)
    cos, sin = np.float32(np.cos(np.radians(texture.angle))), np.float32(np.sin(np.radians(texture.angle)))
    return x * cos + y * sin, y * cos - x * sin


def _mask(cover: NDArray[Any]) -> Picture:
    return np.asarray(cv2.convertScaleAbs(cover, alpha=255), np.uint8)


def _bars(phase: NDArray[Any], duty: float, sharp: float = 6.0) -> Picture:
    """Soft-edged bars where the wave (in turns) is high; `duty` is their share."""
    wave = np.cos(phase * np.float32(_TWO_PI)) + np.float32(2 * duty - 1)
    return _mask(np.clip(wave * np.float32(sharp) + np.float32(0.5), 0, 1))


def _stripes(texture: Texture, size: tuple[int, int]) -> Picture:
    along, _ = _turned(texture, size)
    return _bars(along / np.float32(texture.period_mm), texture.duty)


def _lattice(texture: Texture, size: tuple[int, int]) -> Picture:
    along, across = _turned(texture, size)
    thin = 0.12 + 0.3 * texture.twist
    period = np.float32(texture.period_mm)
    return np.maximum(_bars(along / period, thin), _bars(across / period, thin))


def _checker(texture: Texture, size: tuple[int, int]) -> Picture:
    along, across = _turned(texture, size)
    period = np.float32(texture.period_mm)
    wave = np.sin(along / period * np.float32(np.pi)) * np.sin(across / period * np.float32(np.pi))
    return _mask(np.clip(wave * 8 + np.float32(0.5), 0, 1))


def _dots(texture: Texture, size: tuple[int, int]) -> Picture:
    along, across = _turned(texture, size)
    turn = np.float32(_TWO_PI / texture.period_mm)
    wave = np.cos(along * turn) + np.cos(across * turn) - np.float32(1.6 - 2.2 * texture.duty)
    return _mask(np.clip(wave * 4 + np.float32(0.5), 0, 1))


def _waves(texture: Texture, size: tuple[int, int]) -> Picture:
    along, across = _turned(texture, size)
    bend = np.sin(across * np.float32(0.25 + 0.6 * texture.twist)) * np.float32(0.2 + 0.5 * texture.twist)
    return _bars(along / np.float32(texture.period_mm) + bend, texture.duty)


def _rays(texture: Texture, size: tuple[int, int]) -> Picture:
    x, y = _grid(size)
    count = 8 + round(40 * texture.twist)
    return _bars(np.arctan2(y, x) / np.float32(_TWO_PI) * count, texture.duty)


def _rings(texture: Texture, size: tuple[int, int]) -> Picture:
    x, y = _grid(size)
    return _bars(
        np.hypot(x, y * np.float32(0.5 + texture.twist / 2)) / np.float32(texture.period_mm), texture.duty
    )


def _guilloche(texture: Texture, size: tuple[int, int]) -> Picture:
    """The fine interwoven lines of banknotes and old card backs."""
    x, y = _grid(size)
    radius = np.hypot(x, y)
    petals = 4 + round(8 * texture.twist)
    angle = np.arctan2(y, x) * petals
    period = np.float32(max(2.0, texture.period_mm / 2))
    swing = np.sin(angle) * np.float32(0.6)
    return np.maximum(_bars(radius / period + swing, 0.22), _bars(radius / period - swing, 0.22))


def _marble(texture: Texture, size: tuple[int, int]) -> Picture:
    """Blotches without edges: clouds, photographs seen from afar."""
    noise = np.random.default_rng(texture.seed)
    small = noise.random((3 + round(14 * texture.twist), 3 + round(10 * texture.twist)), np.float32)
    cloud = cv2.resize(small, size, interpolation=cv2.INTER_CUBIC)
    return _mask(np.clip((cloud - 0.5) * 2.2 + 0.5, 0, 1))


def _scales(texture: Texture, size: tuple[int, int]) -> Picture:
    along, across = _turned(texture, size)
    period = np.float32(texture.period_mm)
    row = np.floor(across / period)
    inside = np.abs(((along / period + row / 2) % 1) - np.float32(0.5)) * 2
    height = across / period - row
    return _bars(np.hypot(inside, height), 0.3 + 0.3 * texture.duty)


_MASKS: dict[str, Callable[[Texture, tuple[int, int]], Picture]] = {
    "stripes": _stripes,
    "lattice": _lattice,
    "checker": _checker,
    "dots": _dots,
    "waves": _waves,
    "rays": _rays,
    "rings": _rings,
    "guilloche": _guilloche,
    "marble": _marble,
    "scales": _scales,
}


@dataclass(frozen=True)
class Tiling:
    """A motif repeated over the card."""

    step_mm: float
    motif_mm: float
    brick: bool
    angle: float
    spin: float
    seed: int

    @classmethod
    def random(cls, rng: Random) -> Tiling:
        motif = rng.uniform(4.0, 15.0)
        step = motif * rng.uniform(0.95, 1.7)
        angle = rng.choice((0.0, 0.0, 45.0, rng.uniform(0, 90)))
        return cls(
            step, motif, rng.random() < 0.6, angle, rng.choice((0.0, 180.0, 37.0)), rng.randrange(1 << 30)
        )


def paint_tiling(
    picture: Picture, tiling: Tiling, motif: Motif, inks: tuple[tuple[int, int, int], ...]
) -> None:
    """Draws one cell and repeats it; the inks are by the motif's roles."""
    step = max(8, round(tiling.step_mm * PX_PER_MM))
    rows = 2 if tiling.brick else 1
    cell = np.empty((step * rows, step, 3), np.uint8)
    cell[:] = inks[2]
    scale = tiling.motif_mm * PX_PER_MM
    for row in range(rows):
        for column in (-1, 0, 1):
            for wrap in (-rows, 0, rows):
                at = (step * (column + 0.5 + 0.5 * row), step * (row + wrap + 0.5))
                for part in motif:
                    fill(cell, moved(part.points, at, scale, tiling.spin * row), inks[part.role])
    height, width = picture.shape[:2]
    if tiling.angle:
        cos, sin = np.cos(np.radians(tiling.angle)), np.sin(np.radians(tiling.angle))
        affine = np.array([[cos, -sin, width / 2], [sin, cos, height / 2]])
        cv2.warpAffine(cell, affine, (width, height), picture, cv2.INTER_LINEAR, cv2.BORDER_WRAP)
        return
    shift = tiling.seed % step
    tiled = np.tile(cell, (height // cell.shape[0] + 2, width // step + 2, 1))
    picture[:] = tiled[shift : shift + height, shift : shift + width]
