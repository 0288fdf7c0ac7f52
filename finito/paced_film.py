"""A film at the speed of life, so that it is refereed as a table would be."""

from __future__ import annotations

import time
from collections.abc import Callable
from typing import Final

from vision.frame import Frame
from vision.sources import Event, Source, WrappedSource

_BEHIND: Final = 0.5  # seconds by which a slow machine may lag before the rest of the film is shifted


class PacedFilm(WrappedSource):
    """A source whose frames come when their time has come; `begin` is asked before the first one."""

    live = False

    def __init__(self, source: Source, begin: Callable[[], None] = lambda: None) -> None:
        super().__init__(source)
        self._begin = begin
        self._zero: float | None = None
        self._closed = False

    def __next__(self) -> Event:
        event = next(self._source)
        if isinstance(event, Frame):
            self._wait_for(event.t)
        return event

    def _wait_for(self, t: float) -> None:
        if self._zero is None:
            self._begin()
            self._zero = time.monotonic() - t
        early = self._zero + t - time.monotonic()
        if early > 0 and not self._closed:
            time.sleep(early)
        elif early < -_BEHIND:
            self._zero -= early

    def close(self) -> None:
        self._closed = True
        super().close()
