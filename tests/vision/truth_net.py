"""A finder net without a fault, for one rendered picture: it says what the truth says, at any size."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, cast

import cv2
import numpy as np
from numpy.typing import NDArray

from finito.virtual_table.scene import Rendered
from vision.finding.maps import (
    CARD,
    CHANNELS,
    LEAN,
    OFFSET_UNIT,
    OFFSETS,
    SPREADS,
    STRIDE,
    cell_centres,
    in_chart,
    leans,
)
from vision.finding.selection import WEIGHTS
from vision.onnx_model import OnnxModel

PADDING = 114


class TruthNet:
    """Stands in for the finder net. `blind` are numbers of cards it does not see at all."""

    def __init__(self, rendered: Rendered, blind: tuple[int, ...] = (), noise: float = 0.4) -> None:
        # All that this net votes for is a card.
        self.about: Mapping[str, Any] = {"score_weights": [0.0] * (WEIGHTS - 1) + [3.0]}
        self._rendered = rendered
        self._blind = blind
        self._noise = noise

    def __call__(self, *inputs: NDArray[Any]) -> list[NDArray[Any]]:
        height, width = inputs[0].shape[1:3]
        tall, wide = self._rendered.ids.shape
        # The picture fills the input but for grey below and at the right, which is less than a block.
        grey: NDArray[np.bool_] = np.all(inputs[0][0] == PADDING, axis=2)
        columns, rows = (np.flatnonzero(~np.all(grey, axis=axis)) for axis in (0, 1))
        used = (int(columns.max()) + 1, int(rows.max()) + 1)
        scale = max(tall, wide) / max(used)
        ids = np.zeros((height, width), np.int16)
        ids[: used[1], : used[0]] = cv2.resize(
            self._rendered.ids.astype(np.int16), used, interpolation=cv2.INTER_NEAREST
        )
        return [self._maps(ids[2::STRIDE, 2::STRIDE], scale)[None]]

    def _maps(self, cells: NDArray[np.int16], scale: float) -> NDArray[np.float32]:
        maps = np.zeros((CHANNELS, *cells.shape), np.float32)
        maps[CARD] = -6.0
        maps[SPREADS:] = np.log((self._noise + 0.4) / OFFSET_UNIT)
        centres = cell_centres(*cells.shape)
        rng = np.random.default_rng(0)
        for card in self._rendered.cards:
            own = cells == card.number
            if card.number in self._blind or not own.any():
                continue
            corners = ((card.corners + 0.5) / scale - 0.5)[None]
            charts = np.concatenate([in_chart(corners, chart) for chart in (0, 1)])
            offsets = charts[None] - centres[own][:, None, None]
            offsets = offsets + rng.normal(0, self._noise, offsets.shape)
            maps[CARD, own] = 6.0
            maps[LEAN, own] = 5.0 if leans(corners)[0] > 0 else -5.0
            maps[OFFSETS:SPREADS, own] = (offsets / OFFSET_UNIT).reshape(-1, 16).T
        return maps


def truth_net(rendered: Rendered, blind: tuple[int, ...] = (), noise: float = 0.4) -> OnnxModel:
    return cast(OnnxModel, TruthNet(rendered, blind, noise))
