"""Writes a session. Nothing that was acknowledged is lost at kill −9; a full disk stops the video only."""

from __future__ import annotations

import json
import os
import threading
from collections.abc import Callable, Mapping
from contextlib import suppress
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final, Self

from finito import __version__
from finito.errors import BadInput
from finito.recording.about import SessionAbout, keep_deck, keep_table, models_in_use, read_about, write_about
from finito.recording.ending import last_moment
from finito.recording.limits import Limits
from finito.recording.lines import LineFile, Receipt
from finito.recording.lock import SessionLock
from finito.recording.names import ACTIONS, FRAME_INDEX, NOTICES, OBSERVATIONS, TIMED
from finito.recording.video_thread import VideoThread
from vision.frame import Frame
from vision.observations import Observation, observation_line

RESERVE: Final = ".reserve"
RESERVED: Final = 2_000_000  # bytes given up for lines once the disk is full: some fifteen thousand actions
SYNC_EVERY: Final = 0.5
Json = Mapping[str, Any]
OnNotice = Callable[[dict[str, Any]], None]


@dataclass(frozen=True, slots=True)
class Begins:
    """Where this run begins on the session's clock: what a source that counts from 0 has to add."""

    t: float = 0.0
    frame: int = 0


def _made_with(before: SessionAbout) -> dict[str, Any]:
    """The version that goes on, and its models where they are others than those of the beginning."""
    models = models_in_use()
    named = [{"name": model.name, "sha256": model.sha256} for model in models]
    return {"version": __version__} | ({} if models == before.models else {"models": named})


