"""A program that appends to one stream as fast as it can and says each number once it is kept.

python -m tests.store.writer DATABASE STREAM WRITER [HOW_MANY]
"""

from __future__ import annotations

import sys
from contextlib import closing
from itertools import count
from pathlib import Path

from finito.store.interface import Conflict, EventStore
from finito.store.postgres import open_postgres
from finito.store.sqlite import open_sqlite


def main(database: str, stream: str, writer: str, how_many: str | None = None) -> None:
    say("ready")
    store = open_postgres(database) if "://" in database else open_sqlite(Path(database))
    with closing(store):
        for number in count(1) if how_many is None else range(1, int(how_many) + 1):
            say(str(append(store, stream, {"writer": writer, "number": number})))


def append(store: EventStore, stream: str, event: dict[str, object]) -> int:
    last = 0
    while True:
        for kept in store.read(stream, after=last):
            last = kept.sequence
        try:
            return store.append(stream, [event], expected=last)
        except Conflict:
            continue


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
