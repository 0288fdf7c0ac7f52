"""Rounds that play themselves in real time: bots, or a filmed virtual table with its truth."""

from __future__ import annotations

import json
import threading
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2

from finito.demo_round import demo_round
from finito.errors import BadInput
from finito.web.tables import Table
from finito.web.written_round import WrittenRound
from referee.actions import Action, Count, Deal, RoundHeader
from referee.errors import RefereeError
from referee.notation import parse_line
from vision.frame import Picture

Json = dict[str, Any]
WIDEST: Final = 1280
_QUALITY: Final = 70
_PICTURE_STEP: Final = 0.1
_SEEN: Final = 0.35  # of a card must be visible for its outline to be drawn
FILM_FILES: Final = ("truth.jsonl", "video.mp4", "frames.jsonl")


@dataclass(frozen=True, slots=True)
class Story:
    """All that happens in a round, and the folder of its film where it was filmed."""

    header: RoundHeader
    deals: tuple[Deal, ...]
    actions: tuple[Action, ...]
    count: Count | None = None
    film: Path | None = None

    @property
    def entries(self) -> tuple[RoundHeader | Deal | Action, ...]:
        return (self.header, *self.deals, *self.actions)


def bot_story(seed: int, players: int, variant: tuple[str, ...]) -> Story:
    record = demo_round(seed, players, variant)
    return Story(record.header, record.deals, record.actions, record.count)


def filmed_story(folder: Path) -> Story:
    """A session folder of `finito simulate`."""
    path = folder / FILM_FILES[0]
    if not path.is_file():
        raise BadInput(f"{folder} holds no {FILM_FILES[0]}; name a folder that finito simulate wrote")
    entries = [parse_line(line) for line in path.read_text("utf-8").splitlines() if line.strip()]
    header = next((entry for entry in entries if isinstance(entry, RoundHeader)), None)
    if header is None:
        raise BadInput(f"{path} has no round line; simulate it anew")
    deals = tuple(entry for entry in entries if isinstance(entry, Deal))
    count = next((entry for entry in entries if isinstance(entry, Count)), None)
    others = (RoundHeader, Deal, Count)
    actions: Any = tuple(entry for entry in entries if not isinstance(entry, others))
    return Story(header, deals, actions, count, folder)


class Playing:
    """Tells a story to a round at its own pace, from wherever the round already is."""

    def __init__(self, story: Story, round_: WrittenRound, table: Table, pace: float = 1.0) -> None:
        self._story, self._round, self._table, self._pace = story, round_, table, pace
        self._stopped = threading.Event()
        self._threads: list[threading.Thread] = []

    def begin(self) -> None:
        told = self._round.entries
        for entry in self._story.entries[told:][: max(0, 1 + len(self._story.deals) - told)]:
            self._round.tell(entry)
        left = self._story.actions[max(0, told - 1 - len(self._story.deals)) :]
        began = _moment(left[0]) if told and left else 0.0
        self._table.tell(state="playing")
        self._run("story", lambda: self._tell(left, began))
        if self._story.film is not None:
            film = self._story.film
            self._run("film", lambda: self._show(film, began))

    def stop(self) -> None:
        self._stopped.set()
        for thread in self._threads:
            if thread.is_alive():
                thread.join(timeout=5)

    def _run(self, name: str, what: Callable[[], None]) -> None:
        thread = threading.Thread(target=what, name=name, daemon=True)
        self._threads.append(thread)
        thread.start()

    def _wait(self, zero: float, moment: float) -> bool:
        """Until that moment of the story; False when it shall stop."""
        return not self._stopped.wait(max(0.0, zero + moment / self._pace - time.monotonic()))

    def _tell(self, actions: tuple[Action, ...], began: float) -> None:
        zero = time.monotonic() - began / self._pace
        for action in actions:
            if not self._wait(zero, _moment(action)):
                return
            try:
                self._round.tell(action)
            except RefereeError as problem:  # it speaks of a pile that somebody has taken out
                self._table.tell(waiting=str(problem))
        self._table.tell(state="over")

    def _show(self, film: Path, began: float) -> None:
        from finito.recording.footage import pictures

        zero = time.monotonic() - began / self._pace
        outlines = _outlines(film / FILM_FILES[2])
        last, since = began - 1.0, time.monotonic()
        shown = 0
        for t, picture in pictures(film / FILM_FILES[1], began):
            seen = next((cards for at, cards in outlines if at >= t - 1e-3), [])
            late = time.monotonic() - (zero + t / self._pace)
            if t - last < _PICTURE_STEP * 0.9 or late > 0.3:
                continue
            if not self._wait(zero, t):
                return
            last, shown = t, shown + 1
            self._push(picture, t, seen)
            self._table.tell(fps=round(shown / max(0.5, time.monotonic() - since), 1))

    def _push(self, picture: Picture, t: float, cards: list[Json]) -> None:
        jpeg, size, scale = pressed(picture)
        marks = [
            {
                "corners": [[round(x * scale), round(y * scale)] for x, y in card["corners"]],
                "word": _word(card),
            }
            for card in cards
            if card["visible"] >= _SEEN
        ]
        self._table.show(jpeg, t, size, marks, whole=picture)


def pressed(picture: Picture) -> tuple[bytes, tuple[int, int], float]:
    """The picture as JPEG in a size for pages, and by how much it shrank."""
    height, width = picture.shape[:2]
    scale = min(1.0, WIDEST / width)
    if scale < 1:
        picture = cv2.resize(picture, None, fx=scale, fy=scale, interpolation=cv2.INTER_AREA)  # type: ignore[assignment]
    done, data = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, _QUALITY])
    assert done
    return data.tobytes(), (round(width * scale), round(height * scale)), scale


def _word(card: Json) -> str:
    return str(card["face"] if card["side"] == "face" else card["back"])


def _outlines(path: Path) -> Iterator[tuple[float, list[Json]]]:
    if not path.is_file():
        return
    with path.open(encoding="utf-8") as lines:
        for line in lines:
            frame = json.loads(line)
            yield frame["t"], frame["cards"]


def _moment(action: Action) -> float:
    return 0.0 if action.t is None else action.t.start
