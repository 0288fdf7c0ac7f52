"""Writes the net as ONNX and its table in models/manifest.toml."""

from __future__ import annotations

import re
import warnings
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import torch

from models.training.reader.net import ReaderNet
from vision.reading.answers import CROP_HEIGHT, CROP_WIDTH, LIGHT

_OUTPUTS = ("side", "upright", "number", "colour", "embedding")


class _InOrder(torch.nn.Module):
    def __init__(self, net: ReaderNet) -> None:
        super().__init__()
        self.net = net

    def forward(self, crops: torch.Tensor, light: torch.Tensor) -> tuple[torch.Tensor, ...]:
        answers = self.net(crops, light)
        return tuple(answers[name] for name in _OUTPUTS)


def export(net: ReaderNet, path: Path) -> None:
    """Writes the net as one file, for any number of crops at a time."""
    net.eval()
    example = (torch.zeros(2, 3, CROP_HEIGHT, CROP_WIDTH), torch.zeros(2, LIGHT))
    names = ("crops", "light")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")  # the old exporter is deprecated, but only it writes a single file
        torch.onnx.export(
            _InOrder(net),
            example,
            str(path),
            dynamo=False,
            opset_version=17,
            input_names=list(names),
            output_names=list(_OUTPUTS),
            dynamic_axes={name: {0: "cards"} for name in (*names, *_OUTPUTS)},
        )


def write_table(manifest: Path, table: Mapping[str, Any]) -> None:
    """Puts the reader's table into the manifest and leaves the others as they are."""
    text = manifest.read_text(encoding="utf-8") if manifest.exists() else ""
    kept = re.sub(r"(?ms)^\[reader(?:\.[^\]]*)?\]\n.*?(?=^\[(?!reader)|\Z)", "", text).rstrip()
    manifest.write_text((kept + "\n\n" if kept else "") + _toml("reader", table), encoding="utf-8")


def _toml(name: str, table: Mapping[str, Any]) -> str:
    plain = {key: value for key, value in table.items() if not isinstance(value, Mapping)}
    lines = [f"[{name}]", *(f"{key} = {_value(value)}" for key, value in plain.items())]
    text = "\n".join(lines) + "\n"
    for key, value in table.items():
        if isinstance(value, Mapping):
            text += "\n" + _toml(f"{name}.{key}", value)
    return text


def _value(value: Any) -> str:
    if isinstance(value, str):
        return '"' + value.replace("\\", "\\\\").replace('"', '\\"') + '"'
    if isinstance(value, (list, tuple)):
        return "[" + ", ".join(_value(part) for part in value) + "]"
    return repr(round(value, 4)) if isinstance(value, float) else str(value)
