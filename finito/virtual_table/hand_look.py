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
    Bone,
    Point,
    Pose,
    finger_bones,
    palm_bones,
    relief,
    shading,
    thumb_bones,
)
from finito.virtual_table.surface_patterns import Rng, any_colour, colour_of, fine_noise

_PIXELS_PER_MM = 1.6
_WIDTH, _REACH, _ARM = 210.0, 200.0, 300.0
# Beyond that the arm repeats its last part, so that it reaches the edge of any table.
_TAIL_PART, _TAIL_TIMES = 60.0, 10
# The hand fades into the forearm between these distances from the wrist.
_FADE = (8.0, 45.0)

# Skin as seen by a camera (blue, green, red), from light to dark.
_SKINS = (
    (180, 200, 240),
    (160, 184, 226),
    (145, 170, 214),
    (122, 150, 200),
    (100, 130, 182),
    (80, 106, 154),
    (62, 82, 124),
    (48, 60, 88),
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
    below, above = _layers(raster, shape, slack)
    anchor = (_WIDTH / 2 + shape.anchor[0], _REACH + shape.anchor[1])
    if left:
        below, above = (None if art is None else cv2.flip(art, 1) for art in (below, above))
        anchor = (_WIDTH - anchor[0], anchor[1])
    arts = [None if art is None else _with_tail(art) for art in (below, above)]
    layers = [None if art is None else _cropped(art, anchor) for art in arts]
    parts = [art for art in arts if art is not None]
    whole = parts[0] if len(parts) == 1 else cv2.max(parts[0], parts[1])
    return HandDecals(layers[0], layers[1], _cropped(whole, anchor))


def _cropped(art: Array, anchor: tuple[float, float]) -> Decal:
    """The part of a picture in which there is something, so that nothing is painted in vain."""
    x, y, width, height = cv2.boundingRect(art[:, :, 3])
    part = np.ascontiguousarray(art[y : y + height, x : x + width])
    size = (width / _PIXELS_PER_MM, height / _PIXELS_PER_MM)
    return Decal(part, size, (anchor[0] - x / _PIXELS_PER_MM, anchor[1] - y / _PIXELS_PER_MM))


def _with_tail(art: Array) -> Array:
    part = art[-int(_TAIL_PART * _PIXELS_PER_MM) :]
    return np.concatenate([art, *[part[::-1], part] * (_TAIL_TIMES // 2)])


def _layers(raster: _Raster, pose: Pose, slack: Array) -> tuple[Array | None, Array | None]:
    fingers = finger_bones(pose, slack)
    thumb = thumb_bones(pose, slack)
    body = [bone for finger in fingers for bone in finger] + palm_bones()
    tips = [] if pose.palm_up else [(finger[2].start, finger[2].end) for finger in fingers]
    thumb_tip = [(thumb[2].start, thumb[2].end)]
    if not (pose.thumb_above or pose.thumb_below):
        return _dressed(raster, _flesh(raster, body + thumb, tips + thumb_tip)), None
    main = _dressed(raster, _flesh(raster, body + thumb[:1], tips))
    alone = _flesh(raster, thumb[1:], thumb_tip if pose.thumb_above else [])
    return (main, alone) if pose.thumb_above else (alone, main)


def _dressed(raster: _Raster, hand: Array) -> Array:
    whole = _over(_bare_arm(raster), hand)
    sleeve = _sleeve(raster)
    return whole if sleeve is None else _over(whole, sleeve)


def _over(low: Array, high: Array) -> Array:
    clear = cv2.cvtColor(cv2.bitwise_not(high[:, :, 3]), cv2.COLOR_GRAY2BGRA)
    clear[:, :, 3] = clear[:, :, 0]
    return cv2.add(cv2.multiply(low, clear, scale=1 / 255), high)


def _flesh(raster: _Raster, bones: list[Bone], tips: list[tuple[Point, Point]]) -> Array:
    """Skin over bones, with nails at the tips that show them; it fades into the forearm."""
    rows = int((_REACH + _FADE[1]) * _PIXELS_PER_MM)
    across, down = raster.across[:rows], raster.down[:rows]
    height, inside = relief(bones, across, down, _PIXELS_PER_MM)
    light = shading(height, 2.2, raster.light)
    blotches = raster.rng.standard_normal((rows // 12, across.shape[1] // 12), np.float32) * np.float32(0.035)
    uneven = cv2.resize(blotches, (across.shape[1], rows)) + fine_noise(
        raster.rng, *across.shape
    ) * np.float32(0.01)
    tone = np.clip(light * (1 + uneven), 0.25, 1.25)
    # Blood shows where light grazes the skin: blue and green fall faster than red.
    colour = np.stack(
        [raster.skin[i] * tone ** np.float32(p) for i, p in enumerate((1.35, 1.2, 0.95))], axis=-1
    )
    for start, end in tips:
        _nail(colour, raster.skin, start, end)
    fade = np.clip((_FADE[1] - down) / (_FADE[1] - _FADE[0]), 0, 1)
    return _on_raster(raster, slice(0, rows), colour, np.clip(inside * 255 + 127, 0, 255) * fade)


def _on_raster(raster: _Raster, rows: slice, colour: Array, alpha: Array) -> Array:
    """Colours and alpha of some rows as a picture of the whole hand."""
    shape = raster.across.shape
    full, cover = np.zeros((*shape, 3), np.uint8), np.zeros(shape, np.uint8)
    full[rows] = np.clip(colour, 0, 255)
    cover[rows] = alpha
    return premultiplied(full, cover)


def _nail(colour: Array, skin: Array, start: Point, end: Point) -> None:
    dx, dy = end[0] - start[0], end[1] - start[1]
    long = math.hypot(dx, dy)
    if long < 5:
        return
    x, y = end[0] - dx / long * 1.5, end[1] - dy / long * 1.5
    column, row = int((x + _WIDTH / 2) * _PIXELS_PER_MM), int((y + _REACH) * _PIXELS_PER_MM)
    reach = int(8 * _PIXELS_PER_MM)
    part = colour[max(0, row - reach) : row + reach, max(0, column - reach) : column + reach]
    if not part.size:
        return
    mask = np.zeros(part.shape[:2], np.float32)
    centre = (min(column, reach), min(row, reach))
    axes = (int(4.4 * _PIXELS_PER_MM), int(3.6 * _PIXELS_PER_MM))
    cv2.ellipse(mask, centre, axes, math.degrees(math.atan2(dy, dx)), 0, 360, 0.5, -1, cv2.LINE_AA)
    pink = np.minimum(skin * 1.08 + np.array([24, 14, 20], np.float32), 250)
    part += (pink - part) * cv2.GaussianBlur(mask, (0, 0), 0.8)[:, :, None]


def _bare_arm(raster: _Raster) -> Array:
    """The forearm from the wrist down to the edge of the picture, with a watch or a bracelet by chance."""
    rng = raster.rng
    rows = slice(int((_REACH - 4) * _PIXELS_PER_MM), None)
    across, down = raster.across[rows], raster.down[rows]
    half = _arm_width(down)
    colour = np.empty((*across.shape, 3), np.float32)
    colour[:] = raster.skin
    if rng.random() < 0.25:
        colour[(down[:, 0] > 12) & (down[:, 0] < 12 + rng.uniform(4, 22))] = any_colour(rng)
    return _tube(raster, rows, colour, half, 0.5)


def _sleeve(raster: _Raster) -> Array | None:
    """Cloth over the forearm, from near the wrist or further up; some arms are bare."""
    rng = raster.rng
    start = float(rng.choice([rng.uniform(2, 30), rng.uniform(50, 220), 900.0], p=[0.5, 0.38, 0.12]))
    if start > _ARM:
        return None
    rows = slice(int((_REACH + start) * _PIXELS_PER_MM), None)
    across, down = raster.across[rows], raster.down[rows]
    folds = cv2.resize(rng.standard_normal((24, 5), np.float32), (down.shape[1], down.shape[0]))
    half = _arm_width(down) + np.float32(rng.uniform(4, 16)) + folds * np.float32(2.5)
    colour = _cloth_colours(rng, across, down)
    colour[: int(3 * _PIXELS_PER_MM)] *= 0.8
    colour *= (1 + folds * np.float32(0.1))[:, :, None]
    return _tube(raster, rows, colour, half, 0.4)


def _arm_width(down: Array) -> Array:
    return np.asarray(27 + 13 * np.clip(down / 230, 0, 1))


def _tube(raster: _Raster, rows: slice, colour: Array, half: Array, darkest: float) -> Array:
    """Colours shaded as if wound around an arm of the given half width."""
    aside = raster.across[rows] / half
    lit = np.sqrt(np.clip(1 - aside * aside, 0.02, 1)) * (1 + np.float32(0.22 * raster.light[0]) * aside)
    colour *= np.clip(darkest + (1 - darkest) * lit, 0, 1.3)[:, :, None]
    alpha = np.clip((1 - np.abs(aside)) * half * np.float32(_PIXELS_PER_MM * 255) + 127, 0, 255)
    return _on_raster(raster, rows, colour, alpha)


def _cloth_colours(rng: Rng, across: Array, down: Array) -> Array:
    base = any_colour(rng) if rng.random() < 0.6 else colour_of(rng, (0, 360), (0, 0.2), (0.05, 0.9))
    weave = 1 + fine_noise(rng, *across.shape) * np.float32(rng.uniform(0.01, 0.06))
    picture = base.astype(np.float32) * weave[:, :, None]
    style = rng.random()
    if style < 0.2:
        stripe = np.sin(down * np.float32(rng.uniform(0.2, 0.9))) > rng.uniform(-0.3, 0.7)
        picture[stripe] = any_colour(rng)
    elif style < 0.3:
        check = (np.sin(down * np.float32(0.3)) > 0.4) ^ (np.sin(across * np.float32(0.3)) > 0.4)
        picture[check] *= 0.6
    return np.asarray(picture)
