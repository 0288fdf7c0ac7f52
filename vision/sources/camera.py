"""A webcam by its number."""

from __future__ import annotations

import sys
import time
from typing import Any, Final

import cv2
import numpy as np

from vision.errors import BadSource
from vision.frame import Picture
from vision.sources.live import FeedLost, Shot

WANTED_SIZE: Final = (1920, 1080)
_TRIES: Final = 5
_PAUSE: Final = 0.05


class CameraFeed:
    """An open webcam. OpenCV, because PyAV names cameras differently on every system."""

    def __init__(self, number: int, size: tuple[int, int] = WANTED_SIZE) -> None:
        self.number = number
        self._capture = _quietly_opened(number)
        if not self._capture.isOpened():
            raise BadSource(
                f"camera {number} cannot be opened; check that it is plugged in, that no other program uses "
                "it, and that you may use it, or try another number"
            )
        # Uncompressed, most webcams give five frames a second at this size.
        self._capture.set(cv2.CAP_PROP_FOURCC, cv2.VideoWriter.fourcc(*"MJPG"))
        self._capture.set(cv2.CAP_PROP_FRAME_WIDTH, size[0])
        self._capture.set(cv2.CAP_PROP_FRAME_HEIGHT, size[1])
        self._capture.set(cv2.CAP_PROP_BUFFERSIZE, 1)

    def shoot(self) -> Shot | None:
        for _ in range(_TRIES):  # some cameras miss a frame while they set their exposure
            taken, picture = self._capture.read()
            if taken and picture is not None and picture.size:
                return _Kept(_colour(picture))
            time.sleep(_PAUSE)
        raise FeedLost("the camera gives no more pictures; is it unplugged?")

    def close(self) -> None:
        self._capture.release()


class _Kept:
    def __init__(self, picture: Picture) -> None:
        self._picture = picture

    def __call__(self) -> Picture:
        return self._picture


def _colour(picture: Any) -> Picture:
    if picture.ndim == 2 or picture.shape[2] == 1:
        picture = cv2.cvtColor(picture, cv2.COLOR_GRAY2BGR)
    return np.ascontiguousarray(picture[:, :, :3], np.uint8)


def _quietly_opened(number: int) -> cv2.VideoCapture:
    """OpenCV writes warnings of its own to standard error; ours is the sentence the user gets."""
    logging = cv2.utils.logging
    before = logging.getLogLevel()
    logging.setLogLevel(logging.LOG_LEVEL_SILENT)
    try:
        # On Linux the number is that of /dev/video; letting OpenCV try all back-ends opens files named so.
        backend = cv2.CAP_V4L2 if sys.platform == "linux" else cv2.CAP_ANY
        return cv2.VideoCapture(number, backend)
    finally:
        logging.setLogLevel(before)
