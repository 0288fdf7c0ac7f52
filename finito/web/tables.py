"""A table as its pages see it: whoever watches it pushes lines and pictures in, any number follow."""

from __future__ import annotations

import asyncio
import threading
from collections import deque
from collections.abc import Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

from finito.web.spoken import spoken
from vision.frame import Picture

Json = dict[str, Any]
_CHANGES_KEPT: Final = 400  # a page that lags further behind is told everything anew
_CLIP_SECONDS: Final = 3.0
_CLIP_STEP: Final = 0.12
_LATEST_CALL: Final = 5.0  # seconds after the pictures of the deed are gone
_CLIPS_KEPT: Final = 24
CALLED: Final = ("illegal", "unsure")


@dataclass(frozen=True, slots=True)
class Shown:
    """A picture of the table with the outlines of what was found in it, in its own pixels."""

    number: int
    t: float
    jpeg: bytes
    size: tuple[int, int]
    outlines: tuple[Json, ...] = ()

    def head(self) -> Json:
        return {
            "type": "picture",
            "n": self.number,
            "t": self.t,
            "size": self.size,
            "outlines": self.outlines,
        }


@dataclass
class _Round:
    """What is known of the round on the table; `lines` holds the last word on each line."""

    about: Json = field(default_factory=dict)
    lines: dict[int, Json] = field(default_factory=dict)
    board: Json = field(default_factory=dict)
    result: Json | None = None


