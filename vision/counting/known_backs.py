"""The backs of a deck as points of colour, to be laid upon a sheet and compared with what lies there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDesign
from vision.counting.flat_sheet import WIDTH, FlatSheet, at, placed
from vision.reading.answers import CROP_HEIGHT, CROP_WIDTH, MARGIN_X, MARGIN_Y

Array: TypeAlias = NDArray[Any]

_SPACING, _RIM = 3.0, 3.0
_SOFT: Final = 0.6
# Off by so many grey levels, by this part of its own, and by a shift of so many pixels: that says nothing.
_GREY, _PART, _SHIFT = 9.0, 0.12, 0.9
_WORST: Final = -1.5
_DIMMER, _BRIGHTER = 0.45, 2.2
# Glare adds grey to a card, or added it to its enrolled picture: how unlikely, and how much at most.
_HAZE, _HAZE_RANGE, _HAZE_COSTS = (0.02, 0.05, 0.05), (-120.0, 80.0), 0.001
_WHITE: Final = 250.0
_LEAST_LIGHT, _MOST_LIGHT = 0.05, 4.0


@dataclass(frozen=True, eq=False)
class Fit:
    """How well each way of laying each back fits (1 at best, 0 says nothing), in which light (ways × 3)."""

    fits: Array
    light: Array
    points: int

    @property
    def way(self) -> int:
        return int(self.fits.argmax())

    @property
    def best(self) -> float:
        return float(self.fits.max())

    @property
    def brightness(self) -> float:
        return float(self.light[self.way].mean())


class KnownBacks:
    """Way 2k is back k as enrolled, way 2k + 1 the same turned around."""

    def __init__(self, backs: Sequence[EnrolledDesign], height: float) -> None:
        self.names = [back.name for back in backs]
        across = np.linspace(-WIDTH / 2 + _RIM, WIDTH / 2 - _RIM, round((WIDTH - 2 * _RIM) / _SPACING))
        down = np.linspace(-height / 2 + _RIM, height / 2 - _RIM, round((height - 2 * _RIM) / _SPACING))
        self.points = np.stack(np.meshgrid(across, down), axis=-1).reshape(-1, 2)
        inner = np.array([(CROP_WIDTH - 2 * MARGIN_X) / WIDTH, (CROP_HEIGHT - 2 * MARGIN_Y) / height])
        where = (self.points + np.array([WIDTH, height]) / 2) * inner + (MARGIN_X - 0.5, MARGIN_Y - 0.5)
        shown = [way for back in backs for way in (back.thumbnail, back.thumbnail[::-1, ::-1])]
        soft = [
            cv2.GaussianBlur(np.ascontiguousarray(way), (0, 0), _SOFT).astype(np.float32) for way in shown
        ]
        self._colours = np.stack([at(way, where[None])[0] for way in soft])
        self._steepness = np.stack([at(_steepness(way, inner), where[None])[0] for way in soft])
        where_on = self.points / (WIDTH / 2, height / 2)
        self._spots = np.c_[np.ones(len(self.points)), where_on]
        self.cast = np.ones(3)

    def fit(self, sheet: FlatSheet, pose: Array, shown: Array, brightness: float | None = None) -> Fit:
        """The backs beside what lies at a pose, where `shown` says which points are not covered."""
        where = placed(pose, self.points)
        seen = at(sheet.picture, where)[0][shown]
        bare = float(at(sheet.bare, where)[0][shown].mean()) if shown.any() else 1.0
        known, steep = self._colours[:, shown], self._steepness[:, shown]
        light, haze = self._light(known, seen, self._spots[shown], brightness)
        lit = np.minimum(known * light[:, None] + haze[..., None], _WHITE)
        off = np.abs(np.minimum(seen, _WHITE) - lit).mean(axis=2)
        level = light.mean(axis=1)[:, None]
        allowed = _GREY + level * (_PART * known.mean(axis=2) + _SHIFT * steep)
        fits = (
            np.clip(1 - off / allowed, _WORST, 1).mean(axis=1)
            + _WORST * bare
            - _HAZE_COSTS * np.abs(haze).mean(axis=1)
        )
        return Fit(fits, light, int(shown.sum()))

    def sums(self, sheet: FlatSheet, poses: Array, way: int, shown: Array, every: int = 2) -> Array:
        """How well one way fits at several poses (N), in points, where only some of them are looked at."""
        some = np.flatnonzero(shown)[::every]
        seen = at(sheet.picture, placed(poses, self.points[some]))
        known = self._colours[way, some] * self.cast
        level, haze = _lit(known[None], seen, self._spots[some])
        lit = np.minimum(known * level[:, None, None] + haze[..., None], _WHITE)
        off = np.abs(np.minimum(seen, _WHITE) - lit).mean(axis=2)
        allowed = _GREY + level[:, None] * (
            _PART * self._colours[way, some].mean(axis=1) + _SHIFT * self._steepness[way, some]
        )
        return np.asarray(np.clip(1 - off / allowed, _WORST, 1).sum(axis=1) * every)

    def _light(
        self, known: Array, seen: Array, spots: Array, brightness: float | None
    ) -> tuple[Array, Array]:
        """In which light and glare each way would look most like what is seen.

        Of the table's cast if a brightness is given, and about as bright as that if it is not zero.
        """
        if brightness is None:
            each = [_lit(known[..., k : k + 1], seen[None, :, k : k + 1], spots) for k in range(3)]
            light, haze = np.stack([gain for gain, _ in each], axis=1), np.mean([b for _, b in each], axis=0)
        else:
            level, haze = _lit(known * self.cast, seen[None], spots)
            if brightness > 0:
                level = np.clip(level, _DIMMER * brightness, _BRIGHTER * brightness)
            light = level[:, None] * self.cast
        return np.asarray(np.clip(light, _LEAST_LIGHT, _MOST_LIGHT)), haze


def _lit(known: Array, seen: Array, spots: Array) -> tuple[Array, Array]:
    """The brightness, and the grey of a glare that grows one way, for known colours to look like seen ones.

    Known and seen are N×M×channels, `spots` (M×3) a one and where on the card each point is.
    """
    channels = known.shape[2]
    sums, whole = known.sum(axis=2), seen.sum(axis=2)
    matrix = np.zeros((len(known), 4, 4))
    matrix[:, 0, 0] = np.maximum((known * known).sum(axis=(1, 2)), 1.0)
    matrix[:, 0, 1:] = matrix[:, 1:, 0] = sums @ spots
    matrix[:, 1:, 1:] = channels * (spots.T @ spots + np.diag(_HAZE) * len(spots))
    both = np.einsum("nmc,nmc->n", *np.broadcast_arrays(known, seen))
    right = np.concatenate([both[:, None], np.broadcast_to(whole @ spots, (len(both), 3))], axis=1)
    solved = np.linalg.solve(np.broadcast_to(matrix, (len(both), 4, 4)), right[..., None])[..., 0]
    return solved[:, 0], np.clip(solved[:, 1:] @ spots.T, *_HAZE_RANGE)


def _steepness(crop: Array, inner: Array) -> NDArray[np.float32]:
    """By how many grey levels a crop changes within a pixel of the sheet."""
    across, down = (cv2.Sobel(crop, cv2.CV_32F, *axis) / 8 for axis in ((1, 0), (0, 1)))
    return np.asarray(
        np.abs(across).mean(axis=2) * inner[0] + np.abs(down).mean(axis=2) * inner[1], np.float32
    )
