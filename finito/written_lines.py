"""Lines of a file or of standard input, one at a time, each of bounded size."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import AbstractContextManager, nullcontext
from pathlib import Path
from typing import BinaryIO, Final

from finito.errors import BadInput

LONGEST_LINE: Final = 64 * 1024  # bytes; a line of a round has about a hundred


def open_record(path: str) -> AbstractContextManager[BinaryIO]:
    """The file of a record; `-` is standard input."""
    if path == "-":
        if sys.stdin is None:
            raise BadInput("standard input is closed; name a file of JSON lines instead of -")
        return nullcontext(sys.stdin.buffer)
    try:
        return Path(path).open("rb")
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInput(
            f"{path}: cannot be read ({reason}); name a file of JSON lines, or - for standard input"
        ) from None


def numbered_lines(record: BinaryIO, name: str) -> Iterator[tuple[int, str]]:
    """Non-empty lines with their numbers; memory stays bounded whatever the file holds."""
    number = 0
    while raw := _next_line(record, name):
        number += 1
        if len(raw) > LONGEST_LINE:
            raise BadInput(
                f"{name}: line {number} is longer than {LONGEST_LINE // 1024} KiB; a round has one short "
                "JSON object per line"
            )
        yield from _decoded(raw, number, name)


def _next_line(record: BinaryIO, name: str) -> bytes:
    try:
        return record.readline(LONGEST_LINE + 1)
    except OSError as error:
        raise BadInput(
            f"{name}: cannot be read on ({error.strerror or error}); copy it and try again"
        ) from None


def _decoded(raw: bytes, number: int, name: str) -> Iterator[tuple[int, str]]:
    try:
        text = raw.decode("utf-8-sig" if number == 1 else "utf-8")
    except UnicodeDecodeError:
        raise BadInput(
            f"{name}: line {number} is not UTF-8 text; save the record as UTF-8 JSON lines"
        ) from None
    if text.strip():
        yield number, text
