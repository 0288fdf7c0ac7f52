"""Decoding by PyAV, for video files and streams alike; and video files as a source."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final, Self

import av
import numpy as np

from vision.errors import BadSource
from vision.frame import Frame, Picture
from vision.sources.events import Event, Gap
from vision.sources.pictures import check_size

_USUAL_STEP: Final = 1 / 30
_TEXT: Final = "ansi"  # FFmpeg shows any text file as a film of its letters


def picture_of(decoded: Any) -> Picture:
    """A decoded frame as upright BGR; phones write the turn of a video beside it."""
    picture: Picture = decoded.to_ndarray(format="bgr24")
    quarters = round(decoded.rotation / 90) % 4
    return np.ascontiguousarray(np.rot90(picture, quarters)) if quarters else picture


class VideoFile:
    """Every frame of a video with the time it carries, from 0; nothing is dropped, nothing is kept."""

    live = False
    dropped = 0

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        if not path.is_file():
            raise BadSource(f"{path} does not exist; name a video, a picture, a folder or a camera number")
        if path.stat().st_size == 0:
            raise BadSource(f"{path} is empty (0 bytes); copy or record the video again")
        try:
            self._container = av.open(f"file:{path}", metadata_errors="ignore")
        except (av.error.FFmpegError, ValueError) as error:
            raise BadSource(
                f"{path} is no video that can be read ({reason_of(error)}); use MP4, MOV, MKV or AVI"
            ) from None
        streams = [each for each in self._container.streams.video if each.codec_context.name != _TEXT]
        if not streams:
            self._container.close()
            raise BadSource(f"{path} holds no video; name a file with pictures in it")
        self._stream = streams[0]
        check_size(self.name, self._stream.width, self._stream.height)
        self._stream.thread_type = "AUTO"
        self._clock = FileClock(float(1 / rate) if (rate := self._stream.average_rate) else _USUAL_STEP)
        self._events = self._read()

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        return next(self._events)

    def close(self) -> None:
        self._events = iter(())
        self._container.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> Iterator[Event]:
        number = 0
        for decoded in self._decoded():
            if isinstance(decoded, str):
                yield Gap(self._clock.now, self._clock.now, decoded)
                continue
            yield Frame(picture_of(decoded), self._clock.at(decoded.time), number)
            number += 1
        if not number:
            raise BadSource(f"{self.name} holds no frame that can be decoded; record the video again")

    def _decoded(self) -> Iterator[Any]:
        """Frames, or a sentence in the place of those that cannot be decoded."""
        packets = self._container.demux(self._stream)
        while True:
            try:
                packet = next(packets, None)
            except av.error.FFmpegError as error:
                yield f"{self.name} breaks off ({reason_of(error)})"
                return
            if packet is None:
                return
            try:
                frames = packet.decode()
            except av.error.FFmpegError as error:
                yield f"{self.name} is damaged here ({reason_of(error)})"
                continue
            yield from frames


class FileClock:
    """Seconds from the first frame; always forward, also where a file's time stamps are missing or repeat."""

    def __init__(self, step: float) -> None:
        self._step = step
        self._first: float | None = None
        self.now = 0.0

    def at(self, stamp: float | None) -> float:
        if self._first is None:
            self._first = stamp or 0.0
            return self.now
        t = self.now + self._step if stamp is None else stamp - self._first
        self.now = t if t > self.now else self.now + self._step / 10
        return self.now


def reason_of(error: Exception) -> str:
    """FFmpeg's reason without numbers and addresses (an address may hold a password)."""
    words = getattr(error, "strerror", None) or str(error)
    return str(words).strip().rstrip(".") or type(error).__name__