class Table:
    """Safe for threads: one or more producers push, the pages' tasks wait."""

    def __init__(self) -> None:
        self._lock = threading.RLock()
        self._round = _Round()
        self._status: Json = {"source": None, "state": "idle"}
        self._changes: deque[tuple[int, Json]] = deque(maxlen=_CHANGES_KEPT)
        self._revision = 0
        self._picture: Shown | None = None
        self._whole: Picture | None = None
        self._shown = 0
        self._recent: deque[Shown] = deque()
        self._clips: dict[int, list[Shown]] = {}
        self._open_clips: dict[int, float] = {}
        self._waiting: set[tuple[asyncio.AbstractEventLoop, asyncio.Event]] = set()

    # What producers say.

    @contextmanager
    def held(self) -> Iterator[None]:
        """Nobody hears anything until this is over: what is said inside may be written down first."""
        with self._lock:
            yield

    @contextmanager
    def retold(self) -> Iterator[None]:
        """What is said inside was said before: pages are shown how it stands, and speak none of it again."""
        with self._lock:
            yield
            self._change({"type": "reset"})

    def begin(self, about: Json) -> None:
        """A new round: game, variant, players with seats, and the match it belongs to."""
        with self._lock:
            self._round = _Round(about=dict(about))
            self._clips, self._open_clips = {}, {}
            self._picture = self._whole = (
                None  # of another round; a camera that still looks shows the next at once
            )
            self._recent.clear()
            self._change({"type": "reset"})

    def push(self, line: Json, words: Mapping[str, str] | None = None) -> None:
        """A line of `finito watch`, first or again; `words` gives its `why` in the languages of the pages."""
        kept = {**line, "words": dict(words or {})}
        with self._lock:
            number = int(line["line"])
            self._round.lines[number] = kept
            if line.get("verdict") in CALLED and number not in self._clips:
                self._keep_clip(number, _ends(line.get("t")))
            self._change({"type": "line", "line": kept})

    def stand(self, board: Json, result: Json | None = None) -> None:
        """Piles, open cards and the score as they stand now."""
        with self._lock:
            self._round.board, self._round.result = board, result
            self._change({"type": "board", "board": board, "result": result})

    def tell(self, **status: Any) -> None:
        """How the watching itself goes: state, frame rate, delay, what is waited for."""
        with self._lock:
            if all(self._status.get(name, ...) == value for name, value in status.items()):
                return
            self._status = {**self._status, **status}
            self._change({"type": "status", "status": self._status})

    def note(self, about: Json) -> None:
        """Something about the round that changed while it runs, such as the match's totals."""
        with self._lock:
            self._round.about = {**self._round.about, **about}
            self._change({"type": "about", "about": self._round.about})

    def show(
        self,
        jpeg: bytes,
        t: float,
        size: tuple[int, int],
        outlines: Sequence[Json] = (),
        whole: Picture | None = None,
    ) -> None:
        """The newest picture; slow pages get fewer of them. `whole` is the same as the camera sent it."""
        with self._lock:
            self._shown += 1
            self._whole = whole
            shown = Shown(self._shown, round(t, 3), jpeg, size, tuple(outlines))
            self._picture = shown
            self._remember(shown)
            self._wake()

    # What pages ask.

    @property
    def picture(self) -> Shown | None:
        return self._picture

    @property
    def newest(self) -> tuple[int, bytes, Picture | None] | None:
        """Number, JPEG and, where the camera sent more than pages need, the whole of the newest picture."""
        with self._lock:
            return None if self._picture is None else (self._picture.number, self._picture.jpeg, self._whole)

    def keep_clip(self, line: int, pictures: Sequence[tuple[bytes, float, tuple[int, int]]]) -> None:
        """The pictures of a call that was made before the server was started again."""
        with self._lock:
            self._clips[line] = [Shown(0, t, jpeg, size) for jpeg, t, size in pictures]

    @property
    def status(self) -> Json:
        return self._status

    @property
    def about(self) -> Json:
        return self._round.about

    def snapshot(self, language: str) -> Json:
        with self._lock:
            game = str(self._round.about.get("game", "espresso"))
            return {
                "type": "snapshot",
                "revision": self._revision,
                "status": self._status,
                "about": self._round.about,
                "lines": [spoken(line, language, game) for line in self._round.lines.values()],
                "board": self._round.board,
                "result": self._round.result,
                "picture": self._picture is not None,
            }

    def changes_after(self, revision: int, language: str) -> tuple[int, list[Json]]:
        """What was said since; a snapshot where too much was."""
        with self._lock:
            if revision == self._revision:
                return revision, []
            fresh = [change for number, change in self._changes if number > revision]
            if len(fresh) < self._revision - revision or any(change["type"] == "reset" for change in fresh):
                return self._revision, [self.snapshot(language)]
            game = str(self._round.about.get("game", "espresso"))
            return self._revision, [_for_page(change, language, game) for change in fresh]

    def clip(self, line: int) -> list[Shown]:
        """The pictures that show a call, oldest first."""
        with self._lock:
            return list(self._clips.get(line, ()))

    @contextmanager
    def followed(self) -> Iterator[asyncio.Event]:
        """An event of the running loop that is set whenever there is something new."""
        entry = (asyncio.get_running_loop(), asyncio.Event())
        with self._lock:
            self._waiting.add(entry)
        try:
            yield entry[1]
        finally:
            with self._lock:
                self._waiting.discard(entry)

    @property
    def followers(self) -> int:
        return len(self._waiting)

    def _change(self, change: Json) -> None:
        self._revision += 1
        self._changes.append((self._revision, change))
        self._wake()

    def _wake(self) -> None:
        for loop, event in self._waiting:
            if not loop.is_closed():
                loop.call_soon_threadsafe(event.set)

    def _remember(self, shown: Shown) -> None:
        if self._recent and 0 <= shown.t - self._recent[-1].t < _CLIP_STEP:
            return
        self._recent.append(shown)
        while self._recent and not 0 <= shown.t - self._recent[0].t <= _CLIP_SECONDS:
            self._recent.popleft()
        for line, until in list(self._open_clips.items()):
            self._clips[line].append(shown)
            if shown.t >= until:
                del self._open_clips[line]

    def _keep_clip(self, line: int, moment: float | None) -> None:
        """Two seconds before the call and one after it, as pictures; of the last calls only.

        A line that is spoken of again long after has no pictures left: those of now would prove nothing.
        """
        if not self._recent or (moment is not None and moment < self._recent[0].t - _LATEST_CALL):
            return
        now = self._recent[-1].t
        self._clips[line] = [shown for shown in self._recent if shown.t >= now - _CLIP_SECONDS + 1]
        self._open_clips[line] = now + 1
        while len(self._clips) > _CLIPS_KEPT:
            oldest = next(iter(self._clips))
            del self._clips[oldest]
            self._open_clips.pop(oldest, None)


def _ends(t: float | Sequence[float] | None) -> float | None:
    """The end of a moment as lines tell it: a number, an interval, or nothing."""
    return t if t is None or isinstance(t, int | float) else max(t)


def _for_page(change: Json, language: str, game: str) -> Json:
    if change["type"] == "line":
        return {"type": "line", "line": spoken(change["line"], language, game)}
    return change
