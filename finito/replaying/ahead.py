"""Frames decoded ahead in a thread of their own: the eyes need not wait for the video, nor it for them."""

from __future__ import annotations

import queue
import threading
from collections.abc import Iterable, Iterator
from typing import Final

from vision.frame import Frame

_AHEAD: Final = 8  # frames; more would only cost memory


def ahead(frames: Iterable[Frame]) -> Iterator[Frame]:
    """The same frames; what goes wrong while they are decoded is raised here."""
    waiting: queue.Queue[Frame | BaseException | None] = queue.Queue(_AHEAD)
    stop = threading.Event()
    thread = threading.Thread(target=_decode, args=(frames, waiting, stop), name="decoding", daemon=True)
    thread.start()
    try:
        while (each := waiting.get()) is not None:
            if isinstance(each, BaseException):
                raise each
            yield each
    finally:
        stop.set()
        while thread.is_alive():
            try:
                waiting.get(timeout=0.05)  # a full queue must not hold the thread
            except queue.Empty:
                thread.join(timeout=0.2)


def _decode(
    frames: Iterable[Frame], waiting: queue.Queue[Frame | BaseException | None], stop: threading.Event
) -> None:
    try:
        for frame in frames:
            if stop.is_set():
                return
            waiting.put(frame)
        waiting.put(None)
    except BaseException as problem:  # it belongs to whoever looks
        waiting.put(problem)
