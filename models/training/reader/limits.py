"""How sure an answer must be, for as few wrong ones as are allowed."""

from __future__ import annotations

from typing import Final

import numpy as np
from numpy.typing import NDArray

WRONG: Final = 0.005  # of all cards, the share of wrong answers that is allowed
STRICTER: Final = 0.002  # aimed at where the limit is chosen on few decks


def threshold(shares: list[NDArray[np.float64]], truths: list[int], wrong: float = WRONG) -> float:
    """The lowest probability from which on at most that part of all answers is wrong."""
    chance = np.array([share.max() for share in shares])
    right = np.array([share.argmax() == truth for share, truth in zip(shares, truths, strict=True)])
    for limit in 1 - np.geomspace(0.5, 0.0005, 120):
        if ((chance >= limit) & ~right).mean() <= wrong:
            return float(limit)
    return 0.9995
