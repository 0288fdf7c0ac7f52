"""One H.264 file in fragments: whatever happens, all but the last half second of it plays and seeks."""

from __future__ import annotations

import os
from contextlib import suppress
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import av
import cv2
import numpy as np
from av.video.frame import PictureType

from finito.recording.lines import sync_file
from vision.frame import Picture

TICKS: Final = 90_000  # of the video's clock in a second
SECONDS_TO_A_WHOLE_PICTURE: Final = 1.0
# Without flush_packets a quiet table fits into a buffer for minutes, and all of it is lost at kill -9.
FRAGMENTS: Final = {
    "movflags": "frag_keyframe+empty_moov+default_base_moof",
    "flush_packets": "1",
    "frag_duration": "500000",
}
QUICK: Final = {"preset": "ultrafast", "tune": "zerolatency", "crf": "23", "forced-idr": "1"}
_BT_601: Final = 6  # OpenCV's YUV; said in the file, or players guess by the size of the picture
_USUAL_RATE: Final = 30


class RawFile:
    """A new file without a buffer of its own: whoever writes to it learns at once that the disk is full."""

    def __init__(self, path: Path) -> None:
        self._file = path.open("xb", buffering=0)
        self.size = 0

    def write(self, data: bytes) -> int:
        left = memoryview(data)
        while left:
            done = self._file.write(left) or 0
            self.size += done
            left = left[done:]
        return len(data)

    def sync(self) -> None:
        with suppress(ValueError):  # finished by another thread in this very moment
            sync_file(self._file.fileno())

    def close(self) -> None:
        self._file.close()


class VideoPart:
    """A video being written. Times are those of the session; the file itself begins at 0."""

    def __init__(self, path: Path, size: tuple[int, int], starts: float) -> None:
        self.path, self.size, self.starts = path, size, starts
        self._file = RawFile(path)
        self._last = -1
        self._whole = -SECONDS_TO_A_WHOLE_PICTURE * TICKS
        self._container = av.open(self._file, "w", format="mp4", options=FRAGMENTS)
        self._stream = h264_stream(self._container, size, QUICK)

    @property
    def bytes(self) -> int:
        return self._file.size

    def add(self, picture: Picture, t: float) -> bool:
        """Encodes a picture; False where it is no later than the one before."""
        ticks = round((t - self.starts) * TICKS)
        if ticks <= self._last:
            return False
        frame = encodable(picture, self.size)
        frame.pts, frame.time_base = ticks, Fraction(1, TICKS)
        if ticks - self._whole >= SECONDS_TO_A_WHOLE_PICTURE * TICKS:
            frame.pict_type = PictureType.I
            self._whole = ticks
        self._container.mux(self._stream.encode(frame))
        self._last = ticks
        return True

    def sync(self) -> None:
        self._file.sync()

    def close(self) -> None:
        """Finishes the file as far as there is room for it."""
        try:
            self._container.mux(self._stream.encode())
            self._container.close()
        except (OSError, av.error.FFmpegError):
            pass  # what was written before plays without its end
        finally:
            self._file.close()


def h264_stream(container: Any, size: tuple[int, int], options: dict[str, str]) -> Any:
    """A stream for pictures that come when they come, with the session's own times."""
    stream = container.add_stream("libx264", rate=_USUAL_RATE)
    stream.width, stream.height = size
    stream.pix_fmt = "yuv420p"
    stream.time_base = stream.codec_context.time_base = Fraction(1, TICKS)
    stream.codec_context.thread_count = 1  # the other cores are for seeing
    stream.codec_context.gop_size = 100_000  # whole pictures are asked for by time, not by number
    stream.codec_context.colorspace = _BT_601
    stream.options = options
    return stream


def encodable(picture: Picture, size: tuple[int, int]) -> Any:
    width, height = size
    even = np.ascontiguousarray(picture[:height, :width])
    yuv = cv2.cvtColor(even, cv2.COLOR_BGR2YUV_I420).astype(np.uint8, copy=False)
    return av.VideoFrame.from_ndarray(yuv, format="yuv420p")


def even_size(picture: Picture) -> tuple[int, int]:
    """Width and height as H.264 can have them: an odd row or column is left out."""
    height, width = picture.shape[:2]
    return width & ~1, height & ~1


def part_name(number: int) -> str:
    return "video.mp4" if number == 1 else f"video-{number}.mp4"


def part_number(path: Path) -> int | None:
    """The number of a video file of a session, None for any other file."""
    stem = path.name.removesuffix(".mp4")
    if path.name == "video.mp4":
        return 1
    digits = stem.removeprefix("video-")
    if path.suffix != ".mp4" or stem == digits or not digits.isdecimal() or not digits.isascii():
        return None
    return int(digits)


def next_part(folder: Path) -> int:
    numbers = (part_number(path) for path in folder.glob("video*.mp4"))
    return max((number for number in numbers if number is not None), default=0) + 1


def remove_empty(path: Path) -> None:
    """A part in which not even the head of the file found room is no part."""
    if path.exists() and path.stat().st_size == 0:
        os.unlink(path)
