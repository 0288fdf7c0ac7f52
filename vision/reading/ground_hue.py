"""Whether the ground of a card has the hue of the enrolled face that it is taken for.

Glare and dim light make a colour paler or darker, but do not turn it into its opposite: a pale blue card is
no red one, however like it looks to a net. What is asked is the hue of most of the card; white has none.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np
from numpy.typing import NDArray

from referee.cards import Face

Floats = NDArray[np.float64]

_RIM: Final = (12, 10)  # rows and columns that may be table, or a frame
_DARKEST: Final = 0.02  # of full light: darker pixels have no hue
_EVERY: Final = 2  # rows and columns: a hue needs no more
_FEWEST: Final = 50  # pixels
_LIGHT: Final = (np.arange(256) / 255) ** 2.2  # of the bytes of a picture
# How much of a hue a card must show, and a face must have, to be compared at all: pale print takes the hue of
# a warm lamp.
_SHOWN, _PRINTED = 0.12, 0.7
# The cosine of hues below which one speaks against the other, and from which on it fits.
_AGAINST, _FITS = 0.2, 0.6
# On 4,244 cards of ten films, of 27 readings that this speaks against three were right, all half hidden. What
# the other face gets is less than any answer needs: such a card stays unread.
_STILL_RIGHT: Final = 0.2
_NEVER: Final = 1e-12


def ground_hue(crop: NDArray[np.uint8]) -> Floats:
    """How much more blue, green and red than grey most of a card is; zeros where nothing can be told."""
    rows, columns = _RIM
    light = _LIGHT[crop[rows:-rows:_EVERY, columns:-columns:_EVERY].reshape(-1, 3)]
    mean = light.mean(axis=1)
    lit = mean > _DARKEST
    if int(lit.sum()) < _FEWEST:
        return np.zeros(3)
    return np.asarray(np.median(light[lit] / mean[lit, None] - 1, axis=0), np.float64)


def doubted_by_hue(
    shares: Floats, crops: NDArray[np.uint8], faces: Sequence[Face], printed: Floats
) -> Floats:
    """The shares of the faces (n × faces); where the likeliest has another hue than the card, and one of the
    same number has the card's, most of what it had goes to that.

    `printed` (faces × 3) is the hue of each face as it was enrolled.
    """
    given = shares.copy()
    for i, crop in enumerate(crops):
        shown = ground_hue(crop)
        best = int(shares[i].argmax())
        if min(_length(shown) / _SHOWN, _length(printed[best]) / _PRINTED) < 1:
            continue
        like = printed @ shown / np.maximum(np.linalg.norm(printed, axis=1) * _length(shown), _NEVER)
        fits = np.array([face.number == faces[best].number for face in faces]) & (like > _FITS)
        if like[best] < _AGAINST and fits.any():
            lost = (1 - _STILL_RIGHT) * given[i, best]
            given[i, best] -= lost
            given[i, fits] += lost / int(fits.sum())
    return given


def _length(hue: Floats) -> float:
    return float(np.linalg.norm(hue))
