"""Paints clutter: the shadow, the sides and the top of things that are no cards."""

import cv2
import numpy as np

from finito.virtual_table.lighting import Lamp
from finito.virtual_table.painter import (
    Canvas,
    Frame,
    Rect,
    around,
    empty,
    fill,
    lying,
    meet,
    paint,
    paint_shadow,
)
from finito.virtual_table.scene import CLUTTER, CLUTTER_ABOVE, Clutter
from finito.virtual_table.things import Thing, thing

_SHADOWS = 2
_TALL = 10.0
_FAR = 300


def paint_clutter(canvas: Canvas, clutter: Clutter, light: tuple[Lamp, ...]) -> None:
    what = thing(clutter.kind, clutter.seed)
    number = CLUTTER_ABOVE if clutter.above else CLUTTER
    top = lying(clutter.x, clutter.y, what.height, clutter.angle)
    raised = Frame(top.origin + np.array([0.0, 0.0, 1.0]), top.across, top.down)
    for lamp in light[:_SHADOWS]:
        if what.height > _TALL:
            _paint_tall_shadow(canvas, what, top, lamp)
        else:
            paint_shadow(canvas, what.decal, raised, lamp.place, 1.5, 0.1 + 0.7 * lamp.share)
    if what.height > 1:
        _paint_side(canvas, what, top, number)
    paint(canvas, what.decal, top, number)


def _paint_tall_shadow(canvas: Canvas, what: Thing, top: Frame, lamp: Lamp) -> None:
    """The shadow of a thing that stands on the table: from its foot to where its top's shadow falls."""
    upper = top.at(what.outline)
    foot = upper * np.array([1.0, 1.0, 0.0])
    fallen = lamp.place + (upper - lamp.place) * (lamp.place[2] / (lamp.place[2] - what.height))
    hull = cv2.convexHull(canvas.view.project(np.concatenate([foot, fallen])).astype(np.float32))[:, 0]
    sigma = (1.5 + 0.5 * lamp.softness * what.height) * canvas.view.pixels_per_mm
    wide = around(hull, 3 * sigma + 2)
    rect = meet(canvas.clip, wide)
    if empty(rect):
        return
    # Drawn over its whole extent, so that a clipped painting shows the same shadow as a full one.
    wide = meet(wide, (-_FAR, -_FAR, canvas.ids.shape[1] + _FAR, canvas.ids.shape[0] + _FAR))
    shade = np.zeros((wide[3] - wide[1], wide[2] - wide[0]), np.uint8)
    shape = np.round((hull - np.array(wide[:2])) * 16).astype(np.int32)
    cv2.fillConvexPoly(shade, shape, (255 * (0.1 + 0.7 * lamp.share),), cv2.LINE_AA, 4)
    # Of about the same shape as a Gaussian blur, and as quick however wide it is.
    soft = cv2.bitwise_not(cv2.stackBlur(shade, (_odd(4 * sigma), _odd(4 * sigma))))
    x0, y0, x1, y1 = rect
    part = canvas.picture[y0:y1, x0:x1]
    lit = soft[y0 - wide[1] : y1 - wide[1], x0 - wide[0] : x1 - wide[0]]
    cv2.multiply(part, cv2.cvtColor(lit, cv2.COLOR_GRAY2BGR), dst=part, scale=1 / 255)


def _odd(size: float) -> int:
    return 2 * int(size / 2) + 1


def _paint_side(canvas: Canvas, what: Thing, top: Frame, number: int) -> None:
    upper = top.at(what.outline)
    lower = upper * np.array([1.0, 1.0, 0.0])
    fill(canvas, canvas.view.project(np.concatenate([upper, lower])), what.side, number)


def clutter_rect(canvas: Canvas, clutter: Clutter) -> Rect:
    what = thing(clutter.kind, clutter.seed)
    upper = lying(clutter.x, clutter.y, what.height, clutter.angle).at(what.decal.outline)
    spots = np.concatenate([upper, upper * np.array([1.0, 1.0, 0.0])])
    return around(canvas.view.project(spots), 4 + what.height * canvas.view.pixels_per_mm)
