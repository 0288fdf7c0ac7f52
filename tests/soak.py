"""A long evening at the table: does it stay as quick and as small as it began?

python -m tests.soak [--minutes 10] [--size 1920x1080] [--out models/results/soak.csv]
python -m tests.soak --games 8 [--every 4]

A camera plays the demonstration's film again and again at its own speed and drops what nobody fetches; each
game is set up, refereed, recorded and counted. Every three minutes the camera is unplugged for three seconds.
A row is kept every half minute: frames seen a second, frames dropped, the delay from picture to word, and the
memory. On a machine that is too busy for that, `--games` shows as many games as quickly as they can be seen,
every fourth frame of them, without a camera: only memory means something then, a row for each game.
"""

from __future__ import annotations

import argparse
import csv
import resource
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import asdict, dataclass, field
from itertools import islice
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np

from finito.ending.refereed_round import RefereedRound
from finito.film_demo import DECK, BundledFilm, bundled_film
from finito.live import LiveReferee
from finito.recording.about import SeatedPlayer, SessionAbout
from finito.recording.limits import Limits
from finito.recording.writer import SessionWriter
from finito.table_eyes import TableEyes, open_table_eyes
from vision.errors import BadSource
from vision.frame import Frame, Picture
from vision.pipelining.watching import Told, watched
from vision.sources import open_source
from vision.sources.events import Event, Gap
from vision.sources.live import FeedLost, LiveSource, Shot

ROW_EVERY: Final = 30.0
UNPLUGGED_EVERY, UNPLUGGED_FOR = 180.0, 3.0


@dataclass
class Row:
    """Half a minute."""

    second: int
    fps: float
    dropped: int
    delay_p95_ms: float
    memory_mb: float
    gaps: int
    calls: int
    counted: int


@dataclass
class Reel:
    """How often the film was begun: every time it is another game."""

    begun: int = 0


class FilmCamera:
    """A feed that plays a film in its own time, for ever, and can be pulled out."""

    def __init__(self, film: BundledFilm, size: tuple[int, int], began: float, reel: Reel) -> None:
        self._film, self._size, self._began, self._reel = film, size, began, reel
        if self._pulled_out():
            raise BadSource("the camera is not there")
        self._frames = self._endless()
        self._zero = time.monotonic()

    def _pulled_out(self) -> bool:
        passed = (time.monotonic() - self._began) % UNPLUGGED_EVERY
        return UNPLUGGED_EVERY / 2 < passed < UNPLUGGED_EVERY / 2 + UNPLUGGED_FOR

    def _endless(self) -> Iterator[tuple[float, Picture]]:
        shift = 0.0
        while True:
            self._reel.begun += 1
            last = 0.0
            with open_source(str(self._film.video)) as source:
                for event in source:
                    if isinstance(event, Frame):
                        last = event.t
                        yield shift + event.t, event.picture
            shift += last + 1 / 15

    def shoot(self) -> Shot | None:
        if self._pulled_out():
            raise FeedLost("the camera was unplugged")
        t, picture = next(self._frames)
        time.sleep(max(0.0, self._zero + t - time.monotonic()))
        size = self._size
        return lambda: np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8)

    def close(self) -> None:
        pass


@dataclass
class Evening:
    """Round after round; what was measured since the last row."""

    eyes: TableEyes
    film: BundledFilm
    room: Path
    reel: Reel
    rows: list[Row] = field(default_factory=list)
    delays: list[float] = field(default_factory=list)
    frames: int = 0
    gaps: int = 0
    calls: int = 0
    counted: int = 0
    by_time: bool = True  # a row every half minute

    def __post_init__(self) -> None:
        self.games = 0
        self.began = time.monotonic()
        self._dropped = 0
        self._arrived: dict[int, float] = {}
        self._deal()

    def _deal(self) -> None:
        self.games += 1
        self.live = self.eyes.watch(self.film.guests, lambda _: None)
        self.referee = RefereedRound(LiveReferee(self.film.header))
        shutil.rmtree(self.room / f"game{self.games - 1}", ignore_errors=True)
        about = SessionAbout(tuple(SeatedPlayer(guest.name) for guest in self.film.guests))
        self.writer = SessionWriter.create(self.room / f"game{self.games}", about, limits=Limits(keep_free=0))
        self.dealt = self.reel.begun

    def see(self, event: Event, wait: bool = False) -> list[Any]:
        if isinstance(event, Gap):
            self.gaps += event.end is not None
            return self.live.see(event)
        self._arrived[event.number] = time.monotonic()
        told = self.live.see(event)
        self.writer.frame(event, wait=wait)
        return told

    def hear(self, told: Told) -> None:
        for observation in told.observations:
            self.writer.observe(observation)
            for event in self.referee.feed(observation):
                self.writer.act(event.json())
                self.calls += 1
        arrived = self._arrived.pop(told.frame, None)
        if arrived is not None:
            self.frames += 1
            self.delays.append(time.monotonic() - arrived)
        if self.reel.begun != self.dealt:
            self.next_game()
        passed = time.monotonic() - self.began
        if self.by_time and passed >= ROW_EVERY * (len(self.rows) + 1):
            self.row(passed, told.dropped)

    def next_game(self) -> None:
        self.counted += self.referee.counted is not None
        self.writer.close()
        self._deal()

    def row(self, passed: float, dropped: int) -> None:
        delays = sorted(self.delays)
        slow = 1000 * delays[int(0.95 * (len(delays) - 1))] if delays else 0.0
        row = Row(
            round(passed),
            round(self.frames / ROW_EVERY, 1),
            dropped - self._dropped,
            round(slow, 1),
            round(_memory(), 1),
            self.gaps,
            self.calls,
            self.counted,
        )
        self.rows.append(row)
        sys.stderr.write("  ".join(f"{name} {value}" for name, value in asdict(row).items()) + "\n")
        self.frames, self._dropped, self.delays = 0, dropped, []
        self._arrived.clear()


