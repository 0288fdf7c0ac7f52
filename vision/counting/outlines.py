"""Outlines of cards for counting: every cluster of votes, also those that a finder of cards leaves out.

A finder must not show cards that are not there, so it drops strips that may belong to a neighbour. Who counts
wants to see them all and asks where it is not sure.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.counting.parts import Parts, parts_of
from vision.finding.clusters import Cluster, clusters_of
from vision.finding.maps import PADDED_TO, STRIDE
from vision.finding.selection import is_card_shaped, overlap
from vision.finding.votes import votes_in
from vision.frame import Picture
from vision.onnx_model import OnnxModel
from vision.reading.crops import sides_ratio, upright_quad

Array: TypeAlias = NDArray[Any]

_LONG_SIDES: Final = (640, 384, 960)  # sizes of the picture for the net; the first is the usual one
_MOSTLY: Final = 0.5
_SLANT, _ODD_SHAPE = 0.12, 3.0
_SAME_CARD: Final = 0.8  # overlap of two quads that are hardly two cards
_FAINT: Final = 0.1
# How evidence weighs: size, part seen, doubt, disagreement, chance of its cells, rivals; constant last.
_WEIGHTS: Final = (0.8, 1.5, -6.0, -6.0, 3.0, -1.5, 2.0, -2.0)


@dataclass(frozen=True, eq=False)
class Outlines:
    """Corners of cards in pixels of the picture, from a short side; their scores; what shows of each."""

    quads: list[NDArray[np.float32]]
    scores: NDArray[np.float64]
    parts: Parts


def outlines_in(picture: Picture, net: OnnxModel, aspect: float) -> Outlines:
    """Seen at the size that explains most: strips want a fine look, large cards a coarse one.

    `aspect` is the width of the deck's cards by their height.
    """
    return max((_at(picture, net, side) for side in _LONG_SIDES), key=lambda seen: _explained(seen, aspect))


def _explained(seen: Outlines, aspect: float) -> float:
    """The part of all that looks like cards which belongs to sure cards of a card's shape."""
    whole = float(((seen.parts.owner >= 0) | seen.parts.strays).sum())
    own = sum(
        float((seen.parts.owner == i).sum()) * _plausible(quad, aspect)
        for i, (quad, score) in enumerate(zip(seen.quads, seen.scores, strict=True))
        if score >= _MOSTLY
    )
    return own / max(1.0, whole)


def _plausible(quad: NDArray[np.float32], aspect: float) -> float:
    """1 for an outline of a card's shape, less for squares and slivers."""
    off = abs(float(np.log(max(1e-3, sides_ratio(quad)) / aspect)))
    return float(np.exp(-_ODD_SHAPE * max(0.0, off - _SLANT)))


def _at(picture: Picture, net: OnnxModel, long_side: int) -> Outlines:
    height, width = picture.shape[:2]
    scale = max(height, width) / long_side
    small = (max(1, round(width / scale)), max(1, round(height / scale)))
    shrunk = cv2.resize(picture, small, interpolation=cv2.INTER_AREA if scale > 1 else cv2.INTER_LINEAR)
    right, below = (-side % PADDED_TO for side in small)
    padded = cv2.copyMakeBorder(shrunk, 0, below, 0, right, cv2.BORDER_CONSTANT, value=(114, 114, 114))
    (maps,) = net(padded[None])
    votes = votes_in(maps[0])
    clusters = [cluster for cluster in clusters_of(votes) if is_card_shaped(cluster)]
    chances = _scores(clusters)
    quads: list[NDArray[np.float32]] = []
    scores: list[float] = []
    for i in np.argsort(-chances):
        quad = upright_quad(((clusters[i].corners + 0.5) * scale - 0.5).astype(np.float32))
        if chances[i] >= _FAINT and all(overlap(quad, other) < _SAME_CARD for other in quads):
            quads.append(quad)
            scores.append(float(chances[i]))
    return Outlines(quads, np.array(scores), parts_of(votes, maps.shape[2:], quads, scale))


def _scores(clusters: Sequence[Cluster]) -> NDArray[np.float64]:
    rows = []
    for cluster in clusters:
        rival, ratio = 0.0, 1.0
        for other in clusters:
            if other is cluster or other.cells < cluster.cells:
                continue
            if (shared := overlap(cluster.corners, other.corners)) > rival:
                rival, ratio = shared, cluster.cells / other.cells
        seen = min(1.0, cluster.cells * STRIDE**2 / max(1.0, cluster.area))
        evidence = (np.log(cluster.cells / 10), seen, min(1.0, cluster.doubt), min(1.0, cluster.agreement))
        rows.append([*evidence, cluster.chance, rival, rival * np.log(ratio)])
    table = np.array(rows).reshape(-1, len(_WEIGHTS) - 1)
    return np.asarray(1 / (1 + np.exp(-(table @ np.array(_WEIGHTS[:-1]) + _WEIGHTS[-1]))))
