"""Random tables, lamps, cameras and sensors, from a tidy studio to a dim kitchen."""

import math

import numpy as np

from finito.virtual_table.camera import Camera
from finito.virtual_table.scene import Light, Sensor, Shade, Surface
from finito.virtual_table.surface_patterns import Rng

_KINDS = {
    "wood": 0.22,
    "planks": 0.08,
    "parquet": 0.02,
    "plain": 0.23,
    "felt": 0.08,
    "cloth": 0.08,
    "checks": 0.06,
    "stripes": 0.03,
    "motif": 0.04,
    "marble": 0.03,
    "speckle": 0.04,
    "carpet": 0.03,
    "concrete": 0.05,
    "tiles": 0.01,
}


# No farther than this many pixels per mm: smaller cards cannot be told even by people.
_COARSEST = 0.27
# Blur wider than this many mm on the card leaves nothing to read.
_BLUR_MM = 2.2


def random_kind(rng: Rng) -> str:
    return str(rng.choice(list(_KINDS), p=list(_KINDS.values())))


def random_surface(
    rng: Rng, kind: str, seed: int, pixels_per_mm: float, half: tuple[float, float]
) -> Surface:
    """A table top fine enough for the camera; some end within the picture."""
    size = None
    if half[0] > 150 and rng.random() < 0.3:
        size = (2 * half[0] * rng.uniform(0.95, 1.5), 2 * half[1] * rng.uniform(0.95, 1.5))
    gloss = float(rng.uniform(0.1, 0.8)) if rng.random() < 0.3 else 0.0
    brightness = float(np.clip(rng.normal(1, 0.15), 0.6, 1.4))
    b, g, r = (float(v) for v in brightness * (1 + rng.normal(0, 0.06, 3)))
    return Surface(
        kind,
        seed,
        grain=3.0 if pixels_per_mm > 1.5 else 0.8,
        angle=float(rng.uniform(0, 360)),
        gloss=gloss,
        tint=(b, g, r),
        saturation=float(rng.uniform(0.3, 1.1)),
        size=size,
        round=bool(rng.random() < 0.15),
    )


def random_camera(rng: Rng, size: tuple[int, int], half: tuple[float, float], level: bool) -> Camera:
    """A camera that shows the given part of the table, more or less; `level` keeps south at the bottom."""
    fov = float(rng.uniform(32, 80))
    heading = float(rng.normal(0, 4) if level else rng.choice([rng.normal(0, 12), rng.uniform(0, 360)]))
    turned = not level and abs(math.sin(math.radians(heading))) > 0.7
    width, height = (half[1], half[0]) if turned else half
    zoom = float(rng.choice([rng.uniform(0.95, 1.2), rng.uniform(0.6, 1.8)]))
    need = min(max(width, height * size[0] / size[1]) * zoom, size[0] / 2 / _COARSEST)
    distance = need / math.tan(math.radians(fov) / 2)
    tilt = float(min(50.0, abs(rng.normal(0, 18))))
    k1 = float(rng.normal(0, 0.06)) if rng.random() < 0.7 else 0.0
    return Camera(
        size=size,
        target=(float(rng.normal(0, 0.1) * width), float(rng.normal(0, 0.1) * height)),
        distance=max(140.0, distance),
        tilt=tilt,
        heading=heading,
        roll=float(rng.normal(0, 3)),
        field_of_view=fov,
        k1=k1,
        # Enough of the fourth power that the lens never folds the picture over.
        k2=0.5 * k1 * k1 + abs(float(rng.normal(0, 0.01))),
        p1=float(rng.normal(0, 0.0008)),
        p2=float(rng.normal(0, 0.0008)),
    )


def temperature(warmth: float) -> tuple[float, float, float]:
    """Blue, green and red of a light; warmth -1 is a blue sky, 0 noon, 1 a candle."""
    return (1 - 0.55 * warmth if warmth > 0 else 1 - 0.25 * warmth, 1 - 0.14 * abs(warmth), 1 + 0.2 * warmth)


def random_lights(rng: Rng) -> tuple[tuple[Light, ...], float]:
    """Lamps and windows around the table, and how much light comes from everywhere."""
    warm = float(np.clip(rng.normal(0.1, 0.35), -0.8, 1))
    lights = []
    for _ in range(int(rng.choice([1, 1, 2, 3]))):
        turn, away = rng.uniform(0, 2 * math.pi), rng.uniform(0, 2200)
        mixed = warm if rng.random() < 0.75 else float(rng.uniform(-0.7, 0.9))
        lights.append(
            Light(
                float(away * math.cos(turn)),
                float(away * math.sin(turn)),
                float(rng.uniform(500, 2600)),
                float(rng.uniform(0.3, 1.0)),
                float(rng.choice([20, 80, 200, 500])),
                temperature(mixed),
            )
        )
    return tuple(lights), float(rng.uniform(0.25, 1.8))


def random_shades(rng: Rng, half: tuple[float, float]) -> tuple[Shade, ...]:
    """Now and then the shadow of a person, a window frame or a patch of sun lies over the table."""
    if rng.random() < 0.7:
        return ()
    return tuple(
        Shade(
            float(rng.normal(0, 0.7) * half[0]),
            float(rng.normal(0, 0.7) * half[1]),
            float(rng.uniform(0, 360)),
            float(rng.uniform(0.03, 0.8) * half[1]),
            float(rng.choice([rng.uniform(0.1, 0.6), -rng.uniform(0.2, 1.2)], p=[0.75, 0.25])),
        )
        for _ in range(int(rng.integers(1, 4)))
    )


def random_sensor(rng: Rng, pixels_per_mm: float) -> Sensor:
    """Most pictures are decent; a part is dim, blurred, noisy, blown out or badly compressed."""
    poor = rng.random() < 0.35
    exposure = float(np.clip(rng.normal(1.03, 0.13), 0.6, 1.5)) * (
        rng.uniform(0.35, 0.8) if rng.random() < 0.08 else 1
    )
    cast = rng.normal(0, 0.05, 3) * (2 if poor else 1)
    blurred = abs(float(rng.normal(0, 1.1 if poor else 0.55)))
    shake = rng.normal(0, 2.0, 2) * min(1.0, pixels_per_mm) if poor and rng.random() < 0.35 else np.zeros(2)
    dim = max(0.0, 0.9 - exposure)
    return Sensor(
        exposure=exposure,
        white_balance=(float(1 + cast[0]), float(1 + cast[1] / 3), float(1 + cast[2])),
        vignette=float(abs(rng.normal(0, 0.22))),
        defocus=min(blurred, max(0.5, _BLUR_MM * pixels_per_mm)),
        shake=(float(shake[0]), float(shake[1])),
        sharpen=float(rng.uniform(0.2, 1.2)) if rng.random() < 0.35 else 0.0,
        contrast=float(np.round(rng.normal(0.15, 0.35), 2)),
        black_level=float(np.round(abs(rng.normal(0, 0.03)), 2)),
        saturation=float(np.clip(rng.normal(1.0, 0.2), 0.4, 1.6)),
        noise=float(abs(rng.normal(0, 5 if poor else 1.6))) + 5 * dim,
        noise_kind=int(rng.integers(4)),
        bands=(float(rng.uniform(0.02, 0.1)) if rng.random() < 0.06 else 0.0, float(rng.uniform(1, 12)), 0.0),
        coarseness=float(rng.uniform(1.1, 2.0)) if rng.random() < 0.15 else 1.0,
        jpeg=int(rng.integers(25, 96)) if rng.random() < 0.6 else None,
        seed=int(rng.integers(1 << 30)),
    )
