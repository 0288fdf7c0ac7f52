"""Between millimetres on the table, pixels of the picture and cells of the change picture."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.dealt_table import DealtCard, dealt_card
from calibration.table_plane import TablePlane
from calibration.zones import Point, TableZones
from vision.change import Box, Mask
from vision.frame import Picture
from vision.pipelining.known_fit import moved_to_edges
from vision.reading.crops import Quad

Array: TypeAlias = NDArray[Any]

_AROUND: Final = 22.0  # millimetres around places and centre within which changes matter
_MARGIN: Final = 0.55  # card heights around what changed that are looked at, too
_KEPT: Final = 500  # outlines; spots are asked for in every frame
_SIZE_OFF: Final = 0.22  # how much larger or smaller than a card a card may seem
_SIZE_RIGHT: Final = 0.04  # what is off by less has its own edges
_SMALLEST, _LARGEST = 0.8, 1.45  # by a card's width or height: what may be a card with a bit of its neighbour


@dataclass(frozen=True, eq=False)
class Geometry:
    """One camera, one table; `scale` pixels are a cell, `size` is the picture's width and height."""

    plane: TablePlane
    zones: TableZones
    scale: float
    size: tuple[int, int]
    _quads: dict[tuple[float, float, float], NDArray[np.float32]] = field(default_factory=dict)

    def quad(self, at: Point, angle: float) -> NDArray[np.float32]:
        """Picture corners of a card that lies there, its long side in that direction."""
        key = (at[0], at[1], angle)
        if key not in self._quads:
            if len(self._quads) > _KEPT:
                self._quads.clear()
            corners = self.plane.card_outline(at[0], at[1], angle - 90, self.zones.card_mm)
            self._quads[key] = np.asarray(corners, np.float32)
        return self._quads[key]

    def cells(self, at: Point, angle: float) -> Array:
        return np.asarray(self.quad(at, angle) / self.scale)

    def card_width(self, pixels: Point) -> float:
        """How many pixels wide a card is at a point of the picture."""
        (at,) = self.plane.mm(np.array([pixels]))
        if not np.isfinite(at).all():
            at = np.zeros(2)
        quad = self.quad((float(at[0]), float(at[1])), 90.0)
        return float(np.sqrt(cv2.contourArea(quad) * self.zones.card_mm[0] / self.zones.card_mm[1]))

    def laid(self, quad: Array) -> DealtCard | None:
        """Where a card with these corners lies; None if that is no card's size."""
        sized = self._sized(quad)
        return sized[0] if sized and max(abs(part - 1) for part in sized[1]) <= _SIZE_OFF else None

    def fitted(self, picture: Picture, quad: Quad) -> Quad | None:
        """A card of the right size at its own edges, where one was found too large or small; None if not."""
        sized = self._sized(quad)
        if sized is None or max(abs(part - 1) for part in sized[1]) <= _SIZE_RIGHT:
            return None
        laid, ratio = sized
        if not _SMALLEST <= min(ratio) <= max(ratio) <= _LARGEST:
            return None
        outline = self.plane.card_outline(laid.x, laid.y, laid.angle - 90, self.zones.card_mm)
        card = np.asarray(outline, np.float32)
        lengths = (np.linalg.norm(card[1] - card[0]), np.linalg.norm(card[3] - card[0]))
        reach = [abs(part - 1) * float(side) / 2 + 1.0 for part, side in zip(ratio, lengths, strict=True)]
        return moved_to_edges(picture, card, (reach[0], reach[1]))

    def _sized(self, quad: Array) -> tuple[DealtCard, tuple[float, float]] | None:
        """Where a card with these corners lies, and how wide and high it is by a card's width and height."""
        corners = self.plane.mm(quad)
        if not np.isfinite(corners).all():
            return None
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        short, long = sorted((float(sides[0] + sides[2]) / 2, float(sides[1] + sides[3]) / 2))
        return dealt_card(corners), (short / self.zones.card_mm[0], long / self.zones.card_mm[1])

    def interest(self, shape: tuple[int, int]) -> Mask:
        """The cells in which cards of the game may lie."""
        card = self.zones.card_mm
        places = [zone.outline(card, _AROUND) for seat in self.zones.seats for zone in seat.places]
        return self._filled(shape, [*places, self.zones.centre])

    def centre(self, shape: tuple[int, int]) -> Mask:
        """The cells of the centre."""
        return self._filled(shape, [self.zones.centre])

    def _filled(self, shape: tuple[int, int], polygons: Sequence[Sequence[Point]]) -> Mask:
        """The cells of polygons that are told in millimetres."""
        mask = np.zeros(shape, np.uint8)
        for polygon in polygons:
            points = np.round(self.plane.pixels(np.array(polygon)) / self.scale).astype(np.int32)
            cv2.fillPoly(mask, [points], 255)
        return mask

    def pixel_box(self, box: Box) -> Box:
        """A box of cells with a margin, in pixels of the picture."""
        x0, y0, x1, y1 = (edge * self.scale for edge in box)
        width = self.card_width(((x0 + x1) / 2, (y0 + y1) / 2))
        margin = _MARGIN * width * self.zones.card_mm[1] / self.zones.card_mm[0]
        return (
            max(0, int(x0 - margin)),
            max(0, int(y0 - margin)),
            min(self.size[0], int(x1 + margin) + 1),
            min(self.size[1], int(y1 + margin) + 1),
        )

    def cell_box(self, box: Box, shape: tuple[int, int]) -> Box:
        """The cells of a box of pixels."""
        x0, y0, x1, y1 = (edge / self.scale for edge in box)
        return (
            max(0, round(x0)),
            max(0, round(y0)),
            min(shape[1], max(round(x0) + 1, round(x1))),
            min(shape[0], max(round(y0) + 1, round(y1))),
        )


def contains(box: Box, quad: Array) -> bool:
    """Whether a card's middle, and nearly all of it, lies in a box."""
    low, high = quad.min(axis=0), quad.max(axis=0)
    slack = 0.12 * (high - low)
    return bool(
        low[0] >= box[0] - slack[0]
        and low[1] >= box[1] - slack[1]
        and high[0] <= box[2] + slack[0]
        and high[1] <= box[3] + slack[1]
    )
