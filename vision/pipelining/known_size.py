"""Finds cards in a part of the picture, where their size is known: one run of the net."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.card_finder import FoundCard
from vision.finding.clusters import Cluster, bare_part, clusters_of
from vision.finding.maps import OCCLUDER, PADDED_TO, STRIDE
from vision.finding.refinement import refined
from vision.finding.second_look import SecondLook
from vision.finding.selection import chosen, features, is_card_shaped, scores
from vision.finding.sheets import Sheet, free_cells, sheet_of
from vision.finding.votes import votes_in
from vision.frame import Picture
from vision.onnx_model import OnnxModel, load
from vision.reading.crops import upright_quad

Array: TypeAlias = NDArray[Any]
Box: TypeAlias = tuple[int, int, int, int]

CARD_WIDTH: Final = 28.0  # pixels of the net's picture; wider was measured to be dearer and no better
_NARROWER, _WIDER = 0.6, 1.6
_REACH: Final = 0.2
_GREY: Final = (114, 114, 114)


@dataclass(frozen=True, eq=False)
class Part:
    """Cards in a box of the picture, in the picture's pixels, and the chance per net cell of an occluder.

    `cell` is how many pixels of the picture a cell is wide.
    """

    cards: list[FoundCard]
    occluders: NDArray[np.float32]
    cell: float


class KnownSizeFinder:
    """Finds cards about so many pixels wide."""

    def __init__(
        self,
        model: OnnxModel | None = None,
        least_score: float = 0.5,
        card_width: float = CARD_WIDTH,
        second: SecondLook | None = None,
    ) -> None:
        """The nets that ship, or another one."""
        self._model = model or load("finder")
        self._second = second or (SecondLook(load("second_look")) if model is None else None)
        self._weights = np.array(self._model.about["score_weights"])
        self._least_score = least_score
        self._card_width = card_width

    def look(self, picture: Picture, box: Box, width: float) -> Part:
        """Cards of that width in pixels within a box."""
        x0, y0, x1, y1 = box
        pixel = width / self._card_width
        crop = picture[y0:y1, x0:x1]
        size = (max(1, round((x1 - x0) / pixel)), max(1, round((y1 - y0) / pixel)))
        resized = cv2.resize(crop, size, interpolation=cv2.INTER_AREA if pixel > 1 else cv2.INTER_LINEAR)
        right, below = (-length % PADDED_TO for length in size)
        padded = cv2.copyMakeBorder(resized, 0, below, 0, right, cv2.BORDER_CONSTANT, value=_GREY)
        (maps,) = self._model(np.asarray(padded, np.uint8)[None])
        sheet = sheet_of(np.asarray(padded, np.uint8), pixel, maps[0])
        kept = self._chosen(crop, maps[0], sheet)
        corners = np.array([one.corners for one, _ in kept]).reshape(-1, 4, 2) + np.array([x0, y0])
        fitted = refined(picture, corners, np.full(len(kept), _REACH * width))
        cards = [
            FoundCard(upright_quad(quad), chance, one.visible)
            for quad, (one, chance) in zip(fitted, kept, strict=True)
        ]
        rows, columns = -(-size[1] // STRIDE), -(-size[0] // STRIDE)
        occluders = 1 / (1 + np.exp(-maps[0, OCCLUDER, :rows, :columns]))
        return Part(cards, occluders.astype(np.float32), STRIDE * pixel)

    def _chosen(self, crop: Picture, maps: Array, sheet: Sheet) -> list[tuple[Cluster, float]]:
        narrow, wide = _NARROWER * self._card_width, _WIDER * self._card_width
        free = free_cells(maps)
        clusters = [
            replace(one, bare=bare_part(one.corners, free)).in_picture(sheet.pixel)
            for one in clusters_of(votes_in(maps))
            if narrow <= one.width <= wide and is_card_shaped(one)
        ]
        if not clusters:
            return []
        rows = features(clusters)
        chances = scores(rows, self._weights)
        if self._second is not None:
            clusters, chances = self._second.judged(crop, clusters, [sheet], rows, chances)
        return chosen(clusters, chances, self._least_score)


def merged(boxes: Sequence[Box]) -> list[Box]:
    """Boxes that overlap become one."""
    apart: list[Box] = []
    for box in boxes:
        whole = box
        while touching := [one for one in apart if meet(one, whole)]:
            for one in touching:
                apart.remove(one)
                whole = (
                    min(one[0], whole[0]),
                    min(one[1], whole[1]),
                    max(one[2], whole[2]),
                    max(one[3], whole[3]),
                )
        apart.append(whole)
    return apart


def meet(a: Box, b: Box) -> bool:
    """Whether two boxes overlap."""
    return a[0] < b[2] and b[0] < a[2] and a[1] < b[3] and b[1] < a[3]
