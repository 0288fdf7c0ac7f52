"""Illustrations: hills, discs, figures and blots in a few inks; from afar, what artwork looks like."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Literal

import numpy as np

from finito.virtual_table.decks.deck import Picture
from finito.virtual_table.decks.invented.brush import Points, blank, fill, line, moved, oval
from finito.virtual_table.decks.invented.inks import Colour, any_ink, mixed
from finito.virtual_table.decks.invented.motifs import Motif


@dataclass(frozen=True)
class Scene:
    """One illustration, or a family of them: by the deck, by the colour or card by card."""

    seed: int
    box: tuple[float, float]  # of the card's width and height
    changes: Literal["never", "by colour", "by card"]
    doubled: bool  # upper half repeated upside down, as on court cards
    inks: tuple[Colour, ...]
    outlined: bool

    @classmethod
    def random(cls, rng: Random) -> Scene:
        return cls(
            seed=rng.randrange(1 << 30),
            box=(rng.uniform(0.5, 0.9), rng.uniform(0.45, 0.85)),
            changes=rng.choice(("never", "by colour", "by card", "by card")),
            doubled=rng.random() < 0.3,
            inks=tuple(any_ink(rng) for _ in range(rng.randint(2, 5))),
            outlined=rng.random() < 0.4,
        )

    def paint(self, picture: Picture, colour: str, text: str, own: Colour, motif: Motif) -> None:
        key = {"never": "", "by colour": colour, "by card": colour + text}[self.changes]
        height, width = picture.shape[:2]
        size = (round(width * self.box[0]), round(height * self.box[1]))
        left, top = (width - size[0]) // 2, (height - size[1]) // 2
        if self.doubled:
            half = self._painted(Random(f"{self.seed}/{key}"), (size[0], size[1] // 2), own, motif)
            drawn = np.vstack([half, half[::-1, ::-1]])
        else:
            drawn = self._painted(Random(f"{self.seed}/{key}"), size, own, motif)
        picture[top : top + drawn.shape[0], left : left + size[0]] = drawn

    def _painted(self, rng: Random, size: tuple[int, int], own: Colour, motif: Motif) -> Picture:
        inks = (own, mixed(own, (255, 255, 255), 0.5), *self.inks)
        picture = blank(size, rng.choice(inks))
        for _ in range(rng.randint(1, 3)):
            fill(picture, _hill(rng, size), rng.choice(inks))
        for _ in range(rng.randint(3, 14)):
            shape, ink = _blot(rng, size), rng.choice(inks)
            fill(picture, shape, ink)
            if self.outlined:
                line(picture, shape, 1.5, (25, 25, 25), closed=True)
        scale, middle = min(size) * rng.uniform(0.4, 0.9), (size[0] / 2, size[1] / 2)
        roles = (rng.choice(inks), rng.choice(inks), rng.choice(inks))
        for part in motif:
            fill(picture, moved(part.points, middle, scale, rng.uniform(-15, 15)), roles[part.role])
        return picture


def _hill(rng: Random, size: tuple[int, int]) -> Points:
    x = np.linspace(0, size[0], 24)
    level, swell = rng.uniform(0.3, 0.9) * size[1], rng.uniform(0.02, 0.15) * size[1]
    y = level + swell * np.sin(x / size[0] * rng.uniform(2, 12) + rng.uniform(0, 6))
    return np.concatenate([np.stack([x, y], axis=1), [(size[0], size[1]), (0, size[1])]])


def _blot(rng: Random, size: tuple[int, int]) -> Points:
    centre = (rng.uniform(0, size[0]), rng.uniform(0, size[1]))
    radii = (rng.uniform(0.03, 0.25) * size[0], rng.uniform(0.03, 0.25) * size[0])
    return oval(centre, radii, rng.uniform(0, 180), rng.choice((3, 4, 5, 24, 24)))
