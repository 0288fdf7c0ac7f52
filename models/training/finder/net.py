"""The finder net: a slim hourglass of residual blocks that answers for every 4×4 pixels.

Whole convolutions, not separable ones: on a CPU they learn from as many windows an hour with six times the
weights, and their answer still comes in half the time of a common detector.
"""

import torch
from torch import Tensor, nn

from vision.finding.maps import CARD, CHANNELS, SPREADS

# Channels at 1/2, 1/4, 1/8, 1/16 and 1/32 of the picture, and residual blocks from 1/4 on.
WIDTHS = (16, 32, 64, 96, 128)
BLOCKS = (0, 1, 2, 2)


class Residual(nn.Module):
    """Two convolutions beside a shortcut."""

    def __init__(self, width: int) -> None:
        super().__init__()
        self.body = nn.Sequential(
            nn.Conv2d(width, width, 3, 1, 1, bias=False),
            nn.BatchNorm2d(width),
            nn.ReLU(inplace=True),
            nn.Conv2d(width, width, 3, 1, 1, bias=False),
            nn.BatchNorm2d(width),
        )

    def forward(self, x: Tensor) -> Tensor:
        return torch.relu(x + self.body(x))


def _convolution(inner: int, outer: int, stride: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inner, outer, 3, stride, 1, bias=False), nn.BatchNorm2d(outer), nn.ReLU(inplace=True)
    )


def _stage(inner: int, outer: int, blocks: int) -> nn.Sequential:
    return nn.Sequential(_convolution(inner, outer, 2), *[Residual(outer) for _ in range(blocks)])


class FinderNet(nn.Module):
    """BGR bytes (N×H×W×3, sides a multiple of 32) in, maps (N×CHANNELS×H/4×W/4) out."""

    def __init__(self) -> None:
        super().__init__()
        w2, w4, w8, w16, w32 = WIDTHS
        self.stem = nn.Sequential(_convolution(3, w2, 2), _stage(w2, w4, BLOCKS[0]))
        self.down8 = _stage(w4, w8, BLOCKS[1])
        self.down16 = _stage(w8, w16, BLOCKS[2])
        self.down32 = _stage(w16, w32, BLOCKS[3])
        self.up16 = nn.Conv2d(w32, w16, 1)
        self.mix16 = Residual(w16)
        self.up8 = nn.Conv2d(w16, w8, 1)
        self.mix8 = Residual(w8)
        self.up4 = nn.Conv2d(w8, 32, 1)
        self.side4 = nn.Conv2d(w4, 32, 1)
        self.mix4 = _convolution(32, 32, 1)
        self.head = nn.Conv2d(32, CHANNELS, 1)
        start = torch.zeros(CHANNELS)
        start[CARD], start[SPREADS:] = -1.0, 0.5
        nn.init.zeros_(self.head.weight)
        self.head.bias = nn.Parameter(start)

    def forward(self, picture: Tensor) -> Tensor:
        x = picture.permute(0, 3, 1, 2).float() * (1 / 64) - 2
        f4 = self.stem(x)
        f8 = self.down8(f4)
        f16 = self.down16(f8)
        f32 = self.down32(f16)
        g16 = self.mix16(f16 + _twice(self.up16(f32)))
        g8 = self.mix8(f8 + _twice(self.up8(g16)))
        g4 = self.mix4(self.side4(f4) + _twice(self.up4(g8)))
        # Offsets need more digits than half precision has.
        with torch.autocast("cpu", enabled=False):
            maps: Tensor = self.head(g4.float())
        return maps


def _twice(x: Tensor) -> Tensor:
    """Bilinear: a corner's offset is linear across its card, and stays so from coarse cells to fine ones."""
    return nn.functional.interpolate(x, scale_factor=2.0, mode="bilinear", align_corners=False)
