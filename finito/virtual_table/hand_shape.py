"""The shape of a hand seen from above: bones for each pose, and the relief of the flesh around them.

Millimetres, wrist at the origin, fingers towards negative y, thumb left (a right hand, palm down).
"""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from finito.virtual_table.camera import Array

Point = tuple[float, float, float]
# The height where there is no flesh, below all that there is.
_NOTHING = -60.0

# Knuckle (x, y), the lengths of the three bones, thickness at knuckle and tip.
_FINGERS = (
    ((-27.0, -88.0), (41.0, 25.0, 20.0), (9.6, 7.4)),
    ((-8.0, -93.0), (45.0, 29.0, 21.0), (9.8, 7.6)),
    ((11.0, -89.0), (41.0, 27.0, 21.0), (9.2, 7.2)),
    ((28.0, -79.0), (32.0, 20.0, 18.0), (8.2, 6.4)),
)


@dataclass(frozen=True)
class Bone:
    """A round limb between two points with a radius at each end."""

    start: Point
    end: Point
    radii: tuple[float, float]


@dataclass(frozen=True)
class Pose:
    """How the fingers are bent (degrees at their three joints) and spread, where things are held."""

    bends: tuple[tuple[float, float, float], ...]
    spreads: tuple[float, ...]
    thumb: tuple[Point, ...]
    anchor: tuple[float, float]
    thumb_above: bool = False
    thumb_below: bool = False
    palm_up: bool = False


_THUMB_AT_SIDE = ((-26.0, -22.0, 12.0), (-46.0, -50.0, 10.0), (-56.0, -80.0, 8.0), (-58.0, -104.0, 6.0))
POSES: dict[str, Pose] = {
    "rest": Pose(
        ((12, 14, 10), (12, 14, 10), (14, 16, 12), (16, 18, 14)),
        (-9, -2, 5, 14),
        _THUMB_AT_SIDE,
        (-14.0, -150.0),
    ),
    "flat": Pose(
        ((2, 3, 3), (2, 3, 3), (2, 3, 3), (3, 4, 4)),
        (-16, -5, 6, 20),
        ((-26.0, -20.0, 12.0), (-54.0, -42.0, 9.0), (-74.0, -62.0, 8.0), (-90.0, -78.0, 7.0)),
        (-10.0, -140.0),
    ),
    "carry": Pose(
        ((28, 30, 14), (28, 34, 16), (36, 48, 30), (44, 56, 34)),
        (3, -3, -6, -6),
        ((-26.0, -24.0, 10.0), (-42.0, -58.0, 2.0), (-38.0, -92.0, -6.0), (-28.0, -116.0, -12.0)),
        (-20.0, -146.0),
        thumb_below=True,
    ),
    "point": Pose(
        ((8, 8, 5), (58, 80, 40), (62, 84, 44), (64, 84, 44)),
        (-2, -2, 0, 3),
        ((-26.0, -24.0, 10.0), (-42.0, -54.0, 8.0), (-36.0, -82.0, 10.0), (-16.0, -92.0, 14.0)),
        (-30.0, -170.0),
    ),
    "grab": Pose(
        ((40, 46, 22), (40, 46, 24), (42, 48, 26), (46, 50, 28)),
        (-8, -3, 3, 9),
        ((-26.0, -24.0, 10.0), (-50.0, -54.0, 2.0), (-54.0, -84.0, -8.0), (-46.0, -104.0, -16.0)),
        (-14.0, -112.0),
    ),
    "hold": Pose(
        ((14, 20, 12), (14, 20, 12), (16, 22, 14), (18, 24, 16)),
        (-10, -2, 6, 14),
        ((-30.0, -26.0, 14.0), (-46.0, -52.0, 18.0), (-42.0, -80.0, 20.0), (-26.0, -100.0, 20.0)),
        (-4.0, -98.0),
        thumb_above=True,
        palm_up=True,
    ),
    "pinch": Pose(
        ((26, 34, 16), (34, 44, 22), (44, 60, 34), (50, 66, 38)),
        (4, 0, -4, -4),
        ((-28.0, -26.0, 14.0), (-50.0, -58.0, 18.0), (-48.0, -92.0, 18.0), (-34.0, -116.0, 16.0)),
        (-26.0, -128.0),
        thumb_above=True,
        palm_up=True,
    ),
}


def finger_bones(pose: Pose, slack: Array) -> list[list[Bone]]:
    """The bones of the four fingers; `slack` bends each joint a little differently."""
    fingers = []
    for i, ((x, y), lengths, (thick, thin)) in enumerate(_FINGERS):
        at: Point = (x, y, 16.0)
        dip = 0.0
        aside = math.radians(pose.spreads[i] + slack[i, 3])
        bones = []
        for j, length in enumerate(lengths):
            dip += math.radians(max(0.0, pose.bends[i][j] + slack[i, j]))
            reach = length * math.cos(dip)
            end = (
                at[0] + math.sin(aside) * reach,
                at[1] - math.cos(aside) * reach,
                at[2] - length * math.sin(dip),
            )
            bones.append(
                Bone(at, end, (thick - (thick - thin) * j / 3, thick - (thick - thin) * (j + 1) / 3))
            )
            at = end
        fingers.append(bones)
    return fingers


