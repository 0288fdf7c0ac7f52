"""Finds every card in a picture: the net's votes, gathered into whole cards."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.errors import BadPicture
from vision.finding.clusters import Cluster, bare_part, clusters_of
from vision.finding.maps import OCCLUDER, Array
from vision.finding.pyramid import Level, asked_for, levels
from vision.finding.refinement import refined
from vision.finding.same_cards import alike
from vision.finding.second_look import SecondLook, short_side_first
from vision.finding.selection import chosen, features, is_card_shaped, scores
from vision.finding.sheets import Sheet, free_cells, sheet_of
from vision.finding.votes import Votes, votes_in
from vision.frame import Picture
from vision.onnx_model import OnnxModel, load

LONG_SIDE = 768
_SMALLEST = 16
# Corners look for an edge within so many card widths, and so many pixels at least.
_REACH, _LEAST_REACH = 0.08, 3.0


@dataclass(frozen=True, eq=False)
class FoundCard:
    """A card: corners (4×2) of the whole card, clockwise, in the picture's pixels.

    The side from the first to the second is one of its short ones; which end is up is for the reader to say.
    `score` is the chance that this is a card, `visible` about how much of it can be seen. `seemed` is how
    large an area it had before it was given the size of the others, if it was.
    """

    corners: NDArray[np.float32]
    score: float
    visible: float
    seemed: float | None = None


@dataclass(frozen=True, eq=False)
class Found:
    """All cards of a picture, the surest first, and its occluder map (chance per cell, coarse)."""

    cards: list[FoundCard]
    occluders: NDArray[np.float32]


class CardFinder:
    """Finds cards in pictures of any size."""

    def __init__(
        self,
        model: OnnxModel | None = None,
        weights: Sequence[float] | None = None,
        least_score: float = 0.5,
        long_side: int = LONG_SIDE,
        one_size: bool = True,
        second: SecondLook | None = None,
    ) -> None:
        """The nets that ship, or another one with the score weights that were fitted to it.

        With `one_size`, what is much larger or smaller than most is left out.
        """
        self.net = model or load("finder")
        self._second = second or (SecondLook(load("second_look")) if model is None else None)
        self.weights = np.array(weights if weights is not None else self.net.about["score_weights"])
        self._least_score = least_score
        self._long_side = long_side
        self._one_size = one_size

    def find(self, picture: Picture) -> list[FoundCard]:
        return self.look(picture).cards

    def look(self, picture: Picture) -> Found:
        """Cards and whatever hides the table."""
        clusters, sheets, occluders = self.clusters(picture)
        rows = features(clusters)
        chances = scores(rows, self.weights)
        if self._second is not None:
            clusters, chances = self._second.judged(picture, clusters, sheets, rows, chances)
        kept = chosen(clusters, chances, self._least_score, self._one_size)
        return Found(_found(picture, kept), occluders)

    def clusters(self, picture: Picture) -> tuple[list[Cluster], list[Sheet], NDArray[np.float32]]:
        """All that may be a card, in the picture's pixels; the sheets; the first one's occluder map."""
        if picture.ndim != 3 or picture.shape[2] != 3 or min(picture.shape[:2]) < _SMALLEST:
            raise BadPicture(
                f"a picture of shape {picture.shape} cannot be searched for cards: give a BGR picture."
            )
        finest, *rest = levels(picture, self._long_side)
        looks = [self._look_at(picture, finest)]
        if rest:
            *between, coarsest = rest
            last = self._look_at(picture, coarsest)
            seen = [(look.level, look.votes) for look in (looks[0], last)]
            looks += [self._look_at(picture, level) for level in between if asked_for(level, seen)]
            looks.append(last)
        occluders = (1 / (1 + np.exp(-looks[0].maps[OCCLUDER]))).astype(np.float32)
        clusters = [cluster for look in looks for cluster in _clusters(look)]
        return clusters, [sheet_of(look.shrunk, look.level.pixel, look.maps) for look in looks], occluders

    def _look_at(self, picture: Picture, level: Level) -> _Look:
        shrunk = level.shrunk(picture)
        (maps,) = self.net(shrunk[None])
        return _Look(level, shrunk, maps[0], votes_in(maps[0], level.widths))


@dataclass(frozen=True, eq=False)
class _Look:
    """What the net said of the picture in one size."""

    level: Level
    shrunk: Picture
    maps: Array
    votes: Votes


def _clusters(look: _Look) -> list[Cluster]:
    free, (narrowest, widest) = free_cells(look.maps), look.level.widths
    return [
        one.in_picture(look.level.pixel, bare_part(one.corners, free))
        for one in clusters_of(look.votes)
        if narrowest <= one.width <= widest and is_card_shaped(one)
    ]


def _found(picture: Picture, kept: Sequence[tuple[Cluster, float]]) -> list[FoundCard]:
    voted = np.array([one.corners for one, _ in kept]).reshape(-1, 4, 2)
    reach = np.array([max(_LEAST_REACH, _REACH * one.width) for one, _ in kept])
    spread = np.array([one.spread for one, _ in kept]).reshape(-1, 4)
    worth = np.array([chance for _, chance in kept])
    own = refined(picture, voted, reach)
    quads = alike(picture, own, voted, spread, worth)
    return [
        FoundCard(short_side_first(quad), chance, one.visible, cv2.contourArea(before.astype(np.float32)))
        for quad, before, (one, chance) in zip(quads, own, kept, strict=True)
    ]
