"""Photos of cards laid apart from each other, as for enrolment: all are whole, and all of one size.

The finder may take a printed band for a card's edge, or a thread of the cloth. Where cards lie apart, each is
an island in what its net takes for cards, and what most islands agree on, plane and size, holds for all.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.card_finder import CardFinder, FoundCard
from vision.counting.flat_sheet import at, placed
from vision.counting.table_plane import moved_by, plane_of, rigid_misfit
from vision.finding.at_scale import said_at
from vision.finding.maps import BORDER, CARD
from vision.finding.refinement import refined
from vision.finding.second_look import short_side_first
from vision.finding.selection import overlap
from vision.frame import Picture
from vision.onnx_model import OnnxModel
from vision.table_reader import SeenCard, TableReader

Array: TypeAlias = NDArray[Any]

FEWEST: Final = 2  # cards that can agree on anything
_SURE: Final = 0.99
_LEAST_COVERED: Final = 0.85  # of all that the net takes for cards
_USUAL_ASPECT: Final = 0.65
_AGREE: Final = 0.85
_LIKELY: Final = 0.3
_CARD: Final = 0.5
_BESIDES: Final = 0.1
_REACH: Final = 0.025  # card widths that an edge of the picture may lie beside that of the net's maps
_REACHES: Final = (0.1, 0.05, 0.025, 0.0125)
_AS_GOOD: Final = 0.7
_APART: Final = 0.85
_UNIT: Final = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)]) / 2
_SEEN_AT: Final = (56.0, 80.0, 110.0)  # pixels of a card's width in the net's picture
_LARGEST: Final = 2200
_CUTS: Final = (0.3, 0.5, 0.7, 0.85, 0.95)
_RECTANGULAR: Final = 0.86
_ONE_SIZE: Final = 0.22  # in logarithms of the area
_LEAST_ISLANDS: Final = 0.6  # of all that the net takes for cards
_SMALLEST: Final = 100.0
_SHEET: Final = 64.0  # pixels of a card's width on the flat sheet
_ROUND: Final = 0.1  # of a side, at both ends, has no straight edge
_BESIDE: Final = 0.035  # card widths from the edge to where the map must have changed
_BORDER_SAYS: Final = 0.5


@dataclass(frozen=True, eq=False)
class _Sheet:
    """Chance of card and of border, laid flat, and about how large a card is there."""

    card: Array
    border: Array
    to_sheet: Array
    size: Array


def congruent(picture: Picture, net: OnnxModel, found: Sequence[FoundCard]) -> list[NDArray[np.float32]]:
    """Outlines of all cards, from a short side each; none where they do not lie apart.

    What the finder `found` tells about how large the cards are, and where one may lie that is no island.
    """
    outlines = [card.corners for card in found]
    if len(found) < FEWEST:
        return []
    usual = float(np.median([np.sqrt(_area(quad) * _USUAL_ASPECT) for quad in outlines]))
    maps = np.mean([_said(picture, net, wide / usual) for wide in _SEEN_AT], axis=0)
    islands = _islands(maps[..., 0])
    if len(islands) < FEWEST:
        return []
    cards = [_nearest(island, outlines) for island in islands]
    for others in ([], outlines):
        sheet = _laid_flat(picture, maps, cards)
        fitted = _fitted(sheet, cards, others)
        width = np.array([np.linalg.norm(quad[1] - quad[0]) for quad in fitted])
        cards = [short_side_first(quad) for quad in refined(picture, np.stack(fitted), _REACH * width)]
    cards += _left_over(cards, [card.corners for card in found if card.score >= _LIKELY])
    return cards if _covered(maps[..., 0], cards) >= _LEAST_COVERED else []


def _left_over(cards: Sequence[Array], likely: Sequence[NDArray[np.float32]]) -> list[NDArray[np.float32]]:
    """What the finder sees beside the cards, and is about as large."""
    usual = float(np.median([_area(quad) for quad in cards]))
    return [
        quad
        for quad in likely
        if abs(np.log(_area(quad) / usual)) < _ONE_SIZE
        and all(overlap(quad, card) < _BESIDES for card in cards)
    ]


def _covered(card: Array, cards: Sequence[Array]) -> float:
    """How much of what the net takes for cards the outlines hold."""
    seen = (card > _CARD).astype(np.uint8)
    within = np.zeros_like(seen)
    cv2.fillPoly(within, [np.rint(quad).astype(np.int32) for quad in cards], 1)
    return float((seen & within).sum() / max(1, seen.sum()))


def read_apart(picture: Picture, finder: CardFinder, table: TableReader) -> list[SeenCard]:
    """All cards of a photo on which they lie apart, read; of any other photo, as usual."""
    found = finder.find(picture)
    outlines = congruent(picture, finder.net, found)
    return table.read_found(picture, [FoundCard(quad, _SURE, 1.0) for quad in outlines] or found)


def _nearest(island: Array, found: Sequence[Array]) -> Array:
    """The finder's outline of an island, which is the finer one, where both agree."""
    best = max(found, key=lambda quad: overlap(island, quad))
    return short_side_first(best) if overlap(island, best) >= _AGREE else island