def thumb_bones(pose: Pose, slack: Array) -> list[Bone]:
    points = [
        (x + slack[4, 0] * 0.3 * i, y + slack[4, 1] * 0.3 * i, z) for i, (x, y, z) in enumerate(pose.thumb)
    ]
    radii = (14.0, 11.0, 9.8, 8.2)
    return [Bone(points[i], points[i + 1], (radii[i], radii[i + 1])) for i in range(3)]


def palm_bones() -> list[Bone]:
    knuckles = [(x, y, 15.0) for (x, y), _, _ in _FINGERS]
    wrist = ((-17.0, 6.0, 14.0), (-6.0, 6.0, 15.0), (6.0, 6.0, 15.0), (17.0, 6.0, 13.0))
    bones = [Bone(wrist[i], knuckles[i], (15.0, 11.0)) for i in range(4)]
    bones += [Bone((x, 0.0, 13.0), (x * 1.2, 90.0, 13.0), (17.0, 19.0)) for x in (-11.0, 0.0, 11.0)]
    bones.append(Bone(wrist[0], (-26.0, -24.0, 12.0), (15.0, 14.0)))
    bones.append(Bone(knuckles[0], knuckles[3], (10.0, 9.0)))
    return bones


def relief(bones: list[Bone], across: Array, down: Array, pixels_per_mm: float) -> tuple[Array, Array]:
    """Height of the flesh (mm) and how far each point lies inside its outline (pixels, negative outside)."""
    height = np.full(across.shape, _NOTHING, np.float32)
    inside = np.full(across.shape, -9.0, np.float32)
    for bone in bones:
        reach = max(bone.radii) + 2
        box = _box(bone, across, down, reach)
        x, y = across[box], down[box]
        (x0, y0, z0), (x1, y1, z1) = bone.start, bone.end
        dx, dy = x1 - x0, y1 - y0
        along = np.clip(((x - x0) * dx + (y - y0) * dy) / max(dx * dx + dy * dy, 1e-3), 0, 1)
        radius = bone.radii[0] + (bone.radii[1] - bone.radii[0]) * along
        away2 = (x - x0 - dx * along) ** 2 + (y - y0 - dy * along) ** 2
        dome = np.sqrt(np.maximum(radius * radius - away2, 0))
        top = np.where(away2 < radius * radius, z0 + (z1 - z0) * along + dome, _NOTHING)
        height[box] = np.maximum(height[box], top)
        inside[box] = np.maximum(inside[box], (radius - np.sqrt(away2)) * pixels_per_mm)
    return height, inside


def _box(bone: Bone, across: Array, down: Array, reach: float) -> tuple[slice, slice]:
    """The part of the raster a bone can touch."""
    step = float(across[0, 1] - across[0, 0])
    rows, columns = across.shape
    low = [(min(bone.start[i], bone.end[i]) - reach) for i in (0, 1)]
    high = [(max(bone.start[i], bone.end[i]) + reach) for i in (0, 1)]
    x0 = max(0, math.floor((low[0] - float(across[0, 0])) / step))
    x1 = min(columns, math.ceil((high[0] - float(across[0, 0])) / step) + 1)
    y0 = max(0, math.floor((low[1] - float(down[0, 0])) / step))
    y1 = min(rows, math.ceil((high[1] - float(down[0, 0])) / step) + 1)
    return slice(y0, max(y0, y1)), slice(x0, max(x0, x1))


def shading(height: Array, soft: float, towards: tuple[float, float]) -> Array:
    """Light on a relief from above and from one side; about 1 where it is level."""
    # Around the flesh its height goes on for a little, so that outlines are not drawn as cliffs.
    wider = cv2.dilate(height, np.ones((9, 9), np.uint8)) - 3
    smooth = cv2.GaussianBlur(np.where(height > _NOTHING, height, wider), (0, 0), soft)
    dx = cv2.Sobel(smooth, cv2.CV_32F, 1, 0, scale=0.125)
    dy = cv2.Sobel(smooth, cv2.CV_32F, 0, 1, scale=0.125)
    upright = 0.5 + 0.5 / np.sqrt(1 + 0.5 * (dx * dx + dy * dy))
    crevice = np.clip((cv2.GaussianBlur(smooth, (0, 0), soft * 4) - smooth) * 0.02, -0.05, 0.25)
    return np.asarray(upright * (1 + 0.22 * (dx * towards[0] + dy * towards[1])) - crevice, np.float32)
