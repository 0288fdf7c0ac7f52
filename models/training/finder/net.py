"""The finder net: a slim hourglass of separable convolutions that answers for every 4×4 pixels."""

import torch
from torch import Tensor, nn

from vision.finding.maps import CARD, CHANNELS, SPREADS

WIDTHS = (16, 32, 64, 96, 160)


class Separable(nn.Module):
    """Depthwise then pointwise convolution, with a shortcut where shapes allow."""

    def __init__(self, inner: int, outer: int, kernel: int = 3, stride: int = 1, dilation: int = 1) -> None:
        super().__init__()
        pad = (kernel // 2) * dilation
        self.body = nn.Sequential(
            nn.Conv2d(inner, inner, kernel, stride, pad, dilation, groups=inner, bias=False),
            nn.BatchNorm2d(inner),
            nn.Conv2d(inner, outer, 1, bias=False),
            nn.BatchNorm2d(outer),
        )
        self.shortcut = inner == outer and stride == 1

    def forward(self, x: Tensor) -> Tensor:
        y: Tensor = self.body(x)
        return torch.relu(x + y) if self.shortcut else torch.relu(y)


def _dense(inner: int, outer: int, stride: int) -> nn.Sequential:
    return nn.Sequential(
        nn.Conv2d(inner, outer, 3, stride, 1, bias=False), nn.BatchNorm2d(outer), nn.ReLU(inplace=True)
    )


class FinderNet(nn.Module):
    """BGR bytes (N×H×W×3, sides a multiple of 32) in, maps (N×CHANNELS×H/4×W/4) out."""

    def __init__(self) -> None:
        super().__init__()
        w2, w4, w8, w16, w32 = WIDTHS
        self.stem = nn.Sequential(_dense(3, w2, 2), _dense(w2, w4, 2), Separable(w4, w4), Separable(w4, w4))
        self.down8 = nn.Sequential(Separable(w4, w8, 3, 2), Separable(w8, w8), Separable(w8, w8))
        self.down16 = nn.Sequential(
            Separable(w8, w16, 3, 2), Separable(w16, w16), Separable(w16, w16), Separable(w16, w16)
        )
        self.down32 = nn.Sequential(
            Separable(w16, w32, 3, 2),
            Separable(w32, w32, 5),
            Separable(w32, w32, 5, dilation=2),
            Separable(w32, w32, 5, dilation=2),
            Separable(w32, w32, 5),
        )
        self.up16 = nn.Conv2d(w32, w16, 1)
        self.mix16 = nn.Sequential(Separable(w16, w16), Separable(w16, w16))
        self.up8 = nn.Conv2d(w16, w8, 1)
        self.mix8 = nn.Sequential(Separable(w8, w8), Separable(w8, w8))
        self.up4 = nn.Conv2d(w8, 48, 1)
        self.side4 = nn.Conv2d(w4, 48, 1)
        self.mix4 = nn.Sequential(Separable(48, 48), Separable(48, 64))
        self.head = nn.Conv2d(64, CHANNELS, 1)
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
