"""What an afternoon gives instead of nets: contours, a text reader and the nearest hue; or SIFT and an album.

The text reader, rapidocr-onnxruntime, is not among the project's dependencies.
"""

from __future__ import annotations

import importlib
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from finito.errors import BadInput
from models.evaluation.finding_truth import overlap
from vision.frame import Picture
from vision.reading.crops import Quad, upright_quad

_CROP: Final = (200, 300)
_LEAST_AREA, _MOST_AREA = 0.002, 0.95  # of the picture
_SLENDER: Final = (1.15, 2.1)  # long side by short side
_SAME: Final = 0.5
_HUES: Final = {"R": 0, "Y": 26, "G": 56, "B": 108}  # of 180
_RATIO, _FEWEST_MATCHES = 0.75, 8
_MISSING = (
    "the baseline needs rapidocr-onnxruntime, which is not installed: `pip install --no-deps "
    "rapidocr-onnxruntime pyclipper shapely pyyaml six tqdm` (its other dependencies may bring a second "
    "OpenCV, and that breaks the first)."
)


@dataclass(frozen=True, eq=False)
class ContourCard:
    corners: NDArray[np.float32]


def contour_cards(picture: Picture) -> list[ContourCard]:
    """Closed edges that are nearly rectangles of a card's proportions, the largest of those that overlap."""
    grey = cv2.GaussianBlur(cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (5, 5), 0)
    edges = cv2.dilate(cv2.Canny(grey, 40, 120), np.ones((3, 3), np.uint8))
    contours, _ = cv2.findContours(edges, cv2.RETR_LIST, cv2.CHAIN_APPROX_SIMPLE)
    whole = float(picture.shape[0] * picture.shape[1])
    kept: list[ContourCard] = []
    for contour in sorted(contours, key=cv2.contourArea, reverse=True):
        if not _LEAST_AREA * whole < cv2.contourArea(contour) < _MOST_AREA * whole:
            continue
        quad = _rectangle(contour)
        if quad is not None and all(overlap(quad, other.corners) < _SAME for other in kept):
            kept.append(ContourCard(quad))
    return kept


def _rectangle(contour: NDArray[Any]) -> Quad | None:
    """Four corners, from the contour itself or from the rectangle it all but fills."""
    hull = cv2.convexHull(contour)
    few = cv2.approxPolyDP(hull, 0.03 * cv2.arcLength(hull, True), True)
    box = cv2.minAreaRect(contour)
    if len(few) == 4:
        quad = few.reshape(4, 2)
    elif cv2.contourArea(hull) > 0.85 * box[1][0] * box[1][1]:
        quad = cv2.boxPoints(box)
    else:
        return None
    corners = upright_quad(quad.astype(np.float32))
    sides = np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1)
    slender = (sides[1] + sides[3]) / max(1e-6, sides[0] + sides[2])
    return corners if _SLENDER[0] < slender < _SLENDER[1] else None


def crop_of(picture: Picture, quad: Quad) -> Picture:
    wide, tall = _CROP
    onto = np.array([[0, 0], [wide, 0], [wide, tall], [0, tall]], np.float32)
    matrix = cv2.getPerspectiveTransform(upright_quad(quad), onto)
    return np.asarray(cv2.warpPerspective(picture, matrix, _CROP), np.uint8)


def nearest_hue(crop: Picture) -> str:
    """The colour initial whose hue is the nearest to that of the crop's colourful part, `?` without one."""
    hsv = cv2.cvtColor(crop, cv2.COLOR_BGR2HSV)
    colourful = hsv[(hsv[..., 1] > 90) & (hsv[..., 2] > 60)][:, 0]
    if len(colourful) < 0.05 * crop.shape[0] * crop.shape[1]:
        return "?"
    off = np.abs(colourful[:, None].astype(int) - np.array(list(_HUES.values())))
    nearest = np.minimum(off, 180 - off).argmin(axis=1)
    return list(_HUES)[int(np.bincount(nearest).argmax())]


class TextReader:
    """Reads crops with rapidocr-onnxruntime as it comes, on one thread."""

    def __init__(self) -> None:
        try:
            module = importlib.import_module("rapidocr_onnxruntime")
        except ImportError as error:
            raise BadInput(_MISSING) from error
        self._read: Callable[[Picture], Any] = module.RapidOCR(intra_op_num_threads=1, inter_op_num_threads=1)

    def read(self, picture: Picture, quad: Quad) -> str:
        crop = crop_of(picture, quad)
        found, _ = self._read(crop)
        votes: dict[str, float] = {}
        for _, text, sure in found or []:
            if len(text) == 1 and text in "0123456789":
                votes[text] = votes.get(text, 0.0) + float(sure)
        return nearest_hue(crop) + (max(votes, key=lambda text: votes[text]) if votes else "?")


@dataclass(frozen=True, eq=False)
class _Page:
    face: str
    points: NDArray[np.float32]
    descriptors: NDArray[np.float32]


class SiftAlbum:
    """An enrolled deck: a picture of each face. The nearest hue chooses the colour, SIFT the number."""

    def __init__(self, cards: Iterable[tuple[str, Picture, Quad]]) -> None:
        self._sift = cv2.SIFT.create()
        self._pages = [_Page(face, *self._features(crop_of(picture, quad))) for face, picture, quad in cards]

    @property
    def faces(self) -> set[str]:
        return {page.face for page in self._pages}

    def read(self, picture: Picture, quad: Quad) -> str:
        crop = crop_of(picture, quad)
        points, descriptors = self._features(crop)
        colour = nearest_hue(crop)
        scores = {
            page.face: _agreeing(page, points, descriptors)
            for page in self._pages
            if colour in ("?", page.face[0])
        }
        best = max(scores, key=lambda face: scores[face], default=None)
        return best if best and scores[best] >= _FEWEST_MATCHES else f"{colour}?"

    def _features(self, crop: Picture) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
        keys, descriptors = self._sift.detectAndCompute(cv2.cvtColor(crop, cv2.COLOR_BGR2GRAY), None)
        points = np.array([key.pt for key in keys], np.float32).reshape(-1, 2)
        return points, np.asarray(np.zeros((0, 128)) if descriptors is None else descriptors, np.float32)


def _agreeing(page: _Page, points: NDArray[np.float32], descriptors: NDArray[np.float32]) -> int:
    """How many features of a crop lie where the page says."""
    if min(len(page.points), len(points)) < 2:
        return 0
    pairs: Sequence[Any] = cv2.BFMatcher().knnMatch(descriptors, page.descriptors, k=2)
    good = [one for one, other in pairs if one.distance < _RATIO * other.distance]
    if len(good) < 4:
        return 0
    own = np.array([points[match.queryIdx] for match in good])
    theirs = np.array([page.points[match.trainIdx] for match in good])
    _, inliers = cv2.findHomography(own, theirs, cv2.RANSAC, 6.0)
    return 0 if inliers is None else int(inliers.sum())
