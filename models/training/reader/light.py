"""What light, lens, sensor and file format do to a crop."""

from __future__ import annotations

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.reading.answers import LIGHT

Crop = NDArray[np.float32]  # BGR, 0 to 255
Rng = np.random.Generator


def random_cast(rng: Rng) -> NDArray[np.float32]:
    """Gains of blue, green and red: daylight, lamps, shade, the green of cheap webcams."""
    kind = rng.random()
    if kind < 0.35:
        gains = rng.normal(1.0, 0.05, 3)
    elif kind < 0.65:  # warm lamps
        warm = rng.uniform(0.0, 1.0)
        gains = np.array([1 - 0.6 * warm, 1 - 0.22 * warm, 1 + 0.1 * warm]) * rng.normal(1, 0.04, 3)
    elif kind < 0.82:  # cold
        cold = rng.uniform(0.0, 1.0)
        gains = np.array([1 + 0.2 * cold, 1 - 0.05 * cold, 1 - 0.4 * cold]) * rng.normal(1, 0.04, 3)
    else:  # green
        green = rng.uniform(0.0, 1.0)
        gains = np.array([1 - 0.3 * green, 1 + 0.1 * green, 1 - 0.28 * green]) * rng.normal(1, 0.04, 3)
    return np.asarray(gains, np.float32)


def lit(crop: Crop, rng: Rng) -> tuple[Crop, NDArray[np.float32]]:
    """The crop in some light, and what a whole picture in that light would say about it."""
    exposure = float(np.exp(rng.normal(-0.15, 0.32)))
    gains = random_cast(rng) * np.float32(exposure)
    gamma = np.float32(np.exp(rng.normal(0, 0.18)))
    shaped = np.power(crop * np.float32(1 / 255), gamma)
    if rng.random() < 0.5:
        shaped = shaped * _slope(crop.shape[:2], rng)
    shaped = shaped * gains
    if rng.random() < 0.25:
        shaped = shaped + _glare(crop.shape[:2], rng)
    if rng.random() < 0.3:  # haze, black level
        shaped = np.float32(rng.uniform(0.0, 0.14)) + shaped * np.float32(rng.uniform(0.8, 1.0))
    if rng.random() < 0.45:
        shaped = _with_saturation(shaped, float(rng.uniform(0.5, 1.5)))
    out = np.minimum(np.maximum(shaped * np.float32(255), 0), 255)
    return np.asarray(out, np.float32), _picture_light(gains, gamma, rng)


def _slope(shape: tuple[int, int], rng: Rng) -> Crop:
    """Light that falls off across the card, or the soft edge of a shadow."""
    height, width = shape
    angle, depth = rng.uniform(0, 2 * np.pi), rng.uniform(0.0, 0.45)
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    along = np.float32(np.cos(angle)) * x + np.float32(np.sin(angle)) * y
    if rng.random() < 0.35:
        edge = np.tanh((along - np.float32(rng.uniform(-1, 1))) * np.float32(rng.uniform(2, 25)))
        return np.asarray(1 - depth * (0.5 + 0.5 * edge), np.float32)[:, :, None]
    return np.asarray(1 - depth * (0.5 + 0.5 * along), np.float32)[:, :, None]


def _glare(shape: tuple[int, int], rng: Rng) -> Crop:
    """A reflection that washes colours out."""
    height, width = shape
    y, x = np.mgrid[-1 : 1 : height * 1j, -1 : 1 : width * 1j].astype(np.float32)
    angle = rng.uniform(0, np.pi)
    cos, sin = np.float32(np.cos(angle)), np.float32(np.sin(angle))
    cx, cy = rng.uniform(-1, 1, 2).astype(np.float32)
    u, v = cos * (x - cx) + sin * (y - cy), -sin * (x - cx) + cos * (y - cy)
    a, b = np.float32(rng.uniform(0.2, 1.6)), np.float32(rng.uniform(0.15, 0.8))
    blob = np.exp(-((u / a) ** 2) - (v / b) ** 2)
    return np.asarray(blob[:, :, None] * np.float32(rng.uniform(0.1, 0.9)), np.float32)


