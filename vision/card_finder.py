"""Finds every card in a picture: the net's votes, gathered into whole cards."""

from __future__ import annotations

from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import BadPicture
from vision.finding.clusters import Cluster, clusters_of
from vision.finding.maps import OCCLUDER, PADDED_TO, Array
from vision.finding.selection import is_card_shaped, scores
from vision.finding.votes import votes_in
from vision.frame import Picture
from vision.onnx_model import OnnxModel, load

LONG_SIDE = 640
_SMALLEST = 16


@dataclass(frozen=True, eq=False)
class FoundCard:
    """A card: corners (4×2) of the whole card, clockwise, in the picture's pixels.

    The side from the first to the second is one of its short ones; which end is up is for the reader to say.
    `score` is the chance that this is a card, `visible` about how much of it can be seen.
    """

    corners: NDArray[np.float32]
    score: float
    visible: float


@dataclass(frozen=True, eq=False)
class Found:
    """All cards of a picture, the surest first, and its occluder map (chance per cell, coarse)."""

    cards: list[FoundCard]
    occluders: NDArray[np.float32]


class CardFinder:
    """Finds cards in pictures of any size."""

    def __init__(
        self, model: OnnxModel | None = None, least_score: float = 0.5, long_side: int = LONG_SIDE
    ) -> None:
        self._model = model or load("finder")
        self._least_score = least_score
        self._long_side = long_side

    def find(self, picture: Picture) -> list[FoundCard]:
        return self.look(picture).cards

    def look(self, picture: Picture) -> Found:
        """Cards and whatever hides the table."""
        maps, scale = self.maps(picture)
        clusters = [one for one in clusters_of(votes_in(maps)) if is_card_shaped(one)]
        chances = scores(clusters)
        cards = [
            _found(cluster, float(chance), scale)
            for cluster, chance in sorted(zip(clusters, chances, strict=True), key=lambda both: -both[1])
            if chance >= self._least_score
        ]
        return Found(cards, (1 / (1 + np.exp(-maps[OCCLUDER]))).astype(np.float32))

    def maps(self, picture: Picture) -> tuple[Array, float]:
        """The net's output for a picture, and how many pixels of the picture one of the net's is."""
        if picture.ndim != 3 or picture.shape[2] != 3 or min(picture.shape[:2]) < _SMALLEST:
            raise BadPicture(
                f"a picture of shape {picture.shape} cannot be searched for cards: give a BGR picture."
            )
        height, width = picture.shape[:2]
        scale = max(height, width) / self._long_side
        small = (max(1, round(width / scale)), max(1, round(height / scale)))
        shrunk = cv2.resize(picture, small, interpolation=cv2.INTER_AREA if scale > 1 else cv2.INTER_LINEAR)
        right, below = (-side % PADDED_TO for side in small)
        padded = cv2.copyMakeBorder(shrunk, 0, below, 0, right, cv2.BORDER_CONSTANT, value=(114, 114, 114))
        (maps,) = self._model(padded[None])
        return maps[0], scale


def _found(cluster: Cluster, score: float, scale: float) -> FoundCard:
    corners = (cluster.corners + 0.5) * scale - 0.5
    sides = np.sqrt(((np.roll(corners, -1, axis=0) - corners) ** 2).sum(axis=1))
    if sides[0] + sides[2] > sides[1] + sides[3]:
        corners = np.roll(corners, -1, axis=0)
    return FoundCard(corners.astype(np.float32), score, cluster.visible)
