"""The round under a camera that was on the table when the server was killed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

from finito.errors import BadInput
from finito.recording.about import TABLE_FILE
from finito.recording.library import SessionLibrary
from finito.recording.session import Session
from finito.web.host import WATCHED
from finito.web.live_watch import Past
from finito.web.stories import pressed
from finito.web.tables import CALLED, Table
from finito.web.watch_order import WatchOrder, order_from
from finito.web.watched_round import WatchedRound
from vision.pipeline import Setting

Json = dict[str, Any]
_BEFORE: Final = 2.0
_AFTER: Final = 1.0
_STEP: Final = 0.12
_CLIPS: Final = 8  # calls whose pictures are brought back


@dataclass(frozen=True)
class CutOff:
    """As the journal tells it; `folder` is its session, where the table was set up before the end."""

    source: str
    order: WatchOrder
    match: str
    words: tuple[Json, ...]
    folder: Path | None
    counted: bool

    def past(self, table: Table) -> Past:
        """What the referee has to hear again."""
        folder = self.folder

        def bring_back(round_: WatchedRound) -> None:
            if folder is not None:
                bring_back_clips(table, Session(folder), round_)

        return Past(self.order.before, self.words, self.match, folder, bring_back)


def cut_off(lines: Sequence[Json], library: SessionLibrary) -> CutOff | None:
    """The round that the journal tells of; None where it was another kind, is over, or cannot be found."""
    if not lines or lines[0].get("type") != WATCHED or any(line.get("type") == "over" for line in lines):
        return None
    try:
        first = lines[0]
        order, source, match = order_from(first["order"]), str(first["source"]), str(first["match"])
        name = next((str(line["name"]) for line in lines if line.get("type") == "session"), None)
        folder = None if name is None else library.path(name)
        if folder is not None:
            session = Session(folder)
            order = replace(order, setting=_setting(session), before=tuple(session.observations()))
    except (KeyError, TypeError, ValueError, BadInput):
        return None  # the session was deleted or moved: there is nothing to go on with
    words = tuple(line for line in lines if line.get("type") == "word")
    counted = any(line.get("type") == "result" for line in lines)
    return CutOff(source, order, match, words, folder, counted)


def _setting(session: Session) -> Setting | None:
    """The table as it was measured then; the camera has not been moved, or the eyes will say so."""
    from calibration.errors import CalibrationError
    from calibration.profiles import read_profile

    try:
        profile = read_profile(session.folder / TABLE_FILE)
    except CalibrationError as problem:
        raise BadInput(str(problem)) from None
    if profile.plane is None or profile.zones is None:
        raise BadInput(f"{session.folder / TABLE_FILE} does not say where the table is")
    seats = {str(each.seat): each.player for each in session.about.players}
    return Setting(profile.plane, profile.zones, seats)


def bring_back_clips(table: Table, session: Session, round_: WatchedRound) -> None:
    """The pictures around the last calls, from the recorded video: they were in memory only."""
    lines = [line for line in table.snapshot("en")["lines"] if line.get("verdict") in CALLED]
    lines.sort(key=_matters)
    for line in lines[-_CLIPS:]:
        pictures: list[tuple[bytes, float, tuple[int, int]]] = []
        moment = float(line["t"])
        for frame in session.frames(max(0.0, moment - _BEFORE), min(moment + _AFTER, round_.now)):
            if not pictures or frame.t - pictures[-1][1] >= _STEP:
                jpeg, size, _ = pressed(frame.picture)
                pictures.append((jpeg, frame.t, size))
        if pictures:
            table.keep_clip(int(line["line"]), pictures)


def _matters(line: Json) -> tuple[bool, bool]:
    """Calls that wait for the table's word before settled ones, and accusations before questions."""
    waits = line.get("said") != "withdrawn" and "settled_by" not in line
    return waits, line["verdict"] == "illegal"
