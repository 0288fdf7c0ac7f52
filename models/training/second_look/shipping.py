"""From a trained net to the one that ships: whole numbers, honest odds, a table of the manifest."""

from __future__ import annotations

import hashlib
import tempfile
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from scipy.optimize import minimize

from models.training.manifest import write_table
from models.training.quantising import quantised
from models.training.second_look.bank import Bank
from models.training.second_look.net import SecondLookNet
from vision.finding.second_look import CHANNELS, HEIGHT, WIDTH
from vision.finding.selection import FEATURES
from vision.onnx_model import OnnxModel

_TYPICAL = 600


def ship(net: SecondLookNet, known: Bank, folder: Path, command: str) -> None:
    """Writes second_look.onnx and its table of manifest.toml into the folder."""
    path = folder / "second_look.onnx"
    with tempfile.TemporaryDirectory() as room:
        plain = Path(room) / "plain.onnx"
        _export(net, plain)
        # The first layer sees plain pixels, the last ones give shifts: both keep their digits.
        quantised(plain, path, _typical(known), kept=("/body/body.0/", "/flat/", "/head/"))
    odds = _odds(path.read_bytes(), known)
    table = {
        "file": path.name,
        "sha256": hashlib.sha256(path.read_bytes()).hexdigest(),
        "command": command,
        "views": f"candidates × {HEIGHT} × {WIDTH} × {CHANNELS} bytes",
        "features": f"candidates × {FEATURES}",
        "fitted_on": f"{len(known.right)} candidates of validation stills",
        "honest": fitted(odds, known),
    }
    write_table(folder / "manifest.toml", "second_look", table)


def _export(net: SecondLookNet, path: Path) -> None:
    net.eval()
    example = (torch.zeros(2, HEIGHT, WIDTH, CHANNELS, dtype=torch.uint8), torch.zeros(2, FEATURES))
    torch.onnx.export(
        net,
        example,
        str(path),
        input_names=["views", "features"],
        output_names=["answers"],
        dynamic_axes={name: {0: "candidates"} for name in ("views", "features", "answers")},
        opset_version=17,
        dynamo=False,
    )


def _typical(known: Bank) -> Iterator[dict[str, NDArray[Any]]]:
    for start in range(0, min(_TYPICAL, len(known.right)), 50):
        yield {"views": known.views[start : start + 50], "features": known.features[start : start + 50]}


def _odds(content: bytes, known: Bank) -> NDArray[np.float64]:
    model = OnnxModel(content)
    parts = [
        model(known.views[start : start + 200], known.features[start : start + 200])[0][:, 0]
        for start in range(0, len(known.right), 200)
    ]
    return np.concatenate(parts).astype(np.float64)


def fitted(odds: NDArray[np.float64], known: Bank) -> list[float]:
    """Constant and factor that make the odds honest."""
    sign = 2 * known.right - 1

    def cost(line: NDArray[np.float64]) -> float:
        lost = np.logaddexp(0, -sign * (line[0] + line[1] * odds))
        return float((known.weight * lost).sum() / known.weight.sum())

    return [float(value) for value in minimize(cost, np.array([0.0, 1.0])).x]
