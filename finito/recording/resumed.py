"""A source that counts from 0, on the clock of a session that goes on."""

from __future__ import annotations

from finito.recording.writer import Begins
from vision.frame import Frame
from vision.sources import Event, Gap, Source, WrappedSource


class ResumedSource(WrappedSource):
    """Frames and gaps of a source with the times and numbers they have in the session."""

    def __init__(self, source: Source, begins: Begins) -> None:
        super().__init__(source)
        self._begins = begins

    def __next__(self) -> Event:
        event, begins = next(self._source), self._begins
        if isinstance(event, Frame):
            return Frame(event.picture, event.t + begins.t, event.number + begins.frame)
        end = None if event.end is None else event.end + begins.t
        return Gap(event.start + begins.t, end, event.why, event.attempts)
