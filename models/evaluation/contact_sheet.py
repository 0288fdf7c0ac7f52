"""The worst pictures of a set on one sheet: true outlines white, found green, missed and false ones red."""

from __future__ import annotations

import heapq
from collections.abc import Sequence
from pathlib import Path
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture

Quad = NDArray[np.float32]
_WIDE, _TALL, _CAPTION = 480, 320, 22
_COLUMNS: Final = 3
_TRUE, _FOUND, _BAD = (255, 255, 255), (70, 210, 70), (50, 50, 255)


class ContactSheet:
    """Keeps the worst few of many pictures."""

    def __init__(self, most: int = 12) -> None:
        self._most = most
        self._kept: list[tuple[float, int, Picture]] = []
        self._offered = 0

    def offer(
        self,
        badness: float,
        picture: Picture,
        truths: Sequence[Quad],
        found: Sequence[Quad],
        bad: Sequence[Quad],
        caption: str,
    ) -> None:
        """Considers a picture; one without a fault is not kept."""
        self._offered += 1
        if badness <= 0 or (len(self._kept) == self._most and badness <= self._kept[0][0]):
            return
        tile = _tile(picture, ((truths, _TRUE, 3), (found, _FOUND, 2), (bad, _BAD, 2)), caption)
        entry = (badness, -self._offered, tile)
        if len(self._kept) == self._most:
            heapq.heapreplace(self._kept, entry)
        else:
            heapq.heappush(self._kept, entry)

    def write(self, path: Path) -> bool:
        """The sheet as JPEG, the worst first; nothing is written when every picture was without a fault."""
        if not self._kept:
            return False
        tiles = [tile for _, _, tile in sorted(self._kept, reverse=True)]
        tiles += [np.zeros_like(tiles[0])] * (-len(tiles) % _COLUMNS)
        rows = [np.hstack(tiles[i : i + _COLUMNS]) for i in range(0, len(tiles), _COLUMNS)]
        path.parent.mkdir(parents=True, exist_ok=True)
        return bool(cv2.imwrite(str(path), np.vstack(rows), [cv2.IMWRITE_JPEG_QUALITY, 80]))


def _tile(
    picture: Picture, layers: Sequence[tuple[Sequence[Quad], tuple[int, ...], int]], caption: str
) -> Picture:
    height, width = picture.shape[:2]
    scale = min(_WIDE / width, _TALL / height)
    small = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
    for quads, colour, thick in layers:
        outlines = [np.round(quad * scale).astype(np.int32) for quad in quads]
        cv2.polylines(small, outlines, True, colour, thick, cv2.LINE_AA)
    tile = np.full((_TALL + _CAPTION, _WIDE, 3), 30, np.uint8)
    tile[_CAPTION : _CAPTION + small.shape[0], : small.shape[1]] = small
    cv2.putText(tile, caption, (4, 16), cv2.FONT_HERSHEY_SIMPLEX, 0.42, (230, 230, 230), 1, cv2.LINE_AA)
    return tile
