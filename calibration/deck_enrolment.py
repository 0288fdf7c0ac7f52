"""Learns a deck from cut-out cards: what each design looks like to the reader, in many lights.

The reader's net is handed in as a function, so that nothing here depends on it. Crops are those of
`vision.reading.crops`: BGR, the card upright, a rim of table around it.
"""

from __future__ import annotations

import json
import zipfile
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

VERSION: Final = 1
_PARTS: Final = ("prototypes", "number", "colour")

Crop = NDArray[np.uint8]
Floats = NDArray[np.float32]

# Gains of blue, green and red, and an exponent: noon, lamps, candles, shade, webcam green, dim, bright.
_LIGHTS: Final = (
    (1.00, 1.00, 1.00, 1.00),
    (0.80, 0.94, 1.05, 1.00),
    (0.58, 0.84, 1.05, 1.05),
    (1.12, 0.98, 0.84, 1.00),
    (0.88, 1.05, 0.88, 1.00),
    (0.65, 0.65, 0.65, 1.15),
    (0.42, 0.46, 0.50, 1.00),
    (1.25, 1.25, 1.25, 0.90),
)


@dataclass(frozen=True)
class Look:
    """What the net says of n crops: an embedding and the probabilities of every number and colour."""

    embedding: Floats
    number: Floats
    colour: Floats


Looking = Callable[[NDArray[np.uint8], Floats], Look]  # crops and the light of their pictures


@dataclass(frozen=True, eq=False)
class EnrolledDesign:
    """A face such as `R5` or a back such as `pizza`, as the net sees it in several lights."""

    name: str
    prototypes: Floats  # lights × embedding
    number: Floats  # how the net reads its number and colour, right or wrong
    colour: Floats
    thumbnail: Crop


@dataclass(frozen=True, eq=False)
class EnrolledDeck:
    name: str
    game: str
    faces: tuple[EnrolledDesign, ...]
    backs: tuple[EnrolledDesign, ...]
    aspect: float  # width of a card by its height
    model: str  # sha256 of the net that looked
    version: int = VERSION


@dataclass(frozen=True)
class Pair:
    """Two designs of one side, and the chance to take one for the other."""

    one: str
    other: str
    risk: float


def enrol(
    name: str,
    game: str,
    faces: Mapping[str, tuple[Crop, Floats]],
    backs: Mapping[str, tuple[Crop, Floats]],
    look: Looking,
    model: str,
    aspect: float = 59 / 91,
) -> EnrolledDeck:
    """A deck from one crop per design, each with the light of its photo."""
    return EnrolledDeck(
        name,
        game,
        tuple(_design(face, *crop, look) for face, crop in faces.items()),
        tuple(_design(back, *crop, look) for back, crop in backs.items()),
        aspect,
        model,
    )


def _design(name: str, crop: Crop, light: Floats, look: Looking) -> EnrolledDesign:
    seen = look(*in_many_lights(crop, light))
    return EnrolledDesign(name, seen.embedding, seen.number.mean(axis=0), seen.colour.mean(axis=0), crop)


def in_many_lights(crop: Crop, light: Floats) -> tuple[NDArray[np.uint8], Floats]:
    """The crop as it may look later: other lamps, dimmer, brighter, upside down."""
    crops, lights = [], []
    for *channels, gamma in _LIGHTS:
        gains = np.array(channels, np.float32)
        other = np.power(crop / np.float32(255), gamma) * gains * 255
        lit = np.clip(np.rint(other), 0, 255).astype(np.uint8)
        changed = light.copy()
        changed[:6] = np.clip(np.power(light[:6], gamma) * np.tile(gains, 2), 0, 1)
        crops += [lit, lit[::-1, ::-1]]
        lights += [changed, changed]
    return np.ascontiguousarray(np.stack(crops)), np.stack(lights)


def confusion(designs: tuple[EnrolledDesign, ...], sharpness: float) -> NDArray[np.float64]:
    """Row by row, how often a design in a light not enrolled would be taken for each design."""
    if not designs:
        return np.zeros((0, 0))
    seen = np.stack([design.prototypes for design in designs])
    count, lights, _ = seen.shape
    table = np.zeros((count, count))
    for light in range(lights):
        same_light = np.arange(lights) // 2 == light // 2
        known = seen[:, ~same_light]
        likeness = np.einsum("ie,jke->ijk", seen[:, light], known).max(axis=2).astype(np.float64)
        share = np.exp(sharpness * (likeness - likeness.max(axis=1, keepdims=True)))
        table += share / share.sum(axis=1, keepdims=True)
    return np.asarray(table / lights, np.float64)


