"""The live referee of a session that was cut off, brought back to where it was."""

from __future__ import annotations

from typing import TYPE_CHECKING

from finito.recording.session import Session
from finito.recording.writer import Begins
from finito.replaying.setting import setting_of
from finito.replaying.stages import heard, referee_for
from finito.replaying.wish import Wish
from vision.observations import Gap

if TYPE_CHECKING:
    from finito.ending.refereed_round import RefereedRound
    from vision.pipeline import Setting as TableSetting


def resumed_referee(session: Session, begins: Begins) -> tuple[RefereedRound, Gap]:
    """A referee who has heard all that was recorded, and the gap to feed it next, which nobody saw.

    What it says to the recorded observations was said before the cut.
    """
    setting = setting_of(session, Wish(str(session.folder)))
    referee = referee_for(setting)
    for _ in heard(referee, setting, session.observations()):
        pass
    referee.opening()
    return referee, Gap(min(referee.now, begins.t), begins.t, "the session was cut off")


def known_table(session: Session) -> TableSetting | None:
    """The table as it was measured; None where the session does not say who sat where."""
    from finito.replaying.seeing import measured

    return measured(setting_of(session, Wish(str(session.folder))))
