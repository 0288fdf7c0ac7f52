"""What watching a table costs: replay speed at 720p, idle and busy frames at 1080p, beside another detector.

The film is the one of the demonstration; for 1080p its pictures are enlarged. Processor time is counted, so
that other work on the machine matters little; the peer is timed in turn with the frames.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from rich.console import Console

from finito.ending.refereed_round import RefereedRound
from finito.film_demo import DECK, BundledFilm, bundled_film
from finito.live import LiveReferee
from finito.live_setup import TableSetUp
from finito.replaying.ahead import ahead
from finito.table_eyes import TableEyes, open_table_eyes
from tests.bench_eyes import peer_of, seconds
from vision.errors import VisionError
from vision.frame import Frame
from vision.pipeline import Setting
from vision.sources import open_source

PLAYED: Final = (8.0, 30.0)  # seconds of the film in which everybody plays
FULL_HD: Final = (1920, 1080)
IDLE_FRAMES: Final = 60
PEER_EVERY: Final = 30  # frames
REPLAYED: Final = ("decoding", "eyes", "referee")
STAGES: Final = ("change", "drift", "find", "read", "track")
WANTED: Final = {"idle": 0.1, "busy": 0.8, "replay": 3.0}


@dataclass
class Spent:
    """Seconds of processor per frame of play, of idleness, and of the peer."""

    busy: list[float] = field(default_factory=list)
    quiet: list[float] = field(default_factory=list)
    idle: list[float] = field(default_factory=list)
    peer: list[float] = field(default_factory=list)
    stages: dict[str, float] = field(default_factory=dict)
    looks: int = 0

    @property
    def playing(self) -> list[float]:
        return [*self.busy, *self.quiet]


def run(peer: Path | None = None) -> None:
    console = Console(highlight=False)
    try:
        eyes = open_table_eyes(DECK)
    except VisionError as problem:
        console.print(f"watching: not measured. {problem}")
        return
    cv2.setNumThreads(1)
    with bundled_film() as film:
        tell_replay(console, eyes, film)
        tell_frames(console, eyes, film, peer)


def tell_replay(console: Console, eyes: TableEyes, film: BundledFilm) -> None:
    """A session at 720p told again from its video: decoding, eyes and referee; its table is known.

    First step by step in processor time, then as `finito replay` does it, by the clock on the wall: decoding
    in a thread of its own (finito.replaying.ahead). Other work on the machine makes that one slower.
    """
    known: list[TableSetUp] = []
    live = eyes.watch(film.guests, known.append)
    for frame in _frames(film, (0.0, PLAYED[0]), None):
        live.see(frame)
        if known:
            break
    part = (known[0].t, PLAYED[1])
    spent, count = _steps(eyes, film, known[0].setting, part)
    began = time.perf_counter()
    live, referee = eyes.watch(film.guests, _nobody, known=known[0].setting), _referee(film)
    for frame in ahead(_frames(film, part, None)):
        for observation in live.see(frame):
            referee.feed(observation)
    speed = (part[1] - part[0]) / (time.perf_counter() - began)
    verdict = "met" if speed >= WANTED["replay"] else "missed"
    console.print(
        f"replay of {part[1] - part[0]:.0f} s at 720p and 15 fps: {speed:.1f}x real time, decoding beside it"
    )
    console.print(f"  {'one processor for it alone':34} {(part[1] - part[0]) / sum(spent.values()):6.1f}x")
    for stage, seconds_ in spent.items():
        console.print(f"  {stage:34} {1000 * seconds_ / max(1, count):6.1f} ms a frame")
    console.print(f"  wanted: at least {WANTED['replay']:.0f}x on two processors: {verdict}")


def _steps(
    eyes: TableEyes, film: BundledFilm, setting: Setting, part: tuple[float, float]
) -> tuple[dict[str, float], int]:
    """Seconds of processor by step, and how many frames there were."""
    live, referee = eyes.watch(film.guests, _nobody, known=setting), _referee(film)
    spent, count = dict.fromkeys(REPLAYED, 0.0), 0
    frames = _frames(film, part, None)
    while True:
        times = [time.process_time()]
        decoded = next(frames, None)
        times.append(time.process_time())
        told = [] if decoded is None else live.see(decoded)
        times.append(time.process_time())
        for observation in told:
            referee.feed(observation)
        times.append(time.process_time())
        for step, begun, ended in zip(REPLAYED, times, times[1:], strict=False):
            spent[step] += ended - begun
        if decoded is None:
            return spent, count
        count += 1


def _referee(film: BundledFilm) -> RefereedRound:
    return RefereedRound(LiveReferee(film.header))


def tell_frames(console: Console, eyes: TableEyes, film: BundledFilm, peer: Path | None) -> None:
    spent = measured(eyes, film, peer)
    beside = statistics.median(spent.peer) if spent.peer else 0.0
    console.print("watching at 1080p, one thread, processor time per frame")
    console.print(f"  {'':34} {'mean':>9} {'p95':>9}")
    _row(console, f"frames with a close look ({len(spent.busy)})", spent.busy, beside)
    _row(console, f"frames of play without ({len(spent.quiet)})", spent.quiet, beside)
    _row(console, f"all frames of play ({len(spent.playing)})", spent.playing, beside)
    _row(console, f"idle frames ({len(spent.idle)})", spent.idle, beside)
    for stage in STAGES:
        console.print(
            f"  {stage:34} {1000 * spent.stages.get(stage, 0.0) / max(1, len(spent.playing)):6.1f} ms"
        )
    if not spent.peer:
        console.print("  beside another detector: make bench PEER=its.onnx (input 1×3×640×640)")
        return
    _row(console, peer.name if peer else "", spent.peer, beside)
    for what, times in (("idle", spent.idle), ("busy", spent.busy)):
        ratio = statistics.mean(times) / beside
        verdict = "met" if ratio <= WANTED[what] else "missed"
        console.print(
            f"  {what}: {ratio:.2f} of the peer's time; wanted at most {WANTED[what]:.1f}: {verdict}"
        )


def measured(eyes: TableEyes, film: BundledFilm, peer: Path | None) -> Spent:
    spent, theirs = Spent(), peer_of(peer) if peer else None
    live = eyes.watch(film.guests, _nobody)
    last: Frame | None = None
    for frame in _frames(film, (2.5, PLAYED[1]), FULL_HD):
        looked = 0 if live.pipeline is None else live.pipeline.costs.calls["find"]
        took = seconds(lambda frame=frame: live.see(frame))  # type: ignore[misc]
        last = frame
        if frame.t < PLAYED[0] or live.pipeline is None:
            continue
        close = live.pipeline.costs.calls["find"] > looked
        (spent.busy if close else spent.quiet).append(took)
        if theirs and len(spent.playing) % PEER_EVERY == 0:
            spent.peer.append(seconds(theirs))
    assert live.pipeline is not None
    assert last is not None
    costs = live.pipeline.costs.seconds
    spent.stages = {stage: float(costs[stage]) for stage in STAGES}
    for still in _rest(last):
        took = seconds(lambda still=still: live.see(still))  # type: ignore[misc]
        if still.t > last.t + 1.0:
            spent.idle.append(took)
    return spent


def _rest(last: Frame) -> Iterator[Frame]:
    """The same table with nothing but the noise of the camera."""
    rng = np.random.default_rng(1)
    noise = rng.normal(0, 1.5, last.picture.shape).astype(np.int8)
    for i in range(1, IDLE_FRAMES + 16):
        shifted = np.roll(noise, i * 7, axis=1)
        picture = np.clip(last.picture.astype(np.int16) + shifted, 0, 255).astype(np.uint8)
        yield Frame(picture, last.t + i / 15, last.number + i)


def _frames(film: BundledFilm, part: tuple[float, float], size: tuple[int, int] | None) -> Iterator[Frame]:
    with open_source(str(film.video)) as source:
        for event in source:
            if not isinstance(event, Frame) or event.t < part[0]:
                continue
            if event.t > part[1]:
                return
            picture = event.picture
            if size is not None:
                picture = np.asarray(cv2.resize(picture, size, interpolation=cv2.INTER_LINEAR), np.uint8)
            yield Frame(picture, event.t, event.number)


def _row(console: Console, what: str, times: list[float], beside: float) -> None:
    if not times:
        return
    mean, slow = statistics.mean(times), sorted(times)[int(0.95 * (len(times) - 1))]
    ratio = f"{mean / beside:7.2f}x" if beside else ""
    console.print(f"  {what:34} {1000 * mean:6.1f} ms {1000 * slow:6.1f} ms {ratio}")


def _nobody(_: Any) -> None:
    """Nobody waits for the table to be ready."""


if __name__ == "__main__":
    run()
