"""The last seconds of what the camera saw, kept small in memory: evidence without a recording."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator
from dataclasses import dataclass
from threading import Lock
from typing import Final

import cv2
import numpy as np

from vision.frame import Frame, Picture

SECONDS: Final = 6.0
RATE: Final = 12.0
WIDEST: Final = 1280
_QUALITY: Final = 85


@dataclass(frozen=True, slots=True)
class _Kept:
    t: float
    number: int
    size: tuple[int, int]
    data: bytes


class RecentFrames:
    """A ring of JPEG pictures: some ten megabytes, whatever the camera."""

    def __init__(self, seconds: float = SECONDS, rate: float = RATE, widest: int = WIDEST) -> None:
        self._seconds, self._step, self._widest = seconds, 1 / rate, widest
        self._ring: deque[_Kept] = deque()
        self._lock = Lock()

    def add(self, frame: Frame) -> bool:
        """Keeps a frame; False where the one before it is too near in time."""
        with self._lock:
            if self._ring and frame.t - self._ring[-1].t < self._step * 0.9:
                return False
        height, width = frame.picture.shape[:2]
        scale = min(1.0, self._widest / width)
        picture = cv2.resize(frame.picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)
        _, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
        with self._lock:
            self._ring.append(_Kept(frame.t, frame.number, (width, height), data.tobytes()))
            while self._ring[0].t < frame.t - self._seconds:
                self._ring.popleft()
        return True

    def frames(self, start: float = 0.0, end: float | None = None) -> Iterator[Frame]:
        """The kept frames of a stretch of time."""
        with self._lock:
            kept = [each for each in self._ring if each.t >= start and (end is None or each.t <= end)]
        for each in kept:
            yield Frame(_decoded(each.data), each.t, each.number)

    def frame_at(self, t: float) -> Frame | None:
        """The last frame before a moment, or the first there is, in the size in which it was seen."""
        with self._lock:
            kept = list(self._ring)
        before = [each for each in kept if each.t <= t + 1e-6] or kept[:1]
        if not before:
            return None
        shown = before[-1]
        whole = cv2.resize(_decoded(shown.data), shown.size, interpolation=cv2.INTER_CUBIC)
        return Frame(whole.astype(np.uint8, copy=False), shown.t, shown.number)


def _decoded(data: bytes) -> Picture:
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return picture.astype(np.uint8, copy=False)
