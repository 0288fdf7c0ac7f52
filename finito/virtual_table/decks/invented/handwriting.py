"""Numbers written with a pen: home-made cards, and figures where no font is installed."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache
from random import Random

import cv2
import numpy as np

from calibration.printables.shapes import Point, arc
from finito.virtual_table.decks.deck import Picture
from finito.virtual_table.decks.invented.brush import Points
from finito.virtual_table.decks.numerals import WIDTH, middle_lines

_HEIGHT = 128
_NINE: tuple[tuple[Point, ...], ...] = (
    arc((WIDTH / 2, 0.32), (WIDTH / 2, 0.32), 0, 360, 40),
    ((WIDTH, 0.32), (WIDTH, 0.45), (0.5, 0.85), (0.3, 1.0)),
)


@dataclass(frozen=True)
class Pen:
    width: float  # of the figure's height
    wobble: float
    bend: int  # which wobble

    @classmethod
    def random(cls, rng: Random) -> Pen:
        return cls(
            rng.uniform(0.05, 0.22), rng.choice((0.0, rng.uniform(0.01, 0.05))), rng.randrange(1 << 30)
        )


@lru_cache(maxsize=1024)
def written(pen: Pen, text: str) -> Picture:
    masks = [_digit(pen, digit) for digit in text]
    gap = np.zeros((masks[0].shape[0], round(_HEIGHT * 0.08)), np.uint8)
    parts = [part for mask in masks for part in (mask, gap)][:-1]
    return np.ascontiguousarray(np.hstack(parts))


def _digit(pen: Pen, digit: str) -> Picture:
    thick = max(2, round(pen.width * _HEIGHT))
    inner = _HEIGHT - thick
    lines = _NINE if digit == "9" else middle_lines(int(digit))
    points = [np.array(line) for line in lines]
    width = 0.3 if digit == "1" and pen.wobble else WIDTH
    mask = np.zeros((_HEIGHT, round(WIDTH * inner) + thick), np.uint8)
    if digit == "1" and width < WIDTH:  # by hand a one is a flag and a stem
        points = [points[0]]
    for line in points:
        bent = _wobbled(line, pen, digit) * inner + thick / 2
        cv2.polylines(mask, [np.rint(bent * 16).astype(np.int32)], False, 255, thick, cv2.LINE_AA, 4)
    return mask


def _wobbled(points: Points, pen: Pen, digit: str) -> Points:
    if not pen.wobble:
        return points
    rng = Random(f"{pen.bend}/{digit}")
    phases = [rng.uniform(0, 6.28) for _ in range(4)]
    x, y = points[:, 0], points[:, 1]
    shift_x = np.sin(5 * y + phases[0]) + 0.6 * np.sin(9 * x + phases[1])
    shift_y = np.sin(6 * x + phases[2]) + 0.6 * np.sin(8 * y + phases[3])
    return np.clip(points + pen.wobble * np.stack([shift_x, shift_y], axis=1), 0.0, 1.0)
