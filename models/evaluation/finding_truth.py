"""Found cards beside true ones: who was met, who was missed, what is no card."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

MET = 0.5
SEEN_ENOUGH = 0.35


class Outlined(Protocol):
    """Anything found in a picture that has four corners."""

    @property
    def corners(self) -> NDArray[np.float32]: ...


@dataclass(frozen=True)
class Met:
    """Rows of met truths and what met them: (truth, found, overlap)."""

    pairs: list[tuple[int, int, float]]
    found: int

    @property
    def false(self) -> int:
        return self.found - len(self.pairs)


def overlap(one: NDArray[np.float32], other: NDArray[np.float32]) -> float:
    shared = float(cv2.intersectConvexConvex(one, other)[0])
    together = abs(cv2.contourArea(one)) + abs(cv2.contourArea(other)) - shared
    return shared / together if together > 0 else 0.0


def met(truths: Sequence[NDArray[np.float32]], found: Sequence[Outlined]) -> Met:
    """The best one-to-one assignment of found cards to true ones."""
    if not truths or not found:
        return Met([], len(found))
    table = np.array([[overlap(truth, card.corners) for card in found] for truth in truths])
    pairs = [
        (int(t), int(f), float(table[t, f]))
        for t, f in zip(*linear_sum_assignment(-table), strict=True)
        if table[t, f] >= MET
    ]
    return Met(pairs, len(found))


@dataclass(frozen=True)
class Judged:
    """Which asked cards were met by what, and which found ones are no cards (indices)."""

    pairs: tuple[tuple[int, int], ...]
    false: tuple[int, ...]


def judged(
    asked: Sequence[NDArray[np.float32]], excused: Sequence[NDArray[np.float32]], found: Sequence[Outlined]
) -> Judged:
    """Asked cards are to be found; one found where an excused card lies is neither right nor false."""
    pairs = tuple((t, f) for t, f, _ in met(asked, found).pairs)
    taken = {f for _, f in pairs}
    rest = [i for i in range(len(found)) if i not in taken]
    forgiven = {rest[f] for _, f, _ in met(excused, [found[i] for i in rest]).pairs}
    return Judged(pairs, tuple(i for i in rest if i not in forgiven))


def corner_error(truth: NDArray[np.float32], found: NDArray[np.float32]) -> float:
    """Mean distance of the corners in widths of the card; which corner is the first does not matter."""
    width = min(np.linalg.norm(truth[1] - truth[0]), np.linalg.norm(truth[2] - truth[1]))
    apart = [np.linalg.norm(np.roll(found, turn, axis=0) - truth, axis=1).mean() for turn in range(4)]
    return float(min(apart) / max(1.0, float(width)))
