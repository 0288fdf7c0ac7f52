"""Lays flat pictures and their shadows onto the picture of the table, exactly through the lens."""

import math
from dataclasses import dataclass

import cv2
import numpy as np

from finito.virtual_table.camera import Array, View
from finito.virtual_table.decals import Decal, Level
from finito.virtual_table.resample import look_up

Rect = tuple[int, int, int, int]
_NEXT = [1, 2, 3, 0]
_EDGE_STEPS = np.array([0.0, 1.0, 2.0]) / 3


@dataclass(frozen=True)
class Frame:
    """Where a flat picture is in space: its anchor and the directions of its rows and columns."""

    origin: Array
    across: Array
    down: Array

    def at(self, points: Array) -> Array:
        """Table positions (N×3) of points (N×2) given in the picture's own millimetres."""
        spot: Array = self.origin + points[:, :1] * self.across + points[:, 1:] * self.down
        return spot

    def seen_from(self, eye: Array) -> Array:
        """The 3×3 map from own millimetres to where a ray from `eye` through them meets the table plane."""
        ex, ey, ez = eye.tolist()
        (ux, uy, uz), (vx, vy, vz), (x, y, z) = self.across.tolist(), self.down.tolist(), self.origin.tolist()
        return np.array(
            [
                [ez * ux - ex * uz, ez * vx - ex * vz, ez * x - ex * z],
                [ez * uy - ey * uz, ez * vy - ey * vz, ez * y - ey * z],
                [-uz, -vz, ez - z],
            ]
        )


def lying(x: float, y: float, z: float, angle: float, pitch: float = 0.0, yaw: float = 0.0) -> Frame:
    """A picture turned clockwise by `angle`, its top raised by `pitch`, its right side by `yaw` degrees."""
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    across, down, up = np.array([cos, sin, 0.0]), np.array([-sin, cos, 0.0]), np.array([0.0, 0.0, 1.0])
    if pitch:
        c, s = math.cos(math.radians(pitch)), math.sin(math.radians(pitch))
        down, up = c * down - s * up, c * up + s * down
    if yaw:
        c, s = math.cos(math.radians(yaw)), math.sin(math.radians(yaw))
        across = c * across + s * up
    return Frame(np.array([x, y, z]), across, down)


@dataclass(frozen=True)
class Canvas:
    """The picture (BGR), the id of each pixel, and the rectangle (x0, y0, x1, y1) that may be painted."""

    view: View
    picture: Array
    ids: Array
    clip: Rect

    def clipped(self, rect: Rect) -> "Canvas":
        return Canvas(self.view, self.picture, self.ids, meet(self.clip, rect))


def meet(a: Rect, b: Rect) -> Rect:
    return max(a[0], b[0]), max(a[1], b[1]), min(a[2], b[2]), min(a[3], b[3])


def empty(rect: Rect) -> bool:
    return rect[0] >= rect[2] or rect[1] >= rect[3]


def around(points: Array, margin: float) -> Rect:
    """The pixel rectangle around picture points."""
    low, high = points.min(axis=0), points.max(axis=0)
    far = 1e6
    x0, y0 = (int(max(-far, math.floor(v - margin))) for v in low)
    x1, y1 = (int(min(far, math.ceil(v + margin))) + 1 for v in high)
    return x0, y0, x1, y1


def edge_points(outline: Array) -> Array:
    """Points along the sides of a quadrilateral, each third a corner: the lens bends straight sides."""
    ahead = outline[_NEXT]
    along = outline[:, None] + (ahead - outline)[:, None] * _EDGE_STEPS[None, :, None]
    return np.asarray(along.reshape(-1, outline.shape[1]))


def to_level(level: Level, decal: Decal) -> Array:
    """The 3×3 map from a decal's own millimetres to pixels of one of its levels."""
    (sx, sy), (u, v) = level.scale, decal.anchor
    return np.array([[sx, 0, u * sx - 0.5 + level.pad], [0, sy, v * sy - 0.5 + level.pad], [0, 0, 1]])


