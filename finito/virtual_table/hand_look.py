"""The looks of hands: skin, nails, sleeves and bracelets, drawn once per person and pose."""

import math
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from finito.virtual_table.camera import Array
from finito.virtual_table.decals import Decal, premultiplied
from finito.virtual_table.hand_shape import (
    POSES,
    Pose,
    finger_bones,
    palm_bones,
    relief,
    shading,
    thumb_bones,
)
from finito.virtual_table.surface_patterns import Rng, any_colour, colour_of

_PIXELS_PER_MM = 2.0
_WIDTH, _REACH, _ARM = 210.0, 200.0, 560.0

# Skin as seen by a camera (blue, green, red), from light to dark.
_SKINS = (
    (180, 200, 240),
    (155, 182, 228),
    (135, 165, 215),
    (110, 145, 200),
    (90, 125, 182),
    (70, 98, 150),
    (52, 74, 118),
    (42, 55, 85),
)


@dataclass(frozen=True)
class HandDecals:
    """A hand in two layers: cards it holds lie between them."""

    below: Decal | None
    above: Decal | None
    whole: Decal


@dataclass(frozen=True)
class _Raster:
    across: Array
    down: Array
    rng: Rng
    skin: Array
    light: tuple[float, float]


@lru_cache(maxsize=48)
def hand_decals(look: int, pose: str, left: bool) -> HandDecals:
    """The hand of person `look` in a pose of POSES."""
    shape = POSES[pose]
    rng = np.random.default_rng([look, 77])
    skin = np.array(_SKINS[rng.integers(len(_SKINS))], np.float32) * rng.uniform(0.9, 1.1, 3).astype(
        np.float32
    )
    columns, rows = int(_WIDTH * _PIXELS_PER_MM), int((_REACH + _ARM) * _PIXELS_PER_MM)
    x = (np.arange(columns, dtype=np.float32) + 0.5) / _PIXELS_PER_MM - _WIDTH / 2
    y = (np.arange(rows, dtype=np.float32) + 0.5) / _PIXELS_PER_MM - _REACH
    across, down = np.meshgrid(x, y)
    turn = rng.uniform(0, 2 * math.pi)
    raster = _Raster(across, down, rng, skin, (math.cos(turn), math.sin(turn)))
    slack = np.random.default_rng([look, len(pose)]).normal(0, 4, (5, 4))
    arm = _arm(raster)
    below, above = _layers(raster, shape, slack, arm)
    anchor = (_WIDTH / 2 + shape.anchor[0], _REACH + shape.anchor[1])
    if left:
        below, above = (None if art is None else cv2.flip(art, 1) for art in (below, above))
        anchor = (_WIDTH - anchor[0], anchor[1])
    layers = [None if art is None else Decal(art, (_WIDTH, _REACH + _ARM), anchor) for art in (below, above)]
    parts = [art for art in (below, above) if art is not None]
    whole = parts[0] if len(parts) == 1 else cv2.max(parts[0], parts[1])
    return HandDecals(layers[0], layers[1], Decal(whole, (_WIDTH, _REACH + _ARM), anchor))


def _layers(raster: _Raster, pose: Pose, slack: Array, arm: Array) -> tuple[Array | None, Array | None]:
    fingers = finger_bones(pose, slack)
    thumb = thumb_bones(pose, slack)
    body = [bone for finger in fingers for bone in finger] + palm_bones()
    tips = [] if pose.palm_up else [(finger[2].start, finger[2].end) for finger in fingers]
    thumb_tip = [(thumb[2].start, thumb[2].end)]
    if not (pose.thumb_above or pose.thumb_below):
        return _over(arm, _flesh(raster, body + thumb, tips + thumb_tip)), None
    main = _over(arm, _flesh(raster, body + thumb[:1], tips))
    alone = _flesh(raster, thumb[1:], thumb_tip if pose.thumb_above else [])
    return (main, alone) if pose.thumb_above else (alone, main)


def _over(low: Array, high: Array) -> Array:
    clear = cv2.cvtColor(cv2.bitwise_not(high[:, :, 3]), cv2.COLOR_GRAY2BGRA)
    clear[:, :, 3] = clear[:, :, 0]
    return cv2.add(cv2.multiply(low, clear, scale=1 / 255), high)


