"""A bank of cards cut from rendered stills: the light, shadows, hands and neighbours of whole tables."""

from __future__ import annotations

import zlib
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from finito.virtual_table.scene import CardTruth, Rendered
from finito.virtual_table.stills import still
from models.training.reader.card_bank import face_labels
from vision.reading.answers import CROP_HEIGHT, CROP_WIDTH, LIGHT, MARGIN_X, MARGIN_Y, SIDES
from vision.reading.crops import light_of

# Kept finer and with more rim than the net's crop, so that every use can cut it anew, a little beside.
FINER = 1.5
RIM = 0.16  # of the crop's size, added on every side
WIDTH, HEIGHT = round(CROP_WIDTH * FINER * (1 + 2 * RIM)), round(CROP_HEIGHT * FINER * (1 + 2 * RIM))
_PER_STILL = 14
_NOTHING_PER_STILL = 2
_SIZES = ((1920, 1080), (1280, 720), (960, 540), (960, 540), (640, 360))
_PART = 240  # stills of one file
_FRESH = 12  # after so many stills all decks are new
_SEEN_ENOUGH = 0.25
_SMALLEST = 22.0  # pixels of the card's long side


class Pictures:
    """Crops that lie in several files, opened as they are needed."""

    def __init__(self, parts: Sequence[NDArray[np.uint8]]) -> None:
        self._parts = parts
        self._ends = np.cumsum([len(part) for part in parts])

    def __getitem__(self, index: int) -> NDArray[np.uint8]:
        part = int(np.searchsorted(self._ends, index, side="right"))
        picture: NDArray[np.uint8] = self._parts[part][index - int(self._ends[part])]
        return picture


@dataclass(frozen=True)
class StillBank:
    """Crops with their labels (FIELDS of the card bank), the light of their picture and what is visible."""

    pictures: Pictures
    labels: NDArray[np.int32]
    light: NDArray[np.float32]
    visible: NDArray[np.float32]
    height: NDArray[np.float32]  # of the card in its picture, in pixels
    false: NDArray[np.uint8]  # crops of what a finder took for cards; may be none at all
    false_light: NDArray[np.float32]


def corners_in_crop() -> NDArray[np.float32]:
    """Where the card's corners lie in a crop of this bank."""
    left, top = (RIM * CROP_WIDTH + MARGIN_X) * FINER, (RIM * CROP_HEIGHT + MARGIN_Y) * FINER
    box = (left, top, WIDTH - left, HEIGHT - top)
    return np.array([(box[0], box[1]), (box[2], box[1]), (box[2], box[3]), (box[0], box[3])], np.float32)


