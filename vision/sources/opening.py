"""From what the user typed to a source."""

from __future__ import annotations

from functools import partial
from pathlib import Path

from vision.errors import BadSource
from vision.sources.camera import CameraFeed
from vision.sources.events import Source
from vision.sources.folder import PhotoSource
from vision.sources.live import LiveSource
from vision.sources.pictures import PICTURE_SUFFIXES
from vision.sources.stream import STREAM_SCHEMES, shown, stream_feed
from vision.sources.video import VideoFile

_MOST_CAMERAS = 100


def open_source(name: str, *, patience: float | None = None) -> Source:
    """A camera number, a video or picture file, a folder of photos, or the address of a stream.

    `patience` limits how many seconds a lost camera or stream is looked for; None is for ever.
    """
    if name.isdecimal() and name.isascii():
        return _camera(name, patience)
    scheme, mark, _ = name.partition("://")
    if mark:
        if scheme.lower() not in STREAM_SCHEMES:
            known = ", ".join(f"{known}://" for known in STREAM_SCHEMES)
            raise BadSource(f"{scheme}:// is no stream that can be watched; known are {known}")
        return LiveSource(f"the stream {shown(name)}", partial(stream_feed, name), patience=patience)
    path = Path(name).expanduser()
    if path.is_dir() or path.suffix.lower() in PICTURE_SUFFIXES:
        return PhotoSource(path)
    return VideoFile(path)


def _camera(name: str, patience: float | None) -> Source:
    number = int(name[:9])
    if number >= _MOST_CAMERAS:
        raise BadSource(f"there is no camera {name}; cameras are numbered from 0, try 0 or 1")
    return LiveSource(f"camera {number}", partial(CameraFeed, number), patience=patience)
