"""Photos of the house deck, rendered: as a careful user takes them to enrol, read and score."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from functools import cache
from pathlib import Path

import cv2
import numpy as np

from finito.virtual_table.camera import Camera
from finito.virtual_table.choreography.filming import video_writer
from finito.virtual_table.decks import house_deck
from finito.virtual_table.layouts import stacked
from finito.virtual_table.render import render
from finito.virtual_table.scene import Card, Rendered, Scene, Sensor, Surface

COLOURS, NUMBERS = "RYGB", range(9)
BACKS = ("pizza", "gelato", "tiramisu")


def faces_grid(
    without: Sequence[str] = (), instead: dict[str, str] | None = None, tilt: float = 12.0
) -> Rendered:
    """One player's cards, a row per colour; some left out, some replaced."""
    rng = np.random.default_rng(3)
    cards = []
    for row, colour in enumerate(COLOURS):
        for column in NUMBERS:
            face = f"{colour}{column}"
            x, y = (column - 4) * 70 + rng.normal(0, 1.5), (row - 1.5) * 103 + rng.normal(0, 1.5)
            shown = (instead or {}).get(face, face)
            card = Card(face, "face", shown, "pizza", float(x), float(y), float(rng.normal(0, 1.5)))
            if face not in without:
                cards.append(card)
    return photo(cards, tilt=tilt)


def backs_row(backs: Sequence[str] = BACKS) -> Rendered:
    middle = (len(backs) - 1) / 2
    cards = [
        Card(back, "back", "R0", back, (i - middle) * 80, i % 2 * 6.0, 2.0 * i - 2)
        for i, back in enumerate(backs)
    ]
    return photo(cards, across=420)


def spread(backs: Sequence[str], across: float = 560.0) -> Rendered:
    """Backs lying apart in rows of five, a little askew."""
    return photo(
        [
            Card(f"{back}{i}", "back", "R0", back, (i % 5 - 2) * 78, (i // 5 - 1) * 108, 5.0 * (i % 4) - 8)
            for i, back in enumerate(backs)
        ],
        across=across,
    )


def open_cards(faces: Sequence[str]) -> Rendered:
    return photo(
        [
            Card(face, "face", face, "pizza", (i % 4 - 1.5) * 90, (i // 4 - 0.5) * 120, 11.0 * i - 20)
            for i, face in enumerate(faces)
        ],
        across=480,
    )


def photo(cards: Sequence[Card], across: float = 760.0, tilt: float = 6.0) -> Rendered:
    """A decent photo of cards on a wooden table."""
    camera = Camera(
        size=(1280, 720), distance=across / 2 / float(np.tan(np.radians(27))), tilt=tilt, field_of_view=54.0
    )
    lying = stacked(list(cards), house_deck().card_mm)
    scene = Scene(
        camera=camera, cards=lying, surface=Surface("wood", 5), sensor=Sensor(noise=1.0, jpeg=90, seed=1)
    )
    return render(scene, house_deck())


def saved(rendered: Rendered, path: Path) -> Path:
    assert cv2.imwrite(str(path), rendered.picture)
    return path


@cache
def nine_backs() -> Rendered:
    return spread(["pizza"] * 4 + ["gelato"] * 3 + ["tiramisu"] * 2)


def turned(rendered: Rendered, degrees: int) -> Rendered:
    """The photo turned by quarter turns, as a camera without a sense of up takes it."""
    picture = np.ascontiguousarray(np.rot90(rendered.picture, -degrees // 90))
    return replace(rendered, picture=picture)


def filmed_slowly(pictures: Sequence[Rendered], path: Path, fps: int = 5) -> Path:
    """The pictures as a video, one after the other."""
    with video_writer(path, _even(pictures[0].picture), fps) as write:
        for number, each in enumerate(pictures):
            width, height = _even(each.picture)
            write(number, cv2.cvtColor(each.picture[:height, :width], cv2.COLOR_BGR2YUV_I420))
    return path


def _even(picture: np.ndarray) -> tuple[int, int]:
    return picture.shape[1] // 2 * 2, picture.shape[0] // 2 * 2