def still_bank(
    folder: Path, split: str, seed: int, count: int, false: tuple[NDArray[np.uint8], NDArray[np.float32]]
) -> StillBank:
    """Opens the bank of that split and seed; renders it first where it is missing."""
    parts = [draw_part(folder, split, seed, number) for number in range(-(-count // _PART))]
    kept = [np.load(path.with_suffix(".npz")) for path in parts]
    tables = {name: np.concatenate([one[name] for one in kept]) for name in kept[0].files}
    pictures = [
        np.load(path.with_suffix(".npy"), mmap_mode="r")[: len(one["labels"])]
        for path, one in zip(parts, kept, strict=True)
    ]
    return StillBank(Pictures(pictures), **tables, false=false[0], false_light=false[1])


def draw_part(folder: Path, split: str, seed: int, number: int) -> Path:
    """The files of one part of a bank, rendered where they are missing."""
    path = folder / f"stills-{split}-{seed}-part{number}"
    if not path.with_suffix(".npz").exists():
        folder.mkdir(parents=True, exist_ok=True)
        _render(path, split, seed, range(number * _PART, (number + 1) * _PART))
    return path


def _render(path: Path, split: str, seed: int, numbers: range) -> None:
    shape = (len(numbers) * (_PER_STILL + _NOTHING_PER_STILL), HEIGHT, WIDTH, 3)
    pictures = np.lib.format.open_memmap(path.with_suffix(".npy"), mode="w+", dtype=np.uint8, shape=shape)
    labels: list[tuple[int, ...]] = []
    lights, visible, heights = [], [], []
    for index in numbers:
        rng = np.random.default_rng([seed, index, 77])
        size = _SIZES[int(rng.integers(len(_SIZES)))]
        rendered = still(seed * 10_000 + index // _FRESH, split, size, index % _FRESH)
        light = light_of(rendered.picture)
        cards = [truth for truth in rendered.cards if readable(truth)]
        rng.shuffle(cards)
        for truth in cards[:_PER_STILL]:
            pictures[len(labels)] = wide_crop(rendered.picture, truth.corners)
            labels.append(_label(rendered, truth))
            visible.append(truth.visible * (1 - truth.cut_off))
            heights.append(long_side(truth.corners))
            lights.append(light)
        for quad in places_without_card(rendered, rng, _NOTHING_PER_STILL):
            pictures[len(labels)] = wide_crop(rendered.picture, quad)
            labels.append((-1, -1, SIDES.index("none"), -1, -1, -1))
            visible.append(1.0)
            heights.append(long_side(quad))
            lights.append(light)
    pictures.flush()
    np.savez(
        path.with_suffix(".npz"),
        labels=np.array(labels, np.int32),
        light=np.array(lights, np.float32).reshape(-1, LIGHT),
        visible=np.array(visible, np.float32),
        height=np.array(heights, np.float32),
    )


def readable(truth: CardTruth) -> bool:
    return truth.visible * (1 - truth.cut_off) >= _SEEN_ENOUGH and long_side(truth.corners) >= _SMALLEST


def long_side(quad: NDArray[np.floating]) -> float:
    lengths = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
    return float(max(lengths[1] + lengths[3], lengths[0] + lengths[2]) / 2)


def wide_crop(picture: NDArray[np.uint8], quad: NDArray[np.floating]) -> NDArray[np.uint8]:
    matrix = cv2.getPerspectiveTransform(np.asarray(quad, np.float32), corners_in_crop())
    flags = cv2.INTER_AREA if long_side(quad) > 2 * HEIGHT else cv2.INTER_LINEAR
    return np.asarray(cv2.warpPerspective(picture, matrix, (WIDTH, HEIGHT), flags=flags), np.uint8)


def _label(rendered: Rendered, truth: CardTruth) -> tuple[int, ...]:
    design = truth.face if truth.side == "face" else truth.back
    deck = zlib.crc32(rendered.deck.encode()) & 0x3FFFFFFF
    card = zlib.crc32(f"{rendered.deck}/{truth.side}/{design}".encode()) & 0x3FFFFFFF
    if truth.side == "back":
        return (deck, card, SIDES.index("back"), -1, -1, -1)
    colour, figure = face_labels(truth.face)
    return (
        deck,
        card,
        SIDES.index("face"),
        colour,
        figure,
        1 if truth.face[1:] not in ("0", "8", "1") else -1,
    )


def places_without_card(
    rendered: Rendered, rng: np.random.Generator, count: int
) -> list[NDArray[np.float32]]:
    """Quads of the size of a card where there is none: table, paper, phones, hands."""
    height, width = rendered.ids.shape
    found: list[NDArray[np.float32]] = []
    sides = [long_side(t.corners) for t in rendered.cards] or [height / 4]
    for _ in range(40):
        long = float(rng.choice(sides)) * rng.uniform(0.6, 1.4)
        if long < _SMALLEST or long > height / 2:
            long = height / 5
        angle = rng.uniform(0, 2 * np.pi)
        turn = np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])
        half = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) * (long * 0.33, long * 0.5)
        at = rng.uniform((long / 2, long / 2), (width - long / 2, height - long / 2))
        quad = np.asarray(half @ turn.T + at, np.float32)
        mask = np.zeros((height, width), np.uint8)
        cv2.fillConvexPoly(mask, np.rint(quad).astype(np.int32), 1)
        inside = rendered.ids[mask > 0]
        if inside.size and (inside > 0).mean() < 0.12:
            found.append(quad)
            if len(found) == count:
                break
    return found
