"""Corners of cards cut from rendered stills, and drawn ones with signs that are no numbers.

`python -m models.training.corner.bank FOLDER --first 0 --parts 4` draws some parts ahead of a training.
"""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Any, Final, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from finito.virtual_table.decks import Deck, Split, random_deck
from finito.virtual_table.scene import CardTruth, Rendered
from finito.virtual_table.stills import deck_of, still
from models.training.reader.extra_faces import extra_face
from models.training.reader.still_bank import long_side
from vision.reading.answers import NUMBERS
from vision.reading.corner_windows import HEIGHT, REGION, WIDTH, window

NONE: Final = NUMBERS.index("other")  # no figure, another sign, or hidden
STILLS, DECKS = 120, 60  # of one part
# Kept finer and with more around it than the net sees, so that every use can cut it anew, a little beside.
FINER, RIM = 1.25, 0.18
KEPT: Final = (round(WIDTH * FINER * (1 + 2 * RIM)), round(HEIGHT * FINER * (1 + 2 * RIM)))
_RECIPES: Final = ("fans", "ladders", "heap", "scattered", "piles", "game", "grid")
_SIZES: Final = ((1920, 1080), (1280, 720), (1280, 720), (960, 540))
_FRESH: Final = 12  # after so many stills all decks are new
_FEWEST_SEEN, _SMALLEST = 0.2, 50.0
_FIGURE: Final = (0.04, 0.03, 0.24, 0.18)  # where small figures stand
_SHOWN, _HIDDEN = 0.85, 0.45
_A_STILL: Final = 24
_WILD: Final = 4
_DRAWN: Final = 4  # faces of each kind for every deck


@dataclass(frozen=True)
class Bank:
    pictures: NDArray[np.uint8]
    figure: NDArray[np.int64]  # index into NUMBERS

    @classmethod
    def of(cls, rows: list[tuple[NDArray[np.uint8], int]]) -> Bank:
        return cls(np.stack([row[0] for row in rows]), np.array([row[1] for row in rows], np.int64))

    @classmethod
    def joined(cls, parts: list[Bank]) -> Bank:
        return cls(
            *(np.concatenate([getattr(one, name) for one in parts]) for name in ("pictures", "figure"))
        )


def bank(folder: Path, split: str, seed: int, parts: int, signs: int) -> Bank:
    """Opens the parts of a bank; draws those that are missing."""
    cut = [part(folder, "corner", split, seed, number) for number in range(parts)]
    return Bank.joined(cut + [part(folder, "signs", split, seed, number) for number in range(signs)])


def part(folder: Path, kind: str, split: str, seed: int, number: int) -> Bank:
    """Corners cut from stills, or signs drawn."""
    path = folder / f"{kind}-{split}-{seed}-{number:03d}.npz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        rows, count = (_rows, STILLS) if kind == "corner" else (_signs, DECKS)
        numbers = range(number * count, (number + 1) * count)
        made = Bank.of([row for index in numbers for row in rows(split, seed, index)])
        beside = path.with_name(f"part-{path.name}")
        np.savez(beside, pictures=made.pictures, figure=made.figure)
        beside.rename(path)
    kept = np.load(path)
    return Bank(kept["pictures"], kept["figure"])


def _rows(split: str, seed: int, index: int) -> Iterator[tuple[NDArray[np.uint8], int]]:
    rng = np.random.default_rng([seed, index, 83])
    size = _SIZES[int(rng.integers(len(_SIZES)))]
    recipe = str(rng.choice(_RECIPES))
    rendered = still(seed * 10_000 + 7_000 + index // _FRESH, split, size, index % _FRESH, recipe)
    deck = deck_of(rendered.deck)
    cards = [card for card in rendered.cards if _worth_a_look(card)]
    rng.shuffle(cards)
    for card in cards[:_A_STILL]:
        yield from _corners(rendered, card, deck)
    if index % 3 == 0:
        yield from _drawn(deck, Random(f"corner/{split}/{seed}/{index}"))


def _worth_a_look(card: CardTruth) -> bool:
    seen = card.visible * (1 - card.cut_off)
    return seen >= _FEWEST_SEEN and long_side(np.asarray(card.corners)) >= _SMALLEST


def _corners(rendered: Rendered, card: CardTruth, deck: Deck) -> Iterator[tuple[NDArray[np.uint8], int]]:
    own = np.repeat((rendered.ids == card.number).astype(np.uint8)[:, :, None], 3, axis=2)
    for end in (0, 1):
        quad = np.roll(np.asarray(card.corners, np.float32), 2 * end, axis=0)
        shown = float(window(own, quad, _FIGURE, (24, 24)).mean())
        figure = NONE
        if card.side == "face" and has_figure(deck, end):
            if _HIDDEN < shown < _SHOWN:
                continue  # whether that can be read is a matter of luck
            if shown >= _SHOWN:
                figure = NUMBERS.index(card.face[1:]) if card.face[1:] in NUMBERS else NONE
        yield kept_window(rendered.picture, quad), figure


def has_figure(deck: Deck, end: int) -> bool:
    """Whether the faces of a deck have one in the corner at that end."""
    artist: Any = deck.artist
    if not hasattr(artist, "faces"):
        return True  # the house deck has them at both ends
    corners = artist.faces.style.corners
    return corners is not None and (end == 0 or corners.layout != "one")


def _drawn(deck: Deck, rng: Random) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """Corners as printed: of numbers, and of signs that must not pass for numbers."""
    if not hasattr(deck.artist, "faces"):
        return
    tone = [rng.randint(0, 255) for _ in range(3)]
    for face in rng.sample(deck.faces, _DRAWN):
        if face[1:] in NUMBERS:
            yield _on_a_table(deck.face(face), tone), NUMBERS.index(face[1:]) if has_figure(deck, 0) else NONE
    for _ in range(_DRAWN):
        yield _on_a_table(extra_face(deck, rng)[1], tone), NONE


def _signs(split: str, seed: int, index: int) -> Iterator[tuple[NDArray[np.uint8], int]]:
    """Wild cards above all: their small ovals are no noughts."""
    deck = random_deck(seed * 1_000_000 + 500_000 + index, cast(Split, split))
    rng = Random(f"signs/{split}/{seed}/{index}")
    yield from _drawn(deck, rng)
    tone = [rng.randint(0, 255) for _ in range(3)]
    for _ in range(_WILD):
        yield _on_a_table(extra_face(deck, rng, "wild")[1], tone), NONE
    noughts = [face for face in deck.faces if face[1:] == "0"][:_WILD]
    for face in noughts if has_figure(deck, 0) else ():
        yield _on_a_table(deck.face(face), tone), NUMBERS.index("0")


def _on_a_table(card: NDArray[np.uint8], tone: list[int]) -> NDArray[np.uint8]:
    height, width = card.shape[:2]
    pad = width // 4
    laid = cv2.copyMakeBorder(card, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=tone)
    quad = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32) + pad
    return kept_window(np.asarray(laid, np.uint8), quad)


def kept_window(picture: NDArray[np.uint8], quad: NDArray[np.float32]) -> NDArray[np.uint8]:
    left, top, right, bottom = REGION
    wide, tall = RIM * (right - left), RIM * (bottom - top)
    return window(picture, quad, (left - wide, top - tall, right + wide, bottom + tall), KEPT)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", default="train")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--parts", type=int, default=1)
    parser.add_argument("--kind", default="corner", choices=("corner", "signs"))
    given = parser.parse_args()
    cv2.setNumThreads(1)
    for number in range(given.first, given.first + given.parts):
        part(given.folder, given.kind, given.split, given.seed, number)


if __name__ == "__main__":
    main()
