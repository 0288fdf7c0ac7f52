"""Wear: whitened edges and corners, scuffs, a yellowed or faded print."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from random import Random

import cv2
import numpy as np

from finito.virtual_table.decks.deck import PX_PER_MM, Picture
from finito.virtual_table.decks.invented.brush import blank, overlay

_VARIANTS = 24
_SIZE = (236, 364)


@dataclass(frozen=True)
class Wear:
    level: int  # 0 new, 1 played with, 2 old
    tone: int  # grey level of bare card stock

    @classmethod
    def random(cls, rng: Random) -> Wear:
        return cls(rng.choices((0, 1, 2), (6, 3, 1))[0], rng.randint(150, 245))

    def on(self, picture: Picture, card: str) -> Picture:
        """The picture worn in its own way; the card's name decides how."""
        if not self.level:
            return picture
        rng = Random(card)
        size = (picture.shape[1], picture.shape[0])
        mask = cv2.resize(_worn(self.level, rng.randrange(_VARIANTS)), size, interpolation=cv2.INTER_LINEAR)
        bare = blank(size, (self.tone, self.tone, self.tone))
        return overlay(picture, bare, np.asarray(mask, np.uint8))


@cache
def _worn(level: int, variant: int) -> Picture:
    width, height = size = _SIZE
    noise = np.random.default_rng(variant)
    x = np.minimum(np.arange(width), np.arange(width)[::-1])[None, :] / PX_PER_MM
    y = np.minimum(np.arange(height), np.arange(height)[::-1])[:, None] / PX_PER_MM
    edge = np.minimum(np.minimum(x, y), np.hypot(x, y) * 0.6)
    coarse = cv2.resize(
        noise.random((height // 24, width // 24), np.float32), size, interpolation=cv2.INTER_CUBIC
    )
    fine = cv2.resize(
        noise.random((height // 3, width // 3), np.float32), size, interpolation=cv2.INTER_LINEAR
    )
    depth = (0.35 if level == 1 else 0.9) * (0.4 + coarse)
    cover = np.clip((depth - edge) * 2.2 + (fine - 0.5) * (edge < 1.5), 0, 0.85)
    mask = np.asarray(cover * 255, np.uint8)
    for _ in range(int(noise.integers(0, 4 if level == 1 else 10))):
        start = (int(noise.integers(0, width)), int(noise.integers(0, height)))
        reach = noise.integers(-60, 60, 2)
        end = (start[0] + int(reach[0]), start[1] + int(reach[1]))
        cv2.line(mask, start, end, int(noise.integers(40, 150)), 1, cv2.LINE_AA)
    return mask