def _flesh(raster: _Raster, bones: list, tips: list) -> Array:  # type: ignore[type-arg]
    """Skin over bones, with nails at the tips that show them."""
    rows = int((_REACH + 30) * _PIXELS_PER_MM)
    across, down = raster.across[:rows], raster.down[:rows]
    height, inside = relief(bones, across, down, _PIXELS_PER_MM)
    light = shading(height, 2.2, raster.light)
    mottle = cv2.resize(
        raster.rng.normal(0, 0.035, (rows // 12, across.shape[1] // 12)), (across.shape[1], rows)
    )
    fine = raster.rng.normal(0, 0.012, across.shape)
    tone = np.clip(light * (1 + mottle + fine), 0.25, 1.25).astype(np.float32)
    # Blood shows where light grazes the skin: blue and green fall faster than red.
    colour = np.stack([raster.skin[i] * tone**power for i, power in enumerate((1.35, 1.2, 0.95))], axis=-1)
    for start, end in tips:
        _nail(colour, raster, start, end)
    alpha = np.zeros(raster.across.shape, np.uint8)
    alpha[:rows] = np.clip(inside * 255 + 127, 0, 255)
    full = np.zeros((*alpha.shape, 3), np.uint8)
    full[:rows] = np.clip(colour, 0, 255)
    return premultiplied(full, alpha)


def _nail(colour: Array, raster: _Raster, start: tuple[float, ...], end: tuple[float, ...]) -> None:
    dx, dy = end[0] - start[0], end[1] - start[1]
    long = math.hypot(dx, dy)
    if long < 5:
        return
    x, y = end[0] - dx / long * 1.5, end[1] - dy / long * 1.5
    centre = (int((x + _WIDTH / 2) * _PIXELS_PER_MM), int((y + _REACH) * _PIXELS_PER_MM))
    axes = (int(4.6 * _PIXELS_PER_MM), int(3.9 * _PIXELS_PER_MM))
    mask = np.zeros(colour.shape[:2], np.float32)
    cv2.ellipse(mask, centre, axes, math.degrees(math.atan2(dy, dx)), 0, 360, 0.55, -1, cv2.LINE_AA)
    pink = np.minimum(raster.skin * 1.1 + np.array([28, 18, 22], np.float32), 250)
    colour += (pink - colour) * cv2.GaussianBlur(mask, (0, 0), 0.8)[:, :, None]


def _arm(raster: _Raster) -> Array:
    """The forearm, bare or sleeved, from the wrist down to the edge of the picture."""
    rng = raster.rng
    sleeve_from = float(rng.choice([rng.uniform(-2, 25), rng.uniform(40, 220), 900.0], p=[0.55, 0.35, 0.1]))
    loose = rng.uniform(5, 20)
    first = int((_REACH - 8) * _PIXELS_PER_MM)
    across, down = raster.across[first:], raster.down[first:]
    bare = 27 + 13 * np.clip(down / 230, 0, 1)
    sleeved = down > sleeve_from
    folds = cv2.resize(rng.normal(0, 1, (24, 5)).astype(np.float32), (down.shape[1], down.shape[0]))
    half = np.where(sleeved, bare + loose + folds * 2.5, bare).astype(np.float32)
    round_off = np.sqrt(np.clip(1 - (across / half) ** 2, 0.02, 1))
    side = 1 + 0.22 * raster.light[0] * across / half
    skin = raster.skin * np.clip(0.45 + 0.55 * round_off * side, 0, 1.2)[:, :, None]
    cloth = (
        _cloth_colours(rng, across, down)
        * np.clip(0.4 + 0.6 * round_off * side + folds * 0.09, 0, 1.3)[:, :, None]
    )
    colour = np.where(sleeved[:, :, None], cloth, skin)
    colour[(down > sleeve_from) & (down < sleeve_from + 3)] *= 0.8
    if rng.random() < 0.25 and sleeve_from > 30:
        band = (down > 8) & (down < 8 + rng.uniform(4, 22))
        colour[band] = any_colour(rng) * np.clip(0.3 + 0.7 * round_off[band], 0, 1)[:, None]
    alpha = np.zeros(raster.across.shape, np.uint8)
    alpha[first:] = np.clip((half - np.abs(across)) * _PIXELS_PER_MM * 255 + 127, 0, 255) * (down > -6)
    full = np.zeros((*alpha.shape, 3), np.uint8)
    full[first:] = np.clip(colour, 0, 255)
    return premultiplied(full, alpha)


def _cloth_colours(rng: Rng, across: Array, down: Array) -> Array:
    base = any_colour(rng) if rng.random() < 0.6 else colour_of(rng, (0, 360), (0, 0.2), (0.05, 0.9))
    weave = 1 + rng.normal(0, rng.uniform(0.01, 0.06), across.shape)
    picture = base * weave[:, :, None]
    style = rng.random()
    if style < 0.2:
        stripe = np.sin(down * rng.uniform(0.2, 0.9)) > rng.uniform(-0.3, 0.7)
        picture[stripe] = any_colour(rng)
    elif style < 0.3:
        check = (np.sin(down * 0.3) > 0.4) ^ (np.sin(across * 0.3) > 0.4)
        picture[check] *= 0.6
    return np.asarray(picture)
