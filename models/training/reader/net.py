"""The reading net: a small residual convolutional net with five heads."""

from __future__ import annotations

import torch
from torch import Tensor, nn
from torch.nn import functional

from vision.reading.answers import COLOURS, CROP_HEIGHT, CROP_WIDTH, EMBEDDING, LIGHT, NUMBERS, SIDES

HEADS = {"side": len(SIDES), "upright": 2, "number": len(NUMBERS), "colour": len(COLOURS)}
_FEATURES, _LIGHT_FEATURES = 192, 16


class Step(nn.Sequential):
    def __init__(self, before: int, after: int, stride: int = 1) -> None:
        super().__init__(
            nn.Conv2d(before, after, 3, stride, 1, bias=False), nn.BatchNorm2d(after), nn.ReLU(inplace=True)
        )


class Residual(nn.Module):
    def __init__(self, channels: int) -> None:
        super().__init__()
        self.step = nn.Sequential(
            Step(channels, channels),
            nn.Conv2d(channels, channels, 3, 1, 1, bias=False),
            nn.BatchNorm2d(channels),
        )

    def forward(self, x: Tensor) -> Tensor:
        return functional.relu(x + self.step(x))


class ReaderNet(nn.Module):
    """Crops (n × 3 × CROP_HEIGHT × CROP_WIDTH, BGR, 0 to 255) and light (n × LIGHT) to the heads' logits."""

    def __init__(self, widths: tuple[int, int, int, int] = (16, 32, 64, 128)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.body = nn.Sequential(
            Step(3, a, 2),
            Step(a, b, 2),
            Residual(b),
            Step(b, c, 2),
            Residual(c),
            Step(c, d, 2),
            Residual(d),
            Residual(d),
        )
        self.squeeze = nn.Sequential(
            nn.Conv2d(d, 48, 1, bias=False), nn.BatchNorm2d(48), nn.ReLU(inplace=True)
        )
        cells = ((CROP_HEIGHT + 15) // 16) * ((CROP_WIDTH + 15) // 16)
        self.flat = nn.Sequential(nn.Linear(48 * cells, _FEATURES, bias=False), nn.BatchNorm1d(_FEATURES))
        self.light = nn.Sequential(nn.Linear(LIGHT, _LIGHT_FEATURES), nn.ReLU(inplace=True))
        self.heads = nn.ModuleDict(
            {name: nn.Linear(_FEATURES + _LIGHT_FEATURES, answers) for name, answers in HEADS.items()}
        )
        self.embed = nn.Linear(_FEATURES + _LIGHT_FEATURES, EMBEDDING)
        self.drop = nn.Dropout(0.1)

    def forward(self, crops: Tensor, light: Tensor) -> dict[str, Tensor]:
        seen = self.squeeze(self.body((crops - 127.5) / 64.0))
        features = functional.relu(self.flat(seen.flatten(1)))
        both = torch.cat([features, self.light(light).to(features.dtype)], dim=1)
        answers = {name: head(self.drop(both)) for name, head in self.heads.items()}
        answers["embedding"] = functional.normalize(self.embed(both).float(), dim=1)
        return answers
