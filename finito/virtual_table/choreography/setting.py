"""The room of a filmed game: table top, lamps, camera on its stand, markers and things lying about."""

from __future__ import annotations

import math
from collections.abc import Mapping
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np

from finito.virtual_table.camera import Camera
from finito.virtual_table.choreography.homes import Polygon
from finito.virtual_table.conditions import Conditions, random_conditions
from finito.virtual_table.scene import Clutter, Light, Scene, Sensor, Surface
from finito.virtual_table.settings import random_kind, random_surface, temperature
from finito.virtual_table.surface_patterns import Rng

MARKER_PAPER, MARKER_SIDE = 80.0, 50.0
# Things that lie about, and how far (mm) their middle must stay from cards and markers.
_THINGS: Final = {
    "mug": 85.0,
    "pen": 95.0,
    "paper": 190.0,
    "phone": 100.0,
    "crumbs": 70.0,
    "chip": 60.0,
    "glass": 85.0,
    "spoon": 120.0,
    "die": 45.0,
}
_SHUTTERS: Final = (1 / 60, 1 / 100, 1 / 160)
# Zones keep this part of the picture's size from its edges.
_FRAME: Final = 0.012


@dataclass(frozen=True)
class Room:
    """Everything that is the same in every frame; `shutter` is the seconds it is open."""

    scene: Scene
    conditions: Conditions
    shutter: float
    markers: tuple[Clutter, ...]


def random_room(
    rng: Rng,
    zones: Mapping[str, Polygon],
    size: tuple[int, int],
    seconds: float,
    roughness: float,
    markers: bool,
) -> Room:
    """A room that follows from the generator; roughness 0 is a studio, 1 a kitchen, 2 a bad one."""
    spots = np.array([point for zone in zones.values() for point in zone])
    half = (float(np.abs(spots[:, 0]).max()) + 12, float(np.abs(spots[:, 1]).max()) + 12)
    half = (max(half[0], half[1] * size[0] / size[1]), max(half[1], half[0] * size[1] / size[0]))
    papers = _markers(rng, half) if markers else ()
    camera = _camera(rng, size, [*zones.values(), *(_square(paper) for paper in papers)], half)
    seed = int(rng.integers(1 << 30))
    surface = random_surface(rng, random_kind(rng), seed, camera.focal / camera.distance, half)
    if surface.size is not None:  # nobody plays on a table too small for the cards
        surface = replace(surface, size=(2.15 * half[0], 2.2 * half[1]), round=False)
    things = _things(rng, zones, half, papers) if roughness > 0 else ()
    lights, ambient = _lights(rng)
    scene = Scene(
        camera=camera,
        surface=replace(surface, gloss=min(0.35, surface.gloss) if roughness > 0 else 0.0),
        floor=Surface("parquet", seed + 1, 0.8),
        lights=lights,
        ambient=ambient,
        clutter=(*papers, *things),
        sensor=_sensor(rng, roughness),
    )
    conditions = random_conditions(int(rng.integers(1 << 30)), seconds, roughness)
    if roughness <= 1:  # a bumped camera needs a new calibration: only on request
        conditions = replace(conditions, bumps=())
    return Room(scene, conditions, float(rng.choice(_SHUTTERS)), papers)


def _markers(rng: Rng, half: tuple[float, float]) -> tuple[Clutter, ...]:
    """Four printed markers near the corners, clockwise from the upper left, as people lay them."""
    corners = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    return tuple(
        Clutter(
            "aruco",
            number,
            round(sx * (half[0] - 48) + float(rng.normal(0, 4)), 1),
            round(sy * (half[1] - 46) + float(rng.normal(0, 4)), 1),
            round(float(rng.normal(0, 5)), 1),
        )
        for number, (sx, sy) in enumerate(corners)
    )


def _square(paper: Clutter) -> Polygon:
    reach = MARKER_PAPER / 2
    return tuple((paper.x + sx * reach, paper.y + sy * reach) for sx in (-1, 1) for sy in (-1, 1))


