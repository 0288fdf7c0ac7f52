"""Writes the net as ONNX."""

from __future__ import annotations

import warnings
from pathlib import Path

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
