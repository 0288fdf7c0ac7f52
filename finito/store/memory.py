"""The store that forgets: for tests and for trying out."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from threading import Lock

from finito.store.interface import Event, StoredEvent, decode, encode, kind_of, stale


class MemoryStore:
    """Keeps encoded text, so that nobody can change an event after it was appended."""

    def __init__(self) -> None:
        self._bodies: dict[str, list[str]] = {}
        self._lock = Lock()

    def append(self, stream: str, events: Sequence[Event], expected: int) -> int:
        kind_of(stream)
        bodies = [encode(stream, event) for event in events]
        with self._lock:
            kept = self._bodies.get(stream, [])
            if len(kept) != expected:
                raise stale(stream, expected, len(kept))
            if bodies:
                self._bodies[stream] = [*kept, *bodies]
        return expected + len(bodies)

    def read(self, stream: str, after: int = 0) -> Iterator[StoredEvent]:
        kind_of(stream)
        bodies = self._bodies.get(stream, [])
        return (decode(stream, n, body) for n, body in enumerate(bodies[after:], start=after + 1))

    def streams(self, kind: str) -> list[str]:
        return sorted(stream for stream in self._bodies if kind_of(stream) == kind)

    def close(self) -> None:
        """Nothing is held open."""
