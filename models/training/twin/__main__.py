"""Trains the net that compares a card with enrolled designs: `python -m models.training.twin --minutes 20`.

Learns from the banks of the reader (drawn where they are missing), and writes twin.onnx and its table of the
manifest. Then `python -m models.training.reader --measure-again` weighs it.
"""

from __future__ import annotations

import argparse
import hashlib
import tempfile
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import platformdirs
import torch
from numpy.typing import NDArray

import models
from models.training.manifest import write_table
from models.training.quantising import quantised
from models.training.reader.batches import Banks
from models.training.twin.groups import Group, GroupMaker
from models.training.twin.learning import Plan, check, pairs_of, train
from models.training.twin.net import TwinNet
from vision.onnx_model import OnnxModel
from vision.reading.answers import CROP_HEIGHT, CROP_WIDTH

_KNOWN, _TYPICAL = 300, 30  # groups to check on, and to see the usual ranges of


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m models.training.twin", description=__doc__)
    parser.add_argument("--minutes", type=float, default=20, help="processor time to learn")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--decks", type=int, default=8000, help="random decks of the reader's bank")
    parser.add_argument("--stills", type=int, default=7200, help="stills of the reader's bank")
    parser.add_argument("--folder", type=Path, default=platformdirs.user_cache_path("finito") / "training")
    parser.add_argument("--out", type=Path, default=Path(models.__file__).parent, help="where the model goes")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    banks = given.folder / "banks"
    unseen = GroupMaker(*Banks(banks, "validation", given.seed + 1, 150, 300).open())
    known = [unseen.group(np.random.default_rng([given.seed, number])) for number in range(_KNOWN)]
    seen = GroupMaker(*Banks(banks, "train", given.seed, given.decks, given.stills).open())
    net = train(Plan(given.folder / f"twin-{given.seed}", given.minutes, given.seed), seen, known)
    ship(
        net,
        known,
        given.out,
        f"python -m models.training.twin --minutes {given.minutes:g} --seed {given.seed}",
    )


def ship(net: TwinNet, known: Sequence[Group], folder: Path, command: str) -> None:
    """Writes twin.onnx and its table of manifest.toml into the folder."""
    path = folder / "twin.onnx"
    with tempfile.TemporaryDirectory() as room:
        plain = Path(room) / "plain.onnx"
        _export(net, plain)
        quantised(plain, path, _typical(known), kept=("/body/body.0/", "/flat/", "/head/"))
    model = OnnxModel(path.read_bytes())
    table = {
        "file": path.name,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "command": command,
        "cards": f"pairs × {CROP_HEIGHT} × {CROP_WIDTH} × 3 bytes, and designs likewise",
        "checked": check(lambda cards, designs: model(cards, designs)[0], known),
    }
    write_table(folder / "manifest.toml", "twin", table)


def _export(net: TwinNet, path: Path) -> None:
    net.eval()
    crops = torch.zeros(2, CROP_HEIGHT, CROP_WIDTH, 3, dtype=torch.uint8)
    torch.onnx.export(
        net,
        (crops, crops),
        str(path),
        input_names=["cards", "designs"],
        output_names=["odds"],
        dynamic_axes={name: {0: "pairs"} for name in ("cards", "designs", "odds")},
        opset_version=17,
        dynamo=False,
    )


def _typical(known: Sequence[Group]) -> Iterator[dict[str, NDArray[Any]]]:
    for group in known[:_TYPICAL]:
        cards, designs = pairs_of([group])
        yield {"cards": cards, "designs": designs}


if __name__ == "__main__":
    main()
