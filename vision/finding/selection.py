"""Which clusters of votes are cards: a score for each, and the better one of two that say the same."""

from __future__ import annotations

import math
from collections.abc import Sequence

import cv2
import numpy as np
from numpy.typing import NDArray

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
# Of two that lie the same way (radians) and share much, the lower one shows nothing but a strip: its votes
# come from there. Where both have votes in what they share, one card was outlined twice.
_SAME_WAY, _STRAY_VOTES = 0.21, 0.1


def overlap(one: Array, other: Array) -> float:
    """Area shared by two convex quads over the area of their union."""
    a, b = one.astype(np.float32), other.astype(np.float32)
    shared = float(cv2.intersectConvexConvex(a, b)[0])
    together = float(cv2.contourArea(a) + cv2.contourArea(b)) - shared
    return shared / together if together > 0 else 0.0


def features(clusters: Sequence[Cluster]) -> Array:
    """What speaks for and against each cluster (N×FEATURES)."""
    if not clusters:
        return np.zeros((0, FEATURES))
    return np.hstack([np.array([_own(cluster) for cluster in clusters]), _beside(clusters)])


def _own(cluster: Cluster) -> tuple[float, ...]:
    return (
        math.log(cluster.cells / 10),
        cluster.visible,
        min(1.0, cluster.doubt),
        min(1.0, cluster.agreement),
        cluster.chance,
        cluster.inside,
        cluster.bare,
        min(1.0, abs(math.log(cluster.slimness / _SLIMNESS))),
    )


def _beside(clusters: Sequence[Cluster]) -> Array:
    """Of each: a rival with more evidence, a much larger card around it, and much smaller ones within it."""
    quads = _quads(clusters)
    area, seen, visible = np.array([(one.area, one.seen, one.visible) for one in clusters]).T
    shared = np.zeros((len(quads), len(quads)))
    for i, j in np.argwhere(np.triu(_meeting(quads), 1)).tolist():
        shared[i, j] = shared[j, i] = cv2.intersectConvexConvex(quads[i], quads[j])[0]
    much_larger = area > _MUCH_LARGER * area[:, None]
    within = np.where(much_larger, shared / area[:, None] * visible, 0.0).max(axis=1)
    holds = np.where(much_larger.T, np.minimum(seen, shared), 0.0).sum(axis=1) / area
    alike = np.where(seen >= seen[:, None], shared / (area + area[:, None] - shared), 0.0)
    best = alike.argmax(axis=1)
    rival = alike.max(axis=1)
    return np.stack([rival, rival * np.log(seen / seen[best]), within, np.minimum(1.0, holds)], axis=1)


def _quads(clusters: Sequence[Cluster]) -> NDArray[np.float32]:
    return np.array([one.corners for one in clusters], np.float32).reshape(-1, 4, 2)


def _meeting(quads: NDArray[np.float32]) -> NDArray[np.bool_]:
    """Of which quads the boxes around them meet: only those can share anything (N×N)."""
    low, high = quads.min(axis=1), quads.max(axis=1)
    below = (low[:, None] < high).all(axis=2)
    return np.asarray(below & below.T)


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
    meeting = _meeting(_quads(clusters))
    taken: list[int] = []
    for i in np.argsort(-chances, kind="stable").tolist():
        if chances[i] < least:
            break
        cluster = clusters[i]
        if is_card_shaped(cluster) and not any(_same(cluster, clusters[j]) for j in taken if meeting[i, j]):
            taken.append(i)
    kept = [(clusters[i], float(chances[i])) for i in taken]
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
    shared = overlap(one.corners, other.corners)
    if shared <= _SHARED or one.pixel != other.pixel or shared > _SHARED_IN_ONE_PICTURE:
        return shared > _SHARED
    return _between(one, other) < _SAME_WAY and _share_votes(one, other)


def _between(one: Cluster, other: Cluster) -> float:
    """The angle between their long sides, at most a right one."""
    turned = abs(one.direction - other.direction) % math.pi
    return min(turned, math.pi - turned)


def _share_votes(one: Cluster, other: Cluster) -> bool:
    """Whether each of them has votes within the other one."""
    return min(one.voted_within(other.corners), other.voted_within(one.corners)) >= _STRAY_VOTES


def is_card_shaped(cluster: Cluster) -> bool:
    """Convex, clockwise and no sliver."""
    corners = cluster.corners.tolist()
    sides = [(b[0] - a[0], b[1] - a[1]) for a, b in zip(corners, corners[1:] + corners[:1], strict=True)]
    turns = (a[0] * b[1] - a[1] * b[0] for a, b in zip(sides, sides[1:] + sides[:1], strict=True))
    if not all(turn > 0 for turn in turns) or cluster.area < _LEAST_AREA:
        return False
    lengths = [math.hypot(*side) for side in sides]
    return max(lengths) < 4.5 * min(lengths)
