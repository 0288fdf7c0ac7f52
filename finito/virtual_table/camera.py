"""The pinhole camera above the table, with lens distortion, and the table seen through each of its pixels.

Table coordinates are millimetres: origin in the middle of the table, x right, y towards south, z up.
Picture coordinates follow OpenCV: the centre of the first pixel is (0, 0).
"""

import math
from dataclasses import dataclass, replace
from functools import cached_property, lru_cache
from typing import Any, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

Array: TypeAlias = NDArray[Any]

# One node of exact lens mathematics every so many pixels; in between the map is smooth.
NODE_STEP = 8
_NODE_MARGIN = 2


@dataclass(frozen=True)
class Camera:
    """Looks at `target` from `distance` mm; `tilt` 0 is straight above, `heading` goes around the table."""

    size: tuple[int, int] = (1280, 720)
    target: tuple[float, float] = (0.0, 0.0)
    distance: float = 1200.0
    tilt: float = 0.0
    heading: float = 0.0
    roll: float = 0.0
    field_of_view: float = 60.0
    k1: float = 0.0
    k2: float = 0.0
    p1: float = 0.0
    p2: float = 0.0

    def bumped(self, dx: float, dy: float, roll: float = 0.0, tilt: float = 0.0) -> "Camera":
        """The same camera after somebody knocked against its stand."""
        target = (self.target[0] + dx, self.target[1] + dy)
        return replace(self, target=target, roll=self.roll + roll, tilt=self.tilt + tilt)

    @property
    def focal(self) -> float:
        """Focal length in pixels, from the horizontal field of view in degrees."""
        return self.size[0] / 2 / math.tan(math.radians(self.field_of_view) / 2)

    @property
    def view(self) -> "View":
        return _view(self)

    def project(self, points: Array) -> Array:
        """Picture positions (N×2) of points in table millimetres (N×3)."""
        return self.view.project(points)


def _rotation(axis: int, degrees: float) -> Array:
    cos, sin = math.cos(math.radians(degrees)), math.sin(math.radians(degrees))
    a, b = [i for i in range(3) if i != axis]
    turn = np.eye(3)
    turn[a, a] = turn[b, b] = cos
    turn[a, b], turn[b, a] = -sin, sin
    return turn


class View:
    """A camera with everything about it that is worth computing once."""

    def __init__(self, camera: Camera) -> None:
        self.camera = camera
        heading = math.radians(camera.heading)
        tilt = math.radians(camera.tilt)
        back = np.array([-math.sin(heading), math.cos(heading)]) * math.sin(tilt) * camera.distance
        self.centre: Array = np.array(
            [camera.target[0] + back[0], camera.target[1] + back[1], math.cos(tilt) * camera.distance]
        )
        # z up with y down the picture is left-handed: the rotation works on (x, y, -z).
        self.rotation: Array = (
            _rotation(2, camera.roll) @ _rotation(0, -camera.tilt) @ _rotation(2, -camera.heading)
        )
        self.middle = ((camera.size[0] - 1) / 2, (camera.size[1] - 1) / 2)

    def project(self, points: Array) -> Array:
        offset = np.asarray(points, np.float64) - self.centre
        offset[:, 2] *= -1
        seen = offset @ self.rotation.T
        depth = np.maximum(seen[:, 2], 1.0)
        distorted = self._distort(seen[:, 0] / depth, seen[:, 1] / depth)
        return np.asarray(distorted * self.camera.focal + np.array(self.middle))

    def _distort(self, a: Array, b: Array) -> Array:
        c = self.camera
        out = np.empty((len(a), 2))
        if not (c.k1 or c.k2 or c.p1 or c.p2):
            out[:, 0], out[:, 1] = a, b
            return out
        aa, bb, ab = a * a, b * b, 2 * a * b
        r2 = aa + bb
        radial = 1 + r2 * (c.k1 + c.k2 * r2)
        out[:, 0] = a * radial + c.p1 * ab + c.p2 * (r2 + 2 * aa)
        out[:, 1] = b * radial + c.p1 * (r2 + 2 * bb) + c.p2 * ab
        return out

    def table_points(self, pixels: Array) -> Array:
        """Where on the table plane (N×2, mm) the given pixels (N×2) look."""
        wanted = (np.asarray(pixels, np.float64) - np.array(self.middle)) / self.camera.focal
        ray = wanted.copy()
        c = self.camera
        if c.k1 or c.k2 or c.p1 or c.p2:
            for _ in range(12):
                ray += wanted - self._distort(ray[:, 0], ray[:, 1])
        direction = np.concatenate([ray, np.ones((len(ray), 1))], axis=1) @ self.rotation
        # Rays at or above the horizon never meet the table: they are sent very far away.
        down = np.maximum(direction[:, 2:3], 0.02)
        points: Array = self.centre[:2] + direction[:, :2] * (self.centre[2] / down)
        return points

    @cached_property
    def nodes(self) -> Array:
        """Table points of a coarse grid of pixels, one node every NODE_STEP pixels with a margin around."""
        width, height = self.camera.size
        columns, rows = (-(-n // NODE_STEP) + 2 * _NODE_MARGIN for n in (width, height))
        at = [(np.arange(n) - _NODE_MARGIN + 0.5) * NODE_STEP - 0.5 for n in (columns, rows)]
        pixels = np.stack(np.meshgrid(*at), axis=-1).reshape(-1, 2)
        return self.table_points(pixels).reshape(rows, columns, 2).astype(np.float32)

    def spread(self, nodes: Array) -> Array:
        """Values given on the coarse grid, interpolated to every pixel."""
        size = (nodes.shape[1] * NODE_STEP, nodes.shape[0] * NODE_STEP)
        full = cv2.resize(nodes, size, interpolation=cv2.INTER_LINEAR)
        edge = _NODE_MARGIN * NODE_STEP
        return full[edge : edge + self.camera.size[1], edge : edge + self.camera.size[0]]

    @cached_property
    def grid(self) -> Array:
        """The table point (mm) each pixel looks at, H×W×2."""
        return self.spread(self.nodes)

    @cached_property
    def pixels_per_mm(self) -> float:
        """Scale of the picture in its middle."""
        return self.camera.focal / self.camera.distance


@lru_cache(maxsize=6)
def _view(camera: Camera) -> View:
    return View(camera)
