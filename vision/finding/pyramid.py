"""One picture in several sizes: the net knows cards some twenty cells wide; larger ones shrink first."""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import NamedTuple

import cv2
import numpy as np

from vision.finding.gathering import FEWEST_CELLS
from vision.finding.maps import PADDED_TO
from vision.finding.votes import Votes, short_sides
from vision.frame import Picture

# Widths of cards, in the net's pixels, that are believed at a size; below the first size only the upper part,
# since the larger size sees the smaller cards better.
NARROWEST, WIDEST = 7.0, 88.0
_OVERLAP = 0.6
_SMALLEST_LONG_SIDE = 120
# So little may be left to shrink after halving: mixing two neighbours then leaves no pixel out. The mean over
# two and a half pixels, as from 1080p, costs ten times what halving does.
_A_LITTLE = 1.5
# By this factor votes may be wrong about how wide their card is.
_SLACK = 1.15


class Level(NamedTuple):
    """A size of a picture: how many of its pixels one of the net's is, and the widths believed in it."""

    pixel: float
    widths: tuple[float, float]

    def shrunk(self, picture: Picture) -> Picture:
        """The picture in this size, as the net wants it."""
        height, width = picture.shape[:2]
        small = (max(1, round(width / self.pixel)), max(1, round(height / self.pixel)))
        resized = _resized(picture, small, self.pixel)
        right, below = (-length % PADDED_TO for length in small)
        padded = cv2.copyMakeBorder(resized, 0, below, 0, right, cv2.BORDER_CONSTANT, value=(114, 114, 114))
        return np.asarray(padded, np.uint8)


def levels(picture: Picture, long_side: int) -> Iterator[Level]:
    """The finest first."""
    side, narrowest = float(long_side), NARROWEST
    while side >= _SMALLEST_LONG_SIDE:
        last = side / 2 < _SMALLEST_LONG_SIDE
        yield Level(max(picture.shape[:2]) / side, (narrowest, np.inf if last else WIDEST))
        side, narrowest = side / 2, WIDEST / 2 * _OVERLAP


def _resized(picture: Picture, size: tuple[int, int], factor: float) -> Picture:
    """Each new pixel the mean of those it covers; where halving comes near, by halves and a little."""
    halvings = int(math.log2(factor)) if factor >= 2 else 0
    if not halvings or factor / 2**halvings > _A_LITTLE:
        how = cv2.INTER_AREA if factor > 1 else cv2.INTER_LINEAR
        return np.asarray(cv2.resize(picture, size, interpolation=how), np.uint8)
    for _ in range(halvings):
        half = (max(1, picture.shape[1] // 2), max(1, picture.shape[0] // 2))
        picture = np.asarray(cv2.resize(picture, half, interpolation=cv2.INTER_AREA), np.uint8)
    return np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8)


def asked_for(level: Level, others: Sequence[tuple[Level, Votes]]) -> bool:
    """Whether votes at a finer or a coarser size mean cards of the widths that are believed at this one."""
    narrowest, widest = level.widths
    for other, votes in others:
        widths = short_sides(votes.corners) * (other.pixel / level.pixel)
        if ((widths > narrowest / _SLACK) & (widths < widest * _SLACK)).sum() >= FEWEST_CELLS:
            return True
    return False
