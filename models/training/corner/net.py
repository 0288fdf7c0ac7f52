"""A small net for the figure in a card's corner."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from models.training.reader.net import Residual, Step
from vision.reading.answers import NUMBERS
from vision.reading.corner_windows import HEIGHT, WIDTH


class CornerNet(nn.Module):
    """Windows (n × HEIGHT × WIDTH × 3, BGR bytes) to logits of NUMBERS, the last being no number."""

    def __init__(self, widths: tuple[int, int, int] = (24, 48, 80)) -> None:
        super().__init__()
        a, b, c = widths
        self.body = nn.Sequential(Step(3, a, 2), Step(a, b, 2), Residual(b), Step(b, c, 2), Residual(c))
        cells = -(-HEIGHT // 8) * -(-WIDTH // 8)
        self.flat = nn.Sequential(
            nn.Linear(c * cells, 128, bias=False), nn.BatchNorm1d(128), nn.ReLU(inplace=True)
        )
        self.drop = nn.Dropout(0.15)
        self.head = nn.Linear(128, len(NUMBERS))

    def forward(self, windows: Tensor) -> Tensor:
        seen = self.body(windows.permute(0, 3, 1, 2).float() * (1 / 64) - 2)
        with torch.autocast("cpu", enabled=False):
            answers: Tensor = self.head(self.drop(self.flat(seen.float().flatten(1))))
        return answers
