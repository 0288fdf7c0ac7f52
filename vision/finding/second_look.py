"""A second look at whatever may be a card: is it one, and where are its corners?

Each candidate is cut out upright with some of its surroundings, from the picture and from the net's maps, and
a small net judges it. The votes of neighbours say what no crop alone can: which of its pixels are its own.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finding.clusters import Cluster
from vision.finding.maps import STRIDE, Array
from vision.finding.sheets import Sheet
from vision.frame import Picture
from vision.onnx_model import OnnxModel

WIDTH, HEIGHT, CHANNELS = 56, 80, 7
# Surroundings on every side, in sizes of the card.
MARGIN = 0.25
_UNIT = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
_INSIDE = ((_UNIT + MARGIN) / (1 + 2 * MARGIN) * (WIDTH, HEIGHT) - 0.5).astype(np.float32)
_CARD_HEIGHT = HEIGHT / (1 + 2 * MARGIN)
_BEYOND = (114, 114, 114)


# Candidates that the first score gives less are not looked at, nor more than so many.
LEAST_FIRST_SCORE, _MOST = 0.02, 96
_FARTHEST = 0.6


class SecondLook:
    """The net, with what makes its odds honest."""

    def __init__(self, model: OnnxModel) -> None:
        self._model = model
        self._constant, self._factor = model.about["honest"]

    def judged(
        self,
        picture: Picture,
        clusters: Sequence[Cluster],
        sheets: Sequence[Sheet],
        rows: Array,
        chances: Array,
    ) -> tuple[list[Cluster], Array]:
        """The candidates worth a look, their corners moved, and the chance that each is a card.

        `rows` are the features and `chances` the first scores of all of them.
        """
        worth = np.argsort(-chances, kind="stable")[:_MOST]
        worth = worth[chances[worth] >= LEAST_FIRST_SCORE]
        if not len(worth):
            return [], chances[:0]
        kept = [clusters[int(i)] for i in worth]
        (said,) = self._model(views(picture, kept, sheets), rows[worth].astype(np.float32))
        odds = self._constant + self._factor * said[:, 0].astype(np.float64)
        shifts = np.clip(said[:, 1:].reshape(-1, 4, 2), -_FARTHEST, _FARTHEST)
        better = [
            replace(one, corners=moved(one.corners, shift).astype(np.float64))
            for one, shift in zip(kept, shifts, strict=True)
        ]
        return better, 1 / (1 + np.exp(-odds))


def short_side_first(corners: Array) -> NDArray[np.float32]:
    """The same corners, clockwise, from one from which a short side runs."""
    sides = np.sqrt(((np.roll(corners, -1, axis=0) - corners) ** 2).sum(axis=1))
    turned = np.roll(corners, -1, axis=0) if sides[0] + sides[2] > sides[1] + sides[3] else corners
    return np.ascontiguousarray(turned, np.float32)


def views(picture: Picture, clusters: Sequence[Cluster], sheets: Sequence[Sheet]) -> NDArray[np.uint8]:
    """What the net sees (N×HEIGHT×WIDTH×CHANNELS): blue, green, red, card, border, above, own votes."""
    by_pixel = {sheet.pixel: sheet for sheet in sheets}
    made = np.zeros((len(clusters), HEIGHT, WIDTH, CHANNELS), np.uint8)
    for i, cluster in enumerate(clusters):
        corners = short_side_first(cluster.corners)
        sheet = by_pixel[cluster.pixel]
        small = ((corners + 0.5) / cluster.pixel - 0.5).astype(np.float32)
        tall = float(np.linalg.norm(corners[3] - corners[0]))
        # Small cards show more in the full picture; large ones would show jags there.
        made[i, ..., :3] = _cut(picture, corners) if tall < 2 * _CARD_HEIGHT else _cut(sheet.picture, small)
        made[i, ..., 3:] = _cut_maps(sheet, cluster, small)
    return made


def _cut(picture: Picture, corners: NDArray[np.float32]) -> NDArray[np.uint8]:
    matrix = cv2.getPerspectiveTransform(corners, _INSIDE)
    return np.asarray(
        cv2.warpPerspective(
            picture, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_CONSTANT, borderValue=_BEYOND
        ),
        np.uint8,
    )


def _cut_maps(sheet: Sheet, cluster: Cluster, small: NDArray[np.float32]) -> NDArray[np.uint8]:
    places = (small - (STRIDE - 1) / 2) / STRIDE
    reach = (1 + 2 * MARGIN) * (places.max(axis=0) - places.min(axis=0)) / 2 + 2
    middle = (places.max(axis=0) + places.min(axis=0)) / 2
    low = np.maximum(np.floor(middle - reach).astype(int), 0)
    high = np.minimum(np.ceil(middle + reach).astype(int) + 1, sheet.said.shape[1::-1])
    if (high <= low).any():
        return np.zeros((HEIGHT, WIDTH, 4), np.uint8)  # it lies beyond the picture
    patch = np.zeros((high[1] - low[1], high[0] - low[0], 4), np.uint8)
    patch[..., :3] = sheet.said[low[1] : high[1], low[0] : high[0]]
    at = cluster.at - low
    inside = ((at >= 0) & (at < high - low)).all(axis=1)
    patch[at[inside, 1], at[inside, 0], 3] = np.rint(255 * cluster.weight[inside]).astype(np.uint8)
    matrix = cv2.getPerspectiveTransform((places - low).astype(np.float32), _INSIDE)
    return np.asarray(cv2.warpPerspective(patch, matrix, (WIDTH, HEIGHT)), np.uint8)


def moved(corners: Array, shifts: Array) -> NDArray[np.float32]:
    """Corners moved by shifts (4×2) that are told in the card's own width and height."""
    quad = short_side_first(corners)
    matrix = cv2.getPerspectiveTransform(_UNIT, quad)
    there = (_UNIT + np.asarray(shifts, np.float32))[None]
    return np.asarray(cv2.perspectiveTransform(there, matrix)[0], np.float32)


def shifts_to(corners: Array, truth: Array) -> NDArray[np.float32]:
    """The shifts that move the corners onto a true card, whichever way up it lies."""
    matrix = cv2.getPerspectiveTransform(short_side_first(corners), _UNIT)
    there = cv2.perspectiveTransform(np.asarray(truth, np.float32)[None], matrix)[0]
    turned = [np.roll(there, turn, axis=0) - _UNIT for turn in range(4)]
    return np.asarray(min(turned, key=lambda shifts: float(np.abs(shifts).sum())), np.float32)
