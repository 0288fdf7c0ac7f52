"""The book of all matches: reads them from a store and writes what the commands of the referee answer."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from finito.errors import BadInput
from finito.store.interface import Conflict, EventStore, StoredEvent, stale
from finito.store.match_codec import decode_match_event, encode_match_event
from referee.match import Match, apply, fold, standing
from referee.match_events import MatchCreated, MatchEvent

KIND: Final = "match"
MOST_LISTED: Final = 8  # in the sentence about an unknown match


class UnknownMatch(BadInput):
    """A match that is not in the book."""


@dataclass(frozen=True, slots=True)
class KeptMatch:
    """A match with its number in the book, its last event and the number of that."""

    id: str
    match: Match
    version: int
    last: MatchEvent


class MatchBook:
    """`now` gives the time that is written beside every event."""

    def __init__(self, store: EventStore, now: Callable[[], str]) -> None:
        self._store = store
        self._now = now

    def create(self, command: Callable[[str], MatchCreated]) -> KeptMatch:
        """Open a match under the next free number; the command gets the time."""
        created = command(self._now())
        number = max(self._numbers(), default=0)
        while True:
            number += 1
            try:
                version = self._store.append(_stream(number), [encode_match_event(created)], expected=0)
            except Conflict:
                continue  # another table has just taken this number
            return KeptMatch(str(number), fold([created]), version, created)

    def change(
        self, match_id: str, command: Callable[[Match, str], MatchEvent], version: int | None = None
    ) -> KeptMatch:
        """Record what the command answers to the match and the time; Conflict if `version` is stale."""
        kept = self.get(match_id)
        if version is not None and version != kept.version:
            raise stale(_stream(kept.id), version, kept.version)
        event = command(kept.match, self._now())
        latest = self._store.append(_stream(kept.id), [encode_match_event(event)], expected=kept.version)
        return KeptMatch(kept.id, apply(kept.match, event), latest, event)

    def get(self, match_id: str) -> KeptMatch:
        """The match with this number."""
        number = int(match_id) if match_id.isascii() and match_id.isdigit() and len(match_id) < 10 else 0
        stored = list(self._store.read(_stream(number))) if number else []
        if not stored:
            raise UnknownMatch(f"there is no match {match_id[:40]!r}; {self._known()}")
        stream = _stream(number)
        events = [decode_match_event(stream, event) for event in stored]
        return KeptMatch(str(number), fold(events), stored[-1].sequence, events[-1])

    def find(self, word: str) -> KeptMatch:
        """The match with this number or name; of several with the same name the latest."""
        for kept in self.newest_first() if not word.isdigit() else ():
            if word.casefold() == kept.match.name.casefold():
                return kept
        return self.get(word)

    def latest_unfinished(self) -> KeptMatch:
        """The match being played."""
        for kept in self.newest_first():
            if standing(kept.match).winner is None:
                return kept
        raise UnknownMatch(f"no match is being played; {self._known()}")

    def last_changed(self) -> KeptMatch:
        """The match that was written to last, over or not: what a correction without a name is about."""
        kept = max(self.newest_first(), key=lambda kept: (kept.last.at, int(kept.id)), default=None)
        if kept is None:
            raise UnknownMatch(f"there is no match yet; {self._known()}")
        return kept

    def newest_first(self) -> Iterator[KeptMatch]:
        for number in sorted(self._numbers(), reverse=True):
            yield self.get(str(number))

    def history(self, match_id: str) -> list[StoredEvent]:
        """Everything that was ever written about a match, corrections included."""
        return list(self._store.read(_stream(self.get(match_id).id)))

    def _numbers(self) -> list[int]:
        keys = (stream.partition("/")[2] for stream in self._store.streams(KIND))
        return [int(key) for key in keys if key.isdigit()]

    def _known(self) -> str:
        numbers = sorted(self._numbers(), reverse=True)
        if not numbers:
            return "start one with 'finito match new'"
        named = (f"{number} ({self.get(str(number)).match.name})" for number in numbers[:MOST_LISTED])
        return f"the latest are {', '.join(named)}"


def _stream(number: int | str) -> str:
    return f"{KIND}/{number}"
