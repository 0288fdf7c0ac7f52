"""What the other cards of a picture say about one: the cards of a table are of one size."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.card_finder import FoundCard

Floats = NDArray[np.float64]

_MOST_OFF: Final = 1.5  # in logarithms of the area; beyond that all are equally impossible
_AGREED: Final = 0.3
_LEAST_TRUST: Final = 1e-9  # where nothing is worth anything, all are worth the same
# What has much more to say than all others together is hardly judged by them.
_LEAST_OTHERS: Final = 0.3
_ROUNDS: Final = 3
# Seen aslant, cards grow from one edge of the picture to the other, but not by much from one to the next.
_STEADY: Final = np.diag([1e-6, 2.0, 2.0])
_UNIT: Final = 0.4  # of the picture's long side


def off_size(cards: Sequence[FoundCard], chance: Floats, said: Floats, long_side: float) -> Floats:
    """How much each card's size differs from what the others make likely there; 0 of one that lies alone.

    `chance` is that each of them is a card, `said` how many cards its word on the size of cards counts for.
    """
    if not cards:
        return np.zeros(0)
    quads = np.array([card.corners for card in cards], np.float32)
    areas = np.array([_area(card) for card in cards])
    middles = quads.mean(axis=1).astype(np.float64) / (_UNIT * long_side)
    return _off(np.log(np.maximum(areas, 1.0)), middles, chance, said)


def _area(card: FoundCard) -> float:
    # Cards that were given one size would all fit.
    return cv2.contourArea(card.corners) if card.seemed is None else card.seemed


def _off(sizes: Floats, middles: Floats, chance: Floats, said: Floats) -> Floats:
    worth = chance * said
    others = np.minimum(1.0, worth.sum() - worth)
    # What is hardly a card says next to nothing; what was read counts for so many, not for their square.
    trust = chance * worth + _LEAST_TRUST
    sizes = sizes - np.average(sizes, weights=trust)
    places = np.hstack([np.ones((len(sizes), 1)), middles - np.average(middles, axis=0, weights=trust)])
    weight, off = trust, sizes
    for _ in range(_ROUNDS):
        inverse = np.linalg.inv(places.T @ (places * weight[:, None]) + _STEADY)
        off = sizes - places @ (inverse @ (places.T @ (weight * sizes)))
        own = np.einsum("ij,jk,ik->i", places, inverse, places) * weight
        off = off / np.maximum(1 - own, _LEAST_OTHERS)  # as if it had no say itself
        weight = trust / (1 + (off / _AGREED) ** 2)
    return np.asarray(np.minimum(np.abs(off), _MOST_OFF) * others)
