"""Pictures out of a video file, also out of one whose end is missing."""

from __future__ import annotations

from bisect import bisect_right
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import av

from finito.errors import BadInput
from vision.frame import Picture
from vision.sources.video import picture_of, reason_of


@contextmanager
def opened(path: Path) -> Iterator[tuple[Any, Any]]:
    """The file and its stream of pictures."""
    try:
        container = av.open(f"file:{path}", metadata_errors="ignore")
    except (av.error.FFmpegError, ValueError, OSError) as error:
        raise BadInput(f"{path} is no video that can be read ({reason_of(error)})") from None
    with container:
        if not container.streams.video:
            raise BadInput(f"{path} holds no video; name a file with pictures in it")
        stream = container.streams.video[0]
        stream.thread_type = "AUTO"
        yield container, stream


def packets_of(container: Any, stream: Any) -> Iterator[Any]:
    """Whole packets only; the file may break off at any byte."""
    packets = container.demux(stream)
    while True:
        try:
            packet = next(packets, None)
        except (av.error.FFmpegError, OSError):
            return
        if packet is None:
            return
        if not packet.is_corrupt:
            yield packet


def frame_times(path: Path) -> list[float]:
    """When each picture of the file is shown, in seconds from its beginning; nothing is decoded."""
    with opened(path) as (container, stream):
        found = (packet.pts for packet in packets_of(container, stream) if packet.size)
        return sorted(float(pts * stream.time_base) for pts in found if pts is not None)


def pictures(path: Path, start: float = 0.0, end: float | None = None) -> Iterator[tuple[float, Picture]]:
    """The pictures from the first at or after `start` to the last at or before `end`, with their times."""
    with opened(path) as (container, stream):
        if start > 0:
            container.seek(int(start / stream.time_base), stream=stream, backward=True)
        for decoded in _decoded(container, stream):
            if decoded.time is None or decoded.time < start - 1e-6:
                continue
            if end is not None and decoded.time > end + 1e-6:
                return
            yield decoded.time, picture_of(decoded)


def picture_at(path: Path, t: float) -> tuple[float, Picture] | None:
    """The picture that is shown at a moment: the last one before it, or the first of all."""
    times = frame_times(path)
    if not times:
        return None
    shown = times[max(0, bisect_right(times, t + 1e-6) - 1)]
    return next(pictures(path, shown, shown), None)


def _decoded(container: Any, stream: Any) -> Iterator[Any]:
    for packet in packets_of(container, stream):
        try:
            yield from packet.decode()
        except av.error.FFmpegError:
            continue
