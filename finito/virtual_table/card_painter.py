"""Paints one card: its shadow, its edge, its bent and shining side; and knows where its corners fall."""

import math
import zlib
from dataclasses import dataclass, replace

import cv2
import numpy as np

from finito.virtual_table.camera import Array, View
from finito.virtual_table.decals import Decal, Level
from finito.virtual_table.lighting import Lamp
from finito.virtual_table.painter import (
    Canvas,
    Frame,
    Rect,
    around,
    edge_points,
    empty,
    fill,
    lay,
    lying,
    meet,
    motion_in_picture,
    paint_flat_shadow,
    paint_shadow,
    picture_scale,
    sample,
    to_level,
)
from finito.virtual_table.resample import look_up
from finito.virtual_table.scene import TABLE, Card

# A card never lies perfectly flat: its shadow falls as if it floated this much (mm).
_SLACK = 0.7
_WALL_SEEN = 0.3


@dataclass(frozen=True)
class Footprint:
    """Where a card falls in the picture: corners, the pixels it would take, the part outside the frame."""

    corners: Array
    rect: Rect
    area: int
    cut_off: float


def card_frame(card: Card) -> Frame:
    height = card.z + card.thickness + card.lift
    return lying(card.x, card.y, height, card.angle, card.pitch, card.yaw)


def _rise(card: Card, down: Array, length: float) -> Array:
    """How far a bent card stands above its lowest line, by the distance from its middle."""
    reach = np.minimum((2 * down / length) ** 2, 1.2)
    bent: Array = card.bend * (1 - reach) if card.bend > 0 else -card.bend * reach
    return bent


def outline_in_space(card: Card, decal: Decal) -> Array:
    """Points along the card's edge (N×3); its corners are every third."""
    flat = edge_points(decal.outline)
    points = card_frame(card).at(flat)
    if card.bend:
        points[:, 2] += _rise(card, flat[:, 1], decal.size[1])
    return points


def card_rect(view: View, card: Card, decal: Decal) -> Rect:
    """The pixels a card and its shadow may touch."""
    reach = 8 + 1.5 * (card.z + abs(card.bend) + card.lift)
    margin = 3 + reach * view.pixels_per_mm * 1.5 + max(abs(v) for v in card.motion) * view.pixels_per_mm
    return around(view.project(outline_in_space(card, decal)), margin)


def paint_card(canvas: Canvas, decal: Decal, card: Card, number: int, lamps: tuple[Lamp, ...]) -> Footprint:
    """Paint a card into the canvas; its footprint holds when the clip shows all of it that is in frame."""
    view = canvas.view
    outline = outline_in_space(card, decal)
    below = outline[::3] - np.array([0.0, 0.0, card.thickness])
    pixels = view.project(np.concatenate([outline, below]))
    edge, foot = pixels[: len(outline)], pixels[len(outline) :]
    corners = edge[::3]
    frame = card_frame(card)
    smear = motion_in_picture(view, frame, card.motion)
    whole = around(edge, 2 + max(abs(smear[0]), abs(smear[1])))
    _paint_card_shadows(canvas, decal, card, frame, whole, lamps)
    rect = meet(canvas.clip, whole)
    if empty(rect):
        return Footprint(corners, whole, 0, 1.0)
    if float(np.abs(corners - foot).max()) > _WALL_SEEN and not smear[0] and not card.lift:
        _paint_wall(canvas, np.concatenate([corners, foot]), card)
    level = decal.level(picture_scale(corners, decal))
    patch = _seen(canvas, rect, level, decal, card, frame)
    area = lay(canvas, rect, patch, number, smear)
    return Footprint(corners, whole, area, _cut_off(canvas, whole, edge, decal, area))


def _cut_off(canvas: Canvas, whole: Rect, edge: Array, decal: Decal, area: int) -> float:
    width, height = canvas.view.camera.size
    if whole[0] >= 0 and whole[1] >= 0 and whole[2] <= width and whole[3] <= height:
        return 0.0
    total = cv2.contourArea(edge.astype(np.float32)) * decal.fill
    return float(min(1.0, max(0.0, 1 - area / max(total, 1.0))))


