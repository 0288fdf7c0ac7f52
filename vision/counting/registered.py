"""Whole cards laid exactly upon their backs: an outline is moved until the lines of an enrolled back meet it.

A finder's outline may be off by a tenth of a card, most of all where a dark rim lies on a dark table. What is
printed says to a pixel how large a card is and how it lies, and hardly ever meets what is no whole card.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDesign
from vision.counting.relief import lines_of
from vision.finding.selection import overlap
from vision.frame import Picture
from vision.reading.answers import CROP_HEIGHT, CROP_WIDTH, MARGIN_X, MARGIN_Y
from vision.reading.crops import INSIDE, cut_out

Array: TypeAlias = NDArray[Any]
Quad: TypeAlias = NDArray[np.float32]

# Correlations of the lines of what may be a whole card, of what is one, and of one at its best: a strip
# beside others of the same back reaches 0.6, and more than 0.8 where its pattern goes on.
LEAST, PLAIN, _BEST = 0.8, 0.9, 0.98
_SOFT: Final = (2.5, 0.8)  # blurs, in pixels of a crop: from afar first
_HOPELESS: Final = 0.6  # lines that are less alike from afar are never what they should be from near
_FAINT: Final = 0.75
_RIM: Final = 3  # pixels within a card that its neighbours shine into
_SHIFTS: Final = tuple((down, across) for down in (-4, 0, 4) for across in (-4, 0, 4))
_MOST_WAYS: Final = 2
SIZES: Final = (1.0, 0.94, 1.07)
_LARGER: Final = (1.25, 1.5)
_ENOUGH: Final = (cv2.TERM_CRITERIA_EPS | cv2.TERM_CRITERIA_COUNT, 40, 1e-4)
_FAR: Final = 0.25  # of a card's height that a corner may be moved
_STRETCHED, _SKEW = 0.16, 0.12  # logarithms of ratios of the sides, by that of a card, and of the diagonals
_SAME, _KNOWN = 0.4, 0.8  # overlap of two outlines of which one is no card, and of the same card


@dataclass(frozen=True, eq=False)
class Registered:
    """Corners of a whole card in the picture, and how well its lines meet those of its back (1 at best)."""

    quad: Quad
    likeness: float

    @property
    def clarity(self) -> float:
        """How much it says of the plane, at most 1."""
        return min(1.0, (self.likeness - _FAINT) / (_BEST - _FAINT)) ** 2


class Registrar:
    """Knows the lines of the backs of a deck, both ways up, and lays them upon outlines in one picture."""

    def __init__(self, picture: Picture, backs: Sequence[EnrolledDesign], aspect: float) -> None:
        self._picture, self._aspect = picture, aspect
        shown = [way for back in backs for way in (back.thumbnail, back.thumbnail[::-1, ::-1])]
        self._known = {soft: [_lines(way, soft) for way in shown] for soft in _SOFT}
        self._inner = np.zeros((CROP_HEIGHT, CROP_WIDTH), bool)
        self._inner[MARGIN_Y + _RIM : -MARGIN_Y - _RIM, MARGIN_X + _RIM : -MARGIN_X - _RIM] = True
        self._mask = np.where(self._inner, np.uint8(255), np.uint8(0))
        self._plain = np.stack([_even(way[self._inner]) for way in self._known[_SOFT[0]]])

    def registered(
        self, quads: Sequence[Array], known: Sequence[Registered] = (), sizes: Sequence[float] = SIZES
    ) -> list[Registered]:
        """The whole cards near some outlines, each once: the known ones, then the clearest.

        `sizes` are those an outline may be of, as parts of the true one.
        """
        kept = list(known)
        open_ = [quad for quad in quads if not _among(quad, kept, _KNOWN)]
        cards = [card for quad in open_ if (card := self._laid_upon(quad, sizes)) is not None]
        for card in sorted(cards, key=lambda card: -card.likeness):
            if not _among(card.quad, kept, _SAME):
                kept.append(card)
        return kept

    def _laid_upon(self, quad: Array, sizes: Sequence[float]) -> Registered | None:
        crop = cut_out(self._picture, np.asarray(quad, np.float32))
        seen = {soft: _lines(crop, soft) for soft in _SOFT}
        shifted = np.stack([_even(np.roll(seen[_SOFT[0]], by, (0, 1))[self._inner]) for by in _SHIFTS])
        likely = np.argsort(-(self._plain @ shifted.T).max(axis=1))[:_MOST_WAYS]
        onto = cv2.getPerspectiveTransform(INSIDE, np.ascontiguousarray(quad, np.float32))
        best: Registered | None = None
        for size in sizes:
            for way in likely.tolist():
                likeness, matrix = self._met(way, seen, size)
                moved = (INSIDE @ matrix[:, :2].T + matrix[:, 2]).astype(np.float32)
                if likeness < (LEAST if best is None else best.likeness):
                    continue
                there = cv2.perspectiveTransform(moved[None], onto)[0]
                if float(np.abs(moved - INSIDE).max()) <= _FAR * CROP_HEIGHT and self._is_card(there):
                    best = Registered(np.asarray(there, np.float32), likeness)
            if best is not None:
                break
        return best

    def _is_card(self, quad: Array) -> bool:
        """Whether an outline is that of a card seen a little aslant: patterns also meet when stretched."""
        sides = np.linalg.norm(np.roll(quad, -1, axis=0) - quad, axis=1)
        across = np.linalg.norm(quad[:2] - quad[2:], axis=1)
        stretched = (sides[0] + sides[2]) / max(1e-6, float(sides[1] + sides[3])) / self._aspect
        skew = across[0] / max(1e-6, float(across[1]))
        return bool(abs(np.log(stretched)) < _STRETCHED and abs(np.log(skew)) < _SKEW)

    def _met(self, way: int, seen: dict[float, Array], size: float) -> tuple[float, Array]:
        """How alike lines are where they meet best, and the matrix from the back's crop to the seen one."""
        middle = np.array([(CROP_WIDTH - 1) / 2, (CROP_HEIGHT - 1) / 2])
        matrix = np.c_[np.eye(2) * size, middle * (1 - size)].astype(np.float32)
        likeness = 0.0
        try:
            for soft in _SOFT:
                likeness, found = cv2.findTransformECC(
                    self._known[soft][way], seen[soft], matrix, cv2.MOTION_AFFINE, _ENOUGH, self._mask, 1
                )
                if likeness < _HOPELESS:
                    return 0.0, matrix
                matrix = np.asarray(found, np.float32)
        except cv2.error:  # where they meet nowhere it goes astray
            return 0.0, matrix
        return float(likeness), matrix


def larger(quads: Sequence[Array]) -> list[Array]:
    """Outlines around others: what is printed within a card may have been taken for one."""
    return [quad.mean(axis=0) + (quad - quad.mean(axis=0)) * by for by in _LARGER for quad in quads]


def _among(quad: Array, cards: Sequence[Registered], least: float) -> bool:
    return any(overlap(np.asarray(quad, np.float32), card.quad) >= least for card in cards)


def _lines(crop: Array, soft: float) -> Array:
    blurred = cv2.GaussianBlur(np.ascontiguousarray(crop, np.float32), (0, 0), soft)
    return np.ascontiguousarray(lines_of(blurred).mean(axis=2))


def _even(values: Array) -> Array:
    off = values - values.mean()
    return np.asarray(off / max(1e-6, float(np.linalg.norm(off))))
