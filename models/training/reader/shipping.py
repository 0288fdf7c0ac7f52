"""Exports a trained reader, measures it on validation renders and writes model and manifest."""

from __future__ import annotations

import hashlib
import random
import tomllib
from pathlib import Path

import numpy as np

from models.evaluation.reading_sets import played_cards, rendered_cards
from models.training.manifest import write_table
from models.training.reader.batches import Banks, Batch, BatchMaker
from models.training.reader.exporting import export
from models.training.reader.measuring import measure
from models.training.reader.net import ReaderNet
from models.training.reader.quantising import quantise
from models.training.reader.verifying import card_or_not
from vision.card_reader import CardReader
from vision.onnx_model import OnnxModel, load
from vision.reading.answers import COLOURS, CROP_HEIGHT, CROP_WIDTH, EMBEDDING, LIGHT, NUMBERS, SIDES


def ship(net: ReaderNet, banks: Banks, folder: Path, command: str, stills: int, seed: int) -> None:
    """Writes reader.onnx and its table of manifest.toml into the folder."""
    path = folder / "reader.onnx"
    export(net, path)
    quantise(path, typical_crops(banks))
    write_measured(path, command, stills, seed)


def measure_again(folder: Path, stills: int, seed: int) -> None:
    """Measures the reader of a folder anew, as after a change of how its answers are used."""
    manifest = tomllib.loads((folder / "manifest.toml").read_text(encoding="utf-8"))
    write_measured(folder / "reader.onnx", str(manifest["reader"]["command"]), stills, seed)


def weigh_again(folder: Path, seed: int) -> None:
    """Only how much finder and reader are believed on what is a card: all that a new finder changes."""
    table = tomllib.loads((folder / "manifest.toml").read_text(encoding="utf-8"))["reader"]
    reader = CardReader(OnnxModel((folder / "reader.onnx").read_bytes(), table), load("corner"))
    write_table(folder / "manifest.toml", "reader", {**table, "card_or_not": card_or_not(reader, seed)})


def write_measured(path: Path, command: str, stills: int, seed: int) -> None:
    """Writes the table of the manifest beside a reader."""
    sha256 = hashlib.sha256(path.read_bytes()).hexdigest()
    # What people sit at, and what is wider than life: each has about as many cards.
    played = stills // 2
    cards = [*played_cards("validation", seed, played), *rendered_cards("validation", seed, stills)]
    random.Random(seed).shuffle(cards)  # both are there among the decks that are enrolled
    measured = measure(path.read_bytes(), sha256, cards, seed)
    table = {
        "file": path.name,
        "sha256": sha256,
        "command": command,
        "crops": f"cards × 3 (BGR, 0 to 255) × {CROP_HEIGHT} × {CROP_WIDTH}",
        "light": f"cards × {LIGHT}",
        "sides": list(SIDES),
        "numbers": list(NUMBERS),
        "colours": list(COLOURS),
        "embedding": EMBEDDING,
        "measured_on": f"{len(cards)} cards of {stills} validation stills and {played} of games",
        **measured,
    }
    write_table(path.with_name("manifest.toml"), "reader", table)


def typical_crops(banks: Banks, batches: int = 10) -> Batch:
    """Crops as they occur in training."""
    maker = BatchMaker(*banks.open())
    made = [maker.batch(np.random.default_rng([banks.seed, 10_000_000, i])) for i in range(batches)]
    return Batch(*(np.concatenate([getattr(b, part) for b in made]) for part in ("crops", "light", "labels")))
