"""Where the lines of a session end, read from the ends of its files."""

from __future__ import annotations

import json
import os
from collections.abc import Iterable, Iterator
from pathlib import Path
from typing import Any, Final

_ENOUGH: Final = 64 * 1024


def last_moment(folder: Path, names: Iterable[str]) -> tuple[float, int]:
    """The latest time and the highest frame number that any of the files tells; (0, -1) where none does."""
    t, frame = 0.0, -1
    for name in names:
        for value in last_lines(folder / name):
            t = max(t, time_of(value))
            frame = max(frame, _frame_of(value))
    return t, frame


def last_lines(path: Path) -> Iterator[Any]:
    """What can be read of the last few hundred lines."""
    try:
        with path.open("rb") as file:
            size = file.seek(0, os.SEEK_END)
            file.seek(max(0, size - _ENOUGH))
            lines = file.read(_ENOUGH).split(b"\n")
    except OSError:
        return
    for line in lines:
        try:
            yield json.loads(line)
        except ValueError:
            continue


def time_of(value: Any) -> float:
    """When a line ends, 0 where it does not say."""
    if isinstance(value, list):  # of the index of frames
        return _number(value[1]) if len(value) == 2 else 0.0
    t = value.get("t") if isinstance(value, dict) else None
    if isinstance(t, list):
        return max((_number(each) for each in t), default=0.0)
    return _number(t)


def _frame_of(value: Any) -> int:
    if isinstance(value, list):
        return int(_number(value[0])) if len(value) == 2 else -1
    frame = value.get("frame") if isinstance(value, dict) else None
    return frame if isinstance(frame, int) else -1


def _number(value: Any) -> float:
    return float(value) if isinstance(value, int | float) and not isinstance(value, bool) else 0.0
