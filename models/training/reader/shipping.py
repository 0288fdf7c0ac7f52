"""Exports a trained reader, measures it on validation renders and writes model and manifest."""

from __future__ import annotations

from pathlib import Path

from models.evaluation.reading_sets import rendered_cards
from models.training.reader.exporting import export, write_table
from models.training.reader.measuring import measure
from models.training.reader.net import ReaderNet
from vision.reading.answers import COLOURS, CROP_HEIGHT, CROP_WIDTH, EMBEDDING, LIGHT, NUMBERS, SIDES


def ship(net: ReaderNet, folder: Path, command: str, stills: int, seed: int) -> None:
    """Writes reader.onnx and its table of manifest.toml into the folder."""
    path = folder / "reader.onnx"
    sha256 = export(net, path)
    cards = list(rendered_cards("validation", seed, stills))
    measured = measure(path.read_bytes(), sha256, cards)
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
        "measured_on": f"{len(cards)} cards of {stills} validation stills",
        **measured,
    }
    write_table(folder / "manifest.toml", table)
