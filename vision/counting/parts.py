"""Which part of the picture belongs to which card: every vote of the finder net goes to the card it means."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finding.maps import STRIDE
from vision.finding.votes import Votes, short_sides
from vision.reading.answers import CROP_HEIGHT, CROP_WIDTH
from vision.reading.crops import INSIDE

Array: TypeAlias = NDArray[Any]

_NEAR: Final = 0.45  # card widths between a vote's corners and those of the card it means
_NOBODY: Final = -1


@dataclass(frozen=True, eq=False)
class Parts:
    """Cells of the finder's map: the number of the card each belongs to, -1 for none.

    `strays` are card cells whose votes mean no card that was found: something lies there.
    """

    owner: NDArray[np.int16]
    strays: NDArray[np.bool_]
    scale: float  # picture pixels per pixel of the net

    def area(self, card: int) -> float:
        """Visible area of a card in square pixels of the picture."""
        return float((self.owner == card).sum()) * (STRIDE * self.scale) ** 2

    def mask(self, card: int, corners: Array) -> NDArray[np.bool_]:
        """The visible part of a card in its crop."""
        own = (self.owner == card).astype(np.float32)
        cells = (corners / self.scale - (STRIDE - 1) / 2) / STRIDE
        matrix = cv2.getPerspectiveTransform(np.ascontiguousarray(cells, np.float32), INSIDE)
        seen = cv2.warpPerspective(own, matrix, (CROP_WIDTH, CROP_HEIGHT), flags=cv2.INTER_LINEAR)
        return np.asarray(seen > 0.5)


def parts_of(votes: Votes, shape: tuple[int, int], cards: Sequence[Array], scale: float) -> Parts:
    """Votes (in pixels of the net) dealt out to cards (corners in pixels of the picture)."""
    owner = np.full(shape, _NOBODY, np.int16)
    strays = np.zeros(shape, bool)
    if not len(votes):
        return Parts(owner, strays, scale)
    best = np.full(len(votes), np.inf)
    whose = np.full(len(votes), _NOBODY, np.int16)
    for number, corners in enumerate(cards):
        own = ((corners + 0.5) / scale - 0.5)[None]
        width = max(4.0, float(short_sides(own)[0]))
        apart = [
            np.linalg.norm(np.roll(votes.corners, turn, axis=1) - own, axis=2).mean(axis=1) / width
            for turn in range(4)  # a vote may start at any corner
        ]
        nearer = np.min(apart, axis=0)
        # A cell also has to lie on the card it means.
        middle = votes.cells * float(STRIDE) + (STRIDE - 1) / 2
        there = _inside(middle, own[0])
        better = there & (nearer < best)
        best[better], whose[better] = nearer[better], number
    whose[best > _NEAR] = _NOBODY
    x, y = votes.cells[:, 0], votes.cells[:, 1]
    owner[y, x] = whose
    strays[y, x] = whose == _NOBODY
    return Parts(owner, strays, scale)


def _inside(points: Array, quad: Array) -> NDArray[np.bool_]:
    """Which points lie within a clockwise quad, or hardly outside."""
    side = np.roll(quad, -1, axis=0) - quad
    off = points[:, None] - quad[None]
    across = side[None, :, 0] * off[:, :, 1] - side[None, :, 1] * off[:, :, 0]
    return np.asarray((across / np.linalg.norm(side, axis=1) > -STRIDE / 2).all(axis=1))
