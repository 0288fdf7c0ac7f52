"""Evidence while the game goes on: made in a thread of its own once the seconds after a call have passed."""

from __future__ import annotations

import queue
import threading
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from finito.errors import BadInput
from finito.evidence.calls import Call
from finito.evidence.making import AFTER, Evidence, Footage, make_evidence
from referee.actions import RoundHeader
from vision.overlay import Mark

_SETTLED: Final = AFTER + 0.2
OnDone = Callable[[Evidence | str], None]


@dataclass(frozen=True, slots=True)
class _Wanted:
    call: Call
    marks: tuple[Mark, ...]
    header: RoundHeader | None


class EvidenceThread:
    """`call` what was called, tell `passed` how late it is; `on_done` hears of files or of trouble."""

    def __init__(
        self, footage: Footage, folder: Path, *, language: str = "en", on_done: OnDone | None = None
    ) -> None:
        self._footage, self._folder, self._language, self._on_done = footage, folder, language, on_done
        self._waiting: list[_Wanted] = []
        self._due: queue.Queue[_Wanted | None] = queue.Queue()
        self._thread = threading.Thread(target=self._run, name="evidence", daemon=True)
        self._thread.start()

    def call(self, call: Call, marks: Sequence[Mark] = (), header: RoundHeader | None = None) -> None:
        self._waiting.append(_Wanted(call, tuple(marks), header))

    def passed(self, t: float) -> None:
        """Starts the evidence of all calls whose time after them is over; never blocks."""
        for wanted in [each for each in self._waiting if each.call.t + _SETTLED <= t]:
            self._waiting.remove(wanted)
            self._due.put(wanted)

    def close(self) -> None:
        """Makes what is left with the pictures there are."""
        self.passed(float("inf"))
        self._due.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (wanted := self._due.get()) is not None:
            done = self._made(wanted)
            if self._on_done is not None:
                self._on_done(done)

    def _made(self, wanted: _Wanted) -> Evidence | str:
        try:
            return make_evidence(
                self._footage,
                wanted.call,
                self._folder,
                marks=wanted.marks,
                header=wanted.header,
                language=self._language,
            )
        except (BadInput, OSError) as problem:
            return str(problem)
