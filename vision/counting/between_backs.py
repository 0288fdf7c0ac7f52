"""Which of several backs a card shows, told by just those of its points at which they differ.

Backs of a deck may share frame and pattern: over a whole strip what they differ by is drowned in what they do
not, in the light and in the picture each was enrolled from. And where nothing that differs shows, nothing is
said, however much better one of them fits.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.counting.flat_sheet import FlatSheet
from vision.counting.known_backs import KnownBacks

Array: TypeAlias = NDArray[Any]

_DIFFER: Final = 1.0  # from here on, in units of what may be by chance, two backs differ at a point
_MOST: Final = 2.0  # that a single point says
_NEITHER: Final = 0.2  # of what the points could say: less is for none of two
_ENOUGH: Final = 40.0
_RIVALS: Final = 0.35  # so much less alike a back may be and still be looked at
_ROUNDS: Final = 2


def between_backs(
    backs: KnownBacks, sheet: FlatSheet, pose: Array, shown: Array, likeness: Array
) -> NDArray[np.float64]:
    """By how much each way of laying each back is likelier than the others (logarithms)."""
    lit, off, allowed = backs.lit(sheet, pose, shown)
    rivals = np.flatnonzero(likeness >= likeness.max() - _RIVALS)
    best = int(likeness.argmax())
    said = np.zeros(len(likeness))
    for _ in range(_ROUNDS):  # against one that is not the best, what is right may not stand out
        said = np.zeros(len(likeness))
        for way in rivals.tolist():
            said[way] = _against(lit, off, allowed, way, best)
        if said[best] >= said.max():
            break
        best = int(said.argmax())
    return np.asarray(said - said.max())


def _against(lit: Array, off: Array, allowed: Array, one: int, other: int) -> float:
    """What speaks for one way against another."""
    allowance = np.maximum(allowed[one], allowed[other])
    apart = np.abs(lit[one] - lit[other]).mean(axis=1) / allowance
    telling = apart > _DIFFER
    most = float(np.minimum(apart, _MOST)[telling].sum())
    if most == 0:
        return 0.0
    nearer = np.clip((off[other] - off[one]) / allowance, -_MOST, _MOST)
    part = float(nearer[telling].sum()) / most
    return float(np.sign(part)) * max(0.0, abs(part) - _NEITHER) / (1 - _NEITHER) * min(most, _ENOUGH)
