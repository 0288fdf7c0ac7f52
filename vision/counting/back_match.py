"""Whose back a card shows when only a strip of it can be seen.

A strip says little to a net that learnt whole cards, and what covers the rest says the wrong thing. So the
enrolled backs are hidden in the same way and looked at by the same net; and their pixels are compared.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Protocol, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck, Look
from vision.reading.answers import CROP_HEIGHT, CROP_WIDTH
from vision.reading.softmax import softmax

Array: TypeAlias = NDArray[Any]

_HIDDEN: Final = 114  # the grey that stands for what cannot be seen
_LIGHTS: Final = ((1.0, 1.0, 1.0), (0.65, 0.85, 1.05), (0.6, 0.6, 0.6))  # gains of blue, green and red
_FEWEST_PIXELS: Final = 60
# How likeness to the net and nearness of pixels weigh, and how much less both say where even the best back
# fits badly, as under an outline that is off; fitted on validation decks with outlines off by 1 to 10%.
_LIKENESS, _NEARNESS = 85.0, 14.0
_GOOD_FIT, _MISFIT = -0.2, 2.6
_OTHER_LIGHT: Final = 1.3
_LIGHTS_APART: Final = (0.6, 1.6)
_LEAST_CONTRAST, _CONTRAST = 10.0, 60.0


class Looker(Protocol):
    def look(self, crops: NDArray[np.uint8], light: NDArray[np.float32]) -> Look: ...


@dataclass(frozen=True, eq=False)
class Match:
    """For n cards: the chance of each back (n × backs), and how well the likeliest one fits (n each)."""

    shares: NDArray[np.float64]
    likeness: NDArray[np.float64]
    nearness: NDArray[np.float64]


class BackMatcher:
    """The backs of a deck, to be compared with parts of cards of one picture."""

    def __init__(self, deck: EnrolledDeck, reader: Looker) -> None:
        self.names = [design.name for design in deck.backs]
        upright = [design.thumbnail for design in deck.backs]
        self._ways = np.stack([way for back in upright for way in (back, back[::-1, ::-1])])
        self._soft = np.stack([_soft(way) for way in self._ways])
        self._lit = np.concatenate(
            [np.clip(self._ways * np.array(gains), 0, 255).astype(np.uint8) for gains in _LIGHTS]
        )
        self._reader = reader

    def match(self, crops: Array, masks: Array, light: NDArray[np.float32]) -> Match:
        """Backs for crops (n × height × width × 3) of which the masks show the seen part."""
        masks = np.stack([_inner(mask) for mask in masks])
        enough = masks.sum(axis=(1, 2)) >= _FEWEST_PIXELS
        count = len(crops)
        shares = np.full((count, len(self.names)), 1 / len(self.names))
        likeness, nearness = np.zeros(count), np.full(count, -1.0)
        if enough.any():
            alike, near = self._fits(crops[enough], masks[enough], light)
            score = _LIKENESS * alike + _NEARNESS * near
            rows, best = np.arange(len(score)), score.argmax(axis=1)
            likeness[enough], nearness[enough] = alike[rows, best], near[rows, best]
            misfit = np.maximum(0.0, _GOOD_FIT - near[rows, best])
            shares[enough] = softmax(score / (1 + _MISFIT * misfit)[:, None])
        return Match(shares, likeness, nearness)

    def _fits(self, crops: Array, masks: Array, light: NDArray[np.float32]) -> tuple[Array, Array]:
        likeness = np.stack([self._likeness(*seen, light) for seen in zip(crops, masks, strict=True)])
        soft = np.stack([_soft(crop) for crop in crops])
        gains = [self._gains(*seen) for seen in zip(soft, masks, strict=True)]
        first = np.stack([self._nearness(*seen, None) for seen in zip(soft, masks, gains, strict=True)])
        best = (_LIKENESS * likeness + _NEARNESS * first).argmax(axis=1)
        # All cards of a picture lie in about the same light: what most of them say holds for the others.
        cast = np.median([_cast(own[2 * back]) for own, back in zip(gains, best, strict=True)], axis=0)
        nearness = np.stack([self._nearness(*seen, cast) for seen in zip(soft, masks, gains, strict=True)])
        return likeness, nearness

    def _likeness(self, crop: Array, mask: Array, light: NDArray[np.float32]) -> Array:
        """Cosine of the net's view of the card and of each back, both with the same part hidden."""
        shown = np.concatenate([crop[None], self._lit])
        shown[:, ~mask] = _HIDDEN
        seen = self._reader.look(shown, np.tile(light, (len(shown), 1))).embedding
        alike = (seen[1:] @ seen[0]).reshape(len(_LIGHTS), len(self.names), 2)
        return np.asarray(alike.max(axis=(0, 2)), np.float64)

    def _gains(self, crop: Array, mask: Array) -> Array:
        """By how much each way of each back would have to be lit to look like the card."""
        seen, known = crop[mask], self._soft[:, mask]
        return np.asarray((known * seen).sum(axis=1) / np.maximum((known * known).sum(axis=1), 1.0))

    def _nearness(self, crop: Array, mask: Array, gains: Array, cast: Array | None) -> Array:
        """Minus the difference of pixels that no light explains."""
        level = np.maximum(gains.mean(axis=1, keepdims=True), 1e-3)
        lit = np.clip(gains / level, *_LIGHTS_APART) * level
        off = np.abs(crop[mask] - self._soft[:, mask] * lit[:, None]).mean(axis=(1, 2))
        far = off / np.maximum(_LEAST_CONTRAST, level[:, 0] * _CONTRAST)
        if cast is not None:
            far = far + _OTHER_LIGHT * np.abs(np.log(np.maximum(gains / level, 1e-3)) - cast).mean(axis=1)
        return np.asarray(-far.reshape(-1, 2).min(axis=1))


def _soft(crop: Array) -> NDArray[np.float32]:
    return np.asarray(cv2.GaussianBlur(crop, (0, 0), 1.0), np.float32)


def _cast(gains: Array) -> Array:
    """The colour of a light, whatever its strength."""
    return np.log(np.maximum(gains / max(float(gains.mean()), 1e-3), 1e-3))


def _inner(mask: Array) -> NDArray[np.bool_]:
    """Without the rim, where neighbours and the table shine in."""
    assert mask.shape == (CROP_HEIGHT, CROP_WIDTH)
    return np.asarray(cv2.erode(mask.astype(np.uint8), np.ones((3, 3), np.uint8)) > 0)
