"""The live referee of a session that was cut off, brought back to where it was."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, Any

from finito.recording.session import Session
from finito.recording.telling import is_watched
from finito.recording.writer import Begins
from finito.replaying.setting import setting_of
from finito.replaying.stages import heard, referee_for
from finito.replaying.wish import Wish
from vision.observations import Gap

if TYPE_CHECKING:
    from finito.ending.refereed_round import RefereedRound
    from finito.live import LiveEvent
    from vision.pipeline import Setting as TableSetting


def resumed_referee(session: Session, begins: Begins) -> tuple[RefereedRound, Gap]:
    """A referee who has heard all that was recorded, and the gap to feed it next, which nobody saw.

    What it says to the recorded observations was said before the cut.
    """
    setting = setting_of(session, Wish(str(session.folder)))
    referee = referee_for(setting)
    for _ in heard(referee, setting, session.observations()):
        pass
    _say_again(referee, session)
    referee.opening()
    return referee, Gap(min(referee.now, begins.t), begins.t, "the session was cut off")


def _say_again(referee: RefereedRound, session: Session) -> None:
    """What people said by keys: calls that they overruled stay so, and a Finito that they called."""
    from referee.actions import Undo

    last = {each.entry["line"]: each.entry for each in session.actions() if is_watched(each.entry)}
    for event in referee.last_words():
        overruled = last.get(event.line, {}).get("said") == "withdrawn"
        if overruled and event.said != "withdrawn":
            referee.correct(Undo(event.line))
    for entry in last.values():
        stands = entry.get("verdict") == "legal" and entry.get("said") != "withdrawn"
        if entry["type"] == "finito" and stands and referee.finito is None:
            referee.call_finito(entry["player"], float(entry["t"]))


def unwritten(referee: RefereedRound, session: Session) -> list[LiveEvent]:
    """Calls that follow from what was recorded, and were not written down any more when all ended."""
    written: dict[int, tuple[Any, ...]] = {}
    for action in session.actions():
        if is_watched(action.entry):
            written[action.entry["line"]] = _word(action.entry)
    return [event for event in referee.last_words() if written.get(event.line) != _word(event.json())]


def _word(entry: Mapping[str, Any]) -> tuple[Any, ...]:
    gone = entry.get("said") == "withdrawn"
    return (gone, *(None if gone else entry.get(name) for name in ("type", "player", "verdict", "rule")))


def known_table(session: Session) -> TableSetting | None:
    """The table as it was measured; None where the session does not say who sat where."""
    from finito.replaying.seeing import measured

    return measured(setting_of(session, Wish(str(session.folder))))
