"""One picture in several sizes: the net knows cards some twenty cells wide; larger ones shrink first."""

from __future__ import annotations

from collections.abc import Iterator

import cv2
import numpy as np

from vision.finding.maps import PADDED_TO
from vision.frame import Picture

# Widths of cards, in the net's pixels, that are believed at a size; below the first size only the upper part,
# since the larger size sees the smaller cards better.
NARROWEST, WIDEST = 7.0, 88.0
_OVERLAP = 0.6
_SMALLEST_LONG_SIDE = 120


def levels(picture: Picture, long_side: int) -> Iterator[tuple[Picture, float, tuple[float, float]]]:
    """Pictures for the net, how many of the original's pixels one of theirs is, and the believed widths."""
    height, width = picture.shape[:2]
    side, narrowest = float(long_side), NARROWEST
    while side >= _SMALLEST_LONG_SIDE:
        scale = max(height, width) / side
        small = (max(1, round(width / scale)), max(1, round(height / scale)))
        shrunk = cv2.resize(picture, small, interpolation=cv2.INTER_AREA if scale > 1 else cv2.INTER_LINEAR)
        right, below = (-length % PADDED_TO for length in small)
        padded = cv2.copyMakeBorder(shrunk, 0, below, 0, right, cv2.BORDER_CONSTANT, value=(114, 114, 114))
        last = side / 2 < _SMALLEST_LONG_SIDE
        yield np.asarray(padded, np.uint8), scale, (narrowest, np.inf if last else WIDEST)
        side, narrowest = side / 2, WIDEST / 2 * _OVERLAP
