"""Photo-like pictures of the lens board and of tables with markers, with the true camera."""

from __future__ import annotations

from dataclasses import replace
from functools import lru_cache
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.lens import Lens
from calibration.printables import LENS_BOARD
from calibration.quad_fit import laid_over
from calibration.table_plane import TablePlane
from finito.virtual_table.camera import Camera
from finito.virtual_table.decks import house_deck
from finito.virtual_table.render import render
from finito.virtual_table.scene import Card, Clutter, Light, Rendered, Scene, Sensor, Surface

Array = NDArray[Any]
DECK = house_deck()
SURFACES = ("wood", "cloth", "plain", "concrete", "felt", "planks")


def lens_of(camera: Camera) -> Lens:
    return Lens(
        camera.size,
        (camera.focal, camera.focal),
        camera.view.middle,
        (camera.k1, camera.k2, camera.p1, camera.p2, 0.0),
    )


def random_camera(rng: np.random.Generator, size: tuple[int, int]) -> Camera:
    return Camera(
        size,
        target=(float(rng.normal(0, 15)), float(rng.normal(0, 15))),
        distance=float(rng.uniform(950, 1250)),
        tilt=float(rng.uniform(0, 35)),
        heading=float(rng.normal(0, 6)),
        roll=float(rng.normal(0, 3)),
        field_of_view=float(rng.uniform(58, 70)),
        k1=float(rng.normal(0, 0.05)),
        k2=0.01,
    )


def table_scene(
    seed: int, size: tuple[int, int] = (1920, 1080), cards: int = 0, markers: bool = True
) -> Scene:
    """A table under a random camera, light and sensor; markers lie near its corners, turned as they fell."""
    rng = np.random.default_rng(seed)
    spots = ((-1, -1), (1, -1), (1, 1), (-1, 1))
    laid = tuple(
        Clutter(
            "aruco",
            number,
            float(x * 330 + rng.normal(0, 20)),
            float(y * 170 + rng.normal(0, 12)),
            float(rng.uniform(0, 360)),
        )
        for number, (x, y) in enumerate(spots)
    )
    return Scene(
        camera=random_camera(rng, size),
        surface=Surface(SURFACES[seed % len(SURFACES)], seed, 1.5),
        lights=(Light(float(rng.normal(0, 500)), -500.0, 1600.0), Light(600.0, 300.0, 1300.0, 0.4)),
        ambient=float(rng.uniform(0.5, 1.2)),
        clutter=laid if markers else (),
        cards=scattered(rng, cards),
        sensor=Sensor(
            exposure=float(rng.uniform(0.8, 1.05)),
            defocus=float(abs(rng.normal(0, 0.6))),
            noise=float(rng.uniform(0.5, 4)),
            vignette=0.2,
            jpeg=int(rng.integers(60, 95)),
            seed=seed,
        ),
    )


def scattered(rng: np.random.Generator, count: int) -> tuple[Card, ...]:
    """Cards that do not overlap much, some on piles."""
    return tuple(
        Card(
            f"c{i}",
            "face",
            DECK.faces[i % len(DECK.faces)],
            DECK.backs[0],
            float(-300 + 120 * (i % 6) + rng.normal(0, 12)),
            float(-140 + 140 * (i // 6) + rng.normal(0, 12)),
            float(rng.uniform(0, 360)),
            z=float(rng.choice([0.0, 0.0, 0.0, 3.0, 7.0])),
        )
        for i in range(count)
    )


def photo(scene: Scene) -> Rendered:
    return render(scene, DECK)


def without_cards(scene: Scene) -> Array:
    return photo(replace(scene, cards=())).picture


def plane_errors(plane: TablePlane, camera: Camera, half: tuple[float, float] = (380.0, 220.0)) -> Array:
    """How far off (mm) the plane puts points all over the table; where its origin lies does not matter."""
    grid = np.stack(np.meshgrid(np.linspace(-1, 1, 13), np.linspace(-1, 1, 9)), -1).reshape(-1, 2) * half
    seen = camera.project(np.c_[grid, np.zeros(len(grid))])
    inside = (seen > 0).all(axis=1) & (seen < camera.size).all(axis=1)
    there, here = plane.mm(seen[inside]), grid[inside]
    off = np.linalg.norm(there - laid_over(there[None], (here - here.mean(axis=0))[None])[0], axis=1)
    return np.asarray(off)


@lru_cache(maxsize=1)
def _board() -> Array:
    width, height = LENS_BOARD.size_mm
    art = LENS_BOARD.opencv().generateImage((int(width * 5), int(height * 5)), marginSize=0)
    return cv2.copyMakeBorder(art, 60, 60, 60, 60, cv2.BORDER_CONSTANT, value=255)


def board_photo(camera: Camera, seed: int, noise: float = 3.0, bulge: float = 0.0) -> Array:
    """The lens board on a grey table; `bulge` mm bends it, as paper that lies loose does."""
    rng = np.random.default_rng(seed)
    art = _board()
    middle = np.array(LENS_BOARD.size_mm) / 2
    points = camera.view.grid.astype(np.float64)
    if bulge:
        # The surface rises in the middle: it is seen from the side as if it were shifted.
        rise = bulge * np.cos(points[..., :1] / middle[0] * 1.5) * (np.abs(points[..., :1]) < middle[0])
        points = points - rise * (points - camera.view.centre[:2]) / camera.view.centre[2]
    at = ((points + middle) * 5 + 60 - 0.5).astype(np.float32)
    soft = cv2.GaussianBlur(art, (0, 0), 1.2 * 5 * camera.distance / camera.focal / 2)
    grey = cv2.remap(
        soft, at[..., 0], at[..., 1], cv2.INTER_LINEAR, borderMode=cv2.BORDER_CONSTANT, borderValue=90
    )
    shade = np.linspace(0.75, 1.0, grey.shape[1])[None]
    taken = 20 + grey * 0.82 * shade + rng.normal(0, noise, grey.shape)
    return cv2.cvtColor(np.clip(taken, 0, 255).astype(np.uint8), cv2.COLOR_GRAY2BGR)


def board_cameras(count: int, seed: int = 0, tilted: bool = True) -> list[Camera]:
    """One camera (same lens) held in many ways over the board."""
    rng = np.random.default_rng(seed)
    return [
        Camera(
            (1280, 720),
            target=(float(rng.uniform(-110, 110)), float(rng.uniform(-80, 80))),
            distance=float(rng.uniform(330, 480)),
            tilt=float(rng.uniform(15, 40)) if tilted else 0.0,
            heading=float(rng.uniform(0, 360)) if tilted else 0.0,
            roll=float(rng.uniform(-10, 10)) if tilted else 0.0,
            field_of_view=62.0,
            k1=-0.12,
            k2=0.03,
            p1=0.0008,
            p2=-0.0006,
        )
        for _ in range(count)
    ]
