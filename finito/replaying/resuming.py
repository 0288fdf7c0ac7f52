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
    from finito.live import LiveReferee


def resumed_referee(session: Session, begins: Begins) -> tuple[LiveReferee, Gap]:
    """A referee who has heard all that was recorded, and the gap to feed it next, which nobody saw.

    What it says to the recorded observations was said before the cut.
    """
    setting = setting_of(session, Wish(str(session.folder)))
    referee = referee_for(setting)
    for _ in heard(referee, setting, session.observations()):
        pass
    return referee, Gap(min(referee.now, begins.t), begins.t, "the session was cut off")