def sample(level: Level, to_pixels: Array, grid: Array) -> Array:
    """The level's picture as seen at table points `grid`, given the map from the table to its pixels."""
    if abs(to_pixels[2, 0]) + abs(to_pixels[2, 1]) < 1e-12:
        where = cv2.transform(grid, (to_pixels[:2] / to_pixels[2, 2]).astype(np.float32))
    else:
        where = cv2.perspectiveTransform(grid, (to_pixels / to_pixels[2, 2]).astype(np.float32))
    return look_up(level.picture, where)


def composite(below: Array, patch: Array) -> None:
    """Lay a BGRA patch (colours multiplied by alpha) over a BGR picture of the same size, in place."""
    clear = cv2.cvtColor(cv2.bitwise_not(patch[:, :, 3]), cv2.COLOR_GRAY2BGR)
    cv2.add(cv2.multiply(below, clear, scale=1 / 255), cv2.cvtColor(patch, cv2.COLOR_BGRA2BGR), dst=below)


def smeared(patch: Array, dx: float, dy: float) -> Array:
    """The patch moving by (dx, dy) pixels while the shutter is open."""
    reach = math.ceil(max(abs(dx), abs(dy)) / 2)
    if reach < 1:
        return patch
    kernel = np.zeros((2 * reach + 1, 2 * reach + 1), np.float32)
    ends = [(round((reach + s * dx / 2) * 16), round((reach + s * dy / 2) * 16)) for s in (-1, 1)]
    cv2.line(kernel, ends[0], ends[1], 1.0, 1, cv2.LINE_AA, 4)
    return cv2.filter2D(patch, -1, kernel / kernel.sum())


def paint_shadow(
    canvas: Canvas,
    decal: Decal,
    frame: Frame,
    light: Array,
    sigma: float,
    strength: float,
    floor: float = 0.0,
) -> None:
    """Darken the plane at height `floor` where the decal keeps a light away."""
    eye = canvas.view.centre
    raised = Frame(frame.origin - np.array([0.0, 0.0, floor]), frame.across, frame.down)
    on_plane = raised.seen_from(light - np.array([0.0, 0.0, floor]))
    level = decal.shadow(sigma)
    reach = 2.5 * sigma
    outline = decal.outline + np.array([[-reach, -reach], [reach, -reach], [reach, reach], [-reach, reach]])
    spots = outline @ on_plane[:, :2].T + on_plane[:, 2]
    spots = spots[:, :2] / np.maximum(spots[:, 2:], 1e-3)
    pixels = canvas.view.project(edge_points(np.column_stack([spots, np.full(4, floor)])))
    shrink = 1 - floor / eye[2]
    to_plane = np.array([[shrink, 0, eye[0] * (1 - shrink)], [0, shrink, eye[1] * (1 - shrink)], [0, 0, 1]])
    to_pixels = to_level(level, decal) @ np.linalg.inv(on_plane) @ to_plane
    _darken(canvas, around(pixels, 2), level, to_pixels, strength)


def paint_flat_shadow(
    canvas: Canvas,
    decal: Decal,
    frame: Frame,
    card: Rect,
    light: Array,
    sigma: float,
    strength: float,
    floor: float,
) -> None:
    """As paint_shadow, quicker, for a decal that lies level above `floor` and covers the pixels `card`."""
    eye, (x, y, z) = canvas.view.centre, frame.origin.tolist()
    (ex, ey, ez), (lx, ly, lz) = eye.tolist(), light.tolist()
    # A pixel's ray meets the floor; the line from there to the light meets the decal: two changes of scale.
    near, far = 1 - floor / ez, (lz - z) / (lz - floor)
    scale = near * far
    dx = ex * (1 - near) * far + lx * (1 - far) - x
    dy = ey * (1 - near) * far + ly * (1 - far) - y
    cos, sin = float(frame.across[0]), float(frame.across[1])
    level = decal.shadow(sigma)
    (sx, sy), (u, v), pad = level.scale, decal.anchor, level.pad - 0.5
    to_pixels = np.array(
        [
            [sx * scale * cos, sx * scale * sin, sx * (dx * cos + dy * sin + u) + pad],
            [-sy * scale * sin, sy * scale * cos, sy * (dy * cos - dx * sin + v) + pad],
            [0.0, 0.0, 1.0],
        ]
    )
    thrown = (z - floor) * math.hypot(x - lx, y - ly) / (lz - z)
    margin = math.ceil((2.5 * sigma + thrown) * canvas.view.pixels_per_mm * 1.5)
    wide = (card[0] - margin, card[1] - margin, card[2] + margin, card[3] + margin)
    _darken(canvas, wide, level, to_pixels, strength)


