"""The round on the table as append-only lines: a server that was killed goes on where it was."""

from __future__ import annotations

import json
import os
from pathlib import Path
from typing import Any

Json = dict[str, Any]


class Journal:
    """Lines of the form of `finito judge`, each on the disk before anybody hears of it."""

    def __init__(self, path: Path | None) -> None:
        self._path = path
        self._lines: list[Json] = [] if path is None else _whole_lines(path)

    @property
    def lines(self) -> list[Json]:
        return list(self._lines)

    def begin(self, first: Json) -> None:
        """A new round takes the place of the old one, at once or not at all."""
        self._lines = [first]
        if self._path is None:
            return
        self._path.parent.mkdir(parents=True, exist_ok=True)
        fresh = self._path.with_suffix(".new")
        fresh.write_text(_line(first), "utf-8")
        os.replace(fresh, self._path)

    def add(self, line: Json) -> int:
        """Writes a line; gives its number."""
        if self._path is not None:
            with self._path.open("a", encoding="utf-8") as file:
                file.write(_line(line))
        self._lines.append(line)
        return len(self._lines)


def _line(value: Json) -> str:
    return json.dumps(value, ensure_ascii=False) + "\n"


def _whole_lines(path: Path) -> list[Json]:
    """A last line that was cut off is cut away, so that the next one begins a line."""
    if not path.is_file():
        return []
    data = path.read_bytes()
    whole = data[: data.rfind(b"\n") + 1]
    lines = []
    for text in whole.splitlines():
        try:
            value = json.loads(text)
        except ValueError:
            break
        if not isinstance(value, dict):
            break
        lines.append(value)
    kept = b"".join(_line(line).encode() for line in lines)
    if kept != data:
        path.write_bytes(kept)
    return lines
