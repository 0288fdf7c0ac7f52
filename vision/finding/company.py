"""What the other cards of a picture say about one: cards of a table are of one size, and none lies twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.card_finder import FoundCard

Floats = NDArray[np.float64]

CLUES: Final = ("off size", "rival", "visible")
_MOST_OFF: Final = 1.5  # in logarithms of the area; beyond that all are equally impossible
_AGREED: Final = 0.3
_ROUNDS: Final = 3
# Seen aslant, cards grow from one edge of the picture to the other, but not by much from one to the next.
_STEADY: Final = np.diag([1e-6, 2.0, 2.0])
_UNIT: Final = 0.4  # of the picture's long side


def company(cards: Sequence[FoundCard], worth: Floats, long_side: float) -> Floats:
    """Of each card: how its size differs, how much a surer one shares with it, what is visible (N×CLUES).

    `worth` is how much each of them has to say on the size of cards.
    """
    if not cards:
        return np.zeros((0, len(CLUES)))
    quads = np.array([card.corners for card in cards], np.float32)
    areas = np.array([cv2.contourArea(quad) for quad in quads])
    chances = np.array([card.score for card in cards])
    middles = quads.mean(axis=1).astype(np.float64) / (_UNIT * long_side)
    visible = np.array([card.visible for card in cards])
    return np.stack([_off_size(areas, middles, worth), _rivals(quads, areas, chances), visible], axis=1)


def _off_size(areas: Floats, middles: Floats, worth: Floats) -> Floats:
    """From what the others make likely there; of a card that lies nearly alone nothing is known."""
    others = np.minimum(1.0, worth.sum() - worth)
    trust = worth**2
    sizes = np.log(np.maximum(areas, 1.0))
    sizes -= np.average(sizes, weights=trust)
    places = np.hstack([np.ones((len(areas), 1)), middles - np.average(middles, axis=0, weights=trust)])
    weight, off = trust, sizes
    for _ in range(_ROUNDS):
        inverse = np.linalg.inv(places.T @ (places * weight[:, None]) + _STEADY)
        off = sizes - places @ (inverse @ (places.T @ (weight * sizes)))
        own = np.einsum("ij,jk,ik->i", places, inverse, places) * weight
        off = off / np.maximum(1 - own, 0.05)  # as if it had no say itself
        weight = trust / (1 + (off / _AGREED) ** 2)
    return np.asarray(np.minimum(np.abs(off), _MOST_OFF) * others)


def _rivals(quads: NDArray[np.float32], areas: Floats, chances: Floats) -> Floats:
    low, high = quads.min(axis=1), quads.max(axis=1)
    below = (low[:, None] < high).all(axis=2)
    most = np.zeros(len(quads))
    for i, j in np.argwhere(np.triu(below & below.T, 1)).tolist():
        shared = cv2.intersectConvexConvex(quads[i], quads[j])[0]
        weaker, surer = (i, j) if chances[i] < chances[j] else (j, i)
        alike = shared / max(areas[i] + areas[j] - shared, 1.0) * chances[surer]
        most[weaker] = max(most[weaker], alike)
    return most
