"""Outlines of cards that are all one rectangle on one plane: a place and a turn for each.

Votes and edges alone may take a printed frame, a neighbour or a thread of the cloth for a side. A card of the
size that the others agree on has edges on all its sides in one place only.
"""

from __future__ import annotations

from typing import Any, Final, NamedTuple, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.finding.common_plane import CommonPlane, agreed_plane
from vision.finding.refinement import edge_strength
from vision.frame import Picture

Array: TypeAlias = NDArray[Any]

FEWEST: Final = 4  # outlines that can agree on anything
# Corners say the less the more their votes differ (in card widths).
_SPREAD, _LEAST_SPREAD = 0.07, 0.03
_AGREED: Final = 0.03  # card heights by which outlines that agree may be off
_LEAST_AGREED: Final = 2.0
_MOST_OFF_MIDDLE: Final = 0.045
_MOST_OFF: Final = 0.1  # what is off by more lies elsewhere, or is no card
# Card widths from which on an outline on edges is doubted, and up to which it is believed after all: so much
# harms no reading, and others are hardly better.
_DOUBTED, _BELIEVED = 0.02, 0.04
_ALONG: Final = 16
_PLACES: Final = np.linspace(0.08, 0.92, _ALONG, dtype=np.float32)
_ASPECT: Final = 0.68
_OUTWARD: Final = np.array([-1j, 1, 1j, -1])
_SAID_BY_VOTES: Final = 2.0
_FAR_FROM_VOTES: Final = 1.5  # spreads
_TURN, _SAID_BY_TURN = 0.1, 0.3


class _Search(NamedTuple):
    """Shifts of a side (card widths), turns, and what each cell of its band adds to each pair of them."""

    shifts: Array
    turns: Array
    across: Array
    down: Array


def _search(reach: float, shifts: int, turn: float, turns: int) -> _Search:
    each, turned = np.linspace(-reach, reach, shifts), np.linspace(-turn, turn, turns)
    parts = []
    for half in (0.5, 0.5 / _ASPECT):
        slant = np.rint(turned[:, None] * half * (1 - 2 * _PLACES) / (each[1] - each[0])).astype(np.intp)
        part = np.zeros((shifts, _ALONG, turns, shifts), np.float32)
        for start in range(shifts):
            rows = start + slant
            which, along = np.nonzero((rows >= 0) & (rows < shifts))
            part[rows[which, along], along, which, start] = 1 / _ALONG
        parts.append(part.reshape(shifts * _ALONG, turns * shifts))
    return _Search(each, turned, *parts)


_SEARCHES: Final = (_search(0.14, 15, 0.08, 5), _search(0.04, 13, 0.02, 5))


def alike(picture: Picture, quads: Array, voted: Array, spread: Array, worth: Array) -> Array:
    """Outlines (N×4×2) by the plane and size that most cards agree on; as they were where they do not.

    `quads` (N×4×2) lie on edges, `voted` are those of the votes, whose corners have a `spread` (N×4).
    Cards that do not lie in the plane keep their outlines.
    """
    if len(quads) < FEWEST:
        return quads
    sides = np.linalg.norm(np.roll(quads, -1, axis=1) - quads, axis=2)
    width = np.maximum(1.0, np.minimum(sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]) / 2)
    spread = spread / width[:, None]
    lying = sides[:, 0] + sides[:, 2] > sides[:, 1] + sides[:, 3]
    size = (picture.shape[1], picture.shape[0])
    plane, turned = agreed_plane(_turned(quads, lying), worth, _trust(_turned(spread, lying)), size)
    lying ^= turned
    better, voted, spread = (_turned(each, lying) for each in (quads, voted, spread))
    trust = _trust(spread)
    off, middle, turn = plane.laid(better, trust)
    if not _is_agreed(off, worth * np.minimum(1.0, trust.mean(axis=1))):
        return quads
    apart = _apart(better, plane.outlines(middle, turn), width)
    doubted = np.flatnonzero((apart > _DOUBTED) & (off < _MOST_OFF))
    if not len(doubted):
        return quads
    middle, turn = middle[doubted], turn[doubted]
    for search in _SEARCHES:
        middle, turn = _on_edges(picture, plane, (middle, turn), (voted[doubted], spread[doubted]), search)
    laid = plane.outlines(middle, turn)
    moved = _apart(better[doubted], laid, width[doubted]) > _BELIEVED
    better[doubted[moved]] = laid[moved]
    return better


