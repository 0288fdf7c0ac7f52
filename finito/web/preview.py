"""What a camera sees before there is a round under it."""

from __future__ import annotations

import threading
import time
from typing import Final

from finito.web.stories import pressed
from finito.web.tables import Table
from vision.frame import Frame
from vision.sources import Source

_PICTURE_STEP: Final = 0.1
_LEASE: Final = 30.0  # seconds; a page that is still there asks again in time


class Preview:
    """Shows a source on the pages until it is stopped, or nobody asks for it any more."""

    def __init__(self, table: Table, name: str, source: Source) -> None:
        self._table, self._name, self._source = table, name, source
        self._until = time.monotonic() + _LEASE
        self._thread = threading.Thread(target=self._run, name="preview", daemon=True)
        self._thread.start()

    def renewed(self, name: str) -> bool:
        """Whether it is this camera that is shown; then it is shown longer."""
        if name != self._name or not self._thread.is_alive():
            return False
        self._until = time.monotonic() + _LEASE
        return True

    def stop(self) -> None:
        self._until = 0.0
        self._source.close()
        if self._thread is not threading.current_thread():
            self._thread.join(timeout=5)

    def _run(self) -> None:
        shown = -1.0
        with self._source:
            for event in self._source:
                if time.monotonic() > self._until:
                    break
                if not isinstance(event, Frame):
                    self._table.tell(waiting=event.why)
                elif event.t - shown >= _PICTURE_STEP:
                    shown = event.t
                    jpeg, size, _ = pressed(event.picture)
                    self._table.show(jpeg, event.t, size, whole=event.picture)
                    self._table.tell(waiting=None)
