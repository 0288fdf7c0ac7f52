"""White under this light, and whether the exposure is fit for reading colours."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.markers import SeenMarker
from calibration.printables import TABLE_MARKERS
from calibration.quad_fit import mapped, rectangle_mm

Array: TypeAlias = NDArray[Any]

DARK: Final = 90.0  # grey level of white paper under which colours drown in noise
BURNT: Final = 250
MOST_BURNT: Final = 0.05
CAST: Final = 1.35  # ratio of the channels of white from which red and orange get close
UNEVEN: Final = 2.0  # brightest to darkest paper on the table
_PATCH: Final = 64  # pixels to which a marker with its paper is straightened
_PAPER: Final = (1.12, 1.36)  # the ring of white paper, in marker sides


@dataclass(frozen=True)
class WhiteReference:
    """White paper as the camera sees it here (blue, green, red), and what is wrong with the light."""

    bgr: tuple[float, float, float]
    burnt: float  # share of the paper that is blown out
    uneven: float  # brightest to darkest piece of paper
    seen_by: str
    advice: tuple[str, ...] = ()

    @property
    def level(self) -> float:
        return float(np.dot(self.bgr, (0.114, 0.587, 0.299)))

    @property
    def gains(self) -> tuple[float, float, float]:
        """Factors that make white grey of the same brightness again."""
        b, g, r = (max(channel, 1.0) for channel in self.bgr)
        return self.level / b, self.level / g, self.level / r

    def balanced(self, picture: Array) -> Array:
        """The picture with the cast of the light taken out; brightness stays."""
        steps = np.arange(256)
        table = np.stack([np.clip(steps * gain + 0.5, 0, 255) for gain in self.gains], axis=1)
        return cv2.LUT(picture, table.astype(np.uint8)[None])


def white_from_markers(picture: Array, seen: Sequence[SeenMarker]) -> WhiteReference | None:
    """White from the paper around the markers; None without markers."""
    papers = [_paper(picture, marker.corners) for marker in seen]
    papers = [paper for paper in papers if len(paper)]
    return _judged(papers, "markers") if papers else None


def white_from_cards(picture: Array, quads: Array) -> WhiteReference | None:
    """White from the rims of cards, if most of them have a white one; None otherwise."""
    rims = [_rim(picture, quad) for quad in np.asarray(quads, np.float64)]
    bright = [rim for rim in rims if len(rim) and _looks_white(rim)]
    if len(bright) < 3 or len(bright) < len(rims) / 2:
        return None
    return _judged(bright, "cards")


def _paper(picture: Array, corners: Array) -> Array:
    """Pixels (N x 3) of the white ring around a marker that lie within the picture."""
    half = TABLE_MARKERS.side_mm / 2
    steps = np.linspace(-_PAPER[1], _PAPER[1], _PATCH)
    grid = np.stack(np.meshgrid(steps, steps), axis=-1).reshape(-1, 2)
    away = np.abs(grid).max(axis=1)
    ring = grid[(away > _PAPER[0]) & (away < _PAPER[1])] * half
    shape = rectangle_mm(TABLE_MARKERS.side_mm, TABLE_MARKERS.side_mm).astype(np.float32)
    to_picture = cv2.getPerspectiveTransform(shape, corners.astype(np.float32))
    return _picked(picture, mapped(to_picture, ring))


def _rim(picture: Array, quad: Array) -> Array:
    """Pixels of a card's outermost two millimetres, a little inside its edge."""
    middle = quad.mean(axis=0)
    share = np.linspace(0.1, 0.9, 12)[:, None]
    sides = [
        start + share * (end - start) for start, end in zip(quad, np.roll(quad, -1, axis=0), strict=True)
    ]
    points = np.concatenate(sides)
    return _picked(picture, middle + (points - middle) * 0.96)


def _picked(picture: Array, points: Array) -> Array:
    x, y = np.round(points).astype(int).T
    inside = (x >= 0) & (y >= 0) & (x < picture.shape[1]) & (y < picture.shape[0])
    return np.asarray(picture[y[inside], x[inside]])


def _looks_white(rim: Array) -> bool:
    b, g, r = np.median(rim, axis=0)
    return bool(min(b, g, r) > 60 and max(b, g, r) < 2.2 * min(b, g, r) and rim.std(axis=0).mean() < 40)


def _judged(papers: Sequence[Array], seen_by: str) -> WhiteReference:
    """The median of the brighter half: shadows darken paper, nothing makes it whiter."""
    levels = np.array([np.median(paper @ np.array([0.114, 0.587, 0.299])) for paper in papers])
    every = np.concatenate(papers)
    grey = every @ np.array([0.114, 0.587, 0.299])
    bright = every[grey >= np.median(grey)]
    unburnt = bright[(bright < BURNT).all(axis=1)]
    b, g, r = (round(float(v), 1) for v in np.median(unburnt if len(unburnt) > 20 else bright, axis=0))
    white = WhiteReference(
        (b, g, r),
        round(float((every >= BURNT).any(axis=1).mean()), 3),
        round(float(levels.max() / max(levels.min(), 1.0)), 2),
        seen_by,
    )
    return WhiteReference(white.bgr, white.burnt, white.uneven, seen_by, _advice(white))


def _advice(white: WhiteReference) -> tuple[str, ...]:
    advice = []
    if white.level < DARK:
        advice.append("It is too dark: switch on a lamp or let the camera expose longer.")
    if white.burnt > MOST_BURNT:
        advice.append("White paper is burnt out: expose less or turn the lamp so that it does not glare.")
    if max(white.bgr) > CAST * min(white.bgr):
        advice.append("The light is strongly coloured: use the camera's white balance or a whiter lamp.")
    if white.uneven > UNEVEN:
        advice.append("One side of the table is much darker: move the lamp to the middle.")
    return tuple(advice)
