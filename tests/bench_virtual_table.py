"""What the virtual table costs: stills for training, frames of a video, and how both grow with cards."""

import time
from collections.abc import Callable
from dataclasses import replace
from itertools import islice

import cv2
import numpy as np
from rich.console import Console

from finito.virtual_table.camera import Camera
from finito.virtual_table.decks import Deck, house_deck
from finito.virtual_table.film import Film
from finito.virtual_table.render import render
from finito.virtual_table.scene import Card, Hand, Light, Scene, Sensor, Surface
from finito.virtual_table.stills import stills, stream

_VIDEO = (1280, 720)


def busy_table(deck: Deck, cards: int, hands: int, size: tuple[int, int] = _VIDEO) -> Scene:
    """A table with so many cards in piles, and hands that carry one each."""
    rng = np.random.default_rng(cards)
    lying = tuple(
        Card(
            f"c{i}",
            "face",
            deck.faces[i % len(deck.faces)],
            deck.backs[i % len(deck.backs)],
            float(rng.uniform(-420, 420)),
            float(rng.uniform(-210, 210)),
            float(rng.uniform(0, 360)),
            0.35 * (i % 9),
        )
        for i in range(cards)
    )
    scene = Scene(
        Camera(size, distance=950, tilt=15, k1=-0.05, k2=0.01),
        Surface("wood", 1, gloss=0.3),
        lights=(Light(-400, -500, 1600), Light(500, 300, 1800, 0.4)),
        cards=lying,
        sensor=Sensor(noise=3, defocus=0.5, vignette=0.2),
    )
    return replace(scene, hands=tuple(_carrying(deck, i, 0.0) for i in range(hands)))


def _carrying(deck: Deck, person: int, at: float) -> Hand:
    x, y = -200.0 + 130 * person + at, 40.0 - at / 2
    held = Card(f"h{person}", "face", "R5", deck.backs[0], x, y - 40, 10, lift=30, motion=(5.0, 2.0))
    return Hand(person, x, y, 180.0 * (person % 2), 28, "carry", held=(held,), motion=(5.0, 2.0))


def milliseconds(work: Callable[[int], object], times: int) -> float:
    """The median of processor time, since other programs may disturb a run; the work has one thread."""
    spent = []
    for i in range(times):
        start = time.process_time()
        work(i)
        spent.append(time.process_time() - start)
    return float(np.median(spent)) * 1000


def _stills_per_second(processes: int, count: int) -> float:
    row = stream(1, "train", (640, 360), processes)
    for _ in islice(row, 64):
        pass
    start = time.perf_counter()
    for _ in islice(row, count):
        pass
    rate = count / (time.perf_counter() - start)
    row.close()
    return rate


def _core_milliseconds(count: int) -> float:
    """Processor time per still: what remains comparable on a machine that others use too."""
    row = stills(1, "train", (640, 360))
    for _ in islice(row, 20):
        pass
    start = time.process_time()
    for _ in islice(row, count):
        pass
    return (time.process_time() - start) / count * 1000


def film_milliseconds(deck: Deck, cards: int, hands: int, times: int = 40) -> float:
    """A frame of a game: every hand moves, every fifth frame a card is laid and another taken."""
    scene = busy_table(deck, cards, hands)
    film = Film(deck)
    film.frame(scene)

    def next_frame(i: int) -> None:
        moved = tuple(_carrying(deck, person, 4.0 * (i % 30)) for person in range(hands))
        rest = scene.cards[(i // 5) % max(1, cards // 2) :] if cards else ()
        sensor = replace(scene.sensor, seed=i)
        film.frame(replace(scene, hands=moved, cards=rest, sensor=sensor))

    next_frame(0)
    return milliseconds(next_frame, times)


def run() -> None:
    cv2.setNumThreads(1)
    out = Console()
    deck = house_deck()
    rate = _stills_per_second(2, 240)
    out.print(f"stills 640x360, 2 processes, random decks: {rate:.0f} per second (wanted: 40)")
    out.print(f"  on one core left to itself: {_core_milliseconds(150):.0f} ms of work per still")
    game = film_milliseconds(deck, 60, 2)
    out.print(f"720p video, 60 cards, 2 moving hands: {1000 / game:.0f} frames per core second (wanted: 15)")
    hands = [film_milliseconds(deck, 60, n, 20) for n in (0, 4)]
    out.print(f"a hand with a card, per 720p frame: {(hands[1] - hands[0]) / 4:.2f} ms")
    growth = {n: (_fresh_milliseconds(deck, n), film_milliseconds(deck, n, 1, 20)) for n in (10, 30, 100)}
    for n, (fresh, filmed) in growth.items():
        out.print(f"{n:4d} cards at 720p: rendered afresh {fresh:.1f} ms, filmed {filmed:.1f} ms")
    per_card = (growth[100][0] - growth[10][0]) / 90
    out.print(f"a card rendered afresh: {per_card:.2f} ms")


def _fresh_milliseconds(deck: Deck, cards: int) -> float:
    scene = busy_table(deck, cards, 0)
    render(scene, deck)
    return milliseconds(lambda _: render(scene, deck), 10)


if __name__ == "__main__":
    run()
