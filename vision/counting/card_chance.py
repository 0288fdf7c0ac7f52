"""How likely a found outline is a card of the deck, given all that counting knows of it and of the others."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finding.selection import overlap

Array: TypeAlias = NDArray[Any]

FEATURES: Final = 7
# How the features weigh, the last one is the constant; fitted by models/evaluation/counting_fit.py.
WEIGHTS: Final = (1.0, 0.2, 1.5, 0.4, -3.0, -8.0, -0.8, 0.8)
_ROUNDS: Final = 3
_SLANT: Final = 0.12  # what a camera that looks at a slant may do to the shape


def features(
    quads: Sequence[Array], scores: Array, owned: Array, likeness: Array, nearness: Array, aspect: float
) -> NDArray[np.float64]:
    """What speaks for and against each outline (n × FEATURES).

    `owned` is the part of each that shows, `likeness` and `nearness` are those of the back it is likest to,
    `aspect` is the width of the deck's cards by their height.
    """
    safe = np.clip(scores, 1e-3, 1 - 1e-3)
    rivals = [
        max(
            (overlap(quad, quads[j]) for j in range(len(quads)) if scores[j] > scores[i]),
            default=0.0,
        )
        for i, quad in enumerate(quads)
    ]
    sizes, shapes = _oddities(quads, scores, aspect)
    return np.stack(
        [
            np.log(safe / (1 - safe)),
            np.log(np.clip(owned, 0.005, 1.0)),
            np.asarray(likeness) - 0.9,
            np.asarray(nearness),
            np.minimum(sizes, 1.0),
            np.minimum(shapes, 1.0),
            np.array(rivals),
        ],
        axis=1,
    )


def chances(rows: Array, weights: Sequence[float] = WEIGHTS) -> NDArray[np.float64]:
    given = np.asarray(weights)
    return np.asarray(1 / (1 + np.exp(-(rows @ given[:-1] + given[-1]))))


def _oddities(quads: Sequence[Array], scores: Array, aspect: float) -> tuple[Array, Array]:
    """How far each outline's size is from that of its neighbours, and its shape from that of a card."""
    corners = np.stack(quads).astype(np.float64)
    middles = corners.mean(axis=1)
    areas = np.log([max(1.0, abs(float(cv2.contourArea(quad.astype(np.float32))))) for quad in corners])
    sides = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    shapes = np.log(np.maximum(sides[:, 1] + sides[:, 3], 1.0) / np.maximum(sides[:, 0] + sides[:, 2], 1.0))
    # Seen at a slant, cards get smaller with the distance: about linearly in the logarithm.
    spread = np.maximum(middles.std(axis=0), 1.0)
    base = np.c_[np.ones(len(middles)), (middles - middles.mean(axis=0)) / spread]
    weight = np.maximum(np.asarray(scores, np.float64), 1e-2)
    off = np.zeros(len(areas))
    ridge = np.diag([1e-6, 0.5, 0.5])
    for _ in range(_ROUNDS):
        weighed = base * weight[:, None]
        line = np.linalg.solve(base.T @ weighed + ridge, weighed.T @ areas)
        off = np.abs(areas - base @ line)
        weight = np.maximum(np.asarray(scores, np.float64), 1e-2) / (1 + (off / 0.1) ** 2)
    return off, np.maximum(0.0, np.abs(shapes + np.log(aspect)) - _SLANT)
