"""Probabilities from scores."""

import numpy as np
from numpy.typing import NDArray


def softmax(scores: NDArray[np.floating], temperature: float = 1.0) -> NDArray[np.float64]:
    """Along the last axis; a higher temperature is less sure of itself."""
    scaled = scores.astype(np.float64) / temperature
    shares = np.exp(scaled - scaled.max(axis=-1, keepdims=True))
    return np.asarray(shares / shares.sum(axis=-1, keepdims=True), np.float64)
