"""Every cached still serves many times: turned, mirrored, scaled, cropped and in another light."""

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.finder.stills_cache import Sample
from models.training.finder.strange_things import with_strange_things
from models.training.finder.targets import Cells, cells_of
from vision.finding.maps import STRIDE

_PADDING = -2
_WHITENED = 0.07
_FLAT = 0.05
_STRANGE = 0.3
_NARROWEST, _WIDEST = 10.0, 90.0
_CLOSE_UP = 0.15


@dataclass(frozen=True)
class Example:
    picture: NDArray[np.uint8]
    cells: Cells


def examples(sample: Sample, side: int, count: int, rng: np.random.Generator) -> list[Example]:
    """So many square windows of a still as the net sees them."""
    picture = another_background(sample, rng)
    return [_example(sample, picture, side, rng) for _ in range(count)]


def _example(sample: Sample, picture: NDArray[np.uint8], side: int, rng: np.random.Generator) -> Example:
    matrix = _window(sample, side, rng)
    shrinking = float(np.sqrt(abs(np.linalg.det(matrix[:, :2]))))
    if shrinking < 0.7:
        picture = np.asarray(cv2.GaussianBlur(picture, (0, 0), 0.35 / shrinking), np.uint8)
    fill = tuple(int(v) for v in rng.integers(0, 256, 3)) if rng.random() < 0.5 else (114, 114, 114)
    warped = cv2.warpAffine(
        picture,
        matrix,
        (side, side),
        flags=cv2.INTER_LINEAR,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=fill,
    )
    to_cells = np.vstack([matrix, [0, 0, 1]])
    middle = (STRIDE - 1) / 2
    to_cells[:2] = (to_cells[:2] - [[0, 0, middle], [0, 0, middle]]) / STRIDE
    ids = cv2.warpAffine(
        sample.ids,
        to_cells[:2],
        (side // STRIDE, side // STRIDE),
        flags=cv2.INTER_NEAREST,
        borderMode=cv2.BORDER_CONSTANT,
        borderValue=_PADDING,
    )
    corners = sample.corners @ matrix[:, :2].T + matrix[:, 2]
    if np.linalg.det(matrix[:, :2]) < 0:
        corners = corners[:, [1, 0, 3, 2]]
    picture = another_light(np.asarray(warped, np.uint8), rng)
    return Example(
        picture, cells_of(ids.astype(np.int16), sample.numbers, corners.astype(np.float32), _PADDING)
    )


def _scale(sample: Sample, side: int, rng: np.random.Generator) -> float:
    """Such that cards come in the widths the net must know: larger ones are found in a smaller picture."""
    whole = side / max(sample.ids.shape)
    least, most = 0.8 * whole, 1.3
    seen = sample.corners[sample.visible > 0.2]
    # Some windows are all card: what is printed on a large one must not pass for a small one.
    if len(seen) and rng.random() > _CLOSE_UP:
        width = float(np.median(np.linalg.norm(seen - np.roll(seen, 1, axis=1), axis=2).min(axis=1)))
        most = min(most, _WIDEST / width)
        least = max(_NARROWEST / width, min(least, most / 3))
    return float(np.exp(rng.uniform(np.log(min(least, most)), np.log(most))))


def _window(sample: Sample, side: int, rng: np.random.Generator) -> NDArray[np.float64]:
    height, width = sample.ids.shape
    scale = _scale(sample, side, rng)
    turn = rng.choice([0, 90, 180, 270]) + (rng.uniform(-45, 45) if rng.random() < 0.1 else rng.normal(0, 4))
    cos, sin = np.cos(np.radians(turn)) * scale, np.sin(np.radians(turn)) * scale
    linear = np.array([[cos, -sin], [sin, cos]]) @ np.diag([1 if rng.random() < 0.5 else -1, 1])
    stretch = np.exp(rng.normal(0, 0.06))
    linear = np.diag([stretch, 1 / stretch]) @ linear
    reach = np.abs(linear) @ [width / 2, height / 2]
    slack = np.maximum(reach - side / 2, side * 0.04)
    centred = side / 2 - linear @ [width / 2, height / 2]
    shift = rng.uniform(-slack, slack)
    if len(sample.corners) and rng.random() < 0.8:
        # Most windows show a card: empty tables teach little.
        card = linear @ sample.corners[rng.integers(len(sample.corners))].mean(axis=0) + centred
        shift = np.clip(rng.uniform(0.15, 0.85, 2) * side - card, -slack, slack)
    return np.hstack([linear, (centred + shift)[:, None]])


def another_background(sample: Sample, rng: np.random.Generator) -> NDArray[np.uint8]:
    """Now and then a flat table, or one that somebody painted over in white, specks and all."""
    chance = rng.random()
    start = with_strange_things(sample, rng) if rng.random() < _STRANGE else sample.picture
    if chance > _WHITENED + _FLAT:
        return start
    # What was painted on stays where the table is painted over.
    table = sample.ids == 0
    if start is not sample.picture:
        table &= (start == sample.picture).all(axis=2)
    picture = start.copy()
    if chance < _WHITENED:
        if rng.random() < 0.25:
            light = picture.min(axis=2) > rng.integers(170, 240)
            table = table | light
        picture[table] = int(rng.choice([255, 255, 250, 240]))
    else:
        colour = rng.integers(0, 256, 3) if rng.random() < 0.5 else np.full(3, rng.integers(0, 256))
        kept = float(rng.choice([0.0, 0.1, 0.3]))
        flat = picture[table] * kept + colour * (1 - kept) + rng.normal(0, rng.uniform(0, 4))
        picture[table] = np.clip(flat, 0, 255).astype(np.uint8)
    return picture


def another_light(picture: NDArray[np.uint8], rng: np.random.Generator) -> NDArray[np.uint8]:
    gain = np.exp(rng.normal(0, 0.22)) * np.exp(rng.normal(0, 0.06, 3))
    gamma = np.exp(rng.normal(0, 0.18))
    ramp = np.arange(256) / 255
    table = np.stack([np.clip((ramp**gamma) * g, 0, 1) for g in gain], axis=-1)
    table = (255 * table + rng.normal(0, 8)).clip(0, 255).astype(np.uint8)
    lit = cv2.LUT(picture, table[None])
    if rng.random() < 0.05:
        lit = cv2.cvtColor(cv2.cvtColor(lit, cv2.COLOR_BGR2GRAY), cv2.COLOR_GRAY2BGR)
    if rng.random() < 0.25:
        lit = cv2.GaussianBlur(lit, (0, 0), rng.uniform(0.4, 1.3))
    if rng.random() < 0.25:
        noise = rng.standard_normal(lit.shape, np.float32) * rng.uniform(1, 9)
        lit = np.clip(lit + noise, 0, 255).astype(np.uint8)
    return np.asarray(lit, np.uint8)
