"""Match events as the store keeps them: plain JSON with a type."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import asdict
from typing import Any, Final

from pydantic import TypeAdapter, ValidationError

from finito.store.interface import StoredEvent, StoreError
from referee.match_events import (
    MatchCreated,
    MatchEvent,
    MatchRenamed,
    RoundAdded,
    RoundEdited,
    RoundRestored,
    RoundUndone,
)

EVENT_TYPES: Final[Mapping[str, type[MatchEvent]]] = {
    "match-created": MatchCreated,
    "match-renamed": MatchRenamed,
    "round-added": RoundAdded,
    "round-edited": RoundEdited,
    "round-undone": RoundUndone,
    "round-restored": RoundRestored,
}
TYPE_NAMES: Final = {event_type: name for name, event_type in EVENT_TYPES.items()}


def encode_match_event(event: MatchEvent) -> dict[str, Any]:
    """The event as plain data."""
    return {"type": TYPE_NAMES[type(event)], **asdict(event)}


def decode_match_event(stream: str, stored: StoredEvent) -> MatchEvent:
    """The event that was kept, or a sentence about what is wrong with it."""
    fields = dict(stored.event)
    event_type = EVENT_TYPES.get(str(fields.pop("type", None)))
    try:
        if event_type is None:
            raise KeyError(stored.event.get("type"))
        event: MatchEvent = TypeAdapter(event_type).validate_python(fields)
    except (KeyError, ValidationError):
        raise StoreError(
            f"event {stored.sequence} of {stream} is damaged or was written by a newer Finito: "
            "restore the database from a copy or update Finito"
        ) from None
    return event
