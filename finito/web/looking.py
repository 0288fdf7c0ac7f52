"""Looks at the newest picture again and again for a page: what is on the table, a deck laid out, a count."""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any, Final, Protocol

import cv2
import numpy as np

from finito.errors import BadInput
from finito.web.outlines import scaled
from finito.web.stories import WIDEST
from finito.web.tables import Table
from vision.errors import VisionError
from vision.frame import Picture

Json = dict[str, Any]
_LEASE: Final = 30.0  # seconds; a page that is still there asks again in time
_PAUSE: Final = 0.35  # between two looks: the referee needs the machine, too
_NO_PICTURE: Final = 0.2


class Job(Protocol):
    """Something to be found out from a picture; `key` tells one wish from another."""

    key: tuple[object, ...]

    def look(self, picture: Picture) -> Json:
        """What the picture tells; `outlines` in it are in its own pixels."""


class Looking:
    """One job at a time, in a thread of its own; its answers are part of the table's status."""

    def __init__(self, table: Table) -> None:
        self._table = table
        self._lock = threading.Lock()
        self._job: Job | None = None
        self._until = 0.0
        self._thread: threading.Thread | None = None

    def begin(self, key: tuple[object, ...], make: Callable[[], Job]) -> None:
        """Starts a job, or lets the one that is running go on a while longer."""
        with self._lock:
            self._until = time.monotonic() + _LEASE
            running = self._thread is not None and self._thread.is_alive()
            if running and self._job is not None and self._job.key == key:
                return
            self._job = make()
            self._table.tell(looking={"job": key[0]})
            if not running:
                self._thread = threading.Thread(target=self._run, name="looking", daemon=True)
                self._thread.start()

    def end(self) -> None:
        with self._lock:
            self._job = None

    def close(self) -> None:
        """Ends and waits: a thread that is in the nets when the program ends takes it down with it."""
        self.end()
        thread = self._thread
        if thread is not None:
            thread.join()

    def _run(self) -> None:
        seen = -1
        last: Job | None = None
        while True:
            with self._lock:
                job = self._job if time.monotonic() < self._until else None
                if job is None:
                    self._job = self._thread = None
                    self._table.tell(looking=None)
                    return
            newest = self._table.newest
            if newest is None or (newest[0] == seen and job is last):
                time.sleep(_NO_PICTURE)
                continue
            seen, last = newest[0], job
            self._table.tell(looking={"job": job.key[0], **_answer(job, newest[1], newest[2])})
            time.sleep(_PAUSE)


def newest_picture(table: Table) -> Picture:
    """What the camera sees now, as large as it sends it."""
    newest = table.newest
    if newest is None:
        raise BadInput("no camera looks at the table; choose one first")
    return newest[2] if newest[2] is not None else decoded(newest[1])


def decoded(jpeg: bytes) -> Picture:
    picture = cv2.imdecode(np.frombuffer(jpeg, np.uint8), cv2.IMREAD_COLOR)
    assert picture is not None
    return picture.astype(np.uint8, copy=False)


def _answer(job: Job, jpeg: bytes, whole: Picture | None) -> Json:
    picture = decoded(jpeg) if whole is None else whole
    try:
        answer = job.look(picture)
    except (BadInput, VisionError) as problem:
        return {"problem": str(problem), "outlines": []}
    shrunk = min(1.0, WIDEST / picture.shape[1])
    asked = [
        each if "corners" not in each else scaled([each], shrunk)[0] for each in answer.get("questions", [])
    ]
    return {**answer, "questions": asked, "outlines": scaled(answer.get("outlines", []), shrunk)}