def _said(picture: Picture, net: OnnxModel, scale: float) -> Array:
    """Chance of card and border at every pixel (H×W×2)."""
    said, to_picture = said_at(picture, net, scale, _LARGEST, (CARD, BORDER))
    tall, wide = picture.shape[:2]
    return np.asarray(cv2.warpAffine(1 / (1 + np.exp(-said)), to_picture[:2], (wide, tall)))


def _islands(card: Array) -> list[Array]:
    """Corners of what lies apart and is of one size, at the cut at which that is most of all cards."""
    best, covered = list[Array](), _LEAST_ISLANDS * float((card > _CARD).sum())
    for cut in _CUTS:
        land = (card > cut).astype(np.uint8)
        outlines, _ = cv2.findContours(land, cv2.RETR_EXTERNAL, cv2.CHAIN_APPROX_NONE)
        large = [one for one in outlines if cv2.contourArea(one) > _SMALLEST]
        if not large:
            continue
        areas = np.array([cv2.contourArea(one) for one in large])
        boxes = [cv2.boxPoints(cv2.minAreaRect(one)) for one in large]
        full = areas / np.maximum(1.0, [_area(box) for box in boxes])
        alike = np.abs(np.log(areas[:, None] / areas)) < _ONE_SIZE
        alike &= full > _RECTANGULAR
        kept = alike[int((alike @ areas).argmax())]
        if areas[kept].sum() > covered:
            covered = float(areas[kept].sum())
            best = [short_side_first(boxes[k]) for k in np.flatnonzero(kept)]
    return best


def _laid_flat(picture: Picture, maps: Array, cards: Sequence[Array]) -> _Sheet:
    tall, wide = picture.shape[:2]
    ratios = [np.linalg.norm(q[1] - q[0]) / np.linalg.norm(q[2] - q[1]) for q in cards]
    aspect = float(np.median(ratios))
    plane = plane_of(cards, np.ones(len(cards)), aspect, (wide, tall))
    scale = _SHEET / aspect / plane.height
    corners = moved_by(plane.matrix, np.stack(cards)).reshape(-1, 2) * scale
    low, high = corners.min(axis=0) - 3 * _SHEET, corners.max(axis=0) + 3 * _SHEET
    matrix = np.array([[scale, 0, -low[0]], [0, scale, -low[1]], [0, 0, 1]]) @ plane.matrix
    across, down = (int(length) for length in np.ceil(high - low))
    card, border = cv2.split(cv2.warpPerspective(np.ascontiguousarray(maps), matrix, (across, down)))
    return _Sheet(card, border, matrix, np.array([_SHEET, _SHEET / aspect]))


