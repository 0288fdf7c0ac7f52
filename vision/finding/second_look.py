"""A second look at whatever may be a card: is it one, and where are its corners?

Each candidate is cut out upright with some of its surroundings, from the picture and from the net's maps, and
a small net judges it. The votes of neighbours say what no crop alone can: which of its pixels are its own.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.finding.clusters import Cluster
from vision.finding.maps import STRIDE, Array
from vision.finding.sheets import Sheet
from vision.finding.votes import side_lengths
from vision.frame import Picture
from vision.onnx_model import OnnxModel

WIDTH, HEIGHT, CHANNELS = 56, 80, 7
# Surroundings on every side, in sizes of the card.
MARGIN = 0.25
_UNIT = np.array([(0, 0), (1, 0), (1, 1), (0, 1)], np.float32)
_INSIDE = ((_UNIT + MARGIN) / (1 + 2 * MARGIN) * (WIDTH, HEIGHT) - 0.5).astype(np.float32)
_CARD_HEIGHT = HEIGHT / (1 + 2 * MARGIN)
_BEYOND = (114, 114, 114)
_IN_TURN = [channel for channel in range(CHANNELS) for _ in ("from", "to")]
_NEXT = np.array([1, 2, 3, 0])


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
            replace(
                one,
                corners=moved(one.corners, shift).astype(np.float64),
                spread=_like_corners(one.corners, one.spread),
            )
            for one, shift in zip(kept, shifts, strict=True)
        ]
        return better, 1 / (1 + np.exp(-odds))


def _like_corners(corners: Array, values: Array) -> Array:
    """One value for each corner, in the order in which a short side comes first."""
    first, other = side_lengths(corners)
    return values[_NEXT] if first > other else values


def short_side_first(corners: Array) -> NDArray[np.float32]:
    """The same corners, clockwise, from one from which a short side runs."""
    first, other = side_lengths(corners)
    return np.ascontiguousarray(corners[_NEXT] if first > other else corners, np.float32)


def views(picture: Picture, clusters: Sequence[Cluster], sheets: Sequence[Sheet]) -> NDArray[np.uint8]:
    """What the net sees (N×HEIGHT×WIDTH×CHANNELS): blue, green, red, card, border, above, own votes."""
    by_pixel = {sheet.pixel: sheet for sheet in sheets}
    made = np.zeros((len(clusters), HEIGHT, WIDTH, CHANNELS), np.uint8)
    for i, cluster in enumerate(clusters):
        corners = short_side_first(cluster.corners)
        sheet = by_pixel[cluster.pixel]
        small = ((corners + 0.5) / cluster.pixel - 0.5).astype(np.float32)
        tall = math.dist(corners[0].tolist(), corners[3].tolist())
        # Small cards show more in the full picture; large ones would show jags there.
        shown = _cut(picture, corners) if tall < 2 * _CARD_HEIGHT else _cut(sheet.picture, small)
        cv2.mixChannels([shown, _cut_maps(sheet, cluster, small)], [made[i]], _IN_TURN)
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
    (left, right), (top, below) = (
        _span(along, size) for along, size in zip(places.T.tolist(), sheet.said.shape[1::-1], strict=True)
    )
    if right <= left or below <= top:
        return np.zeros((HEIGHT, WIDTH, 4), np.uint8)  # it lies beyond the picture
    patch = np.zeros((below - top, right - left, 4), np.uint8)
    patch[..., :3] = sheet.said[top:below, left:right]
    x, y = cluster.at.T
    inside = (x >= left) & (x < right) & (y >= top) & (y < below)
    patch[y[inside] - top, x[inside] - left, 3] = np.rint(255 * cluster.weight[inside])
    matrix = cv2.getPerspectiveTransform((places - (left, top)).astype(np.float32), _INSIDE)
    return np.asarray(cv2.warpPerspective(patch, matrix, (WIDTH, HEIGHT)), np.uint8)


def _span(along: Sequence[float], size: int) -> tuple[int, int]:
    """From which cell to which a card with its surroundings lies, as far as the sheet goes."""
    low, high = min(along), max(along)
    reach, middle = (1 + 2 * MARGIN) * (high - low) / 2 + 2, (high + low) / 2
    return max(0, math.floor(middle - reach)), min(size, math.ceil(middle + reach) + 1)


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
