"""What the figures in a card's corners add where the whole card leaves its number open.

Of a card half under others a corner is often all that shows its number, a dozen pixels high.
"""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray

from vision.onnx_model import OnnxModel
from vision.reading.softmax import softmax

Floats = NDArray[np.float64]
_LEAST = 1e-6
_BATCH = 64


def corner_shares(net: OnnxModel, windows: NDArray[np.uint8]) -> Floats:
    """n × 2 × NUMBERS: chances of every number at both ends, the last that there is none to be read."""
    flat = windows.reshape(-1, *windows.shape[2:])
    said = [net(flat[start : start + _BATCH])[0] for start in range(0, len(flat), _BATCH)]
    shares = softmax(np.concatenate(said).astype(np.float64), float(net.about["temperature"]))
    return shares.reshape(len(windows), -1, shares.shape[1])


def corner_evidence(corners: Floats, trust: tuple[float, float]) -> Floats:
    """What both corners say for each number (n × NUMBERS), in logarithms.

    `trust` is how likely a corner without a figure makes any one number, and the weight of both corners.
    """
    none, weight = trust
    speaks = corners.copy()
    speaks[..., :-1] += none * corners[..., -1:]
    speaks[..., -1] = none * corners[..., -1]
    return np.asarray(weight * np.log(speaks + _LEAST).sum(axis=1))


def with_corners(number: Floats, evidence: Floats) -> Floats:
    """Chances of numbers (n × NUMBERS) with what the corners say for each."""
    return softmax(np.log(number + _LEAST) + evidence)
