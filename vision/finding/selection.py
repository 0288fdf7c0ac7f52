"""Which clusters of votes are cards: a score for each, and the better one of two that say the same."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.finding.clusters import Cluster
from vision.finding.maps import Array

FEATURES = 7
# How the features weigh, the last one is the constant; fitted by models/training/finder/scores.py.
WEIGHTS: tuple[float, ...] = (0.8, 1.5, -6.0, -6.0, 3.0, -1.5, 2.0, -2.0)
_LEAST_AREA = 40.0


def overlap(one: Array, other: Array) -> float:
    """Area shared by two convex quads over the area of their union."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    shared = float(cv2.intersectConvexConvex(a, b)[0])
    together = float(cv2.contourArea(a) + cv2.contourArea(b)) - shared
    return shared / together if together > 0 else 0.0


def features(clusters: Sequence[Cluster]) -> Array:
    """What speaks for and against each cluster (N×FEATURES)."""
    rows = []
    for cluster in clusters:
        rival, ratio = 0.0, 1.0
        for other in clusters:
            if other is cluster or other.cells < cluster.cells:
                continue
            if (shared := overlap(cluster.corners, other.corners)) > rival:
                rival, ratio = shared, cluster.cells / other.cells
        rows.append(
            [
                np.log(cluster.cells / 10),
                cluster.visible,
                min(1.0, cluster.doubt),
                min(1.0, cluster.agreement),
                cluster.chance,
                rival,
                rival * np.log(ratio),
            ]
        )
    return np.array(rows).reshape(-1, FEATURES)


def scores(clusters: Sequence[Cluster], weights: Sequence[float] = WEIGHTS) -> Array:
    """Chance that each cluster is a card."""
    given = np.asarray(weights)
    return np.asarray(1 / (1 + np.exp(-(features(clusters) @ given[:-1] + given[-1]))))


def is_card_shaped(cluster: Cluster) -> bool:
    """Convex, clockwise and no sliver."""
    corners = cluster.corners.astype(np.float32)
    if not cv2.isContourConvex(corners) or cv2.contourArea(corners, oriented=True) < _LEAST_AREA:
        return False
    sides = np.sqrt(((corners - np.roll(corners, 1, axis=0)) ** 2).sum(axis=1))
    return bool(sides.max() < 4.5 * sides.min())
