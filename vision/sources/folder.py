"""Photos as a source: one file, or a folder of them in the order of their names."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from pathlib import Path
from typing import Self

from vision.errors import BadPicture, BadSource
from vision.frame import Frame
from vision.sources.events import Event, Gap
from vision.sources.pictures import PICTURE_SUFFIXES, read_picture, taken_at


class PhotoSource:
    """Photos one after the other. Time is when they were taken if all say so, else a second apart."""

    live = False
    dropped = 0

    def __init__(self, path: Path) -> None:
        self.name = str(path)
        self._files = photos_in(path) if path.is_dir() else [path]
        self._events = self._read()

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        return next(self._events)

    def close(self) -> None:
        self._events = iter(())

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _read(self) -> Iterator[Event]:
        times = _times(self._files)
        seen = 0
        problem: BadPicture | None = None
        for number, (file, t) in enumerate(zip(self._files, times, strict=True)):
            try:
                picture = read_picture(file)
            except BadPicture as error:
                problem = error
                if len(self._files) > 1:
                    yield Gap(t, t, str(error))
                continue
            seen += 1
            yield Frame(picture, t, number)
        if problem is not None and not seen:
            if len(self._files) == 1:
                raise problem
            raise BadSource(f"none of the {len(self._files)} pictures in {self.name} can be read: {problem}")


def photos_in(folder: Path) -> list[Path]:
    """The pictures of a folder; img2 comes before img10."""
    try:
        files = [file for file in folder.iterdir() if file.suffix.lower() in PICTURE_SUFFIXES]
    except OSError as error:
        raise BadSource(f"{folder} cannot be opened ({error.strerror or error}); check its rights") from None
    if not files:
        kinds = ", ".join(sorted(PICTURE_SUFFIXES))
        raise BadSource(f"{folder} holds no pictures ({kinds}); name another folder")
    return sorted(files, key=_natural)


def _natural(file: Path) -> list[tuple[int, int, str]]:
    parts = re.findall(r"\d+|\D+", file.name.lower())
    return [(0, int(part), "") if part.isdecimal() else (1, 0, part) for part in parts]


def _times(files: list[Path]) -> list[float]:
    moments = [_seconds(taken_at(file)) for file in files]
    known = [moment for moment in moments if moment is not None]
    if len(known) == len(files) and all(b > a for a, b in pairwise(known)):
        return [moment - known[0] for moment in known]
    return [float(number) for number in range(len(files))]


def _seconds(moment: str | None) -> float | None:
    if moment is None:
        return None
    stamp, _, part = moment.partition(".")
    try:
        # Two photos are compared with each other only, so that any time zone will do.
        whole = datetime.strptime(stamp, "%Y:%m:%d %H:%M:%S") - datetime(1970, 1, 1)
        return whole.total_seconds() + float(f"0.{part}")
    except ValueError:
        return None