def _fitted(sheet: _Sheet, cards: Sequence[Array], others: Sequence[Array]) -> list[Array]:
    """The cards, all of one size, where the net sees card within and none without; and others like them."""
    size, poses = sheet.size, _poses(sheet, cards)
    for reach in _REACHES:
        size = _best_size(sheet, poses, size, reach)
        poses = np.stack([_best_pose(sheet, pose, size, reach) for pose in poses])
    poses = np.concatenate([poses, _more(sheet, poses, size, others)])
    back = np.linalg.inv(sheet.to_sheet)
    return [moved_by(back, placed(pose[None], _UNIT * size)[0]) for pose in poses]


def _more(sheet: _Sheet, poses: Array, size: Array, others: Sequence[Array]) -> Array:
    """Where the finder sees cards that touch others, so that they are no islands."""
    enough = _AS_GOOD * float(np.median(_worth(sheet, poses, size)))
    kept = [*poses]
    tried = _poses(sheet, others) if len(others) else np.zeros((0, 3))
    for reach in _REACHES:
        tried = np.array([_best_pose(sheet, pose, size, reach) for pose in tried]).reshape(-1, 3)
    worth = _worth(sheet, tried, size) if len(tried) else np.zeros(0)
    for i in np.argsort(-worth):
        apart = [np.hypot(*(tried[i, :2] - pose[:2])) for pose in kept]
        if worth[i] >= enough and min(apart) > _APART * size[0]:
            kept.append(tried[i])
    return np.array(kept[len(poses) :]).reshape(-1, 3)


def _poses(sheet: _Sheet, cards: Sequence[Array]) -> Array:
    flat = moved_by(sheet.to_sheet, np.stack(cards))
    _, middle, angle = rigid_misfit(flat, sheet.size[0] / sheet.size[1], sheet.size[1])
    return np.stack([middle.real, middle.imag, angle], axis=1)


def _best_size(sheet: _Sheet, poses: Array, size: Array, reach: float) -> Array:
    steps = np.linspace(-2 * reach, 2 * reach, 9)
    tried = [size * (1 + a, 1 + b) for a in steps for b in steps]
    return np.asarray(tried[int(np.argmax([float(_worth(sheet, poses, one).sum()) for one in tried]))])


_GRID: Final = np.stack(np.meshgrid(*[np.linspace(-1, 1, 5)] * 3, indexing="ij"), axis=-1).reshape(-1, 3)


def _best_pose(sheet: _Sheet, pose: Array, size: Array, reach: float) -> Array:
    tried = pose + _GRID * (reach * size[0], reach * size[0], reach)
    return np.asarray(tried[int(_worth(sheet, tried, size).argmax())])


def _worth(sheet: _Sheet, poses: Array, size: Array) -> Array:
    """What speaks for a card of this size in each pose: card within, none beyond, borders on its edges."""
    beside = _BESIDE * size[0]
    within, beyond, on = (_rim(size, away) for away in (-beside, beside, 0.0))
    inside, outside = (at(sheet.card, placed(poses, points)) for points in (within, beyond))
    edges = at(sheet.border, placed(poses, on)).mean(axis=1)
    return np.asarray((inside - outside).mean(axis=1) + _BORDER_SAYS * edges)


def _rim(size: Array, away: float) -> Array:
    """Points along the four sides, so far outside them."""
    along = np.linspace(_ROUND - 0.5, 0.5 - _ROUND, 24)
    flat = np.full_like(along, 0.5)
    wide, tall = size
    sides = (
        np.stack([flat * wide + away, along * tall], axis=1),
        np.stack([along * wide, flat * tall + away], axis=1),
        np.stack([-flat * wide - away, along * tall], axis=1),
        np.stack([along * wide, -flat * tall - away], axis=1),
    )
    return np.concatenate(sides)


def _area(quad: Array) -> float:
    return abs(float(cv2.contourArea(np.asarray(quad, np.float32))))
