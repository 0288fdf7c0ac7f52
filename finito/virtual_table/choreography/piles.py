"""The centre of the table: where its piles go."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from finito.virtual_table.camera import Array
from finito.virtual_table.choreography.homes import Home, Point, Polygon
from finito.virtual_table.surface_patterns import Rng

_STEP: Final = 8.0
_ROUNDS: Final = 25
# Piles keep this far from everybody's places, from middle to edge.
_CLEARANCE: Final = 56.0


def centre_points(zones: Sequence[Polygon], half: tuple[float, float]) -> Array:
    """A grid of points (N×2) in which the middle of a pile may lie."""
    across, down = (np.arange(-reach, reach + 1, _STEP) for reach in half)
    points = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
    outlines = [np.array(zone, np.float32) for zone in zones]
    free = [
        all(cv2.pointPolygonTest(outline, (float(x), float(y)), True) < -_CLEARANCE for outline in outlines)
        for x, y in points
    ]
    return np.asarray(points[np.array(free)])


def centre_zone(points: Array) -> Polygon:
    """The polygon around all that can be a pile."""
    hull = cv2.convexHull(points.astype(np.float32))[:, 0]
    return tuple((float(x), float(y)) for x, y in hull)


def pile_spots(rng: Rng, points: Array, count: int) -> Array:
    """So many spots spread over the free points, about evenly but not in rows."""
    # No use of the whole width while there are few piles: people keep to the middle.
    nearest = np.argsort(np.hypot(points[:, 0], 1.3 * points[:, 1]))
    wanted = math.ceil(count * (150 / _STEP) ** 2)
    area = points[nearest[: max(wanted, count)]]
    spots = area[rng.choice(len(area), count, replace=False)]
    for _ in range(_ROUNDS):
        owner = ((area[:, None] - spots[None]) ** 2).sum(axis=2).argmin(axis=1)
        spots = np.stack(
            [area[owner == i].mean(axis=0) if np.any(owner == i) else spots[i] for i in range(count)]
        )
    return np.asarray(_free(spots, area) + rng.normal(0, 4, spots.shape))


def _free(spots: Array, area: Array) -> Array:
    """The spots; one in between free points, as behind somebody's row, at the nearest of them."""
    apart = np.hypot(*(spots[:, None] - area[None]).transpose(2, 0, 1))
    return np.where((apart.min(axis=1) > _STEP)[:, None], area[apart.argmin(axis=1)], spots)


def next_spot(rng: Rng, free: list[Point], home: Home) -> Point:
    """The spot a player chooses for a new pile: one of the nearer ones."""
    x, y = home.at(0.0, -60.0)
    return min(free, key=lambda spot: math.hypot(spot[0] - x, spot[1] - y) + float(rng.uniform(0, 150)))