def _camera(rng: Rng, size: tuple[int, int], shown: list[Polygon], half: tuple[float, float]) -> Camera:
    """A camera above the table that shows all of these polygons and little more."""
    k1 = float(rng.normal(0, 0.05)) if rng.random() < 0.7 else 0.0
    camera = Camera(
        size=size,
        target=(float(rng.normal(0, 8)), float(rng.normal(0, 8))),
        tilt=float(min(32.0, abs(rng.normal(0, 13)))),
        heading=float(rng.normal(0, 2.5)),
        roll=float(rng.normal(0, 1.2)),
        field_of_view=float(rng.uniform(45, 74)),
        k1=k1,
        k2=0.5 * k1 * k1 + abs(float(rng.normal(0, 0.006))),
        p1=float(rng.normal(0, 0.0005)),
        p2=float(rng.normal(0, 0.0005)),
    )
    flat = np.array([(x, y, 0.0) for polygon in shown for x, y in polygon])
    edge = np.array(size) * _FRAME
    distance = half[0] / math.tan(math.radians(camera.field_of_view) / 2) * 0.9
    while True:
        camera = replace(camera, distance=round(distance, 1))
        seen = camera.project(flat)
        if bool(((seen > edge) & (seen < np.array(size) - 1 - edge)).all()):
            return camera
        distance *= 1.02


def _things(
    rng: Rng, zones: Mapping[str, Polygon], half: tuple[float, float], papers: tuple[Clutter, ...]
) -> tuple[Clutter, ...]:
    """Mugs, phones and crumbs where no cards go."""
    outlines = [np.array(zone, np.float32) for zone in zones.values()]
    found: list[Clutter] = []
    for _ in range(int(rng.poisson(1.6))):
        kind, seed = str(rng.choice(list(_THINGS))), int(rng.integers(1 << 30))
        angle = float(rng.uniform(0, 360))
        for _ in range(30):
            x, y = float(rng.uniform(-1, 1)) * half[0], float(rng.uniform(-1, 1)) * half[1]
            apart = [-cv2.pointPolygonTest(outline, (x, y), True) for outline in outlines]
            near = [math.hypot(x - other.x, y - other.y) for other in (*found, *papers)]
            if min(apart) > _THINGS[kind] and min(near, default=999.0) > _THINGS[kind] + 60:
                found.append(Clutter(kind, seed, x, y, angle))
                break
    return tuple(found)


def _lights(rng: Rng) -> tuple[tuple[Light, ...], float]:
    """One to three lamps, well above the table, mostly of one colour."""
    warm = float(np.clip(rng.normal(0.15, 0.25), -0.5, 0.8))
    lights = []
    for _ in range(int(rng.choice([1, 2, 2, 3]))):
        turn, away = float(rng.uniform(0, 2 * math.pi)), float(rng.uniform(0, 1400))
        tone = warm if rng.random() < 0.8 else float(rng.uniform(-0.4, 0.6))
        lights.append(
            Light(
                away * math.cos(turn),
                away * math.sin(turn),
                float(rng.uniform(1100, 2400)),
                float(rng.uniform(0.4, 1.0)),
                float(rng.choice([60, 150, 300])),
                temperature(tone),
            )
        )
    return tuple(lights), float(rng.uniform(0.5, 1.6))


def _sensor(rng: Rng, roughness: float) -> Sensor:
    """A decent webcam; the rougher, the noisier, softer and more off in colour."""
    cast = rng.normal(0, 0.03 * min(2.0, roughness), 3)
    return Sensor(
        exposure=float(np.clip(rng.normal(1.02, 0.07 * roughness), 0.75, 1.3)),
        white_balance=(float(1 + cast[0]), float(1 + cast[1] / 3), float(1 + cast[2])),
        vignette=float(abs(rng.normal(0, 0.12))) * min(1.0, roughness),
        defocus=float(abs(rng.normal(0, 0.35))) * roughness,
        contrast=float(np.round(rng.normal(0.1, 0.15), 2)),
        noise=float(0.6 + abs(rng.normal(0, 1.4))) * roughness,
        noise_kind=int(rng.integers(4)),
    )
