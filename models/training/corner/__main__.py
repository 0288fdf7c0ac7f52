"""Trains the reader of corners: `python -m models.training.corner --minutes 20`.

Draws the corners of cards on random stills, learns, and writes corner.onnx and its table of the manifest. How
much its word counts beside the reader's is measured with the reader: `python -m models.training.reader
--measure-again` afterwards.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import platformdirs
import torch
from numpy.typing import NDArray

import models
from models.training.corner.bank import Bank, bank
from models.training.corner.learning import Plan, answers, batch_of, train
from models.training.corner.net import CornerNet
from models.training.manifest import write_table
from models.training.quantising import quantised
from models.training.reader.measuring import temperature_of
from vision.onnx_model import OnnxModel
from vision.reading.corner_windows import HEIGHT, WIDTH

_TYPICAL = 600


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m models.training.corner", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20, help="time to learn, without drawing the bank")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parts", type=int, default=16, help="parts of 120 stills to learn from")
    parser.add_argument("--signs", type=int, default=8, help="parts of 60 decks of which signs are drawn")
    parser.add_argument("--folder", type=Path, default=platformdirs.user_cache_path("finito") / "corner")
    parser.add_argument("--out", type=Path, default=Path(models.__file__).parent, help="where the model goes")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    known = bank(given.folder, "validation", given.seed + 1, 3, 1)
    plan = Plan(given.folder / f"run-{given.seed}-{given.parts}", given.minutes, given.seed)
    seen = bank(given.folder, "train", given.seed, given.parts, given.signs)
    net = train(plan, seen, known)
    asked = f"--minutes {given.minutes:g} --parts {given.parts} --signs {given.signs} --seed {given.seed}"
    ship(net, known, given.out, f"python -m models.training.corner {asked}")


def ship(net: CornerNet, known: Bank, folder: Path, command: str) -> None:
    """Writes corner.onnx and its table of manifest.toml into the folder."""
    path = folder / "corner.onnx"
    with tempfile.TemporaryDirectory() as room:
        plain = Path(room) / "plain.onnx"
        _export(net, plain)
        quantised(plain, path, _typical(known), kept=("/body/body.0/", "/flat/", "/head/"))
    said = answers(OnnxModel(path.read_bytes()), known)
    table = {
        "file": path.name,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "command": command,
        "windows": f"corners × {HEIGHT} × {WIDTH} × 3 bytes",
        "fitted_on": f"{len(known.figure)} corners of validation stills",
        "temperature": temperature_of(said, known.figure),
    }
    write_table(folder / "manifest.toml", "corner", table)


def _export(net: CornerNet, path: Path) -> None:
    net.eval()
    torch.onnx.export(
        net,
        (torch.zeros(2, HEIGHT, WIDTH, 3, dtype=torch.uint8),),
        str(path),
        input_names=["windows"],
        output_names=["answers"],
        dynamic_axes={name: {0: "corners"} for name in ("windows", "answers")},
        opset_version=17,
        dynamo=False,
    )


def _typical(known: Bank) -> Iterator[dict[str, NDArray[Any]]]:
    for start in range(0, min(_TYPICAL, len(known.figure)), 50):
        rows = np.arange(start, min(start + 50, len(known.figure)))
        yield {"windows": batch_of(known, rows, None)[0]}


if __name__ == "__main__":
    main()