def _darken(canvas: Canvas, where: Rect, level: Level, to_pixels: Array, strength: float) -> None:
    rect = meet(canvas.clip, where)
    if empty(rect):
        return
    x0, y0, x1, y1 = rect
    shade = sample(level, to_pixels, canvas.view.grid[y0:y1, x0:x1])
    lit = cv2.cvtColor(cv2.convertScaleAbs(shade, alpha=-strength, beta=255), cv2.COLOR_GRAY2BGR)
    part = canvas.picture[y0:y1, x0:x1]
    cv2.multiply(part, lit, dst=part, scale=1 / 255)


def paint(
    canvas: Canvas, decal: Decal, frame: Frame, number: int, motion: tuple[float, float] = (0, 0)
) -> None:
    """Lay a decal into the picture and its number into the ids."""
    pixels = canvas.view.project(frame.at(edge_points(decal.outline)))
    smear = motion_in_picture(canvas.view, frame, motion)
    rect = meet(canvas.clip, around(pixels, 2 + max(abs(smear[0]), abs(smear[1]))))
    if empty(rect):
        return
    x0, y0, x1, y1 = rect
    level = decal.level(picture_scale(pixels[::3], decal))
    to_pixels = to_level(level, decal) @ np.linalg.inv(frame.seen_from(canvas.view.centre))
    patch = sample(level, to_pixels, canvas.view.grid[y0:y1, x0:x1])
    lay(canvas, rect, patch, number, smear)


def lay(canvas: Canvas, rect: Rect, patch: Array, number: int, smear: tuple[float, float] = (0, 0)) -> int:
    """Lay a patch over a rectangle of the canvas; how many pixels it takes."""
    x0, y0, x1, y1 = rect
    mask = patch[:, :, 3] > 127
    np.copyto(canvas.ids[y0:y1, x0:x1], number, where=mask)
    if smear != (0, 0):
        patch = smeared(patch, *smear)
    composite(canvas.picture[y0:y1, x0:x1], patch)
    return int(np.count_nonzero(mask))


def fill(canvas: Canvas, points: Array, colour: tuple[float, float, float], number: int) -> None:
    """Fill the hull of some picture points with a colour, and the ids with a number."""
    hull = cv2.convexHull(points.astype(np.float32))[:, 0]
    height, width = canvas.ids.shape
    x0, y0, x1, y1 = whole = meet((0, 0, width, height), around(hull, 2))
    rect = meet(canvas.clip, whole)
    if empty(rect):
        return
    shape = np.round((hull - np.array([x0, y0])) * 16).astype(np.int32)
    picture, ids = canvas.picture[y0:y1, x0:x1], canvas.ids[y0:y1, x0:x1]
    if rect != whole:
        # OpenCV draws edges a little differently where it cuts them: draw all, keep the wanted part.
        picture, ids = picture.copy(), ids.copy()
    cv2.fillConvexPoly(picture, shape, colour, cv2.LINE_AA, 4)
    cv2.fillConvexPoly(ids, shape, (number,), cv2.LINE_8, 4)
    if rect != whole:
        kept = slice(rect[1] - y0, rect[3] - y0), slice(rect[0] - x0, rect[2] - x0)
        canvas.picture[rect[1] : rect[3], rect[0] : rect[2]] = picture[kept]
        canvas.ids[rect[1] : rect[3], rect[0] : rect[2]] = ids[kept]


def picture_scale(corners: Array, decal: Decal) -> float:
    """Pixels per millimetre of a decal whose corners are seen at the given picture points."""
    x, y = corners[:, 0], corners[:, 1]
    area = abs(float(np.dot(x, y[_NEXT]) - np.dot(y, x[_NEXT]))) / 2
    return math.sqrt(area / (decal.size[0] * decal.size[1]))


def motion_in_picture(view: View, frame: Frame, motion: tuple[float, float]) -> tuple[float, float]:
    if not any(motion):
        return 0, 0
    here = frame.origin
    ends = view.project(np.stack([here, here + np.array([*motion, 0.0])]))
    dx, dy = ends[1] - ends[0]
    return float(dx), float(dy)
