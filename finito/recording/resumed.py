"""A source that counts from 0, on the clock of a session that goes on."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Self

from finito.recording.writer import Begins
from vision.frame import Frame
from vision.sources import Event, Gap, Source


class ResumedSource:
    """Frames and gaps of a source with the times and numbers they have in the session."""

    def __init__(self, source: Source, begins: Begins) -> None:
        self._source, self._begins = source, begins

    @property
    def name(self) -> str:
        return self._source.name

    @property
    def live(self) -> bool:
        return self._source.live

    @property
    def dropped(self) -> int:
        return self._source.dropped

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        event, begins = next(self._source), self._begins
        if isinstance(event, Frame):
            return Frame(event.picture, event.t + begins.t, event.number + begins.frame)
        end = None if event.end is None else event.end + begins.t
        return Gap(event.start + begins.t, end, event.why, event.attempts)

    def close(self) -> None:
        self._source.close()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
