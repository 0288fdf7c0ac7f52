"""All cards of a picture lie in about the same light: what it is for most of them, it is for the doubtful.

A back in another hue looks like its twin in light of another colour. One card alone cannot tell; beside cards
that are known, or that fit together in one light only, it can.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from vision.reading.softmax import softmax

Floats = NDArray[np.float64]

_WORTH_TRYING = 0.02  # the share from which on a design's light is tried for the others
_NEVER = 1e-12


@dataclass(frozen=True)
class SharedLight:
    """How much the light differs within a picture, and how far it is believed; fitted on validation renders.

    `strength` is how much less its strength is shared than its colour. `others` weighs each other card's word
    on the light, `own` what it says for a card, `stray` is the chance of a card in light of its own.
    """

    spread: float
    strength: float
    others: float
    own: float
    stray: float

    @classmethod
    def of(cls, about: Mapping[str, float]) -> SharedLight:
        return cls(about["spread"], about["strength"], about["others"], about["own"], about["stray"])

    def speaks_for(self, shares: Floats, lights: Floats) -> Floats:
        """n × designs: what the light of the other cards says for each design of each card.

        `lights` (n × designs × 3) are those in which each design would look like the card.
        """
        if len(shares) < 2:
            return np.zeros_like(shares)
        scaled = lights * np.array([self.strength, 1.0, 1.0]) / self.spread
        tried = scaled[shares > _WORTH_TRYING]
        off = ((scaled[:, :, None] - tried) ** 2).sum(axis=-1) / 2
        near = np.exp(-off) * (1 - self.stray) + self.stray  # n × designs × lights
        agrees = np.log((shares[:, :, None] * near).sum(axis=1) + _NEVER)  # n × lights
        by_others = softmax(self.others * (agrees.sum(axis=0) - agrees))
        return np.asarray(self.own * np.log((near * by_others[:, None]).sum(axis=-1) + _NEVER))
