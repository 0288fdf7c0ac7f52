"""What `finito watch` keeps: the session, and the evidence of every call."""

from __future__ import annotations

import sys
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from calibration.table_plane import TablePlane
    from finito.evidence.calls import Call
    from finito.evidence.live import EvidenceThread
    from finito.evidence.making import Evidence
    from finito.evidence.recent import RecentFrames
    from finito.live_setup import Guest, TableSetUp
    from finito.recording.writer import SessionWriter
    from referee.actions import RoundHeader
    from vision.frame import Frame
    from vision.observations import Look, Spot
    from vision.overlay import Mark
    from vision.pipelining.watching import Told


@dataclass(frozen=True)
class Order:
    """What is watched: enough to say in the session what it was made with."""

    source: str
    guests: tuple[Guest, ...]
    header: RoundHeader
    deck: str
    lang: str
    out: Path | None = None


class Keeper:
    """Records from the moment the table is set up, or goes on with a session that was cut off."""

    def __init__(self, order: Order, going_on: SessionWriter | None = None) -> None:
        self._order = order
        self._writer = going_on
        self._evidence: EvidenceThread | None = None
        self._recent: RecentFrames | None = None
        self._plane: TablePlane | None = None
        self._looks: dict[Spot, Look] = {}

    @property
    def folder(self) -> Path | None:
        return None if self._writer is None else self._writer.folder

    def begin(self, set_up: TableSetUp) -> None:
        from finito.evidence.live import EvidenceThread
        from finito.evidence.recent import RecentFrames
        from finito.recording.names import EVIDENCE

        self._plane = set_up.setting.plane
        if self._writer is None:
            self._writer = self._created(set_up)
        self._recent = RecentFrames()
        self._evidence = EvidenceThread(
            self._recent, self._writer.folder / EVIDENCE, language=self._order.lang, on_done=self._made
        )

    def _created(self, set_up: TableSetUp) -> SessionWriter:
        from finito.recording.library import SessionLibrary
        from finito.recording.new_session import new_session

        order = self._order
        return new_session(
            order.out or SessionLibrary.of_user().new_folder(),
            order.header,
            set_up.setting,
            order.deck,
            source=order.source,
            on_notice=say_notice,
            language=order.lang,
        )

    def frame(self, frame: Frame, wait: bool) -> None:
        """A file waits for the recording; a camera does not."""
        if self._writer is not None and self._recent is not None:
            self._writer.frame(frame, wait=wait)
            self._recent.add(frame)

    def keep(self, told: Told) -> None:
        from vision.observations import Look

        if self._writer is None:
            return
        for observation in told.observations:
            self._writer.observe(observation)
            if isinstance(observation, Look):
                self._looks[observation.spot] = observation
        if self._evidence is not None:
            self._evidence.passed(told.t)

    def act(self, lines: Sequence[dict[str, Any]]) -> None:
        from finito.evidence.calls import CALLED, Call

        if self._writer is None:
            return
        for line in lines:
            self._writer.act(line)
            if line.get("verdict") in CALLED and line.get("said") != "withdrawn" and self._evidence:
                call = Call(int(line["line"]), line)
                self._evidence.call(call, self._marks(call), self._order.header)

    def _marks(self, call: Call) -> list[Mark]:
        from finito.evidence.outlines import looks_at, mark_of

        plane = self._plane
        if plane is None:
            return []
        return [mark_of(look, plane, call) for look in looks_at(self._looks.values(), call)]

    def _made(self, done: Evidence | str) -> None:
        if isinstance(done, str):
            say(f"no evidence could be kept: {done}")

    def close(self) -> None:
        if self._evidence is not None:
            self._evidence.close()
        if self._writer is not None:
            self._writer.close()


def say_notice(notice: dict[str, Any]) -> None:
    if notice["what"] not in ("started", "closed"):
        say(str(notice["why"]))


def say(sentence: str) -> None:
    sys.stderr.write(f"finito: {sentence}\n")
