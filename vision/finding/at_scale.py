"""What the finder net says of a whole picture that it sees at some scale."""

from __future__ import annotations

from collections.abc import Sequence

import cv2
import numpy as np

from vision.finding.maps import PADDED_TO, STRIDE, Array
from vision.frame import Picture
from vision.onnx_model import OnnxModel

_GREY = (114, 114, 114)


def said_at(
    picture: Picture, net: OnnxModel, scale: float, largest: int, channels: Sequence[int]
) -> tuple[Array, Array]:
    """Logits of some channels for every cell, and the matrix (3×3) from cells to the picture's pixels.

    The net's picture is no longer than `largest`.
    """
    tall, wide = picture.shape[:2]
    scale = min(scale, largest / max(tall, wide))
    small = (max(1, round(wide * scale)), max(1, round(tall * scale)))
    how = cv2.INTER_AREA if scale < 1 else cv2.INTER_LINEAR
    shrunk = cv2.resize(picture, small, interpolation=how)
    right, below = (-side % PADDED_TO for side in small)
    padded = cv2.copyMakeBorder(shrunk, 0, below, 0, right, cv2.BORDER_CONSTANT, value=_GREY)
    (maps,) = net(np.asarray(padded, np.uint8)[None])
    said = np.ascontiguousarray(maps[0][list(channels)].transpose(1, 2, 0), np.float32)
    first = STRIDE / 2 / scale - 0.5
    return said, np.array([[STRIDE / scale, 0, first], [0, STRIDE / scale, first], [0, 0, 1]])
