"""Sources in which time passes by itself: a thread takes frames, loses the camera, and finds it again."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Iterator
from typing import Final, Protocol, Self, TypeAlias

from vision.errors import VisionError
from vision.frame import Frame, Picture
from vision.memory import give_back_memory
from vision.sources.events import Event, Gap

KEPT: Final = 3  # frames that wait for a slow consumer; older ones are dropped
FIRST_PAUSE: Final = 0.25
LONGEST_PAUSE: Final = 8.0
# Whole pictures come and go between small things that stay: within a game a third of the memory is holes. To
# give them back costs some 10 ms, and half a millisecond for each megabyte that is wanted again.
TIDY_EVERY: Final = 15.0

# A frame as it was taken; the costly conversion to BGR is left to whoever really wants the frame.
Shot: TypeAlias = Callable[[], Picture]


class FeedLost(Exception):
    """The camera was unplugged or the stream died: why, in a few words."""


class Feed(Protocol):
    """An open camera or stream."""

    def shoot(self) -> Shot | None:
        """Waits for the next frame; None at the end of something finite; raises FeedLost."""

    def close(self) -> None: ...


class LiveSource:
    """Frames of a camera or stream on one clock of our own, through losses and returns.

    Opening fails with a sentence if the feed cannot be had at all. Later losses are gaps: the feed is
    opened again after pauses that double, for ever or until `patience` seconds are over.
    """

    live = True

    def __init__(
        self,
        name: str,
        open_feed: Callable[[], Feed],
        *,
        patience: float | None = None,
        clock: Callable[[], float] = time.monotonic,
        first_pause: float = FIRST_PAUSE,
    ) -> None:
        self.name = name
        self._open_feed = open_feed
        self._patience = patience
        self._first_pause = first_pause
        self._inbox = Inbox()
        self._stop = threading.Event()
        feed = open_feed()
        start = clock()
        self._now: Callable[[], float] = lambda: clock() - start
        self._tidy_at = TIDY_EVERY
        self._thread = threading.Thread(target=self._run, args=(feed,), name=f"source {name}", daemon=True)
        self._thread.start()

    @property
    def dropped(self) -> int:
        return self._inbox.dropped

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        event = self._inbox.take()
        if event is None:
            raise StopIteration
        return event

    def close(self) -> None:
        """Ends the source; a thread that waits for a dead stream ends with that stream's own time limit."""
        self._stop.set()
        self._inbox.end()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=1.0)

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def _run(self, feed: Feed | None) -> None:
        try:
            while feed is not None and not self._stop.is_set():
                try:
                    lost = self._pump(feed)
                finally:
                    feed.close()
                feed = None if lost is None else self._find_again(lost)
        finally:
            self._inbox.end()

    def _pump(self, feed: Feed) -> str | None:
        """Takes frames until the feed is lost (why) or over (None)."""
        while not self._stop.is_set():
            if self._now() >= self._tidy_at:
                give_back_memory()
                self._tidy_at = self._now() + TIDY_EVERY
            try:
                shot = feed.shoot()
            except FeedLost as lost:
                return str(lost)
            if shot is None:
                return None
            self._inbox.put(shot, self._now())
        return None

    def _find_again(self, why: str) -> Feed | None:
        start = self._now()
        self._inbox.report(Gap(start, None, f"{self.name}: {why}"))
        pause, attempts = self._first_pause, 0
        while not self._stop.wait(pause):
            attempts += 1
            try:
                feed = self._open_feed()
            except VisionError as error:
                if self._patience is not None and self._now() - start > self._patience:
                    given_up = f"{error}; given up after {self._now() - start:.0f} s"
                    self._inbox.report(Gap(start, None, given_up, attempts))
                    return None
                pause = min(LONGEST_PAUSE, pause * 2)
                continue
            self._inbox.report(Gap(start, self._now(), f"{self.name}: {why}", attempts))
            return feed
        return None


class Inbox:
    """What waits for the consumer: at most KEPT frames, and the gaps between them."""

    def __init__(self, kept: int = KEPT) -> None:
        self._kept = kept
        self._waiting: list[tuple[Shot, float, int] | Gap] = []
        self._changed = threading.Condition()
        self._ended = False
        self._taken = 0
        self._last = -1.0
        self.dropped = 0

    def put(self, shot: Shot, t: float) -> None:
        with self._changed:
            self._last = max(t, self._last + 1e-6)  # two frames of one clock tick still have an order
            self._waiting.append((shot, self._last, self._taken))
            self._taken += 1
            frames = [i for i, item in enumerate(self._waiting) if not isinstance(item, Gap)]
            if len(frames) > self._kept:
                del self._waiting[frames[0]]
                self.dropped += 1
                self._join_gaps()
            self._changed.notify()

    def report(self, gap: Gap) -> None:
        with self._changed:
            self._waiting.append(gap)
            self._join_gaps()
            self._changed.notify()

    def end(self) -> None:
        with self._changed:
            self._ended = True
            self._changed.notify_all()

    def take(self) -> Event | None:
        """The next event; None once the source has ended and everything was taken."""
        with self._changed:
            while not self._changed.wait_for(lambda: self._waiting or self._ended, timeout=0.5):
                pass  # with no time limit at all, Ctrl-C is not heard on Windows
            if not self._waiting:
                return None
            item = self._waiting.pop(0)
        if isinstance(item, Gap):
            return item
        shot, t, number = item
        return Frame(shot(), t, number)

    def _join_gaps(self) -> None:
        joined: list[tuple[Shot, float, int] | Gap] = []
        for item in self._waiting:
            before = joined[-1] if joined else None
            if isinstance(item, Gap) and isinstance(before, Gap):
                joined[-1] = before.joined(item)
            else:
                joined.append(item)
        self._waiting = joined