def _seen(canvas: Canvas, rect: Rect, level: Level, decal: Decal, card: Card, frame: Frame) -> Array:
    x0, y0, x1, y1 = rect
    grid = canvas.view.grid[y0:y1, x0:x1]
    eye = canvas.view.centre
    onto_card = np.linalg.inv(frame.seen_from(eye))
    if not card.bend:
        patch = sample(level, to_level(level, decal) @ onto_card, grid)
        return _with_sheen(patch, card, onto_card, grid) if card.sheen else patch
    return _seen_bent(grid, eye, level, decal, card, frame)


def _seen_bent(grid: Array, eye: Array, level: Level, decal: Decal, card: Card, frame: Frame) -> Array:
    """A bent card: the height under a pixel follows from the place on the card, and that from the height."""
    axes = np.stack([frame.across[:2], frame.down[:2]])
    start, there = axes @ (eye[:2] - frame.origin[:2]), axes @ -eye[:2]
    slanted = cv2.transform(grid, np.c_[axes, there].astype(np.float32))
    height: Array = np.full((1, 1), frame.origin[2], np.float32)
    for _ in range(3):
        own = np.asarray(start, np.float32) + slanted * (1 - height / np.float32(eye[2]))[..., None]
        height = np.float32(frame.origin[2]) + _rise(card, own[:, :, 1], decal.size[1])
    patch = look_up(level.picture, cv2.transform(own, to_level(level, decal)[:2].astype(np.float32)))
    slope = own[:, :, 1] * np.float32(-8 * card.bend / decal.size[1] ** 2)
    lit = np.clip(1 + slope * np.float32(0.8 * math.cos(math.radians(card.angle + 40))), 0.6, 1.4)
    colour = cv2.multiply(patch[:, :, :3], cv2.merge([lit, lit, lit]), dtype=cv2.CV_8U)
    alpha = np.asarray(patch[:, :, 3])
    return np.dstack([cv2.min(colour, cv2.cvtColor(alpha, cv2.COLOR_GRAY2BGR)), alpha])


def _with_sheen(patch: Array, card: Card, onto_card: Array, grid: Array) -> Array:
    """A streak of reflected light across a card that lies a little differently from its neighbours."""
    own = cv2.perspectiveTransform(grid, onto_card)
    lean = zlib.crc32(card.name.encode()) % 360
    cos, sin = math.cos(math.radians(lean)), math.sin(math.radians(lean))
    offset, width = (lean % 50) - 25, 12 + lean % 23
    along = (own[:, :, 0] * cos + own[:, :, 1] * sin - offset) / width
    shine = (card.sheen * np.exp(-along * along))[:, :, None]
    alpha = patch[:, :, 3:].astype(np.float32)
    colour = patch[:, :, :3] + (alpha - patch[:, :, :3]) * shine
    return np.concatenate([colour.astype(np.uint8), patch[:, :, 3:]], axis=2)


def _paint_wall(canvas: Canvas, points: Array, card: Card) -> None:
    """The edge of the card, seen from the side."""
    shade = 120 + zlib.crc32(card.name.encode()) % 90
    fill(canvas, points, (shade * 0.92, shade * 0.97, float(shade)), TABLE)


def _paint_card_shadows(
    canvas: Canvas, decal: Decal, card: Card, frame: Frame, whole: Rect, lamps: tuple[Lamp, ...]
) -> None:
    raised = Frame(frame.origin + np.array([0.0, 0.0, _SLACK + abs(card.bend) / 3]), frame.across, frame.down)
    if not card.lift:
        lamp = lamps[0]
        sigma = 1.0 + abs(card.bend) / 4
        strength = 0.2 + 0.5 * lamp.share
        if card.pitch or card.yaw:
            paint_shadow(canvas, decal, raised, lamp.place, sigma, strength, card.z)
        else:
            paint_flat_shadow(canvas, decal, raised, whole, lamp.place, sigma, strength, card.z)
        return
    for lamp in lamps:
        sigma = 1.2 + lamp.softness * card.lift
        paint_shadow(canvas, decal, raised, lamp.place, sigma, 0.15 + 0.75 * lamp.share, card.z)


def paint_pile_shadow(canvas: Canvas, decal: Decal, card: Card, lamps: tuple[Lamp, ...]) -> None:
    """The shadow that a card high on a pile casts on the table beside the pile."""
    frame = card_frame(replace(card, pitch=0.0, yaw=0.0))
    lamp = lamps[0]
    sigma = 1.0 + lamp.softness * card.z
    paint_shadow(canvas, decal, frame, lamp.place, sigma, 0.1 + 0.6 * lamp.share)
