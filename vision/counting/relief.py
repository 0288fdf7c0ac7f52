"""The backs of a deck by their lines alone: light, shade and glare change colours, hardly where lines are.

Each place is told from its surroundings, in units of how much those vary; a smudge of glare over half a card
then leaves its lines as they were.
"""

from __future__ import annotations

from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

_AROUND: Final = 7.0  # pixels of the sheet that are surroundings
_GREY: Final = 5.0  # differences below so many grey levels are noise
_BLURRED: Final = 2.0  # pixels; lines that are seen as from afar fit where they are a little off
A_LITTLE_OFF: Final = 1.5
# Correlations of what says nothing and, that much higher, of a card at its best.
_NOTHING, _RANGE = 0.35, 0.65
_WORST: Final = -1.5
_EITHER: Final = 0.5
_SAYS: Final = 3


class Relief:
    """A picture's lines, sharp and as from afar."""

    def __init__(self, picture: Array) -> None:
        self._sharp = lines_of(picture)
        self._blurred = lines_of(cv2.GaussianBlur(picture, (0, 0), _BLURRED))

    def of(self, shift: float) -> NDArray[np.float32]:
        """The lines to look at where a place may be off by so many pixels."""
        return self._blurred if shift > A_LITTLE_OFF else self._sharp


def alike(known: Array, seen: Array, shown: Array | None = None) -> Array:
    """How well the lines of K backs (K×M×3) fit those at N places (N×M×3): N×K, 1 at best, 0 says nothing.

    `shown` (N×M) are ones where a card is not covered.
    """
    if shown is not None:
        seen = seen * shown[..., None]
        energy = shown @ (known * known).sum(axis=2).T
    else:
        energy = _squares(known)[None]
    both = seen.reshape(len(seen), -1) @ known.reshape(len(known), -1).T
    own = _squares(seen)[:, None]
    return _said(both, energy * own)


def alike_each(known: Array, seen: Array) -> Array:
    """How well the lines of each of C cards (C×M×3) fit those at G poses of it (C×G×M×3): C×G."""
    there, own = seen.reshape(*seen.shape[:2], -1), known.reshape(len(known), -1)
    both = (there @ own[..., None])[..., 0]
    return _said(both, _squares(known)[:, None] * np.einsum("ijk,ijk->ij", there, there))


def _said(both: Array, energy: Array) -> Array:
    correlation = both / np.sqrt(np.maximum(energy, 1e-6))
    return np.asarray(np.clip((correlation - _NOTHING) / _RANGE, _WORST, 1.0))


def _squares(lines: Array) -> Array:
    flat = lines.reshape(len(lines), -1)
    return np.asarray(np.einsum("ij,ij->i", flat, flat))


def lines_of(picture: Array) -> NDArray[np.float32]:
    off = picture - cv2.GaussianBlur(picture, (0, 0), _AROUND)
    varies = np.sqrt(cv2.GaussianBlur((off * off).mean(axis=2), (0, 0), _AROUND))
    return np.asarray(off / (varies[..., None] + _GREY), np.float32)


def either(colours: Array, lines: Array) -> Array:
    """What speaks for a card by its colours and by its lines: in glare and in a blur only one of them does.

    Both together still tell the better place and the better back.
    """
    both = np.maximum(colours, 0.0) + np.maximum(lines, 0.0)
    return np.asarray(_EITHER * np.maximum(colours, lines) + (1 - _EITHER) * both / 2)


def together(colours: Array, lines: Array) -> Array:
    """How likely each back is beside the others: what fits none of them says little of which it is."""
    colours = np.maximum(colours, 0.0)
    says = [max(float(fits.max()), 1e-3) ** _SAYS for fits in (colours, lines)]
    return np.asarray((says[0] * colours + says[1] * lines) / sum(says))
