"""A small net that looks at a card and at an enrolled design together."""

from __future__ import annotations

import torch
from torch import Tensor, nn

from models.training.reader.net import Residual, Step

_FAINT = 8.0  # of 255: less contrast than that is noise


class TwinNet(nn.Module):
    """Cards and designs (each n × height × width × 3, BGR bytes) to n odds that they are one print."""

    def __init__(self, widths: tuple[int, int, int, int] = (16, 32, 48, 64)) -> None:
        super().__init__()
        a, b, c, d = widths
        self.body = nn.Sequential(
            Step(9, a, 2),
            Step(a, b, 2),
            Step(b, c, 2),
            Residual(c),
            Step(c, d, 2),
            Residual(d),
        )
        self.flat = nn.Sequential(nn.Linear(2 * d, 64), nn.ReLU(inplace=True))
        self.drop = nn.Dropout(0.1)
        self.head = nn.Linear(64, 1)

    def forward(self, cards: Tensor, designs: Tensor) -> Tensor:
        one, other = cards.permute(0, 3, 1, 2).float(), designs.permute(0, 3, 1, 2).float()
        apart = (_evenly_lit(one) - _evenly_lit(other)).abs()
        seen = self.body(torch.cat([one / 64 - 2, other / 64 - 2, apart], dim=1))
        with torch.autocast("cpu", enabled=False):
            seen = seen.float()
            both = torch.cat([seen.mean(dim=(2, 3)), seen.amax(dim=(2, 3))], dim=1)
            odds: Tensor = self.head(self.drop(self.flat(both)))
        return odds[:, 0]


def _evenly_lit(crops: Tensor) -> Tensor:
    """The crops at one brightness and contrast; their colours stay."""
    mean = crops.mean(dim=(1, 2, 3), keepdim=True)
    spread = ((crops - mean) ** 2).mean(dim=(1, 2, 3), keepdim=True).sqrt()
    return (crops - mean) / (spread + _FAINT)
