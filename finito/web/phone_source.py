"""A phone's frames as a source: the newest one counts, and silence is a gap, not an empty table."""

from __future__ import annotations

import threading
import time
from collections import deque
from collections.abc import Iterator
from typing import Final, Self

from vision.frame import Frame, Picture
from vision.sources import Event, Gap

_SILENCE: Final = 1.5  # seconds without a frame that count as a gap


class PhoneSource:
    """`put` frames from the socket's thread; iterate in the one that sees. It ends only when it is closed."""

    name = "phone"
    live = True

    def __init__(self) -> None:
        self._change = threading.Condition()
        self._zero = time.monotonic()
        self._next: Frame | None = None
        self._waiting: deque[Event] = deque()
        self._last = 0.0
        self._number = 0
        self._closed = False
        self.dropped = 0

    def put(self, picture: Picture) -> None:
        with self._change:
            t = time.monotonic() - self._zero
            if self._number and t - self._last > _SILENCE:
                self._waiting.append(Gap(self._last, t, "the phone sent nothing"))
            if self._next is not None:
                self.dropped += 1
            self._next = Frame(picture, t, self._number)
            self._last, self._number = t, self._number + 1
            self._change.notify()

    @property
    def closed(self) -> bool:
        return self._closed

    def close(self) -> None:
        with self._change:
            self._closed = True
            self._change.notify()

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        with self._change:
            self._change.wait_for(lambda: self._closed or self._waiting or self._next is not None)
            if self._closed:
                raise StopIteration
            if self._waiting:
                return self._waiting.popleft()
            frame, self._next = self._next, None
            assert frame is not None
            return frame

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()
