"""A bank of card pictures of many random decks, drawn once and kept in one file."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from random import Random
from typing import Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from finito.virtual_table.decks import Deck, house_deck, random_deck
from models.training.reader.extra_faces import extra_face
from vision.reading.answers import COLOURS, NUMBERS, SIDES

Split = Literal["train", "validation", "test"]

WIDTH, HEIGHT = 152, 224
_FACES, _EXTRA, _BACKS = 10, 2, 5
_HOUSE_EVERY = 60
# A card that differs less than this (of 255) from itself upside down has no upright.
_SAME_UPSIDE_DOWN = 2.0
FIELDS = ("deck", "card", "side", "colour", "number", "upright")


@dataclass(frozen=True)
class CardBank:
    """Pictures (n × HEIGHT × WIDTH × 3) and labels (n × FIELDS; -1 where a question does not apply)."""

    pictures: NDArray[np.uint8]
    labels: NDArray[np.int32]
    rounding: NDArray[np.float32]  # corner radius by the card's width

    @property
    def by_deck(self) -> list[NDArray[np.intp]]:
        decks = self.labels[:, 0]
        starts = np.flatnonzero(np.diff(decks, prepend=-1))
        return np.split(np.arange(len(decks)), starts[1:])


def card_bank(folder: Path, split: Split, seed: int, decks: int) -> CardBank:
    """Opens the bank of that split and seed; draws it first where it is missing."""
    name = f"cards-{split}-{seed}-{decks}"
    done = folder / f"{name}.json"
    if not done.exists():
        folder.mkdir(parents=True, exist_ok=True)
        _draw(folder / name, split, seed, decks)
        done.write_text(json.dumps({"decks": decks, "fields": FIELDS}))
    pictures = np.load(folder / f"{name}.npy", mmap_mode="r")
    kept = np.load(folder / f"{name}.npz")
    return CardBank(pictures[: len(kept["labels"])], kept["labels"], kept["rounding"])


def _draw(path: Path, split: Split, seed: int, decks: int) -> None:
    most = decks * (_FACES + _EXTRA + _BACKS)
    shape = (most, HEIGHT, WIDTH, 3)
    pictures = np.lib.format.open_memmap(path.with_suffix(".npy"), mode="w+", dtype=np.uint8, shape=shape)
    labels: list[tuple[int, ...]] = []
    rounding: list[float] = []
    for deck_number in range(decks):
        for label, radius, picture in _cards_of(split, seed, deck_number):
            pictures[len(labels)] = picture
            labels.append((deck_number, len(labels), *label))
            rounding.append(radius)
    pictures.flush()
    np.savez(
        path.with_suffix(".npz"), labels=np.array(labels, np.int32), rounding=np.array(rounding, np.float32)
    )


Label = tuple[int, int, int, int]


def _cards_of(split: Split, seed: int, number: int) -> Iterator[tuple[Label, float, NDArray[np.uint8]]]:
    house = split == "train" and number % _HOUSE_EVERY == 0
    deck = house_deck() if house else random_deck(seed * 1_000_000 + number, split)
    rng = Random(f"bank/{split}/{seed}/{number}")
    radius = deck.corner_radius_mm / deck.card_mm[0]
    for face in rng.sample(deck.faces, _FACES):
        colour, figure = face_labels(face)
        yield (0, colour, figure, upright_label(deck.face(face))), radius, _fitted(deck.face(face))
    for _ in range(0 if house else _EXTRA):
        initial, picture = extra_face(deck, rng)
        colour = COLOURS.index(initial) if initial in COLOURS else COLOURS.index("other")
        yield (0, colour, NUMBERS.index("other"), -1), radius, _fitted(picture)
    for name in rng.sample(deck.backs, min(_BACKS, len(deck.backs))):
        picture = deck.back(name)
        yield (SIDES.index("back"), -1, -1, upright_label(picture)), radius, _fitted(picture)


def face_labels(face: str) -> tuple[int, int]:
    """Colour and number of a face such as `R5`, `O3` or `R+2` as answers of the net."""
    colour = COLOURS.index(face[0]) if face[0] in COLOURS else COLOURS.index("other")
    figure = NUMBERS.index(face[1:]) if face[1:] in NUMBERS else NUMBERS.index("other")
    return colour, figure


def upright_label(picture: NDArray[np.uint8]) -> int:
    """1 where the card has an upright, -1 where it looks the same upside down."""
    small = cv2.resize(picture, (48, 72), interpolation=cv2.INTER_AREA).astype(np.float32)
    return 1 if float(np.abs(small - small[::-1, ::-1]).mean()) > _SAME_UPSIDE_DOWN else -1


def _fitted(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
    return np.asarray(cv2.resize(picture, (WIDTH, HEIGHT), interpolation=cv2.INTER_AREA), np.uint8)


__all__ = ["FIELDS", "CardBank", "Deck", "card_bank", "face_labels", "upright_label"]
