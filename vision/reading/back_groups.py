"""Which backs in one picture are of one design, when nobody has said what designs there are."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from scipy.cluster.hierarchy import fcluster, linkage


def groups(embedding: NDArray[np.float64], same: float) -> list[int]:
    """A number per back, from 1 in the order of appearance; likeness from `same` on is one design."""
    if len(embedding) < 2:
        return [1] * len(embedding)
    clusters = fcluster(linkage(embedding, "average", metric="cosine"), 1 - same, "distance")
    numbers: dict[int, int] = {}
    return [numbers.setdefault(int(cluster), len(numbers) + 1) for cluster in clusters]
