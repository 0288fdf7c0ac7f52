"""What a filmed game costs: frames per second of the whole chain, and where the time goes."""

import json
import tempfile
import time
from collections import defaultdict
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import islice
from pathlib import Path

import cv2
from rich.console import Console

from finito.virtual_table.choreography import Session, Wish, plan_session
from finito.virtual_table.choreography.filming import filmed, video_writer
from finito.virtual_table.choreography.frame_truth import frame_line
from finito.virtual_table.film import Film

_WISH = Wish(players=4, seconds=30, seed=1)
_SKIPPED, _MEASURED = 60, 240
_SAMPLE = 100


def _chain(session: Session, folder: Path) -> tuple[float, float]:
    """Wall-clock rate of two drawing processes and the encoder, and the encoder's processor time a frame."""
    frames = filmed(session.shot, 2)
    with video_writer(folder / "video.mp4", session.wish.size, session.wish.fps) as write:
        for number, picture, _ in islice(frames, _SKIPPED):
            write(number, picture)
        start, busy = time.perf_counter(), time.process_time()
        for number, picture, _ in islice(frames, _MEASURED):
            write(number, picture)
        rate = _MEASURED / (time.perf_counter() - start)
        spent = (time.process_time() - busy) / _MEASURED * 1000
    frames.close()
    return rate, spent


class _Stages:
    """Processor time of named parts of the work, so that other programs do not disturb the figures."""

    def __init__(self) -> None:
        self.spent: defaultdict[str, float] = defaultdict(float)

    @contextmanager
    def of(self, name: str) -> Iterator[None]:
        start = time.process_time()
        yield
        self.spent[name] += time.process_time() - start


def _drawing(session: Session) -> dict[str, float]:
    """Milliseconds a frame for each stage of one drawing process, in the middle of the play."""
    show, fps = session.show, session.wish.fps
    usual = show.room.scene.camera
    film = Film(session.deck)
    first = 15 * fps
    for number in range(first, first + 40):  # hands and cards are drawn once and kept
        film.frame(show.moment(number / fps, number).scene)
    stages = _Stages()
    for number in range(first + 40, first + 40 + _SAMPLE):
        with stages.of("where everything is"):
            moment = show.moment(number / fps, number)
        with stages.of("painting and exposing"):
            rendered = film.frame(moment.scene)
        with stages.of("truth"):
            json.dumps(frame_line(number, moment, rendered, usual), ensure_ascii=False)
        with stages.of("to YUV"):
            cv2.cvtColor(rendered.picture, cv2.COLOR_BGR2YUV_I420)
    return {name: spent / _SAMPLE * 1000 for name, spent in stages.spent.items()}


def run() -> None:
    cv2.setNumThreads(1)
    out = Console()
    start = time.process_time()
    session = plan_session(_WISH)
    out.print(f"planning a round of 30 s: {time.process_time() - start:.2f} s")
    with tempfile.TemporaryDirectory() as folder:
        rate, encoding = _chain(session, Path(folder))
    out.print(f"game video 1280x720, 4 players, 2 processes: {rate:.0f} frames per second (wanted: 15)")
    stages = _drawing(session)
    for name, spent in {**stages, "encoding": encoding}.items():
        out.print(f"  {name}: {spent:.1f} ms of one core a frame")
    on_two = 2000 / (sum(stages.values()) + encoding)
    out.print(f"  two cores for it alone would give {on_two:.0f} frames per second")
    six = plan_session(replace(_WISH, players=6))
    out.print(f"six players: {sum(_drawing(six).values()):.1f} ms of one core a frame without encoding")


if __name__ == "__main__":
    run()
