"""The one interface of all stores: append-only streams of JSON events."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Protocol

from finito.errors import BadInput

Event = Mapping[str, Any]
STREAM_NAME: Final = re.compile(r"(?P<kind>[a-z][a-z-]{0,39})/[\w.-]{1,100}", re.ASCII)


class StoreError(BadInput):
    """The store cannot do it: locked, damaged, out of reach. Nothing was written."""


class Conflict(StoreError):
    """Somebody else wrote to the stream since it was read. Nothing was written."""


@dataclass(frozen=True, slots=True)
class StoredEvent:
    sequence: int
    event: dict[str, Any]


class EventStore(Protocol):
    """Streams are named kind/key, as match/7 or round/2024-05-31; their events are numbered 1, 2, 3, …"""

    def append(self, stream: str, events: Sequence[Event], expected: int) -> int:
        """Add all events or none, after event number `expected`; the number of the last one is the answer.

        Once this returns, the events survive a crash. Conflict where the stream does not end at `expected`.
        """

    def read(self, stream: str, after: int = 0) -> Iterator[StoredEvent]:
        """The events with a number greater than `after`, in order; nothing for a stream never written."""

    def streams(self, kind: str) -> list[str]:
        """The names of all streams of this kind, sorted."""

    def close(self) -> None:
        """Let go of files and connections."""


def kind_of(stream: str) -> str:
    """The kind in a stream's name, or the reason why it is no stream's name."""
    found = STREAM_NAME.fullmatch(stream)
    if found is None:
        raise StoreError(f"{stream[:60]!r} cannot name a stream: write kind/key, as in match/7")
    return found["kind"]


def encode(stream: str, event: Event) -> str:
    """One event as JSON that every store keeps alike: ASCII, no NaN."""
    try:
        return json.dumps(event, allow_nan=False, separators=(",", ":"))
    except (TypeError, ValueError) as problem:
        raise StoreError(f"an event for {stream} is not plain JSON: {problem}") from problem


def decode(stream: str, sequence: int, body: str) -> StoredEvent:
    """The event that was kept, or a sentence about the damage."""
    try:
        event = json.loads(body)
    except ValueError:
        event = None
    if not isinstance(event, dict):
        raise StoreError(f"event {sequence} of {stream} is damaged: restore the database from a copy")
    return StoredEvent(sequence, event)


def stale(stream: str, expected: int, actual: int | None = None) -> Conflict:
    """What to say when somebody else was faster."""
    found = "other events" if actual is None else f"{actual} events"
    return Conflict(
        f"{stream} has {found}, not {expected}: it was changed meanwhile; look at it again, then repeat"
    )
