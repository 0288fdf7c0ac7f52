"""A round under the camera recorded as a session, from the moment its table is set up."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from finito.recording.library import SessionLibrary
from finito.recording.limits import limits_of_user
from finito.recording.new_session import new_session
from finito.recording.writer import Begins, SessionWriter
from vision.observations import Observation, observation_from, observation_line

if TYPE_CHECKING:
    from finito.live_setup import TableSetUp
    from finito.web.live_watch import WatchOrder
    from vision.frame import Frame

Json = dict[str, Any]
Told = Callable[[Json], None]
_USUAL: Final = ("started", "closed", "resumed", "video")


class Recorder(Protocol):
    """Whoever writes down what a round is made of."""

    def observed(self, observation: Observation) -> Observation: ...

    def act(self, line: Json) -> None: ...


class RoundKeeper:
    """Writes one round; nothing before `begin` or `go_on`, and nothing at all where nobody wants it."""

    def __init__(self, library: SessionLibrary, source: str, order: WatchOrder, tell: Told) -> None:
        self._library, self._source, self._order, self._tell = library, source, order, tell
        self._writer: SessionWriter | None = None

    @property
    def session(self) -> str | None:
        return None if self._writer is None else self._writer.folder.name

    def begin(self, set_up: TableSetUp) -> str:
        """A new session; gives its name."""
        self._writer = new_session(
            self._library.new_folder(),
            self._order.header,
            set_up.setting,
            self._order.deck,
            source=self._source,
            on_notice=self._notice,
        )
        return self._writer.folder.name

    def go_on(self, folder: Path) -> Begins:
        """With a session that was cut off; where its clock stands now."""
        self._writer = SessionWriter.resume(folder, limits=limits_of_user(), on_notice=self._notice)
        return self._writer.begins

    def frame(self, frame: Frame, *, wait: bool) -> None:
        """A file waits for the recording; a camera does not."""
        if self._writer is not None:
            self._writer.frame(frame, wait=wait)

    def observed(self, observation: Observation) -> Observation:
        """The observation as it will be read again: after a restart the referee must come to the same."""
        if self._writer is None:
            return observation
        self._writer.observe(observation)
        return observation_from(observation_line(observation))

    def act(self, line: Json) -> None:
        if self._writer is not None:
            self._writer.act(line)

    def close(self) -> None:
        writer, self._writer = self._writer, None
        if writer is not None:
            writer.close()

    def _notice(self, notice: Json) -> None:
        """What people should know: that the video stopped, that the disk is full."""
        if notice["what"] not in _USUAL:
            self._tell(notice)
