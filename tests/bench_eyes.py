"""How long the eyes take for a 1080p picture of 30 cards, stage by stage, beside another detector in one run.

The watch hangs on the functions that run in earnest: no copy of them is timed. It counts processor
time, so that other work on the machine matters little.
"""

from __future__ import annotations

import statistics
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack, contextmanager
from pathlib import Path
from typing import Any, Final
from unittest.mock import patch

import cv2
import numpy as np
from rich.console import Console

from finito.errors import BadInput
from finito.seeing import open_eyes
from finito.virtual_table.camera import Camera
from finito.virtual_table.decks import house_deck
from finito.virtual_table.render import render
from finito.virtual_table.scene import Card, Scene, Sensor, Surface
from vision import card_finder, card_reader
from vision.finding.second_look import SecondLook
from vision.frame import Picture
from vision.onnx_model import OnnxModel
from vision.table_reader import TableReader

CARDS: Final = 30
GROWTH: Final = (5, 10, 20, 30, 50, 80)
WANTED: Final = 0.8
REPEATS, WARM_UP = 30, 3
_COLUMNS: Final = 16

# Where the watch hangs: module, what it calls, and the stage. What is left is the nets' way in and out.
STAGES: Final[tuple[tuple[Any, str, str], ...]] = (
    (card_finder, "votes_in", "gathering votes"),
    (card_finder, "clusters_of", "gathering votes"),
    (card_finder, "chosen", "gathering votes"),
    (card_finder, "features", "gathering votes"),
    (SecondLook, "judged", "second look"),
    (card_finder, "refined", "moving corners"),
    (card_finder, "alike", "moving corners"),
    (card_reader, "cut_out", "crops"),
    (card_reader, "look", "reader net"),
)
ORDER: Final = (
    "shrinking and finder net",
    "gathering votes",
    "second look",
    "moving corners",
    "crops",
    "reader net",
    "answers",
)


def table_of(cards: int) -> Picture:
    """A 1080p photo of open cards in rows, the table as far away as the most of them need."""
    deck = house_deck()
    rng = np.random.default_rng(5)
    faces = [face for face in deck.faces if face[0] in "RYGB"]
    rows = -(-max(GROWTH) // _COLUMNS)
    lying = [
        Card(
            f"card{i}",
            "face",
            faces[i % len(faces)],
            next(iter(deck.backs)),
            (i % _COLUMNS - (_COLUMNS - 1) / 2) * 70 + float(rng.normal(0, 2)),
            (i // _COLUMNS - (rows - 1) / 2) * 108 + float(rng.normal(0, 2)),
            float(rng.normal(0, 4)),
        )
        for i in range(cards)
    ]
    camera = Camera(size=(1920, 1080), distance=1150.0, tilt=5.0, field_of_view=54.0)
    sensor = Sensor(noise=1.5, jpeg=90, seed=3)
    scene = Scene(camera=camera, cards=tuple(lying), surface=Surface("felt", 4), sensor=sensor)
    return np.asarray(render(scene, deck).picture, np.uint8)


class Watch:
    """Seconds by stage, added up until it is reset."""

    def __init__(self) -> None:
        self.spent: dict[str, float] = {}

    def timed(self, stage: str, work: Callable[..., Any]) -> Callable[..., Any]:
        def timed_work(*args: Any, **options: Any) -> Any:
            started = time.process_time()
            try:
                return work(*args, **options)
            finally:
                self.spent[stage] = self.spent.get(stage, 0.0) + time.process_time() - started

        return timed_work

    @contextmanager
    def hung(self) -> Iterator[None]:
        with ExitStack() as stack:
            for module, name, stage in STAGES:
                stack.enter_context(patch.object(module, name, self.timed(stage, getattr(module, name))))
            yield


def stages_of(eyes: TableReader, picture: Picture) -> dict[str, float]:
    """Seconds of each stage of one picture; they add up to the whole."""
    watch = Watch()
    with watch.hung():
        started = time.process_time()
        found = eyes.finder.find(picture)
        finding = time.process_time() - started
        eyes.read_found(picture, found)
        reading = time.process_time() - started - finding
    spent = {stage: watch.spent.get(stage, 0.0) for stage in ORDER}
    named = ("gathering votes", "second look", "moving corners")
    spent["shrinking and finder net"] = finding - sum(spent[stage] for stage in named)
    spent["answers"] = reading - spent["crops"] - spent["reader net"]
    return spent


def peer_of(path: Path) -> Callable[[], Any]:
    """Another detector, run on its own input on one thread."""
    theirs = OnnxModel(path.read_bytes())
    blank = np.random.default_rng(0).random((1, 3, 640, 640), np.float32)
    return lambda: theirs(blank)


def seconds(work: Callable[[], Any]) -> float:
    started = time.process_time()
    work()
    return time.process_time() - started


def run(peer: Path | None = None) -> None:
    console = Console(highlight=False)
    try:
        eyes = open_eyes().table
    except BadInput as problem:
        console.print(f"eyes: not measured. {problem}")
        return
    tell(console, eyes, peer)


def tell(console: Console, eyes: TableReader, peer: Path | None, repeats: int = REPEATS) -> None:
    cv2.setNumThreads(1)
    picture = table_of(CARDS)
    theirs = peer_of(peer) if peer else None
    found = len(eyes.read(picture))
    own: list[dict[str, float]] = []
    other: list[float] = []
    for turn in range(repeats + WARM_UP):  # in turn, so that both see the same machine
        spent = stages_of(eyes, picture)
        beside = seconds(theirs) if theirs else 0.0
        if turn >= WARM_UP:
            own.append(spent)
            other.append(beside)
    whole = statistics.median(sum(spent.values()) for spent in own)
    console.print(
        f"eyes: a 1080p picture of {CARDS} cards, one thread, {repeats} times, medians; {found} found"
    )
    their_time = statistics.median(other)
    for stage in ORDER:
        _say(console, stage, statistics.median(spent[stage] for spent in own), their_time)
    _say(console, "finder and reader", whole, their_time)
    if theirs:
        _say(console, peer.name if peer else "", their_time, their_time)
        verdict = "met" if whole <= WANTED * their_time else "missed"
        console.print(f"  wanted: at most {WANTED:.2f} of the peer's time: {verdict}")
    else:
        console.print("  beside another detector: make bench PEER=its.onnx (input 1×3×640×640)")
    _tell_growth(console, eyes, theirs, max(1, repeats // 3))


def _tell_growth(console: Console, eyes: TableReader, theirs: Callable[[], Any] | None, repeats: int) -> None:
    pictures = {cards: table_of(cards) for cards in GROWTH}
    times: dict[int, list[float]] = {cards: [] for cards in GROWTH}
    other = []
    for _ in range(repeats):
        for cards, picture in pictures.items():
            times[cards].append(seconds(lambda picture=picture: eyes.read(picture)))  # type: ignore[misc]
        other.append(seconds(theirs) if theirs else 0.0)
    console.print("growth with the number of cards")
    for cards in GROWTH:
        found = len(eyes.read(pictures[cards]))
        _say(
            console,
            f"{cards:3} cards, {found:3} found",
            statistics.median(times[cards]),
            statistics.median(other),
        )


def _say(console: Console, what: str, spent: float, beside: float) -> None:
    ratio = f"{spent / beside:7.2f}x" if beside else ""
    console.print(f"  {what:28} {1000 * spent:8.1f} ms {ratio}")


if __name__ == "__main__":
    run()
