"""Compares a card cell by cell with enrolled designs, whichever way up it lies and however it is lit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

import numpy as np
from numpy.typing import NDArray

from vision.reading.cells import CELLS, SHIFTS, Cells

Floats = NDArray[np.float32]

CLUES: Final = ("fit", "rest", "tint", "hue", "light colour", "light strength", "upright")
_FAINT: Final = 0.25  # drawings fainter than that are noise
_NEARER: Final = 0.01  # how much better a place one pixel farther away has to fit
_SAME_COLOUR: Final = 0.12  # in logarithms: more is another colour, or something that covers the card
_LIGHT_STEPS: Final = 3
# A cell that fits a design so much worse than it fits another one says no more by fitting still worse.
_WORST_FIT: Final = 0.5
_WORST_HUE: Final = 0.2
_CONTRAST: Final = (0.1, 1.5)  # blur and mirrored light take contrast away, sharpening adds some
_USUAL_REST: Final = 0.3
_USUAL_TINT: Final = 0.05
_LEAST_CHANCE: Final = 0.02


def _farness() -> Floats:
    side = int(np.sqrt(SHIFTS))
    off = np.arange(SHIFTS)
    away = np.hypot(off % side - side // 2, off // side - side // 2)
    return (_NEARER * away).astype(np.float32)


_FARNESS = _farness()


@dataclass(frozen=True, eq=False)
class Comparison:
    """Of one card with d designs, each the way up in which it fits better.

    `clues` (d × CLUES) are sums over the cells: none is above 0 but that of `upright`. A cell that fits no
    design, as one that is hidden, adds about the same to all. `light` (d × 3) is the light under which the
    design would look like the card: its strength and its colour, in logarithms. `turned` is whether the card
    had to be turned upside down for it.
    """

    clues: NDArray[np.float64]
    light: NDArray[np.float64]
    turned: NDArray[np.bool_]


@dataclass(frozen=True, eq=False)
class _Fits:
    """Designs × 2 × CELLS: how well each cell fits, what is left of it, and how its colour is off."""

    fit: Floats
    rest: Floats
    off: Floats


def compare(both_ways: Cells, designs: Cells, upright: float) -> Comparison:
    """The cells of a card and of the same card upside down with those of designs."""
    fits = _fits(both_ways, designs)
    light = _light(fits.off, fits.fit)
    apart = fits.off - light[:, :, None]
    tint = np.hypot(apart[..., 1], apart[..., 2])
    tint = tint - tint.min(axis=(0, 1))
    least = fits.rest.min(axis=(0, 1))
    chance = min(max(upright, _LEAST_CHANCE), 1 - _LEAST_CHANCE)
    stands = np.log(chance / (1 - chance))
    sums = np.stack(
        [
            np.maximum(fits.fit - fits.fit.max(axis=(0, 1)), -_WORST_FIT).sum(axis=-1),
            -np.log1p(2 * (fits.rest - least) / (least + _USUAL_REST)).sum(axis=-1),
            -np.log1p(tint / _USUAL_TINT).sum(axis=-1),
            -np.minimum(tint, _WORST_HUE).sum(axis=-1),
            -np.hypot(light[..., 1], light[..., 2]),
            -np.abs(light[..., 0]),
            np.broadcast_to(np.array([stands, -stands]), light.shape[:2]),
        ],
        axis=-1,
    ).astype(np.float64)
    way = (sums @ _WAY).argmax(axis=1)
    design = np.arange(len(way))
    return Comparison(sums[design, way], light[design, way].astype(np.float64), way == 1)


_WAY: Final = np.array([1.0, 1.0, 0.0, 2.0, 0.0, 0.0, 1.0])  # what tells which way up a card lies


def _fits(both_ways: Cells, designs: Cells) -> _Fits:
    """Each cell at the place nearby where it fits best."""
    count = designs.strength.shape[1]
    known = designs.drawing.reshape(CELLS, count * SHIFTS, -1)
    both = np.matmul(known, both_ways.drawing.transpose(0, 2, 1)).reshape(CELLS, count, SHIFTS, 2)
    both = np.ascontiguousarray(both.transpose(1, 3, 0, 2))
    shown = both_ways.strength.T[None]
    strength = np.ascontiguousarray(designs.strength.transpose(1, 0, 2))[:, None]
    fit = both / np.sqrt(strength + _FAINT) / np.sqrt(shown + _FAINT)[..., None]
    place = (fit - _FARNESS).argmax(axis=-1)
    which, cell = np.arange(count)[:, None, None], np.arange(CELLS)[None, None]
    wanted = designs.strength[cell, which, place]
    shared = np.take_along_axis(both, place[..., None], axis=-1)[..., 0]
    contrast = np.clip(shared / (wanted + _FAINT), *_CONTRAST)
    rest = np.maximum(shown - 2 * contrast * shared + contrast * contrast * wanted, 0)
    off = both_ways.colour.transpose(1, 0, 2)[None] - designs.colour[cell, which, place]
    return _Fits(np.take_along_axis(fit, place[..., None], axis=-1)[..., 0], rest, off)


def _light(off: Floats, fits: Floats) -> Floats:
    """What most cells that fit agree on: cells that are hidden or mirror a lamp have no say."""
    trust = np.clip(fits, 0.05, 1) ** 2
    weight = trust
    light = np.zeros(0, np.float32)
    for _ in range(_LIGHT_STEPS + 1):
        light = np.einsum("dwc,dwck->dwk", weight, off) / weight.sum(axis=2)[..., None]
        apart = off - light[:, :, None]
        far = 0.25 * apart[..., 0] ** 2 + apart[..., 1] ** 2 + apart[..., 2] ** 2
        weight = trust / (1 + far / _SAME_COLOUR**2)
    return np.asarray(light, np.float32)
