"""Pictograms: small figures of one to four polygons, about one unit across, some drawn, most computed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from random import Random

import cv2
import numpy as np

from finito.virtual_table.decks.invented.brush import Points, moved, oval


@dataclass(frozen=True)
class Part:
    points: Points
    role: int  # 0 the main ink, 1 the accent, 2 the ground showing through


Motif = tuple[Part, ...]


def _p(*numbers: float, role: int = 0) -> Part:
    return Part(np.array(numbers, np.float64).reshape(-1, 2), role)


def _o(x: float, y: float, rx: float, ry: float, role: int = 0, tilt: float = 0.0) -> Part:
    return Part(oval((x, y), (rx, ry), tilt, 28), role)


def _heart() -> Motif:
    t = np.linspace(0, 2 * np.pi, 40, endpoint=False)
    x = 16 * np.sin(t) ** 3
    y = -(13 * np.cos(t) - 5 * np.cos(2 * t) - 2 * np.cos(3 * t) - np.cos(4 * t))
    return (Part(np.stack([x, y + 2], axis=1) / 34, 0),)


def _spade() -> Motif:
    leaf = _heart()[0].points * np.array([1.0, -0.9])
    return (Part(leaf, 0), _p(-0.17, 0.5, 0.17, 0.5, 0.0, 0.0))


def _club() -> Motif:
    stalk = _p(-0.17, 0.5, 0.17, 0.5, 0.0, 0.0)
    return (_o(0, -0.24, 0.22, 0.22), _o(-0.25, 0.1, 0.22, 0.22), _o(0.25, 0.1, 0.22, 0.22), stalk)


def _ring() -> Motif:
    return (_o(0, 0, 0.5, 0.5), _o(0, 0, 0.3, 0.3, 2))


def _cup() -> Motif:
    return (
        _o(0.36, -0.02, 0.18, 0.16),
        _o(0.36, -0.02, 0.09, 0.08, 2),
        _p(-0.42, -0.25, 0.36, -0.25, 0.26, 0.36, -0.32, 0.36),
        _p(-0.5, 0.4, 0.44, 0.4, 0.44, 0.47, -0.5, 0.47, role=1),
    )


def _fish() -> Motif:
    return (
        _o(-0.08, 0, 0.38, 0.24),
        _p(0.2, 0, 0.5, -0.26, 0.5, 0.26),
        _o(-0.28, -0.06, 0.05, 0.05, 2),
        _p(-0.05, -0.05, 0.12, 0, -0.05, 0.1, role=1),
    )


def _tree() -> Motif:
    return (
        _p(-0.07, 0.3, 0.07, 0.3, 0.07, 0.5, -0.07, 0.5, role=1),
        _p(0, -0.5, 0.24, -0.1, -0.24, -0.1),
        _p(0, -0.25, 0.36, 0.32, -0.36, 0.32),
    )


def _house() -> Motif:
    return (
        _p(-0.36, 0, 0.36, 0, 0.36, 0.48, -0.36, 0.48),
        _p(-0.5, 0.02, 0, -0.48, 0.5, 0.02, role=1),
        _p(-0.1, 0.16, 0.1, 0.16, 0.1, 0.48, -0.1, 0.48, role=2),
    )


def _bolt() -> Motif:
    return (_p(0.1, -0.5, -0.3, 0.08, -0.03, 0.08, -0.12, 0.5, 0.3, -0.12, 0.04, -0.12),)


def _moon() -> Motif:
    return (_o(0, 0, 0.48, 0.48), _o(0.2, -0.08, 0.4, 0.4, 2))


def _drop() -> Motif:
    return (_p(0, -0.5, 0.26, 0.02, -0.26, 0.02), _o(0, 0.14, 0.3, 0.33), _o(-0.1, 0.2, 0.07, 0.11, 2))


def _leaf() -> Motif:
    side = np.linspace(-0.5, 0.5, 14)
    bulge = 0.26 * np.cos(side * np.pi)
    outline = np.concatenate([np.stack([bulge, side], 1), np.stack([-bulge, side], 1)[::-1]])
    return (Part(outline, 0), _p(-0.02, -0.4, 0.02, -0.4, 0.03, 0.5, -0.03, 0.5, role=2))


def _cherry() -> Motif:
    return (
        _p(-0.2, 0.15, 0.1, -0.45, 0.14, -0.42, -0.14, 0.15, role=1),
        _p(0.2, 0.2, 0.1, -0.45, 0.14, -0.45, 0.26, 0.2, role=1),
        _o(-0.2, 0.26, 0.22, 0.22),
        _o(0.24, 0.28, 0.2, 0.2),
    )


def _mushroom() -> Motif:
    cap = oval((0, 0), (0.48, 0.44), 0, 32)
    return (
        _p(-0.13, -0.05, 0.13, -0.05, 0.18, 0.46, -0.18, 0.46, role=1),
        Part(cap[cap[:, 1] <= 0.01], 0),
        _o(-0.16, -0.2, 0.08, 0.08, 2),
        _o(0.15, -0.22, 0.09, 0.09, 2),
    )


def _face() -> Motif:
    return (
        _o(0, 0, 0.48, 0.48),
        _o(-0.17, -0.12, 0.07, 0.1, 2),
        _o(0.17, -0.12, 0.07, 0.1, 2),
        _p(-0.25, 0.12, 0.25, 0.12, 0.14, 0.28, -0.14, 0.28, role=1),
    )


def _cross() -> Motif:
    a, b = 0.17, 0.5
    return (_p(-a, -b, a, -b, a, -a, b, -a, b, a, a, a, a, b, -a, b, -a, a, -b, a, -b, -a, -a, -a),)


def _diamond() -> Motif:
    return (_p(0, -0.5, 0.36, 0, 0, 0.5, -0.36, 0),)


def _square() -> Motif:
    return (_p(-0.42, -0.42, 0.42, -0.42, 0.42, 0.42, -0.42, 0.42),)


def _arrow() -> Motif:
    return (_p(-0.14, 0.5, 0.14, 0.5, 0.14, -0.02, 0.4, -0.02, 0, -0.5, -0.4, -0.02, -0.14, -0.02),)


def _disc() -> Motif:
    return (_o(0, 0, 0.46, 0.46),)


def _anchor() -> Motif:
    return (
        _o(0, -0.38, 0.13, 0.13),
        _o(0, -0.38, 0.06, 0.06, 2),
        _p(-0.05, -0.28, 0.05, -0.28, 0.05, 0.5, -0.05, 0.5),
        _p(-0.25, -0.2, 0.25, -0.2, 0.25, -0.12, -0.25, -0.12),
        _p(-0.45, 0.1, -0.3, 0.3, 0, 0.4, 0.3, 0.3, 0.45, 0.1, 0.36, 0.4, 0, 0.54, -0.36, 0.4),
    )


DRAWN: dict[str, tuple[Callable[[], Motif], ...]] = {
    "train": (
        _heart,
        _spade,
        _club,
        _diamond,
        _disc,
        _cup,
        _fish,
        _tree,
        _bolt,
        _drop,
        _cherry,
        _square,
        _arrow,
    ),
    "validation": (_house, _mushroom, _cross, _ring),
    "test": (_moon, _leaf, _face, _anchor),
}
# How often a computed figure repeats around its middle: no split draws another's.
SYMMETRIES = {"train": (2, 4, 5, 6, 8, 11), "validation": (3, 9), "test": (7, 10)}


def random_motif(rng: Random, split: str) -> Motif:
    if rng.random() < 0.4:
        return rng.choice(DRAWN[split])()
    fold = rng.choice(SYMMETRIES[split])
    kind = rng.choice((_star, _flower, _superformula))
    motif = kind(rng, fold)
    if rng.random() < 0.5:
        inner = Part(motif[0].points * rng.uniform(0.3, 0.7), rng.choice((1, 2)))
        motif = (*motif, inner)
    return motif


def distinct_motifs(rng: Random, split: str, count: int) -> tuple[Motif, ...]:
    """Motifs of which no two look the same from afar, as long as luck allows."""
    found: list[Motif] = []
    seen: list[Points] = []
    tries = 0
    while len(found) < count:
        motif = random_motif(rng, split)
        glance = _small(motif)
        tries += 1
        if tries > 12 * count or all(np.abs(glance - other).sum() > 20 for other in seen):
            found.append(motif)
            seen.append(glance)
    return tuple(found)


def _small(motif: Motif) -> Points:
    """The motif on a grid of 16 by 16."""
    grid = np.zeros((16, 16), np.uint8)
    for part in motif:
        corners = np.rint((part.points + 0.5) * 15).astype(np.int32)
        cv2.fillPoly(grid, [corners], 2 - part.role)
    return grid.astype(np.float64)


def suit_motifs(rng: Random, split: str, count: int) -> tuple[Motif, ...]:
    """One figure per colour: the four suits of playing cards, or figures of their own."""
    if split == "train" and rng.random() < 0.4:
        suits = [_heart(), _diamond(), _club(), _spade()]
        rng.shuffle(suits)
        return tuple(suits[i % 4] for i in range(count))
    return distinct_motifs(rng, split, count)


def _polar(radius: Points) -> Points:
    angles = np.linspace(-np.pi / 2, 1.5 * np.pi, len(radius), endpoint=False)
    points = np.stack([radius * np.cos(angles), radius * np.sin(angles)], axis=1)
    return np.asarray(points * (0.5 / np.abs(points).max()), np.float64)


def _star(rng: Random, fold: int) -> Motif:
    radius = np.ones(2 * max(fold, 3))
    radius[1::2] = rng.uniform(0.3, 0.8)
    return (Part(_polar(radius), 0),)


def _flower(rng: Random, fold: int) -> Motif:
    petal = oval((0.0, -0.3), (min(0.22, 1.0 / fold), 0.2), 0, 18)
    petals = [Part(moved(petal, (0.0, 0.0), 1.0, 360 * i / fold), 0) for i in range(fold)]
    return (*petals, _o(0, 0, rng.uniform(0.08, 0.2), rng.uniform(0.08, 0.2), 1))


def _superformula(rng: Random, fold: int) -> Motif:
    angles = np.linspace(0, 2 * np.pi, 72, endpoint=False)
    n1, n2, n3 = rng.uniform(0.3, 3), rng.uniform(0.5, 6), rng.uniform(0.5, 6)
    part = np.abs(np.cos(fold * angles / 4)) ** n2 + np.abs(np.sin(fold * angles / 4)) ** n3
    radius = np.clip(part, 1e-3, None) ** (-1 / n1)
    return (Part(_polar(np.clip(radius, 0, np.median(radius) * 4)), 0),)
