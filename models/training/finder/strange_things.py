"""Flat things that are no cards, painted on the table: chips, discs, tokens, torn paper, bars."""

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.finder.stills_cache import Sample

_COPIES = 3


def with_strange_things(sample: Sample, rng: np.random.Generator) -> NDArray[np.uint8]:
    """The picture with some things lying under the cards, about as large as cards are."""
    picture = sample.picture.copy()
    if len(sample.corners):
        sides = np.linalg.norm(sample.corners - np.roll(sample.corners, 1, axis=1), axis=2)
        size = float(np.median(sides.min(axis=1)))
    else:
        size = float(rng.uniform(12, 120))
    height, width = sample.ids.shape
    for _ in range(int(rng.integers(1, 5))):
        paint = _PAINTERS[int(rng.integers(len(_PAINTERS)))]
        radius = size * rng.uniform(0.18, 0.6)
        ink = _ink(rng)
        at = rng.uniform([0, 0], [width, height])
        for _ in range(int(rng.integers(1, 2 + _COPIES))):
            paint(picture, at + rng.normal(0, 2.2 * radius, 2), radius, ink, rng)
    shade = cv2.GaussianBlur(picture, (0, 0), float(rng.uniform(0.4, 1.2)))
    table = sample.ids == 0
    changed = table & (cv2.absdiff(picture, sample.picture).max(axis=2) > 0)
    result = sample.picture.copy()
    result[changed] = shade[changed]
    return result


def _ink(rng: np.random.Generator) -> tuple[float, ...]:
    return tuple(float(v) for v in rng.integers(0, 256, 3))


def _disc(
    picture: NDArray[np.uint8],
    at: NDArray[np.float64],
    radius: float,
    ink: tuple[float, ...],
    rng: np.random.Generator,
) -> None:
    """A chip: a rim with dashes, a ring, something in the middle."""
    centre = (int(at[0]), int(at[1]))
    cv2.circle(picture, centre, max(2, int(radius)), ink, -1, cv2.LINE_AA)
    other = _ink(rng)
    if rng.random() < 0.7:
        dashes, turn = int(rng.integers(4, 9)), rng.uniform(0, 360)
        for i in range(dashes):
            start = turn + 360 * i / dashes
            axes = (max(1, int(radius * 0.9)),) * 2
            cv2.ellipse(picture, centre, axes, start, 0, 150 / dashes, other, max(1, int(radius * 0.2)))
    if rng.random() < 0.7:
        cv2.circle(picture, centre, max(1, int(radius * rng.uniform(0.3, 0.75))), other, -1, cv2.LINE_AA)
    if rng.random() < 0.4:
        letter = chr(int(rng.integers(65, 91)))
        at_letter = (int(at[0] - radius * 0.4), int(at[1] + radius * 0.4))
        cv2.putText(picture, letter, at_letter, 0, max(0.2, radius / 22), _ink(rng), max(1, int(radius / 10)))


def _scrap(
    picture: NDArray[np.uint8],
    at: NDArray[np.float64],
    radius: float,
    ink: tuple[float, ...],
    rng: np.random.Generator,
) -> None:
    """Something with three or many corners."""
    corners = int(rng.choice([3, 5, 6, 8, 12]))
    turns = np.sort(rng.uniform(0, 2 * np.pi, corners))
    reach = radius * rng.uniform(0.4, 1.2, corners)
    points = at + np.stack([np.cos(turns) * reach, np.sin(turns) * reach], axis=1)
    cv2.fillPoly(picture, [points.astype(np.int32)], ink, cv2.LINE_AA)


def _bar(
    picture: NDArray[np.uint8],
    at: NDArray[np.float64],
    radius: float,
    ink: tuple[float, ...],
    rng: np.random.Generator,
) -> None:
    """A pen, a stick, a chilli: much longer than wide."""
    turn = rng.uniform(0, 2 * np.pi)
    half = radius * rng.uniform(0.6, 2.5) * np.array([np.cos(turn), np.sin(turn)])
    ends = [tuple(int(v) for v in at + sign * half) for sign in (-1, 1)]
    cv2.line(picture, ends[0], ends[1], ink, max(2, int(radius * rng.uniform(0.15, 0.5))), cv2.LINE_AA)


_PAINTERS = (_disc, _disc, _scrap, _bar)
