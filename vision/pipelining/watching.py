"""Capture, seeing and whoever listens, side by side: none of them makes another one wait.

A camera's source takes frames in a thread of its own and drops what nobody fetches in time. Seeing runs in
another thread; what it tells waits in a queue. Only a file waits for a slow listener.
"""

from __future__ import annotations

import queue
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from vision.frame import Frame
from vision.observations import Observation
from vision.sources.events import Event, Source

_WAITING: Final = 64  # told frames of a file that wait for the listener
_RATE_OVER: Final = 2.0  # seconds over which the frame rate is told


@dataclass(frozen=True)
class Told:
    """What one event of the source told; `t` and `frame` are the last frame's.

    `rate` is frames seen per second of the clock on the wall, `busy` the seconds this frame took, `dropped`
    how many frames were lost so far because seeing was too slow.
    """

    t: float
    frame: int
    observations: tuple[Observation, ...]
    rate: float
    busy: float
    dropped: int
    at: float  # time.monotonic() when it was told


def watched(source: Source, see: Callable[[Event], list[Observation]]) -> Iterator[Told]:
    """What a source tells, frame by frame; ends with the source. What goes wrong while seeing is raised."""
    told: queue.Queue[Told | BaseException | None] = queue.Queue(0 if source.live else _WAITING)
    stop = threading.Event()
    seeing = threading.Thread(target=_see_all, args=(source, see, told, stop), name="seeing", daemon=True)
    seeing.start()
    try:
        while True:
            try:
                each = told.get(timeout=0.5)  # with no time limit at all, Ctrl-C is not heard on Windows
            except queue.Empty:
                continue
            if each is None:
                return
            if isinstance(each, BaseException):
                raise each
            yield each
    finally:
        stop.set()
        source.close()
        while seeing.is_alive():
            try:
                told.get(timeout=0.05)  # a full queue must not hold the thread
            except queue.Empty:
                seeing.join(timeout=0.2)


def _see_all(
    source: Source,
    see: Callable[[Event], list[Observation]],
    told: queue.Queue[Told | BaseException | None],
    stop: threading.Event,
) -> None:
    t, number, times = 0.0, 0, list[float]()
    try:
        for event in source:
            if stop.is_set():
                break
            start = time.monotonic()
            observations = tuple(see(event))
            now = time.monotonic()
            if isinstance(event, Frame):
                t, number = event.t, event.number
                times = [moment for moment in times if now - moment < _RATE_OVER] + [now]
            span = times[-1] - times[0] if len(times) > 1 else 0.0
            rate = (len(times) - 1) / span if span else 0.0
            told.put(Told(t, number, observations, rate, now - start, source.dropped, now))
        told.put(None)
    except BaseException as problem:  # it belongs to the thread that listens
        told.put(problem)
