"""A program that appends to one stream as fast as it can and says each number once it is kept.

python -m tests.store.writer DATABASE STREAM WRITER [HOW_MANY]
"""

from __future__ import annotations

import sys
from contextlib import closing
from itertools import count

from finito.store.bootstrap import open_store
from finito.store.interface import Conflict, EventStore


def main(database: str, stream: str, writer: str, how_many: str | None = None) -> None:
    say("ready")
    with closing(open_store(database)) as store:
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