def _memory() -> float:
    """Megabytes in use now; where that cannot be asked, the most there ever was."""
    try:
        pages = int(Path("/proc/self/statm").read_text().split()[1])
        return pages * resource.getpagesize() / 1e6
    except (OSError, IndexError, ValueError):
        return resource.getrusage(resource.RUSAGE_SELF).ru_maxrss / 1e3


def soak(minutes: float, size: tuple[int, int]) -> list[Row]:
    with bundled_film() as film, tempfile.TemporaryDirectory() as room:
        reel = Reel()
        evening = Evening(open_table_eyes(DECK), film, Path(room), reel)
        began = evening.began
        camera = LiveSource("the camera of the film", lambda: FilmCamera(film, size, began, reel))
        for told in watched(camera, evening.see):
            evening.hear(told)
            if time.monotonic() - began > 60 * minutes:
                break
        evening.writer.close()
        return evening.rows


def hurried(games: int, every: int, size: tuple[int, int]) -> list[Row]:
    """Games as quickly as they can be seen, one after the other; what is measured of time means nothing."""
    with bundled_film() as film, tempfile.TemporaryDirectory() as room:
        evening = Evening(open_table_eyes(DECK), film, Path(room), Reel(), by_time=False)
        number = 0
        for _ in range(games):
            with open_source(str(film.video)) as source:
                frames = (event for event in source if isinstance(event, Frame))
                for frame in islice(frames, 0, None, every):
                    picture = np.asarray(cv2.resize(frame.picture, size), np.uint8)
                    number += 1
                    told = tuple(evening.see(Frame(picture, frame.t, number), wait=True))
                    evening.hear(Told(frame.t, number, told, 0.0, 0.0, 0, time.monotonic()))
            evening.row(time.monotonic() - evening.began, 0)
            evening.next_game()
        evening.writer.close()
        return evening.rows


def summary(rows: list[Row]) -> str:
    """The first third against the last."""
    third = max(1, len(rows) // 3)
    lines = [f"{'':24} {'first third':>12} {'last third':>12}"]
    for name in ("fps", "delay_p95_ms", "memory_mb", "dropped"):
        first, last = (
            statistics.mean(getattr(row, name) for row in part) for part in (rows[:third], rows[-third:])
        )
        lines.append(f"{name:24} {first:12.1f} {last:12.1f}")
    return "\n".join([*lines, f"camera lost and found {rows[-1].gaps} times, {rows[-1].calls} calls"])


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--minutes", type=float, default=10.0)
    parser.add_argument("--size", default="1920x1080")
    parser.add_argument("--games", type=int, help="as quickly as can be, instead of minutes")
    parser.add_argument("--every", type=int, default=4, help="of so many frames of a game one is seen")
    parser.add_argument("--out", type=Path)
    wanted = parser.parse_args()
    width, height = (int(part) for part in wanted.size.split("x"))
    size = (width, height)
    rows = hurried(wanted.games, wanted.every, size) if wanted.games else soak(wanted.minutes, size)
    if wanted.out is not None:
        with wanted.out.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(asdict(rows[0])))
            writer.writeheader()
            writer.writerows(asdict(row) for row in rows)
    sys.stdout.write(summary(rows) + "\n")


if __name__ == "__main__":
    main()
