"""A photo of cards on a table as seen from straight above, and what the finder net says of every place in it.

All cards have one size here, so a card is a place and an angle: a pose (x, y, angle), the middle of the card
and how far it is turned. Points on a card are told from its middle.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.counting.relief import Relief
from vision.counting.table_plane import moved_by, plane_of, rigid_misfit
from vision.errors import VisionError
from vision.finding.at_scale import said_at
from vision.finding.maps import BORDER, CARD
from vision.frame import Picture
from vision.onnx_model import OnnxModel

Array: TypeAlias = NDArray[Any]

WIDTH: Final = 80.0  # pixels of a card on the sheet
# So wide in the net's picture, edges of cards on cards stand out best; the mean of several is steadier.
_SEEN_AT: Final = (80.0, 100.0, 120.0)
_CARDS_SEEN_AT: Final = 48.0  # where there are cards at all is clearer from farther away
_LARGEST: Final = 2600  # pixels of the net's picture
_BORDER_RANGE: Final = (-4.0, 3.0)
_NOT_THERE: Final = -4.0
_BARE: Final = -0.5
_SOFT: Final = 0.8
_MOST: Final = 2_500_000  # pixels of a sheet: some ten seconds of work
_AROUND: Final = (
    6.0  # widths of a card that the sheet goes on beyond the outlines, as far as the picture does
)
_NO_SECOND_MAP: Any = None
RIGHT, BELOW, LEFT, ABOVE = range(4)
WAYS: Final = np.array([(1.0, 0.0), (0.0, 1.0), (-1.0, 0.0), (0.0, -1.0)])
_SPACING: Final = 3.0
_LONG_PART, _SHORT_PART = 0.84, 0.80  # of a side, without its rounded ends
_GOES_ON: Final = 0.6  # of a side, beyond which there are more cards


class SheetTooLarge(VisionError):
    """Cards so small, or outlines so far apart, that laying them flat would take minutes."""


class FlatSheet:
    """`height` of a card; the picture, `border` and `card` (logits) and `bare` (only the table), all flat."""

    def __init__(
        self, picture: Picture, net: OnnxModel, quads: Sequence[Array], worth: Array, aspect: float
    ) -> None:
        tall, wide = picture.shape[:2]
        plane = plane_of(quads, worth, aspect, (wide, tall))
        self.height = WIDTH / aspect
        scale = self.height / plane.height
        corners = moved_by(plane.matrix, np.stack(quads)).reshape(-1, 2) * scale
        frame = moved_by(plane.matrix, np.array([(0, 0), (wide, 0), (wide, tall), (0, tall)])) * scale
        low = np.maximum(corners.min(axis=0) - _AROUND * WIDTH, frame.min(axis=0) - 10)
        high = np.minimum(corners.max(axis=0) + _AROUND * WIDTH, frame.max(axis=0) + 10)
        shift = np.array([[scale, 0, -low[0]], [0, scale, -low[1]], [0, 0, 1]])
        self._matrix = shift @ plane.matrix
        self._back = np.linalg.inv(self._matrix)
        across, down = (int(length) for length in np.ceil(high - low))
        if across * down > _MOST:
            raise SheetTooLarge(f"a sheet of {across} × {down} pixels")
        self.size = (max(8, across), max(8, down))
        flat = cv2.warpPerspective(picture, self._matrix, self.size)
        self.picture = cv2.GaussianBlur(flat, (0, 0), _SOFT).astype(np.float32)
        self.relief = Relief(self.picture)
        usual = float(
            np.median([np.sqrt(abs(cv2.contourArea(q.astype(np.float32))) * aspect) for q in quads])
        )
        maps = np.mean([self._said(picture, net, seen / usual) for seen in _SEEN_AT], axis=0)
        self.border = np.ascontiguousarray(np.clip(maps[..., 0], *_BORDER_RANGE), np.float32)
        from_afar = self._said(picture, net, _CARDS_SEEN_AT / usual)[..., 1]
        # Either look may take cloth for cards or a card for cloth: what both say is so.
        self.card = np.ascontiguousarray(np.minimum(maps[..., 1], from_afar), np.float32)
        likely = np.maximum(maps[..., 1], from_afar)
        self.bare = (cv2.blur(likely, (5, 5)) < _BARE).astype(np.float32)
        along, around = self.height * _LONG_PART / 2, WIDTH * _SHORT_PART / 2
        long = np.linspace(-along, along, round(self.height / _SPACING))
        short = np.linspace(-around, around, round(WIDTH / _SPACING))
        half, upright = np.full_like(long, WIDTH / 2), np.full_like(short, self.height / 2)
        self.sides = (
            np.stack([half, long], axis=1),
            np.stack([short, upright], axis=1),
            np.stack([-half, long], axis=1),
            np.stack([short, -upright], axis=1),
        )

    def _said(self, picture: Picture, net: OnnxModel, scale: float) -> Array:
        """Border and card logits of the net that sees the picture at a scale, laid flat."""
        said, to_picture = said_at(picture, net, scale, _LARGEST, (BORDER, CARD))
        laid = cv2.warpPerspective(said, self._matrix @ to_picture, self.size, borderValue=(_NOT_THERE,) * 2)
        return np.asarray(laid)

    def pose_of(self, quad: Array) -> Array:
        """Where a card with these corners in the picture lies."""
        flat = moved_by(self._matrix, quad)[None]
        fits = [
            rigid_misfit(np.roll(flat, turn, axis=1), WIDTH / self.height, self.height) for turn in (0, 1)
        ]
        _, middle, angle = min(fits, key=lambda fit: float(np.abs(fit[0]).sum()))
        return np.array([middle[0].real, middle[0].imag, angle[0]])

    def corners(self, pose: Array) -> NDArray[np.float32]:
        """Its corners on the sheet, clockwise, from a short side."""
        half = np.array([WIDTH, self.height]) / 2
        unit = np.array([(-1, -1), (1, -1), (1, 1), (-1, 1)])
        return np.asarray(placed(pose, unit * half)[0], np.float32)

    def in_picture(self, pose: Array) -> NDArray[np.float32]:
        return self.unflat(self.corners(pose))

    def flat(self, points: Array) -> Array:
        """Points of the picture (…×2) on the sheet."""
        return moved_by(self._matrix, points)

    def unflat(self, points: Array) -> NDArray[np.float32]:
        """Points of the sheet (…×2) in the picture."""
        return np.asarray(moved_by(self._back, points), np.float32)

    def under(self, card: Array, points: Array, slack: float = 1.0) -> NDArray[np.bool_]:
        """Which points of the sheet (…×2) a card covers."""
        x, y, angle = (float(part) for part in card)
        across, down = points[..., 0] - x, points[..., 1] - y
        cos, sin = math.cos(angle), math.sin(angle)
        inside = np.abs(cos * across + sin * down) < WIDTH / 2 + slack
        return np.asarray(inside & (np.abs(cos * down - sin * across) < self.height / 2 + slack))

    def explained(self, outlines: Sequence[Array]) -> float:
        """The part of all that looks like cards which lies within outlines (4×2) on the sheet."""
        there = (self.card > 0).astype(np.uint8)
        left = there.copy()
        for outline in outlines:
            cv2.fillConvexPoly(left, np.rint(outline).astype(np.int32), 0)
        return 1 - float(left.sum()) / max(1.0, float(there.sum()))

    def along_sides(self, poses: Array) -> Array:
        """Mean border of each side (N×4): right, below, left, above."""
        return np.stack([self.borders(poses, side).mean(axis=1) for side in self.sides], axis=1)

    def borders(self, poses: Array, points: Array) -> Array:
        return at(self.border, placed(poses, points), _NOT_THERE)


def placed(poses: Array, points: Array) -> Array:
    """Points on cards (M×2) as they lie on the sheet (N×M×2)."""
    poses = np.atleast_2d(np.asarray(poses, np.float32))
    across, down = np.asarray(points, np.float32).T
    cos, sin = np.cos(poses[:, 2:]), np.sin(poses[:, 2:])
    where = np.empty((len(poses), len(points), 2), np.float32)
    where[..., 0] = cos * across - sin * down + poses[:, :1]
    where[..., 1] = sin * across + cos * down + poses[:, 1:2]
    return where


def placed_each(poses: Array, points: Array) -> Array:
    """Points of C cards (C×M×2) as they lie on the sheet at G poses of each (C×G×3): C×G×M×2."""
    poses, points = np.asarray(poses, np.float32), np.asarray(points, np.float32)
    across, down = points[:, None, :, 0], points[:, None, :, 1]
    cos, sin = np.cos(poses[..., 2:]), np.sin(poses[..., 2:])
    where = np.empty((*poses.shape[:2], points.shape[1], 2), np.float32)
    where[..., 0] = cos * across - sin * down + poses[..., :1]
    where[..., 1] = sin * across + cos * down + poses[..., 1:2]
    return where


def seen_from(card: Array, points: Array) -> Array:
    """Points of the sheet (…×2) as points on a card."""
    across, down = points[..., 0] - card[0], points[..., 1] - card[1]
    cos, sin = float(np.cos(card[2])), float(np.sin(card[2]))
    return np.stack([cos * across + sin * down, cos * down - sin * across], axis=-1)


def at(sheet: Array, points: Array, beyond: float = 0.0) -> Array:
    """A map's values at points (N×M×2)."""
    where = np.ascontiguousarray(points, np.float32)
    return np.asarray(
        cv2.remap(
            sheet,
            where,
            _NO_SECOND_MAP,
            cv2.INTER_LINEAR,
            borderMode=cv2.BORDER_CONSTANT,
            borderValue=beyond,
        )
    )


def directions(sheet: FlatSheet, pose: Array, others: Sequence[Array] = ()) -> list[int]:
    """The sides of a card beyond which there are more than the others."""
    on = []
    for number, side in enumerate(sheet.sides):
        beyond = placed(pose, np.concatenate([side + WAYS[number] * far for far in (5.0, 9.0)]))
        known = at(sheet.bare, beyond, 1.0) > 0
        for other in others:
            known |= sheet.under(other, beyond)
        if float(known.mean()) <= 1 - _GOES_ON:
            on.append(number)
    return on
