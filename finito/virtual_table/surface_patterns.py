"""Drawing of surface textures: square tiles of TILE pixels that repeat without a seam."""

import math
from collections.abc import Callable
from functools import lru_cache

import cv2
import numpy as np

from finito.virtual_table.camera import Array

TILE = 640
Rng = np.random.Generator


def noise(rng: Rng, across: int, down: int) -> Array:
    """Smooth seamless noise, mean 0 and spread about 1, with so many cells across and down the tile."""
    if across >= TILE and down >= TILE:
        return fine_noise(rng, TILE, TILE)
    first = TILE // 4 if max(across, down) <= TILE // 8 else TILE
    cells = rng.standard_normal((min(down, TILE), min(across, TILE)), np.float32)
    soft = _grown(cells, first, cv2.INTER_CUBIC)
    return soft if first == TILE else _grown(soft, TILE, cv2.INTER_LINEAR)


def _grown(cells: Array, side: int, how: int) -> Array:
    """Values on a seamless raster, interpolated to a square of `side` pixels."""
    fx, fy = side / cells.shape[1], side / cells.shape[0]
    wide = cv2.copyMakeBorder(cells, 2, 2, 2, 2, cv2.BORDER_WRAP)
    full = cv2.resize(wide, (round(wide.shape[1] * fx), round(wide.shape[0] * fy)), interpolation=how)
    x, y = round(2 * fx), round(2 * fy)
    return full[y : y + side, x : x + side]


@lru_cache(maxsize=1)
def _noise_field() -> Array:
    once = np.random.default_rng(2024).standard_normal((TILE, TILE), np.float32)
    return np.tile(once, (3, 2))


def fine_noise(rng: Rng, rows: int, columns: int) -> Array:
    """Noise from pixel to pixel; seamless where asked for a whole tile. Cut from one field, to be quick."""
    field = _noise_field()
    y, x = (
        int(rng.integers(0, whole - n + 1)) for n, whole in zip((rows, columns), field.shape, strict=True)
    )
    return field[y : y + rows, x : x + columns]


def colour_of(
    rng: Rng, hue: tuple[float, float], saturation: tuple[float, float], value: tuple[float, float]
) -> Array:
    """A random BGR colour (0..255) with hue in degrees, saturation and value 0..1 within the given ranges."""
    hsv = np.array([[[rng.uniform(*hue) % 360, rng.uniform(*saturation), rng.uniform(*value)]]], np.float32)
    return np.asarray(cv2.cvtColor(hsv, cv2.COLOR_HSV2BGR)[0, 0] * 255)


def any_colour(rng: Rng) -> Array:
    return colour_of(rng, (0, 360), (0.0, 0.9), (0.1, 1.0))


def finished(base: Array, relief: Array) -> Array:
    """A colour (or a picture of colours) made lighter and darker by a relief around 0."""
    lit = np.maximum(relief.astype(np.float32), -1)
    if base.ndim == 1:
        return cv2.merge([cv2.convertScaleAbs(lit, alpha=float(tone), beta=float(tone)) for tone in base])
    return cv2.multiply(base.astype(np.float32), cv2.cvtColor(1 + lit, cv2.COLOR_GRAY2BGR), dtype=cv2.CV_8U)


def _cells(size_mm: float, grain: float) -> int:
    """How many features of a size fit the tile."""
    return max(2, round(TILE / (size_mm * grain)))


def _repeats(size_mm: float, grain: float) -> int:
    return max(1, round(TILE / (size_mm * grain)))


def _folds(rng: Rng, grain: float) -> Array:
    soft = noise(rng, _cells(140, grain), _cells(140, grain))
    crease = np.exp(-np.abs(noise(rng, _cells(110, grain), _cells(170, grain))) * 9)
    depth = float(rng.choice([0.0, 0.0, 0.05, 0.1]))
    return np.asarray(soft * np.float32(rng.uniform(0, 0.06)) - crease * np.float32(depth))


