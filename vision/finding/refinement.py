"""Corners moved onto the card's edges in the full picture.

Around each side lies a band of pixels along its normals. In it the straight line is sought that most edge
strength lies on, not far from where the votes put it; sides without a clear line stay where they are.
"""

from __future__ import annotations

import cv2
import numpy as np

from vision.finding.maps import Array
from vision.frame import Picture

_ALONG, _ACROSS = 16, 17
# Samples keep away from the corners, which are round and where other cards begin.
_PLACES = np.linspace(0.08, 0.92, _ALONG)
_CLEAR = 0.25
_PRIOR = 0.7
# Printed frames lie inside the edge and are often the stronger line.
_OUTWARD = 0.3
_AFTER, _BEFORE = np.array([1, 2, 3, 0]), np.array([3, 0, 1, 2])
_ROWS = 32_000


def _lines() -> tuple[Array, Array]:
    """Every pair of shifts of a side's two ends, and what each cell of the band adds to such a line."""
    ends = np.array([(a, b) for a in range(_ACROSS) for b in range(_ACROSS) if abs(a - b) <= _ACROSS // 2])
    rows = np.rint(ends[:, :1] * (1 - _PLACES) + ends[:, 1:] * _PLACES).astype(np.intp)
    parts = np.zeros((len(ends), _ACROSS, _ALONG), np.float32)
    parts[np.arange(len(ends))[:, None], rows, np.arange(_ALONG)] = 1 / _ALONG
    return ends, np.ascontiguousarray(parts.reshape(len(ends), -1).T)


_MIDDLE = (_ACROSS - 1) // 2
_ENDS, _PARTS = _lines()
_PENALTY = (
    _PRIOR * (np.abs(_ENDS - _MIDDLE).mean(axis=1) / _MIDDLE) ** 2
    - _OUTWARD * (_ENDS - _MIDDLE).mean(axis=1) / _MIDDLE
)


def refined(picture: Picture, corners: Array, reach: Array) -> Array:
    """Corners of cards (N×4×2, clockwise) on nearby edges; no side moves by more than its card's `reach`."""
    if not len(corners):
        return corners.astype(np.float64)
    following = corners[:, _AFTER]
    along = following - corners
    length = np.maximum(1e-3, np.sqrt((along**2).sum(axis=2)))
    outward = np.stack([along[..., 1], -along[..., 0]], axis=2) / length[..., None]
    shifts = reach[:, None] * np.linspace(-1, 1, _ACROSS)
    x, y = (
        (corners[..., axis, None] + along[..., axis, None] * _PLACES)[:, :, None]
        + (outward[..., axis, None] * shifts[:, None])[..., None]
        for axis in (0, 1)
    )
    strength = edge_strength(picture, x.astype(np.float32), y.astype(np.float32))
    offsets = shifts[np.arange(len(corners))[:, None, None], _best_lines(strength)]
    starts = corners + outward * offsets[..., :1]
    ends = following + outward * offsets[..., 1:]
    return _crossings(starts, ends, corners)


def edge_strength(picture: Picture, x: Array, y: Array) -> Array:
    """How sharply the picture changes along the normals (cards × sides × across × along), 0 to 1."""
    flat = [places.reshape(-1, x.shape[3]) for places in (x, y)]
    # OpenCV takes no map longer than 32,767 rows.
    parts = (slice(start, start + _ROWS) for start in range(0, len(flat[0]), _ROWS))
    bands = [
        cv2.remap(picture, flat[0][part], flat[1][part], cv2.INTER_LINEAR, borderMode=cv2.BORDER_REPLICATE)
        for part in parts
    ]
    values = np.concatenate(bands).reshape(*x.shape, 3)
    before, after = values[:, :, :-2], values[:, :, 2:]
    blue, green, red = np.moveaxis(np.maximum(before, after) - np.minimum(before, after), 4, 0)
    change = np.zeros(x.shape, np.float32)
    change[:, :, 1:-1] = np.maximum(np.maximum(blue, green), red)
    scale = np.maximum(12.0, 3 * change.mean(axis=(2, 3), keepdims=True))
    return np.asarray(np.minimum(1.0, change / scale))


def _best_lines(strength: Array) -> Array:
    """For each side the end rows of the line with the most strength, or the middle where none stands out."""
    cards, sides = strength.shape[:2]
    support = strength.reshape(cards * sides, -1) @ _PARTS
    best = np.argmax(support - _PENALTY, axis=1)
    clear = support[np.arange(len(support)), best] >= _CLEAR + support.mean(axis=1)
    return np.where(clear[:, None], _ENDS[best], _MIDDLE).reshape(cards, sides, 2)


def _crossings(starts: Array, ends: Array, fallback: Array) -> Array:
    """Corner i is where side i-1 meets side i."""
    p, r = starts[:, _BEFORE], (ends - starts)[:, _BEFORE]
    q, s = starts, ends - starts
    turn = r[..., 0] * s[..., 1] - r[..., 1] * s[..., 0]
    meet = np.abs(turn) > 1e-6
    away = q - p
    part = (away[..., 0] * s[..., 1] - away[..., 1] * s[..., 0]) / np.where(meet, turn, 1.0)
    return np.asarray(np.where(meet[..., None], p + part[..., None] * r, fallback))
