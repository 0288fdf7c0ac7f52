"""MJPEG, RTSP and other network streams."""

from __future__ import annotations

from functools import partial
from typing import Final
from urllib.parse import urlsplit, urlunsplit

import av

from vision.errors import BadSource
from vision.sources.live import Feed, FeedLost, Shot
from vision.sources.pictures import check_size
from vision.sources.video import picture_of, reason_of

STREAM_SCHEMES: Final = ("rtsp", "rtsps", "http", "https", "rtmp", "udp", "tcp", "srt")
TIME_LIMIT: Final = 5.0
# No waiting for more than is needed to know the picture's size: a referee looks at now.
_OPTIONS: Final = {"fflags": "nobuffer", "analyzeduration": "2000000", "probesize": "2000000"}


class StreamFeed:
    """One connection to a stream. Its own time stamps are not used: they restart with every connection."""

    def __init__(self, url: str, time_limit: float = TIME_LIMIT) -> None:
        self.name = shown(url)
        options = dict(_OPTIONS)
        if url.startswith("rtsp"):
            options["rtsp_transport"] = "tcp"  # over UDP lost packets become grey smears that look like cards
        try:
            self._container = av.open(
                url, options=options, timeout=(time_limit, time_limit), metadata_errors="ignore"
            )
        except (av.error.FFmpegError, ValueError) as error:
            raise BadSource(
                f"the stream {self.name} cannot be opened ({_reason(error)}); check that the camera is on, "
                "in the same network, and the address right"
            ) from None
        if not self._container.streams.video:
            self._container.close()
            raise BadSource(f"the stream {self.name} carries no pictures; check the address")
        stream = self._container.streams.video[0]
        try:
            check_size(self.name, max(stream.width, 8), max(stream.height, 8))
        except Exception:
            self._container.close()
            raise
        stream.thread_type = "SLICE"  # frame threads would hold back as many frames as there are threads
        self._finite = self._container.duration is not None
        self._frames = self._container.decode(stream)

    def shoot(self) -> Shot | None:
        try:
            frame = next(self._frames, None)
        except av.error.FFmpegError as error:
            raise FeedLost(f"the stream died ({_reason(error)})") from None
        if frame is not None:
            return partial(picture_of, frame)
        if self._finite:
            return None
        raise FeedLost("the stream ended")

    def close(self) -> None:
        self._container.close()


def stream_feed(url: str, time_limit: float = TIME_LIMIT) -> Feed:
    return StreamFeed(url, time_limit)


def shown(url: str) -> str:
    """The address without name and password: it goes into logs and recordings."""
    try:
        parts = urlsplit(url)
    except ValueError:
        return url.split("://")[0] + "://..."
    host = parts.netloc.rpartition("@")[2]
    return urlunsplit((parts.scheme, host, parts.path, "", ""))


def _reason(error: Exception) -> str:
    if isinstance(error, av.error.ExitError):
        return "no answer in time"
    return reason_of(error)
