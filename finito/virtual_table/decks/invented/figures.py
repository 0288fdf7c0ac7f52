"""Figures on a face: a number in some lettering, slanted, stretched, outlined, with a shadow."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from random import Random

import cv2
import numpy as np

from finito.virtual_table.decks.deck import Picture
from finito.virtual_table.decks.invented.brush import disc_kernel, stamp
from finito.virtual_table.decks.invented.fonts import GLYPH_PX, families, glyph
from finito.virtual_table.decks.invented.handwriting import Pen, written
from finito.virtual_table.decks.invented.inks import Colour


@dataclass(frozen=True)
class Lettering:
    """Where the shapes of the letters come from."""

    font: Path | None
    pen: Pen | None
    slant: float
    stretch: float

    def mask(self, text: str) -> Picture:
        if self.pen is not None and text.isdigit():
            return written(self.pen, text)
        return glyph(self.font, text)


@dataclass(frozen=True)
class Look:
    """How a figure is inked."""

    fill: Colour
    outline: Colour | None = None
    outline_px: int = 0
    shadow: Colour | None = None
    shadow_px: tuple[int, int] = (0, 0)


def random_lettering(rng: Random, split: str) -> Lettering:
    """A family first, then a file of it, so that families with many weights do not crowd out others."""
    known = families(split)
    font = rng.choice(known[rng.choice(list(known))]) if known else None
    pen = Pen.random(rng) if rng.random() < (0.12 if known else 0.6) else None
    slant = rng.uniform(-0.05, 0.32) if rng.random() < 0.35 else 0.0
    stretch = rng.uniform(0.7, 1.3) if rng.random() < 0.5 else 1.0
    return Lettering(font, pen, slant, stretch)


@lru_cache(maxsize=4096)
def figure_mask(
    lettering: Lettering, text: str, height_px: int, mark: str = "", tilt: float = 0.0, width_px: int = 10_000
) -> Picture:
    """The figure as a mask of about that height, no wider than told; 6 and 9 may carry a mark."""
    source = lettering.mask(text)
    if mark:
        source = _marked(source, mark)
        height_px = round(height_px * 1.12)
    rows, columns = source.shape
    scale = height_px / rows
    across = min(scale * lettering.stretch, width_px / max(1.0, columns + lettering.slant * rows))
    affine = np.array([[across, -lettering.slant * scale, 0.0], [0.0, scale, 0.0]])
    if tilt:
        cos, sin = np.cos(np.radians(tilt)), np.sin(np.radians(tilt))
        affine = np.array([[cos, -sin], [sin, cos]]) @ affine
    corners = np.array([[0, 0], [columns, 0], [0, rows], [columns, rows]]) @ affine[:, :2].T
    low, high = corners.min(axis=0), corners.max(axis=0)
    affine[:, 2] = 1 - low
    size = (int(np.ceil(high[0] - low[0])) + 2, int(np.ceil(high[1] - low[1])) + 2)
    if scale < 0.5:  # shrink in two steps, or thin lines break up
        small = cv2.resize(source, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        affine[:, :2] /= scale
        return np.asarray(cv2.warpAffine(small, affine, size, flags=cv2.INTER_LINEAR), np.uint8)
    return np.asarray(cv2.warpAffine(source, affine, size, flags=cv2.INTER_LINEAR), np.uint8)


def _marked(source: Picture, mark: str) -> Picture:
    rows, columns = source.shape
    thick = max(4, GLYPH_PX // 11)
    if mark == "underline":
        grown = np.zeros((rows + 2 * thick, columns), np.uint8)
        grown[:rows] = source
        grown[-thick:] = 255
        return grown
    grown = np.zeros((rows, columns + 2 * thick), np.uint8)
    grown[:, :columns] = source
    cv2.circle(grown, (columns + thick, rows - thick), round(thick * 0.8), 255, cv2.FILLED, cv2.LINE_AA)
    return grown


def draw_figure(picture: Picture, mask: Picture, centre: tuple[float, float], look: Look) -> None:
    pad = max(look.outline_px, *(abs(step) for step in look.shadow_px)) + 1
    layers = np.pad(mask, pad)
    left = round(centre[0] - layers.shape[1] / 2)
    top = round(centre[1] - layers.shape[0] / 2)
    around = cv2.dilate(layers, disc_kernel(look.outline_px)) if look.outline_px else layers
    if look.shadow is not None:
        stamp(picture, _shadow(np.asarray(around, np.uint8), look.shadow_px), left, top, look.shadow)
    if look.outline is not None:
        stamp(picture, np.asarray(around, np.uint8), left, top, look.outline)
    stamp(picture, layers, left, top, look.fill)


def _shadow(mask: Picture, step: tuple[int, int]) -> Picture:
    """The mask drawn out along a line: letters that look thick."""
    reach = max(abs(step[0]), abs(step[1]), 1)
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.uint8)
    cv2.line(kernel, (reach, reach), (reach + step[0], reach + step[1]), 1)
    kernel = np.ascontiguousarray(kernel[::-1, ::-1])
    return np.asarray(cv2.dilate(mask, kernel), np.uint8)
