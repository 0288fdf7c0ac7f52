"""Finds the four table markers in a picture."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.edge_lines import sharpened
from calibration.errors import CalibrationError
from calibration.printables import TABLE_MARKERS, TableMarkers

Array: TypeAlias = NDArray[Any]


@dataclass(frozen=True, eq=False)
class SeenMarker:
    """A marker and its black square's corners in pixels (4 x 2), clockwise from its own top left."""

    id: int
    corners: Array


def find_markers(picture: Array, markers: TableMarkers = TABLE_MARKERS) -> tuple[SeenMarker, ...]:
    """The table markers in a BGR or grey picture, by id; a marker seen twice is refused."""
    grey = picture if picture.ndim == 2 else cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY)
    settings = cv2.aruco.DetectorParameters()
    settings.cornerRefinementMethod = cv2.aruco.CORNER_REFINE_SUBPIX
    detector = cv2.aruco.ArucoDetector(cv2.aruco.getPredefinedDictionary(markers.dictionary), settings)
    quads, ids, _ = detector.detectMarkers(grey)
    found: dict[int, SeenMarker] = {}
    for quad, name in zip(quads, np.ravel(ids) if ids is not None else (), strict=True):
        number = int(name)
        if number not in markers.ids:
            continue
        if number in found:
            raise CalibrationError(
                f"marker {number} lies on the table twice; leave one of each, the markers are 0, 1, 2 and 3"
            )
        found[number] = SeenMarker(number, sharpened(grey, np.asarray(quad[0], np.float64)))
    return tuple(found[number] for number in sorted(found))
