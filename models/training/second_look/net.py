"""The net of the second look: a small residual net over one candidate and its surroundings."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from vision.finding.second_look import CHANNELS, HEIGHT, WIDTH
from vision.finding.selection import FEATURES

_WIDTHS = (20, 32, 64)
_LAST, _HIDDEN = 32, 96
OUTPUTS = 9  # whether it is a card, and the shifts of four corners


class _Step(nn.Sequential):
    def __init__(self, before: int, after: int, stride: int) -> None:
        super().__init__(
            nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)
        )


class _Residual(nn.Module):
    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            _Step(width, width, 1), nn.Conv2d(width, width, 3, 1, 1, bias=False), nn.BatchNorm2d(width)
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.body(x))


class SecondLookNet(nn.Module):
    """Views (N×HEIGHT×WIDTH×CHANNELS bytes) and features of the cluster (N×FEATURES) to N×OUTPUTS."""

    def __init__(self) -> None:
        super().__init__()
        a, b, c = _WIDTHS
        self.body = nn.Sequential(
            _Step(CHANNELS, a, 2),
            _Step(a, b, 2),
            _Residual(b),
            _Step(b, c, 2),
            _Residual(c),
            _Residual(c),
            nn.Conv2d(c, _LAST, 1, bias=False),
            nn.BatchNorm2d(_LAST),
            nn.ReLU(inplace=True),
        )
        cells = (HEIGHT // 8) * (WIDTH // 8)
        self.flat = nn.Sequential(nn.Linear(_LAST * cells + FEATURES, _HIDDEN), nn.ReLU(inplace=True))
        self.norm = nn.BatchNorm1d(FEATURES)
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(_HIDDEN, OUTPUTS)
        nn.init.zeros_(self.head.weight)
        nn.init.zeros_(self.head.bias)

    def forward(self, views: Tensor, features: Tensor) -> Tensor:
        x = views.permute(0, 3, 1, 2).float() * (1 / 64) - 2
        seen = self.body(x).flatten(1)
        with torch.autocast("cpu", enabled=False):
            both = torch.cat([seen.float(), self.norm(features)], dim=1)
            answer: Tensor = self.head(self.drop(self.flat(both)))
        return answer