def _weave(rng: Rng, grain: float) -> Array:
    threads = _repeats(rng.uniform(0.5, 1.4), grain)
    at = np.arange(TILE, dtype=np.float32) * (2 * math.pi * threads / TILE)
    weave = np.sin(at)[None, :] * np.sin(at)[:, None]
    grainy = noise(rng, TILE, TILE)
    strength = rng.uniform(0.02, 0.12) * min(1.0, grain / 2)
    return np.asarray(weave * np.float32(strength) + grainy * np.float32(rng.uniform(0.01, 0.06)))


_WOODS = (
    ((28, 40), (0.22, 0.42), (0.78, 0.95)),
    ((20, 34), (0.35, 0.6), (0.55, 0.8)),
    ((12, 24), (0.45, 0.75), (0.28, 0.55)),
    ((8, 20), (0.4, 0.7), (0.15, 0.32)),
    ((25, 45), (0.05, 0.22), (0.6, 0.9)),
    ((20, 30), (0.05, 0.2), (0.2, 0.5)),
)


def _grain_lines(rng: Rng, grain: float) -> Array:
    """Lines of wood along x, as a relief."""
    wander = noise(rng, _cells(260, grain), _cells(90, grain)) * np.float32(rng.uniform(0.1, 0.8))
    rows = np.linspace(
        0, 2 * math.pi * _repeats(rng.uniform(9, 30), grain), TILE, endpoint=False, dtype=np.float32
    )
    rings = np.sin(rows[:, None] + wander * np.float32(4))
    streaks = noise(rng, _cells(120, grain), _cells(2.2, grain))
    pores = np.minimum(noise(rng, _cells(14, grain), _cells(0.7, grain)), 0)
    amounts = (0.01, 0.05), (0.02, 0.07), (0.02, 0.09), (0.04, 0.04)
    broad = noise(rng, _cells(200, grain), _cells(60, grain))
    lines = np.zeros((TILE, TILE), np.float32)
    for part, amount in zip((rings, streaks, pores, broad), amounts, strict=True):
        lines += part * np.float32(rng.uniform(*amount))
    return lines


def _wood(rng: Rng, grain: float) -> Array:
    base = colour_of(rng, *_WOODS[rng.integers(len(_WOODS))])
    return finished(base, _grain_lines(rng, grain))


