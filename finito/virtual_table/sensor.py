"""From light to the pixels of a cheap camera: exposure, lens, noise, phone software and compression."""

import math
from functools import lru_cache

import cv2
import numpy as np

from finito.virtual_table.camera import Array, View
from finito.virtual_table.lighting import glare_map, light_map
from finito.virtual_table.painter import smeared
from finito.virtual_table.scene import Scene, Sensor
from finito.virtual_table.surfaces import saturation_matrix

_NOISE_TILES = 4
_NOISE_MARGIN = 256


def expose(view: View, scene: Scene, picture: Array, ids: Array, card_gloss: float = 0.8) -> Array:
    """The picture as lit by the scene's lamps and taken by its sensor."""
    sensor = scene.sensor
    gain = light_map(view, scene) * _vignette(view, sensor.vignette)[:, :, None]
    gain *= np.array(sensor.white_balance, np.float32) * sensor.exposure
    if sensor.bands[0]:
        gain *= _bands(gain.shape[0], sensor.bands)
    lit = cv2.multiply(picture, view.spread(gain), dtype=cv2.CV_8U)
    shine = glare_map(view, scene, 0.05) if scene.surface.gloss else None
    if shine is not None:
        lit = _glare(lit, view.spread(shine), ids, scene.surface.gloss, card_gloss)
    return develop(lit, sensor)


def _glare(lit: Array, shine: Array, ids: Array, gloss: float, card_gloss: float) -> Array:
    shine = shine * np.where(ids > 0, np.float32(card_gloss), np.float32(gloss)) * (ids >= 0)
    added = cv2.cvtColor(cv2.convertScaleAbs(shine, alpha=255), cv2.COLOR_GRAY2BGR)
    # Screen blending: the print is washed out towards white, never beyond it.
    return cv2.add(lit, cv2.multiply(cv2.bitwise_not(lit), added, scale=1 / 255))


def _vignette(view: View, strength: float) -> Array:
    rows, columns = view.nodes.shape[:2]
    if not strength:
        return np.ones((rows, columns), np.float32)
    x = np.linspace(-1, 1, columns, dtype=np.float32)
    y = np.linspace(-1, 1, rows, dtype=np.float32) * rows / columns
    return np.asarray(1 - strength * (x[None, :] ** 2 + y[:, None] ** 2) / 1.3)


def _bands(rows: int, bands: tuple[float, float, float]) -> Array:
    """Rows lit unevenly by lamps that flicker while the shutter rolls; period in parts of the height."""
    depth, per_height, phase = bands
    at = np.linspace(0, 2 * math.pi * per_height, rows, dtype=np.float32) + phase
    return np.asarray(1 + depth * np.sin(at))[:, None, None]


def develop(picture: Array, sensor: Sensor) -> Array:
    """Blur, noise, tone and compression."""
    if sensor.coarseness > 1:
        picture = _coarse(picture, sensor.coarseness)
    if sensor.defocus > 0.2:
        picture = cv2.GaussianBlur(picture, (0, 0), sensor.defocus)
    if sensor.shake != (0.0, 0.0):
        picture = smeared(picture, *sensor.shake)
    if sensor.noise:
        picture = _noisy(picture, sensor)
    if sensor.sharpen:
        soft = cv2.GaussianBlur(picture, (0, 0), 1.2)
        picture = cv2.addWeighted(picture, 1 + sensor.sharpen, soft, -sensor.sharpen, 0)
    if sensor.saturation != 1.0:
        picture = cv2.transform(picture, saturation_matrix(sensor.saturation))
    if sensor.contrast or sensor.black_level:
        picture = cv2.LUT(picture, _tone(sensor.contrast, sensor.black_level))
    if sensor.jpeg is not None:
        done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, sensor.jpeg])
        if done:
            picture = np.asarray(cv2.imdecode(data, cv2.IMREAD_COLOR))
    return picture


def _coarse(picture: Array, coarseness: float) -> Array:
    """A picture that was smaller once."""
    height, width = picture.shape[:2]
    small = (round(width / coarseness), round(height / coarseness))
    shrunk = cv2.resize(picture, small, interpolation=cv2.INTER_AREA)
    return cv2.resize(shrunk, (width, height), interpolation=cv2.INTER_LINEAR)


@lru_cache(maxsize=4)
def _noise_field(width: int, height: int) -> tuple[Array, ...]:
    """Noise of spread 32 around 128, larger than the picture: fine, blotchy, coloured, and in rows."""
    rng = np.random.default_rng(20240)
    shape = (height + _NOISE_MARGIN, width + _NOISE_MARGIN)
    fine = rng.standard_normal((*shape, 3), np.float32)
    grey = np.repeat(rng.standard_normal((*shape, 1), np.float32), 3, axis=2)
    blotchy = cv2.GaussianBlur(fine, (0, 0), 1.4) * 4.0
    rows = rng.standard_normal((shape[0], 1, 1), np.float32)
    fields = (
        fine * 0.6 + grey * 0.7,
        grey,
        blotchy * 0.6 + grey * 0.5,
        fine * 0.6 + grey * 0.5 + rows * 0.25,
    )
    return tuple(np.clip(field * 32 + 128, 0, 255).astype(np.uint8) for field in fields)


def _noisy(picture: Array, sensor: Sensor) -> Array:
    height, width = picture.shape[:2]
    rng = np.random.default_rng(sensor.seed)
    x, y = (int(v) for v in rng.integers(0, _NOISE_MARGIN, 2))
    field = _noise_field(width, height)[sensor.noise_kind % _NOISE_TILES][y : y + height, x : x + width]
    factor = sensor.noise / 32
    return cv2.addWeighted(picture, 1.0, field, factor, -128 * factor)


@lru_cache(maxsize=256)
def _tone(contrast: float, black_level: float) -> Array:
    at = np.arange(256) / 255
    curved = at + contrast * np.sin(2 * math.pi * at) * -0.16
    return np.clip((black_level + curved * (1 - black_level)) * 255, 0, 255).astype(np.uint8)
