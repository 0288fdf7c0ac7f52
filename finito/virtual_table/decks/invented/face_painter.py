"""Paints the faces of one invented deck: the ground once per colour, then each number on it."""

from __future__ import annotations

from dataclasses import dataclass, field

import cv2
import numpy as np

from finito.virtual_table.decks.deck import PX_PER_MM, Picture
from finito.virtual_table.decks.invented.brush import Points, blank, fill, line, moved, oval, overlay, rounded
from finito.virtual_table.decks.invented.corners import draw_corners, draw_word
from finito.virtual_table.decks.invented.face_style import FaceStyle
from finito.virtual_table.decks.invented.figures import Look, draw_figure, figure_mask
from finito.virtual_table.decks.invented.inks import Colour, Inks, lightness, mixed
from finito.virtual_table.decks.invented.motifs import Motif
from finito.virtual_table.decks.invented.pips import draw_pips
from finito.virtual_table.decks.invented.textures import paint_tiling, texture_mask

_CONTRAST = 70.0  # of 255, below which a figure gets an outline


@dataclass(frozen=True)
class FacePainter:
    style: FaceStyle
    inks: Inks
    size: tuple[int, int]
    numbers: tuple[int, ...]
    _grounds: dict[str, Picture] = field(default_factory=dict, repr=False, compare=False)

    def draw(self, colour: str, text: str) -> Picture:
        """The face with that number, or with a word or sign that is no number."""
        picture = self.ground(colour).copy()
        style, mark = self.style, self._mark(text)
        if style.scene and not (style.pips and text.isdigit()):  # pips leave no room; court cards have them
            style.scene.paint(picture, colour, text, self.inks.by_colour[colour], self._motif(colour))
            self._paint_device(picture, colour)
        if style.pips and text.isdigit():
            draw_pips(picture, int(text), self._motif(colour), self._motif_inks(colour))
        elif style.figure_mm:
            height, room = self._figure_room()
            mask = figure_mask(style.lettering, text, height, mark, style.figure_tilt, room)
            draw_figure(picture, mask, (self.size[0] / 2, self.size[1] / 2), self._look(colour))
        if style.corners:
            draw_corners(picture, style, text, mark, self._motif(colour), self._corner_look(colour))
        if not style.corners and not style.figure_mm:  # a card must say its number somewhere
            mask = figure_mask(style.lettering, text, round(8 * PX_PER_MM), "underline" if mark else "")
            draw_figure(picture, mask, (self.size[0] / 2, 8.0 * PX_PER_MM), self._look(colour))
        return picture

    def ground(self, colour: str) -> Picture:
        """Everything under the number."""
        if colour not in self._grounds:
            self._grounds[colour] = self._paint_ground(colour)
        return self._grounds[colour]

    def _figure_room(self) -> tuple[int, int]:
        """Height and greatest width of the figure: it keeps to its device and off the corners."""
        style = self.style
        height, room = style.figure_mm * PX_PER_MM, self.size[0] * (0.62 if style.corners else 0.8)
        if style.device in ("oval", "disc", "diamond", "panel"):
            low, high = self._outline().min(axis=0), self._outline().max(axis=0)
            fit = 0.6 if style.device == "diamond" else 0.8
            height, room = (
                min(height, float(high[1] - low[1]) * fit),
                min(room, float(high[0] - low[0]) * fit),
            )
        return round(height), round(room)

    def _mark(self, text: str) -> str:
        if text not in ("6", "9"):
            return ""
        needed = self.style.corners is None or 9 in self.numbers
        return self.style.mark if needed or self.style.marks_always else ""

    def _motif(self, colour: str) -> Motif:
        return self.style.motifs[self.inks.colours.index(colour)]

    def _panel_colour(self, colour: str) -> Colour:
        ink, paper = self.inks.by_colour[colour], self.inks.paper
        choices = {"paper": paper, "dark": self.inks.dark, "tint": mixed(ink, paper, 0.72)}
        return choices.get(self.style.ground, ink)

    def _border_colour(self, colour: str) -> Colour:
        return {"paper": self.inks.paper, "dark": self.inks.dark}.get(
            self.style.border, self.inks.by_colour[colour]
        )

    def _shade(self, colour: str) -> Colour:
        ink = self.inks.by_colour[colour]
        return mixed(ink, self.inks.dark if lightness(ink) > 90 else self.inks.paper, 0.35)

    def _device_colour(self, colour: str) -> Colour:
        by_name = {"paper": self.inks.paper, "dark": self.inks.dark, "shade": self._shade(colour)}
        return by_name.get(self.style.device_fill, self.inks.by_colour[colour])

    def _behind_figure(self, colour: str) -> Colour:
        covers = self.style.device in ("oval", "disc", "diamond", "panel", "band", "motif")
        return self._device_colour(colour) if covers else self._panel_colour(colour)

    def _shows_colour(self, colour: str) -> bool:
        """Whether the card tells its colour without the figure."""
        style, ink = self.style, self.inks.by_colour[colour]
        bordered = style.border == "ink" and style.border_mm > 1
        device = style.device not in ("none", "ring") and self._device_colour(colour) == ink
        return self._panel_colour(colour) == ink or bordered or device

    def _look(self, colour: str) -> Look:
        style, ink = self.style, self.inks.by_colour[colour]
        behind = self._behind_figure(colour)
        elsewhere = self._shows_colour(colour)
        inked = not elsewhere or _apart(ink, behind) > 60
        fill_ink = (
            ink if inked else self.inks.paper if _apart(self.inks.paper, behind) > 90 else self.inks.dark
        )
        if style.figure_fill == "dark" and elsewhere and lightness(behind) > 120:
            fill_ink = self.inks.dark
        outline = {"dark": self.inks.dark, "light": self.inks.paper}.get(style.outlining.outline)
        faint = abs(lightness(fill_ink) - lightness(behind)) < _CONTRAST
        spills = _apart(fill_ink, self._panel_colour(colour)) < 60  # over the device's edge
        if outline is None and (style.scene or spills or (faint and (elsewhere or lightness(ink) > 190))):
            outline = self.inks.dark if lightness(behind) > 75 else self.inks.paper
        if outline == fill_ink:
            outline = None
        shadow = {"dark": self.inks.dark, "ink": self._shade(colour)}.get(style.outlining.shadow)
        if shadow and outline is None and _apart(shadow, fill_ink) < 60:  # they would run together
            shadow = None
        step = style.outlining.shadow_mm
        return Look(
            fill_ink,
            outline,
            max(1, round(style.outlining.outline_mm * PX_PER_MM)) if outline else 0,
            shadow,
            (round(step[0] * PX_PER_MM), round(step[1] * PX_PER_MM)) if shadow else (0, 0),
        )

    def _corner_look(self, colour: str) -> Look:
        ink, behind = self.inks.by_colour[colour], self._panel_colour(colour)
        fill_ink = ink if _apart(ink, behind) > 80 else self.inks.paper
        if _apart(fill_ink, behind) < 60:
            fill_ink = self.inks.dark
        outlined = (
            self.style.corners is not None and self.style.corners.outlined and fill_ink != self.inks.dark
        )
        return Look(fill_ink, self.inks.dark if outlined else None, 2 if outlined else 0)

    def _motif_inks(self, colour: str) -> tuple[Colour, Colour, Colour]:
        return self.inks.by_colour[colour], self._shade(colour), self._panel_colour(colour)

    def _paint_ground(self, colour: str) -> Picture:
        style = self.style
        picture = blank(self.size, self._border_colour(colour))
        inner = self._painted_panel(colour)
        inset = style.border_mm * PX_PER_MM
        outline = rounded(
            inset, inset, self.size[0] - inset, self.size[1] - inset, style.panel_radius_mm * PX_PER_MM
        )
        if inset < 1:
            picture = inner
        else:
            mask = np.zeros((self.size[1], self.size[0]), np.uint8)
            cv2.fillPoly(mask, [np.rint(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
            picture = overlay(picture, inner, mask)
        if style.frame_mm:
            apart = self.inks.dark if lightness(self._panel_colour(colour)) > 110 else self.inks.paper
            line(picture, outline, style.frame_mm * PX_PER_MM, apart, closed=True)
        if style.word:
            patch = self._border_colour(colour)
            draw_word(picture, style, patch, self.inks.dark if lightness(patch) > 110 else self.inks.paper)
        return picture

    def _painted_panel(self, colour: str) -> Picture:
        style, panel = self.style, self._panel_colour(colour)
        picture = blank(self.size, panel)
        if style.ground == "gradient":
            picture = overlay(
                picture, blank(self.size, self._shade(colour)), _gradient(style.gradient, self.size)
            )
        if style.tiling:
            near = mixed(panel, self._shade(colour), 0.35)
            paint_tiling(picture, style.tiling, self._motif(colour), (near, mixed(near, panel, 0.5), panel))
        if style.texture:
            mask = cv2.convertScaleAbs(texture_mask(style.texture, self.size), alpha=style.texture_strength)
            picture = overlay(picture, blank(self.size, self._shade(colour)), np.asarray(mask, np.uint8))
        if style.scene is None:
            self._paint_device(picture, colour)
        return picture

    def _paint_device(self, picture: Picture, colour: str) -> None:
        style, ink = self.style, self._device_colour(colour)
        if style.device == "motif":
            inks = (ink, self._shade(colour), self._panel_colour(colour))
            scale = self.size[0] * style.device_size[0]
            for part in self._motif(colour):
                centre = (self.size[0] / 2, self.size[1] / 2)
                fill(picture, moved(part.points, centre, scale, style.device_tilt), inks[part.role])
        elif style.device == "ring":
            line(picture, self._outline(), self.size[0] * 0.026, self.inks.paper, closed=True)
        elif style.device != "none":
            fill(picture, self._outline(), ink)

    def _outline(self) -> Points:
        style = self.style
        width, height = self.size
        half = (width * style.device_size[0] / 2, height * style.device_size[1] / 2)
        middle = (width / 2, height / 2)
        if style.device in ("oval", "ring"):
            return oval(middle, half, style.device_tilt)
        if style.device == "disc":
            return oval(middle, (half[0] * 1.1, half[0] * 1.1))
        if style.device == "diamond":
            return np.array([(0, -half[1]), (half[0], 0), (0, half[1]), (-half[0], 0)]) + middle
        if style.device == "band":
            return rounded(-9.0, middle[1] - half[1] / 2, width + 9.0, middle[1] + half[1] / 2, 0.0)
        sides = rounded(-half[0], -half[1], half[0], half[1], style.panel_radius_mm * PX_PER_MM)
        return moved(sides, middle, 1.0, 0.0)


def _gradient(kind: str, size: tuple[int, int]) -> Picture:
    down = np.linspace(0, 255, size[1], dtype=np.float32)[:, None]
    across = np.linspace(0, 255, size[0], dtype=np.float32)[None, :]
    if kind == "down":
        return np.broadcast_to(down, (size[1], size[0])).astype(np.uint8)
    if kind == "across":
        return ((down + across) / 2).astype(np.uint8)
    away = np.hypot(down - 127.5, (across - 127.5) * 0.7) * 1.7
    return np.asarray(np.clip(away, 0, 255), np.uint8)


def _apart(one: Colour, other: Colour) -> float:
    return max(abs(lightness(one) - lightness(other)), 0.5 * float(np.abs(np.subtract(one, other)).max()))
