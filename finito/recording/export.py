"""A session handed on: all of it as one .zip, its video as one .mp4, or a stretch of that as a clip."""

from __future__ import annotations

import os
import tempfile
import zipfile
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from fractions import Fraction
from pathlib import Path
from typing import Any, Final

import av

from finito.errors import BadInput
from finito.recording.footage import opened, packets_of
from finito.recording.library import files_of
from finito.recording.session import Session
from finito.recording.video import TICKS, encodable, even_size, h264_stream
from vision.frame import Frame

LONGEST_PAUSE: Final = 1.0  # between two parts of the video; an hour in which nobody recorded is not shown
_FAST_START: Final = {"movflags": "faststart"}
_CLIP: Final = {"preset": "veryfast", "crf": "21"}
_STORED: Final = (".mp4", ".jpg", ".png")  # pressed already
Progress = Callable[[int], None]


def export_zip(session: Session, out: Path) -> int:
    """Everything under one folder with the session's name; gives the number of files."""
    files = list(files_of(session.folder))
    with finished(out) as path, zipfile.ZipFile(path, "w") as archive:
        for file in files:
            pressed = zipfile.ZIP_STORED if file.suffix in _STORED else zipfile.ZIP_DEFLATED
            inside = Path(session.name) / file.relative_to(session.folder)
            archive.write(file, inside.as_posix(), pressed)
    return len(files)


def export_video(session: Session, out: Path) -> float:
    """All of the video in one plain file without encoding it anew; gives its seconds."""
    parts = [part for part in session.parts if session.times_of(part)]
    if not parts:
        raise BadInput(f"the session {session.name} has no video; export it as .zip")
    sizes = {_size_of(part.path) for part in parts}
    if len(sizes) > 1:
        raise BadInput(
            f"the video of {session.name} changes its size on the way; export stretches with --from "
            "and --to, or all of it as .zip"
        )
    with finished(out) as path, av.open(str(path), "w", format="mp4", options=_FAST_START) as target:
        return _joined(target, [part.path for part in parts])


def export_clip(frames: Iterable[Frame], out: Path) -> int:
    """Frames as a small video that begins at 0; gives how many there were."""
    count, first = 0, 0.0
    with finished(out) as path, av.open(str(path), "w", format="mp4", options=_FAST_START) as target:
        stream: Any = None
        for frame in frames:
            if stream is None:
                first, size = frame.t, even_size(frame.picture)
                stream = h264_stream(target, size, _CLIP)
            elif even_size(frame.picture) != size:
                break
            picture = encodable(frame.picture, size)
            picture.pts, picture.time_base = round((frame.t - first) * TICKS), Fraction(1, TICKS)
            target.mux(stream.encode(picture))
            count += 1
        if stream is None:
            raise BadInput(f"{out} would be empty: there is no video of that time")
        target.mux(stream.encode())
    return count


@contextmanager
def finished(out: Path) -> Iterator[Path]:
    """A file beside `out` that takes its place once it is whole; a half one is removed."""
    try:
        handle, name = tempfile.mkstemp(dir=out.parent, prefix=f".{out.name}.", suffix=out.suffix)
    except OSError as error:
        raise BadInput(f"{out} cannot be written ({error.strerror}); name another place with --out") from None
    os.close(handle)
    try:
        yield Path(name)
        os.chmod(name, 0o644)
        os.replace(name, out)
    except (OSError, av.error.FFmpegError) as error:
        raise BadInput(f"{out} cannot be written ({error.strerror}); name another place with --out") from None
    finally:
        Path(name).unlink(missing_ok=True)


def _size_of(path: Path) -> tuple[int, int]:
    with opened(path) as (_, stream):
        return stream.width, stream.height


def _joined(target: Any, paths: list[Path]) -> float:
    stream: Any = None
    begins, last = 0, 0
    for path in paths:
        with opened(path) as (container, source):
            if stream is None:
                stream = target.add_stream_from_template(source)
            scale = source.time_base / Fraction(1, TICKS)
            for packet in packets_of(container, source):
                if packet.pts is None or not packet.size:
                    continue
                packet.pts = packet.dts = last = begins + round(packet.pts * scale)
                packet.time_base, packet.stream = Fraction(1, TICKS), stream
                target.mux(packet)
        begins = last + round(LONGEST_PAUSE * TICKS)
    return last / TICKS