def risky_pairs(designs: tuple[EnrolledDesign, ...], sharpness: float, above: float = 0.01) -> list[Pair]:
    """Pairs that may be taken for each other, the worst first."""
    table = confusion(designs, sharpness)
    pairs = [
        Pair(designs[i].name, designs[j].name, float(max(table[i, j], table[j, i])))
        for i in range(len(designs))
        for j in range(i + 1, len(designs))
    ]
    return sorted((pair for pair in pairs if pair.risk >= above), key=lambda pair: -pair.risk)


class BadDeck(Exception):
    """A deck folder that cannot be used: which one, what is wrong, what would help."""


def save_deck(deck: EnrolledDeck, folder: Path) -> None:
    """A readable folder: deck.json, the prototypes, and a small picture of every card."""
    pictures = folder / "cards"
    pictures.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, NDArray[np.generic]] = {}
    for side, designs in (("face", deck.faces), ("back", deck.backs)):
        for number, design in enumerate(designs):
            key = f"{side}{number}"
            arrays |= {f"{key}_{part}": getattr(design, part) for part in _PARTS}
            cv2.imwrite(str(pictures / f"{key}.png"), design.thumbnail)
    with (folder / "prototypes.npz").open("wb") as file:
        np.savez(file, **arrays)  # type: ignore[arg-type]
    about = {
        "version": deck.version,
        "name": deck.name,
        "game": deck.game,
        "model": deck.model,
        "aspect": round(deck.aspect, 4),
        "faces": [design.name for design in deck.faces],
        "backs": [design.name for design in deck.backs],
    }
    (folder / "deck.json").write_text(
        json.dumps(about, indent=2, ensure_ascii=False) + "\n", encoding="utf-8"
    )


def load_deck(folder: Path, model: str | None = None) -> EnrolledDeck:
    """The deck of a folder; one learnt by another version or another net is refused."""
    about = _about(folder)
    if about.get("version") != VERSION:
        raise BadDeck(
            f"{folder / 'deck.json'} is a deck of version {about.get('version')!r} and this is version "
            f"{VERSION}: enrol the deck again from its photos."
        )
    if model is not None and about.get("model") != model:
        raise BadDeck(
            f"{folder / 'deck.json'} was learnt with another reading net ({str(about.get('model'))[:12]}, "
            f"this is {model[:12]}): enrol the deck again from its photos."
        )
    try:
        with (folder / "prototypes.npz").open("rb") as file, np.load(file, allow_pickle=False) as arrays:
            faces = _designs(folder, arrays, "face", about["faces"])
            backs = _designs(folder, arrays, "back", about["backs"])
        return EnrolledDeck(
            str(about["name"]), str(about["game"]), faces, backs, float(about["aspect"]), str(about["model"])
        )
    except (OSError, KeyError, TypeError, ValueError, EOFError, zipfile.BadZipFile) as error:
        raise BadDeck(f"{folder} is a damaged deck folder ({error}): enrol the deck again.") from error


def _about(folder: Path) -> dict[str, Any]:
    try:
        about = json.loads((folder / "deck.json").read_text(encoding="utf-8"))
    except OSError as error:
        raise BadDeck(f"{folder} is no deck folder: deck.json cannot be read ({error.strerror}).") from error
    except ValueError as error:
        raise BadDeck(f"{folder / 'deck.json'} is no JSON ({error}): enrol the deck again.") from error
    if not isinstance(about, dict):
        raise BadDeck(f"{folder / 'deck.json'} does not describe a deck: enrol the deck again.")
    return about


def _designs(
    folder: Path, arrays: Mapping[str, NDArray[Any]], side: str, names: list[str]
) -> tuple[EnrolledDesign, ...]:
    made = []
    for number, name in enumerate(names):
        parts = {part: np.asarray(arrays[f"{side}{number}_{part}"], np.float32) for part in _PARTS}
        thumbnail = cv2.imread(str(folder / "cards" / f"{side}{number}.png"))
        if thumbnail is None:
            raise ValueError(f"the picture of {name} is missing")
        made.append(EnrolledDesign(str(name), thumbnail=np.asarray(thumbnail, np.uint8), **parts))
    return tuple(made)
