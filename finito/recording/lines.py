"""Files of JSON lines that survive kill −9: each line is in the system's hands before it counts as kept."""

from __future__ import annotations

import json
import os
from collections import deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from threading import RLock
from typing import IO, Any, Final

MOST_WAITING: Final = 20_000  # lines that wait in memory for room on the disk; later ones are dropped
LONGEST_LINE: Final = 1024 * 1024
_CHUNK: Final = 64 * 1024


@dataclass(frozen=True, slots=True)
class Receipt:
    """The number a line has in its file, and whether it is there already or waits for room."""

    line: int
    kept: bool


class LineFile:
    """Appends lines, in order, from any thread. A line is written whole or not at all.

    Without room on the disk lines wait in memory and are written before the next one that finds room.
    """

    def __init__(self, path: Path, make_room: Callable[[], bool] | None = None) -> None:
        self.path = path
        self.lost = 0
        self._make_room = make_room
        self._lock = RLock()
        self._waiting: deque[bytes] = deque()
        kept = mend(path)
        self._lines = kept
        self._file = os.open(path, os.O_WRONLY | os.O_CREAT | os.O_APPEND | getattr(os, "O_BINARY", 0), 0o644)

    @property
    def lines(self) -> int:
        """How many lines were given, kept or waiting."""
        return self._lines

    @property
    def waiting(self) -> int:
        return len(self._waiting)

    def append(self, text: str) -> Receipt:
        """Adds one line; kept once this returns so, whatever happens to this program."""
        with self._lock:
            if len(self._waiting) >= MOST_WAITING:
                self.lost += 1
                return Receipt(self._lines + 1, kept=False)
            self._lines += 1
            number = self._lines
            self._waiting.append(text.encode() + b"\n")
            return Receipt(number, kept=self.flush())

    def flush(self) -> bool:
        """Writes what waits; False where there is still no room."""
        with self._lock:
            while self._waiting:
                if not self._written(self._waiting[0]):
                    return False
                self._waiting.popleft()
            return True

    def sync(self) -> None:
        """Asks the system to bring the lines to the disk itself: against a power cut."""
        with self._lock:
            if self._file >= 0:
                sync_file(self._file)

    def close(self) -> None:
        with self._lock:
            if self._file < 0:
                return
            self.flush()
            self.lost += len(self._waiting)
            self._waiting.clear()
            os.close(self._file)
            self._file = -1

    def _written(self, line: bytes) -> bool:
        if self._try(line):
            return True
        return self._make_room is not None and self._make_room() and self._try(line)

    def _try(self, line: bytes) -> bool:
        size = os.fstat(self._file).st_size
        try:
            done = os.write(self._file, line)
            while done < len(line):  # a disk that fills up takes a part first
                done += os.write(self._file, line[done:])
        except OSError:
            os.ftruncate(self._file, size)
            return False
        return True


def sync_file(file: int) -> None:
    """To the disk itself, without the times of the file where the system can leave them."""
    getattr(os, "fdatasync", os.fsync)(file)


def mend(path: Path) -> int:
    """Cuts a line off that was not finished; gives the number of lines that are."""
    if not path.exists():
        return 0
    with path.open("r+b") as file:
        lines = sum(chunk.count(b"\n") for chunk in iter(lambda: file.read(_CHUNK), b""))
        size = file.seek(0, os.SEEK_END)
        start = _last_start(file, size)
        if start == size:
            return lines
        file.seek(start)
        if is_json(file.read(LONGEST_LINE)):  # only the end of the line is missing
            file.write(b"\n")
            return lines + 1
        file.truncate(start)
    return lines


def _last_start(file: IO[bytes], size: int) -> int:
    """Where the text after the last line end begins."""
    end = size
    while end > 0:
        start = max(0, end - _CHUNK)
        file.seek(start)
        found = file.read(end - start).rfind(b"\n")
        if found >= 0:
            return start + found + 1
        end = start
    return 0


def is_json(text: bytes | str) -> bool:
    try:
        json.loads(text)
    except (ValueError, RecursionError):
        return False
    return True


@dataclass(frozen=True, slots=True)
class Line:
    """A line of a file with its number; `value` is None where it cannot be read."""

    number: int
    value: Any
    text: str
    cut: bool = False  # it does not end as a line does


def read_lines(path: Path) -> Iterator[Line]:
    """All lines of a file, none where it is missing; what is damaged is a line without a value."""
    if not path.is_file():
        return
    with path.open("rb") as file:
        number = 0
        while raw := file.readline(LONGEST_LINE):
            number += 1
            ended = raw.endswith(b"\n")
            while not ended and len(raw) == LONGEST_LINE:  # no line of ours: passed over in pieces
                rest = file.readline(LONGEST_LINE)
                if not rest or rest.endswith(b"\n"):
                    break
            if not raw.strip():
                continue
            yield Line(number, _value(raw), raw.decode("utf-8", "replace"), cut=not ended)


def _value(raw: bytes) -> Any:
    try:
        return json.loads(raw)
    except (ValueError, RecursionError):
        return None