class SessionWriter:
    """Takes frames, observations and actions, all with times on the session's clock."""

    def __init__(
        self,
        folder: Path,
        about: SessionAbout,
        begins: Begins,
        *,
        limits: Limits | None = None,
        on_notice: OnNotice | None = None,
        video: bool = True,
    ) -> None:
        """Use `create` or `resume`."""
        self.folder, self.about, self.begins = folder, about, begins
        self._on_notice = on_notice
        self._now = begins.t
        self._told_waiting = False
        self._lock = SessionLock(folder)
        self._reserve()
        self._notices = LineFile(folder / NOTICES, self._make_room)
        self._actions = LineFile(folder / ACTIONS, self._make_room)
        self._observations = LineFile(folder / OBSERVATIONS, self._make_room)
        self._index = LineFile(folder / FRAME_INDEX)
        chosen = limits or Limits()
        self._video = VideoThread(folder, chosen, self._index, self._from_video) if video else None
        self._closing = threading.Event()
        self._sync = threading.Thread(target=self._keep_syncing, name="session sync", daemon=True)
        self._sync.start()

    @classmethod
    def create(
        cls,
        folder: Path,
        about: SessionAbout,
        *,
        deck: Path | None = None,
        table: Path | None = None,
        limits: Limits | None = None,
        on_notice: OnNotice | None = None,
        video: bool = True,
    ) -> SessionWriter:
        """A new session; the deck's folder and the table's profile are copied into it."""
        try:
            if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
                raise BadInput(f"{folder} exists and is not an empty folder; give the session a new one")
            folder.mkdir(parents=True, exist_ok=True)
            about = replace(
                about,
                deck=about.deck if deck is None else keep_deck(deck, folder),
                table=about.table if table is None else keep_table(table, folder),
                models=about.models or models_in_use(),
            )
            write_about(folder, about)
            writer = cls(folder, about, Begins(), limits=limits, on_notice=on_notice, video=video)
        except OSError as error:
            reason = error.strerror or str(error)
            raise BadInput(
                f"the session {folder} cannot be written ({reason}); choose another place"
            ) from None
        writer.notice("started", "the session begins")
        return writer

    @classmethod
    def resume(
        cls,
        folder: Path,
        *,
        limits: Limits | None = None,
        on_notice: OnNotice | None = None,
        video: bool = True,
    ) -> SessionWriter:
        """Goes on with a session that was cut off or closed; its clock has gone on as the wall's did."""
        about = read_about(folder)
        t, frame = last_moment(folder, TIMED)
        passed = (datetime.now(UTC) - about.began.astimezone(UTC)).total_seconds()
        begins = Begins(round(max(passed, t + 0.1), 3), frame + 1)
        try:
            writer = cls(folder, about, begins, limits=limits, on_notice=on_notice, video=video)
        except OSError as error:
            reason = error.strerror or str(error)
            raise BadInput(f"the session {folder} cannot be gone on with ({reason})") from None
        why = f"the session goes on after {begins.t - t:.1f} s"
        writer.notice("resumed", why, offset=begins.t, frame=begins.frame, **_made_with(about))
        return writer

    def frame(self, frame: Frame, *, wait: bool = False) -> bool:
        """Queues a frame for the video; False where it will not be in it.

        From a live source it never waits; from a file, wait for the encoder, or frames will be dropped.
        """
        self._now = max(self._now, frame.t)
        return self._video is not None and self._video.put(frame, wait)

    def observe(self, observation: Observation) -> Receipt:
        self._now = max(self._now, observation.t)
        return self._told(self._observations.append(observation_line(observation)))

    def act(self, entry: Json) -> Receipt:
        """Writes a line of the round in the form of `finito watch`; its number is that of `finito judge`.

        An action counts as acknowledged only if the receipt says that it is kept.
        """
        return self._told(self._actions.append(json.dumps(entry, ensure_ascii=False, allow_nan=False)))

    def notice(self, what: str, why: str, **more: Any) -> None:
        """Says something about the recording itself, in the session and to whoever listens."""
        line = {"type": "notice", "t": round(self._now, 3), "what": what, "why": why} | more
        line["at"] = datetime.now(UTC).isoformat(timespec="milliseconds")
        self._notices.append(json.dumps(line, ensure_ascii=False))
        if self._on_notice is not None:
            self._on_notice(line)

    @property
    def dropped(self) -> int:
        """Frames that came faster than they could be encoded."""
        return 0 if self._video is None else self._video.dropped

    @property
    def video_stopped(self) -> str | None:
        """Why there is no more video."""
        return None if self._video is None else self._video.stopped

    def close(self) -> None:
        if self._closing.is_set():
            return
        self._closing.set()
        self._sync.join()
        if self._video is not None:
            self._video.close()
        lines = {"actions": self._actions.lines, "observations": self._observations.lines}
        frames = {"frames": 0 if self._video is None else self._video.written, "dropped": self.dropped}
        lost = self._actions.lost + self._observations.lost
        self.notice("closed", "the session ends", **lines, **frames, lost=lost)
        for file in self._files:
            with suppress(OSError):
                file.sync()
            file.close()
        self._give_reserve()
        self._lock.release()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    @property
    def _files(self) -> tuple[LineFile, ...]:
        return self._actions, self._observations, self._index, self._notices

    def _from_video(self, what: str, why: str, more: dict[str, Any]) -> None:
        self.notice(what, why, **more)

    def _told(self, receipt: Receipt) -> Receipt:
        """Says once that lines wait, and once that they need no longer."""
        if receipt.kept == self._told_waiting:
            self._told_waiting = not receipt.kept
            if receipt.kept:
                self.notice("lines-kept", "there is room again; all that waited is written")
            else:
                why = "the disk is full: actions wait in memory until there is room; free some"
                self.notice("lines-waiting", why)
        return receipt

    def _keep_syncing(self) -> None:
        while not self._closing.wait(SYNC_EVERY):
            with suppress(OSError):  # a disk that refuses is found out by the next write
                for file in self._files:
                    file.sync()
                if self._video is not None:
                    self._video.sync()

    def _reserve(self) -> None:
        with suppress(OSError):  # a full disk has nothing to set aside
            (self.folder / RESERVE).write_bytes(bytes(RESERVED))

    def _make_room(self) -> bool:
        return self._give_reserve()

    def _give_reserve(self) -> bool:
        try:
            os.unlink(self.folder / RESERVE)
        except OSError:
            return False
        return True