def _apart(quads: Array, others: Array, width: Array) -> Array:
    """Mean distance of their corners in card widths."""
    return np.asarray(np.linalg.norm(quads - others, axis=2).mean(axis=1) / width)


def _turned(each: Array, which: Array) -> Array:
    """Those that are meant begin with their last corner."""
    meant = which.reshape(-1, *(1,) * (each.ndim - 1))
    return np.where(meant, np.roll(each, 1, axis=1), each)


def _trust(spread: Array) -> Array:
    usual = _SPREAD**2 + _LEAST_SPREAD**2
    return np.asarray((usual / (spread**2 + _LEAST_SPREAD**2)) ** 1.5)


def _is_agreed(off: Array, worth: Array) -> bool:
    order = np.argsort(off)
    upto = np.cumsum(worth[order])
    middle = off[order][np.searchsorted(upto, upto[-1] / 2)]
    return bool(middle < _MOST_OFF_MIDDLE and worth[off < _AGREED].sum() >= _LEAST_AGREED)


def _on_edges(
    picture: Picture,
    plane: CommonPlane,
    poses: tuple[Array, Array],
    voted: tuple[Array, Array],
    search: _Search,
) -> tuple[Array, Array]:
    """Cards moved and turned to where most edge lies on all their sides, not far from what was voted for."""
    middle, turn = poses
    strength = _bands(picture, plane, middle, turn, search.shifts)
    cards, steps, turns = len(middle), len(search.shifts), len(search.turns)
    worth = np.empty((cards, 4, turns, steps), np.float32)
    for first, parts in ((0, search.across), (1, search.down)):
        flat = strength[:, first::2].reshape(cards * 2, -1)
        worth[:, first::2] = (flat @ parts).reshape(cards, 2, turns, steps)
    worth -= _beside_votes(plane, middle, turn, voted, search.shifts)[:, :, None]
    # A card that moves right has its right side farther out and its left side farther in.
    across, down = worth[:, 1] + worth[:, 3, :, ::-1], worth[:, 2] + worth[:, 0, :, ::-1]
    total = across.max(axis=2) + down.max(axis=2) - _SAID_BY_TURN * (search.turns / _TURN) ** 2
    best, each = total.argmax(axis=1), np.arange(cards)
    right, below = (search.shifts[part[each, best].argmax(axis=1)] for part in (across, down))
    return middle + turn * (right + 1j * below) * plane.width, turn * np.exp(1j * search.turns[best])


def _bands(picture: Picture, plane: CommonPlane, middle: Array, turn: Array, shifts: Array) -> Array:
    """How sharply the picture changes around the sides of cards (cards × sides × across × along), 0 to 1."""
    ends = plane.card[:, None] + (_OUTWARD * plane.width)[:, None] * shifts
    both = np.stack([ends, np.roll(plane.card, -1)[:, None] + ends - plane.card[:, None]])
    seen = plane.in_picture(middle[:, None, None] + turn[:, None, None] * both[:, None]).astype(np.float32)
    # The lens hardly bends anything as short as the side of a card.
    x, y = (seen[0, ..., k, None] + (seen[1] - seen[0])[..., k, None] * _PLACES for k in (0, 1))
    return edge_strength(picture, x, y)


def _beside_votes(
    plane: CommonPlane, middle: Array, turn: Array, voted: tuple[Array, Array], shifts: Array
) -> Array:
    """What it costs each side of each card to be shifted away from the votes (cards × 4 × shifts)."""
    quads, spread = voted
    away = (plane.flat(quads) - middle[:, None]) * turn.conj()[:, None] - plane.card
    out = [(corners * _OUTWARD.conj()).real / plane.width for corners in (away, np.roll(away, -1, axis=1))]
    slack = _FAR_FROM_VOTES * np.sqrt((spread**2 + np.roll(spread, -1, axis=1) ** 2) / 2)
    far = ((shifts - (out[0] + out[1])[..., None] / 2) / slack[..., None]) ** 2
    return np.asarray(_SAID_BY_VOTES * far / (1 + far), np.float32)
