"""A video at the speed of life: people look at it, and the referee has no more time than at a table."""

from __future__ import annotations

import threading
import time
from typing import Final

from vision.frame import Frame
from vision.sources import Event, Source, WrappedSource

_LATE: Final = 0.3  # seconds; a frame that comes later than this is dropped, as a camera would
_MOST_DROPPED: Final = 10  # in a row: a machine that is too slow even so sees the game slowed down


class LifeSpeed(WrappedSource):
    """Frames when they are due. `begins` skips what was seen before the server was started again."""

    live = True
    dropped = 0

    def __init__(self, source: Source, pace: float = 1.0, begins: float = 0.0) -> None:
        super().__init__(source)
        self._pace, self._begins = pace, begins
        self._zero: float | None = None
        self._stopped = threading.Event()
        self._in_a_row = 0

    def __next__(self) -> Event:
        while True:
            event = next(self._source)
            t = event.t if isinstance(event, Frame) else event.start
            if t <= self._begins and self._begins:
                continue
            if self._zero is None:
                self._zero = time.monotonic() - t / self._pace
            late = time.monotonic() - (self._zero + t / self._pace)
            if late > _LATE and isinstance(event, Frame):
                if self._in_a_row < _MOST_DROPPED:
                    self.dropped, self._in_a_row = self.dropped + 1, self._in_a_row + 1
                    continue
                self._zero += late
            self._in_a_row = 0
            if self._stopped.wait(max(0.0, -late)):
                raise StopIteration
            return event

    def close(self) -> None:
        self._stopped.set()
        super().close()
