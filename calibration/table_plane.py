"""The table plane: pixels to millimetres, from the markers or from the cards themselves.

Millimetres start in the middle of what was found; x goes right and y goes down (south) in the picture.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.errors import CalibrationError
from calibration.lens import Lens
from calibration.markers import SeenMarker
from calibration.printables import TABLE_MARKERS, TableMarkers
from calibration.quad_fit import QuadFit, doubt_mm, fit_quads, mapped, rectangle_mm

Array: TypeAlias = NDArray[Any]
Point: TypeAlias = tuple[float, float]
Row: TypeAlias = tuple[float, float, float]

CARD_MM: Final = (59.0, 91.0)
LEAST_MARKERS: Final = 3
LEAST_CARDS: Final = 4
_MARKER_NOISE: Final = 0.15  # pixels, as measured on pictures of all kinds
_CARD_NOISE: Final = 1.0
_WORST_MARKERS: Final = 2.0  # pixels; more than that is a bent or curled marker, or none of ours
_WORST_CARDS: Final = 6.0
_SHIFTED: Final = 4.0  # millimetres; a marker further off was pushed


@dataclass(frozen=True)
class TablePlane:
    """Homography from straightened pixels to millimetres, with the lens that straightens them.

    `error_mm` is how far (RMS) points are expected to be off, `found_by` what the plane was found by.
    `markers` are the corners of the markers in millimetres, by id: with them a moved camera finds back.
    """

    size: tuple[int, int]
    to_mm: tuple[Row, Row, Row]
    lens: Lens
    error_mm: float
    found_by: str
    markers: Mapping[int, tuple[Point, Point, Point, Point]] = field(default_factory=dict, hash=False)

    @property
    def homography(self) -> Array:
        return np.array(self.to_mm)

    def mm(self, pixels: Array) -> Array:
        """Table millimetres (N x 2) of picture points; NaN beyond the horizon."""
        points = self.lens.straight(pixels)
        depth = points @ self.homography[2, :2] + self.homography[2, 2]
        on_table = mapped(self.homography, points)
        on_table[depth <= 0] = np.nan
        return on_table

    def pixels(self, mm: Array) -> Array:
        """Picture points (N x 2) of table millimetres."""
        points = np.asarray(mm, np.float64).reshape(-1, 2)
        return self.lens.bent(mapped(np.linalg.inv(self.homography), points))

    def card_outline(self, x: float, y: float, angle: float, card_mm: Point = CARD_MM) -> Array:
        """Picture corners (4 x 2) of a card lying there, turned clockwise by `angle` degrees."""
        a = np.radians(angle)
        turn = np.array([[np.cos(a), np.sin(a)], [-np.sin(a), np.cos(a)]])
        return self.pixels(rectangle_mm(*card_mm) @ turn + (x, y))

    def seen_from(self, motion: Array) -> TablePlane:
        """The plane after the camera moved: `motion` maps straightened pixels of before to those of now."""
        return replace(self, to_mm=_rows(self.homography @ np.linalg.inv(motion)))


def plane_from_markers(
    seen: Sequence[SeenMarker],
    size: tuple[int, int],
    lens: Lens | None = None,
    markers: TableMarkers = TABLE_MARKERS,
) -> TablePlane:
    """The plane from markers that lie anywhere on the table; only their size is known."""
    if len(seen) < LEAST_MARKERS:
        raise CalibrationError(_missing(seen, markers))
    quads = np.array([marker.corners for marker in seen])
    fit = fit_quads(quads, rectangle_mm(markers.side_mm, markers.side_mm), size, lens, _MARKER_NOISE)
    if fit is None or _rms(fit.leftover) > _WORST_MARKERS:
        raise CalibrationError(
            f"the markers do not lie in one plane or are not {markers.side_mm:g} mm wide; press them flat "
            "and check the printed ruler (100 mm)"
        )
    error = doubt_mm(fit, quads, size, lens, max(_MARKER_NOISE, 1.4 * _rms(fit.leftover)))
    plane = _levelled(fit, quads, size, error, "markers")
    places = {marker.id: _corners(plane.mm(marker.corners)) for marker in seen}
    return replace(plane, markers=places)


def plane_from_cards(
    quads: Array, size: tuple[int, int], lens: Lens | None = None, card_mm: Point = CARD_MM
) -> TablePlane:
    """The plane from corners of cards in pixels (N x 4 x 2, clockwise); what fits no card is left out."""
    cards = np.asarray(quads, np.float64).reshape(-1, 4, 2)
    shape = rectangle_mm(*card_mm)
    kept = np.ones(len(cards), bool)
    fit: QuadFit | None = None
    for _ in range(3):
        if kept.sum() < LEAST_CARDS:
            raise CalibrationError(
                f"{int(kept.sum())} cards that agree with each other are too few for the table plane; lay at "
                f"least {LEAST_CARDS}, better a dozen, all over the table, or use the printed markers"
            )
        fitted = cards[kept]  # the last round may leave more out, and there is no fit without those
        fit = fit_quads(fitted, shape, size, lens, _CARD_NOISE)
        if fit is None:
            break
        off = np.sqrt((fit.leftover**2).mean(axis=1))
        good = off <= max(3.0 * float(np.median(off)), 2.0)
        if good.all():
            break
        kept[np.flatnonzero(kept)[~good]] = False
    if fit is None or _rms(fit.leftover) > _WORST_CARDS:
        raise CalibrationError(
            f"the cards do not agree on a table plane; are they flat and {card_mm[0]:g} x {card_mm[1]:g} mm?"
        )
    error = doubt_mm(fit, fitted, size, lens, _rms(fit.leftover))
    return _levelled(fit, fitted, size, error, "cards")


def plane_from_known_markers(seen: Sequence[SeenMarker], plane: TablePlane) -> TablePlane | None:
    """The same table from another place: the markers lie where they lay. None with fewer than two."""
    known = [marker for marker in seen if marker.id in plane.markers]
    if len(known) < 2:
        return None
    pixels = plane.lens.straight(np.concatenate([marker.corners for marker in known]))
    places = np.concatenate([np.array(plane.markers[marker.id]) for marker in known])
    homography, agree = cv2.findHomography(pixels, places, cv2.RANSAC, _SHIFTED)
    if homography is None or int(agree.sum()) < 8:
        return None
    off = np.linalg.norm(mapped(homography, pixels) - places, axis=1)[np.ravel(agree) > 0]
    return replace(plane, to_mm=_rows(homography), error_mm=_rms(off))


def _levelled(fit: QuadFit, quads: Array, size: tuple[int, int], error: float, found_by: str) -> TablePlane:
    """Origin amid the quads, y down in the picture: south is the picture's bottom edge."""
    straight = fit.lens.straight(quads.reshape(-1, 2)).reshape(quads.shape)
    on_table = mapped(fit.to_mm, straight)
    middle = on_table.mean(axis=(0, 1))
    x, y = size[0] / 2, size[1] / 2
    above, below = mapped(fit.to_mm, np.array([[x, y - 10], [x, y + 10]]))
    down = (below - above) / np.linalg.norm(below - above)
    level = np.array([[down[1], -down[0]], [down[0], down[1]]])  # takes `down` to (0, 1)
    rigid = np.eye(3)
    rigid[:2, :2] = level
    rigid[:2, 2] = -level @ middle
    homography = rigid @ fit.to_mm
    return TablePlane(size, _rows(homography), fit.lens, error, found_by)


def _missing(seen: Sequence[SeenMarker], markers: TableMarkers) -> str:
    found = {marker.id for marker in seen}
    lost = [str(number) for number in markers.ids if number not in found]
    which = f"marker{'s' if len(lost) > 1 else ''} {', '.join(lost)}"
    return (
        f"{which} cannot be seen; lay all four flat in the picture, uncovered, with their white borders and "
        "without glare, and come nearer if they look small"
    )


def _rms(values: Array) -> float:
    return float(np.sqrt(np.mean(np.square(values))))


def _rows(homography: Array) -> tuple[Row, Row, Row]:
    a, b, c = (tuple(float(v) for v in row) for row in homography / homography[2, 2])
    return (a[0], a[1], a[2]), (b[0], b[1], b[2]), (c[0], c[1], c[2])


def _corners(points: Array) -> tuple[Point, Point, Point, Point]:
    a, b, c, d = ((round(float(x), 2), round(float(y), 2)) for x, y in points)
    return a, b, c, d