def _boards(rng: Rng, grain: float, width: float, length: float, gap: float) -> Array:
    """Planks or parquet strips of one wood, each cut from elsewhere in it."""
    wood = _wood(rng, grain).astype(np.float32)
    rows, columns = _repeats(width, grain), _repeats(length, grain)
    out = np.empty_like(wood)
    for row in range(rows):
        y0, y1 = row * TILE // rows, (row + 1) * TILE // rows
        shift = int(rng.integers(TILE))
        strip: Array = np.roll(wood, shift, axis=1)[(np.arange(y0, y1) + shift) % TILE]
        tones = np.repeat(1 + rng.normal(0, 0.07, columns), -(-TILE // columns))[:TILE].astype(np.float32)
        joint = np.roll(tones, int(rng.integers(TILE)))
        strip = strip * joint[None, :, None]
        strip[:, np.flatnonzero(np.diff(joint, prepend=joint[-1]))] *= 1 - gap
        strip[:2] *= 1 - gap
        out[y0:y1] = strip
    return np.clip(out, 0, 255).astype(np.uint8)


def _planks(rng: Rng, grain: float) -> Array:
    return _boards(rng, grain, rng.uniform(60, 170), rng.uniform(300, 900), rng.uniform(0.05, 0.6))


def _parquet(rng: Rng, grain: float) -> Array:
    return _boards(rng, grain, rng.uniform(25, 70), rng.uniform(90, 300), rng.uniform(0.1, 0.5))


def _plain(rng: Rng, grain: float) -> Array:
    kind = rng.integers(5)
    if kind == 0:
        base = colour_of(rng, (0, 360), (0, 0.15), (0.02, 0.2))
    elif kind == 1:
        base = colour_of(rng, (0, 360), (0, 0.08), (0.85, 1.0))
    elif kind == 2:
        base = colour_of(rng, (0, 360), (0, 0.12), (0.3, 0.8))
    elif kind == 3:
        base = colour_of(rng, (0, 360), (0.6, 1.0), (0.4, 1.0))
    else:
        base = any_colour(rng)
    relief = (
        noise(rng, TILE, TILE) * rng.uniform(0, 0.025)
        + noise(rng, _cells(90, grain), _cells(90, grain)) * 0.012
    )
    return finished(base, relief)


def _felt(rng: Rng, grain: float) -> Array:
    base = colour_of(rng, (0, 360), (0.0, 0.9), (0.06, 0.7))
    relief = (
        noise(rng, TILE, TILE) * rng.uniform(0.03, 0.16)
        + noise(rng, _cells(3, grain), _cells(3, grain)) * 0.05
    )
    return finished(base, relief + _folds(rng, grain))


def _cloth(rng: Rng, grain: float) -> Array:
    return finished(any_colour(rng), _weave(rng, grain) + _folds(rng, grain))


def _checks(rng: Rng, grain: float) -> Array:
    """Gingham, and tartan where the stripes are of unequal width."""
    ground = colour_of(rng, (0, 360), (0, 0.15), (0.75, 1.0)) if rng.random() < 0.7 else any_colour(rng)
    ink = any_colour(rng)
    period = TILE // _repeats(rng.uniform(8, 45), grain)
    at = np.arange(TILE) % period / period
    stripe = (at < rng.uniform(0.3, 0.6)).astype(np.float32)
    if rng.random() < 0.35:
        stripe = np.maximum(stripe, 0.6 * ((at > 0.75) & (at < 0.82)))
    cover = (stripe[:, None] + stripe[None, :]) / 2
    picture = ground + (ink - ground) * cover[:, :, None]
    return finished(picture, _weave(rng, grain) + _folds(rng, grain))


def _stripes(rng: Rng, grain: float) -> Array:
    inks = np.stack([any_colour(rng) for _ in range(rng.integers(2, 6))])
    widths = rng.uniform(0.2, 1, len(inks) * 2)
    steps = np.cumsum(widths) / widths.sum()
    repeats = _repeats(rng.uniform(20, 160), grain)
    at = (np.arange(TILE) * repeats / TILE) % 1
    rows = inks[np.searchsorted(steps, at, side="right") % len(inks)]
    picture = np.repeat(rows[:, None], TILE, axis=1)
    return finished(picture, _weave(rng, grain) + _folds(rng, grain))


def _motif(rng: Rng, grain: float) -> Array:
    """Printed cloth: dots, flowers, leaves, rings, card-like rectangles, repeated."""
    period = TILE // _repeats(rng.uniform(18, 90), grain)
    count = -(-TILE // period)
    stamp = np.empty((period, period, 3), np.float32)
    stamp[:] = any_colour(rng)
    for _ in range(rng.integers(1, 6)):
        _stamp_shape(rng, stamp, period)
    picture: Array = np.tile(stamp, (count, count, 1))
    if rng.random() < 0.5:
        picture[period : 2 * period] = np.roll(picture[period : 2 * period], period // 2, axis=1)
    picture = cv2.resize(picture[: count * period, : count * period], (TILE, TILE))
    return finished(picture, _weave(rng, grain) + _folds(rng, grain))


def _stamp_shape(rng: Rng, stamp: Array, period: int) -> None:
    ink = any_colour(rng).tolist()
    x, y = (int(v) for v in rng.uniform(0.2, 0.8, 2) * period)
    size = max(2, int(rng.uniform(0.08, 0.3) * period))
    shape = rng.integers(4)
    if shape == 0:
        cv2.circle(stamp, (x, y), size, ink, -1 if rng.random() < 0.6 else 2, cv2.LINE_AA)
    elif shape == 1:
        for petal in range(5):
            cv2.ellipse(stamp, (x, y), (size, size // 4), petal * 72, 0, 360, ink, -1, cv2.LINE_AA)
    elif shape == 2:
        cv2.ellipse(
            stamp, (x, y), (size, size // 3), float(rng.uniform(0, 180)), 0, 360, ink, -1, cv2.LINE_AA
        )
    else:
        cv2.rectangle(stamp, (x - size, y - size // 2), (x + size, y + size // 2), ink, -1)


def _marble(rng: Rng, grain: float) -> Array:
    base = colour_of(rng, (0, 360), (0, 0.2), (0.15, 1.0))
    bent = (
        noise(rng, _cells(90, grain), _cells(60, grain))
        + noise(rng, _cells(18, grain), _cells(12, grain)) * 0.3
    )
    strength = np.float32(rng.uniform(-0.35, 0.25)) * np.clip(
        noise(rng, _cells(90, grain), _cells(90, grain)), 0, 1
    )
    veins = np.exp(-np.abs(bent) * 9) * strength
    cloud = noise(rng, _cells(120, grain), _cells(120, grain)) * 0.05
    return finished(base, veins + cloud + noise(rng, TILE, TILE) * 0.01)


def _speckle(rng: Rng, grain: float) -> Array:
    """Laminate and stone with flecks of other colours."""
    picture = np.empty((TILE, TILE, 3), np.float32)
    picture[:] = colour_of(rng, (0, 360), (0, 0.3), (0.1, 1.0))
    for size in rng.uniform(0.8, 4, 3):
        flecks = noise(rng, _cells(size, grain), _cells(size, grain)) > rng.uniform(1.1, 2)
        picture[flecks] = colour_of(rng, (0, 360), (0, 0.4), (0.05, 1.0))
    return finished(cv2.GaussianBlur(picture, (3, 3), 0), noise(rng, TILE, TILE) * 0.015)


def _carpet(rng: Rng, grain: float) -> Array:
    base = colour_of(rng, (0, 360), (0, 0.35), (0.2, 0.75))
    size = rng.uniform(0.8, 2.5)
    worms = np.tanh(noise(rng, _cells(size, grain), _cells(size, grain)) * 2) * rng.uniform(0.08, 0.3)
    return finished(base, worms + noise(rng, TILE, TILE) * 0.06)


def _concrete(rng: Rng, grain: float) -> Array:
    base = colour_of(rng, (0, 360), (0, 0.12), (0.15, 0.8))
    relief = sum(noise(rng, _cells(s, grain), _cells(s, grain)) * 0.02 for s in (160, 60, 20, 6, 2))
    return finished(base, np.asarray(relief, np.float32) * rng.uniform(0.5, 2))


def _tiles(rng: Rng, grain: float) -> Array:
    picture = (
        _marble(rng, grain).astype(np.float32)
        if rng.random() < 0.5
        else _plain(rng, grain).astype(np.float32)
    )
    period = TILE // _repeats(rng.uniform(60, 300), grain)
    joint = np.arange(TILE) % period < max(2, 2.5 * grain)
    picture[joint[:, None] | joint[None, :]] = colour_of(rng, (0, 360), (0, 0.1), (0.2, 0.9))
    return picture.astype(np.uint8)


PATTERNS: dict[str, Callable[[Rng, float], Array]] = {
    "carpet": _carpet,
    "checks": _checks,
    "cloth": _cloth,
    "concrete": _concrete,
    "felt": _felt,
    "marble": _marble,
    "motif": _motif,
    "parquet": _parquet,
    "plain": _plain,
    "planks": _planks,
    "speckle": _speckle,
    "stripes": _stripes,
    "tiles": _tiles,
    "wood": _wood,
}
