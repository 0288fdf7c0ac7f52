"""Frames on their way into the video, in a thread of its own: a slow disk costs frames, never the referee."""

from __future__ import annotations

import json
import queue
import threading
import time
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import cv2
from av.error import FFmpegError

from finito.recording.limits import Limits
from finito.recording.lines import LineFile
from finito.recording.video import VideoPart, even_size, next_part, part_name, remove_empty
from vision.frame import Frame

# Frames that wait for the encoder are lost at kill -9 with the fragment that is being filled: six of them at
# 15 a second, half a second of fragment and one frame are less than a second together.
WAITING: Final = 6
CHECK_ROOM_EVERY: Final = 1.0
TELL_DROPS_EVERY: Final = 10.0
Notify = Callable[[str, str, dict[str, Any]], None]


class VideoThread:
    """Takes frames without blocking; drops them when the encoder is slow, and counts them."""

    def __init__(
        self, folder: Path, limits: Limits, index: LineFile, notify: Notify, waiting: int = WAITING
    ) -> None:
        self.dropped = 0
        self.written = 0
        self.stopped: str | None = None
        self._folder, self._limits, self._index, self._notify = folder, limits, index, notify
        self._queue: queue.Queue[Frame | None] = queue.Queue(waiting)
        self._part: VideoPart | None = None
        self._finished_bytes = sum(path.stat().st_size for path in folder.glob("video*.mp4"))
        self._checked = self._told_at = float("-inf")
        self._told = 0
        self._thread = threading.Thread(target=self._run, name="video", daemon=True)
        self._thread.start()

    def put(self, frame: Frame, wait: bool = False) -> bool:
        """Hands a frame over; the picture must not be changed afterwards. False where it will not be kept.

        `wait` is for sources that are not live: none of their frames need be dropped.
        """
        if self.stopped is not None:
            return False
        try:
            self._queue.put(frame, block=wait)
        except queue.Full:
            self.dropped += 1
            return False
        return True

    @property
    def bytes(self) -> int:
        part = self._part
        return self._finished_bytes + (part.bytes if part is not None else 0)

    def sync(self) -> None:
        part = self._part
        if part is not None:
            part.sync()

    def close(self) -> None:
        """Writes what waits and finishes the file."""
        self._queue.put(None)
        self._thread.join()

    def _run(self) -> None:
        while (frame := self._queue.get()) is not None:
            if self.stopped is not None:
                continue
            try:
                self._write(frame)
            except (OSError, FFmpegError, ValueError, cv2.error) as error:
                reason = getattr(error, "strerror", None) or str(error)
                self._stop(f"the video cannot be written ({reason})", frame.t)
            self._tell_drops(frame.t)
        self._finish()

    def _write(self, frame: Frame) -> None:
        reason = self._no_room()
        if reason is not None:
            self._stop(reason, frame.t)
            return
        size = even_size(frame.picture)
        if self._part is None or self._part.size != size:
            self._begin(size, frame.t)
        assert self._part is not None
        if self._part.add(frame.picture, frame.t):
            self.written += 1
            self._index.append(json.dumps([frame.number, round(frame.t, 6)], separators=(",", ":")))

    def _begin(self, size: tuple[int, int], t: float) -> None:
        """Another file; its beginning is told before its first picture, or nobody could place it in time."""
        self._finish()
        name = part_name(next_part(self._folder))
        self._notify(
            "video", f"{name} begins", {"t": round(t, 6), "file": name, "starts": round(t, 6), "size": size}
        )
        self._part = VideoPart(self._folder / name, size, round(t, 6))

    def _no_room(self) -> str | None:
        now = time.monotonic()
        if now - self._checked < CHECK_ROOM_EVERY:
            return None
        self._checked = now
        return self._limits.reason_to_stop(self.bytes, self._folder)

    def _stop(self, why: str, t: float) -> None:
        self.stopped = f"{why}; actions and observations are still kept"
        self._finish()
        self._notify("video-stopped", self.stopped, {"t": round(t, 6)})

    def _finish(self) -> None:
        if self._part is None:
            return
        part, self._part = self._part, None
        part.close()
        self._finished_bytes += part.bytes
        remove_empty(part.path)

    def _tell_drops(self, t: float) -> None:
        now = time.monotonic()
        if self.dropped == self._told or now - self._told_at < TELL_DROPS_EVERY:
            return
        more, self._told, self._told_at = self.dropped - self._told, self.dropped, now
        frames = "1 frame was" if more == 1 else f"{more} frames were"
        why = f"{frames} not recorded because the machine is busy"
        self._notify("frames-dropped", why, {"t": round(t, 6), "count": more})