def _with_saturation(shaped: Crop, saturation: float) -> Crop:
    grey = shaped @ np.array([0.114, 0.587, 0.299], np.float32)
    return np.asarray(grey[:, :, None] + (shaped - grey[:, :, None]) * np.float32(saturation), np.float32)


def _picture_light(gains: NDArray[np.float32], gamma: np.float32, rng: Rng) -> NDArray[np.float32]:
    """Mean and bright end of a picture of a random table in that light; unknown now and then."""
    light = np.zeros(LIGHT, np.float32)
    if rng.random() < 0.3:
        return light
    table = np.float32(rng.uniform(0.08, 0.8) * np.exp(rng.normal(0, 0.12, 3)))
    bright = np.maximum(table, np.float32(rng.uniform(0.55, 1.0) * np.exp(rng.normal(0, 0.06, 3))))
    light[:3] = np.clip(np.power(table, gamma) * gains, 0, 1)
    light[3:6] = np.clip(np.power(np.minimum(bright, 1), gamma) * gains, 0, 1)
    light[6] = 1
    return light


def photographed(crop: Crop, rng: Rng, whole: tuple[int, int], mild: bool = False) -> NDArray[np.uint8]:
    """The crop as a camera of limited resolution keeps it, brought to its full size again."""
    width, height = whole
    if mild:
        grain = rng.standard_normal((height, width, 1), np.float32) * np.float32(rng.uniform(0, 4))
        small = cv2.resize(crop, whole, interpolation=cv2.INTER_AREA) + grain
        return np.asarray(np.clip(small, 0, 255), np.uint8)
    scale = float(np.exp(rng.uniform(np.log(0.32), np.log(1.7))))
    flat = float(rng.uniform(0.6, 1.0)) if rng.random() < 0.4 else 1.0
    size = (max(14, round(width * min(1.6, scale * 1.02))), max(20, round(height * min(1.6, scale * flat))))
    small = cv2.resize(crop, size, interpolation=cv2.INTER_AREA)
    if rng.random() < 0.35:
        sigma = float(rng.uniform(0.3, 1.6)) * min(1.0, scale + 0.2)
        small = cv2.GaussianBlur(small, (0, 0), sigma)
    elif rng.random() < 0.15:
        small = _shaken(np.asarray(small, np.float32), rng)
    if rng.random() < 0.3:
        small = small + np.float32(rng.uniform(0.3, 1.4)) * (small - cv2.GaussianBlur(small, (0, 0), 1.0))
    if rng.random() < 0.6:
        grain = rng.standard_normal(small.shape, np.float32)
        small = small + grain * np.float32(rng.gamma(1.6, 3.0))
    kept = np.clip(small, 0, 255).astype(np.uint8)
    if rng.random() < 0.5:
        quality = int(rng.integers(25, 95))
        squeezed = cv2.imencode(".jpg", kept, [cv2.IMWRITE_JPEG_QUALITY, quality])[1]
        kept = np.asarray(cv2.imdecode(squeezed, cv2.IMREAD_COLOR), np.uint8)
    interpolation = cv2.INTER_AREA if size[0] > width else cv2.INTER_LINEAR
    return np.asarray(cv2.resize(kept, whole, interpolation=interpolation), np.uint8)


def _shaken(crop: Crop, rng: Rng) -> Crop:
    reach = int(rng.integers(2, 5))
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    angle = rng.uniform(0, np.pi)
    step = (round(reach * float(np.cos(angle))), round(reach * float(np.sin(angle))))
    cv2.line(kernel, (reach - step[0], reach - step[1]), (reach + step[0], reach + step[1]), 1.0)
    return np.asarray(cv2.filter2D(crop, -1, kernel / kernel.sum()), np.float32)
