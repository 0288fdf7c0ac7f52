"""Which clusters of votes are cards: a score for each, and the better one of two that say the same."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.finding.clusters import Cluster
from vision.finding.maps import Array

FEATURES = 12
# One weight for each feature, each product of two, and the constant.
WEIGHTS = FEATURES + FEATURES * (FEATURES + 1) // 2 + 1
_LEAST_AREA = 40.0
# Width by height of playing cards, more or less; squares of cloth and strips of parquet differ.
_SLIMNESS = 0.66
_MUCH_LARGER = 2.5
_ALIKE, _WORTHLESS = 4.0, 0.4
# Two found cards may share this much, the more if the net saw them in the same picture (fans).
_SHARED, _SHARED_IN_ONE_PICTURE = 0.5, 0.8


def overlap(one: Array, other: Array) -> float:
    """Area shared by two convex quads over the area of their union."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    shared = float(cv2.intersectConvexConvex(a, b)[0])
    together = float(cv2.contourArea(a) + cv2.contourArea(b)) - shared
    return shared / together if together > 0 else 0.0


def features(clusters: Sequence[Cluster]) -> Array:
    """What speaks for and against each cluster (N×FEATURES)."""
    rows = np.zeros((len(clusters), FEATURES))
    boxes = np.array([[*one.corners.min(axis=0), *one.corners.max(axis=0)] for one in clusters])
    for i, cluster in enumerate(clusters):
        near = np.all((boxes[i, :2] < boxes[:, 2:]) & (boxes[:, :2] < boxes[i, 2:]), axis=1)
        others = [clusters[int(j)] for j in np.flatnonzero(near) if j != i]
        rows[i] = [*_own(cluster), *_beside(cluster, others)]
    return rows


def _own(cluster: Cluster) -> tuple[float, ...]:
    return (
        float(np.log(cluster.cells / 10)),
        cluster.visible,
        min(1.0, cluster.doubt),
        min(1.0, cluster.agreement),
        cluster.chance,
        cluster.inside,
        cluster.bare,
        min(1.0, abs(float(np.log(cluster.slimness / _SLIMNESS)))),
    )


def _beside(cluster: Cluster, others: Sequence[Cluster]) -> tuple[float, ...]:
    """A rival with more evidence, a much larger card around it, and much smaller ones within it."""
    rival, ratio, within, holds = 0.0, 1.0, 0.0, 0.0
    for other in others:
        shared = float(
            cv2.intersectConvexConvex(cluster.corners.astype(np.float32), other.corners.astype(np.float32))[0]
        )
        if other.area > _MUCH_LARGER * cluster.area:
            within = max(within, shared / cluster.area * other.visible)
        elif cluster.area > _MUCH_LARGER * other.area:
            holds += min(other.seen, shared) / cluster.area
        if other.seen >= cluster.seen:
            union = cluster.area + other.area - shared
            if shared / union > rival:
                rival, ratio = shared / union, cluster.seen / other.seen
    return rival, rival * float(np.log(ratio)), within, min(1.0, holds)


def terms(rows: Array) -> Array:
    """Features, their products in pairs, and a one (N×WEIGHTS)."""
    first, second = np.triu_indices(FEATURES)
    return np.hstack([rows, rows[:, first] * rows[:, second], np.ones((len(rows), 1))])


def scores(rows: Array, weights: Array) -> Array:
    """Chance that each cluster is a card, by its features and weights that were fitted to the net."""
    return np.asarray(1 / (1 + np.exp(-terms(rows) @ weights)))


def chosen(
    clusters: Sequence[Cluster], chances: Array, least: float, one_size: bool = True
) -> list[tuple[Cluster, float]]:
    """The clusters that are cards, with their chances, the surest first."""
    kept: list[tuple[Cluster, float]] = []
    for i in np.argsort(-chances, kind="stable"):
        if chances[i] < least:
            break
        cluster = clusters[i]
        if is_card_shaped(cluster) and not any(_same(cluster, other) for other, _ in kept):
            kept.append((cluster, float(chances[i])))
    if not one_size or not kept:
        return kept
    areas = [cluster.area for cluster, _ in kept]
    alike = of_one_size(areas, [score - _WORTHLESS for _, score in kept])
    return [card for card, close in zip(kept, alike, strict=True) if close]


def of_one_size(areas: Sequence[float], worth: Sequence[float]) -> list[bool]:
    """Which ones are about as large as most: cards of one table are; a table top or a frame is not."""
    sizes = np.array(areas)
    alike = np.abs(np.log(sizes[:, None] / sizes)) < np.log(_ALIKE)
    best = int(np.argmax(alike @ (np.array(worth) * np.sqrt(sizes))))
    return [bool(close) for close in alike[best]]


def _same(one: Cluster, other: Cluster) -> bool:
    return overlap(one.corners, other.corners) > (
        _SHARED_IN_ONE_PICTURE if one.pixel == other.pixel else _SHARED
    )


def is_card_shaped(cluster: Cluster) -> bool:
    """Convex, clockwise and no sliver."""
    corners = cluster.corners.astype(np.float32)
    if not cv2.isContourConvex(corners) or cv2.contourArea(corners, oriented=True) < _LEAST_AREA:
        return False
    sides = np.sqrt(((corners - np.roll(corners, 1, axis=0)) ** 2).sum(axis=1))
    return bool(sides.max() < 4.5 * sides.min())
