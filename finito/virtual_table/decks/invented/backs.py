"""Backs of invented decks: a design per player, from unmistakable to much the same."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Literal

import cv2
import numpy as np

from finito.virtual_table.decks.deck import PX_PER_MM, Picture
from finito.virtual_table.decks.invented.brush import blank, fill, line, moved, oval, overlay, rounded
from finito.virtual_table.decks.invented.figures import (
    Lettering,
    Look,
    draw_figure,
    figure_mask,
    random_lettering,
)
from finito.virtual_table.decks.invented.inks import (
    Colour,
    any_ink,
    lightness,
    mixed,
    random_dark,
    turned_hue,
)
from finito.virtual_table.decks.invented.motifs import Motif, distinct_motifs, random_motif
from finito.virtual_table.decks.invented.scenes import Scene
from finito.virtual_table.decks.invented.textures import Texture, Tiling, paint_tiling, texture_mask
from finito.virtual_table.decks.invented.words import random_word

Cover = Literal["plain", "texture", "two textures", "tiling", "scene"]
Medal = Literal["none", "oval", "disc", "motif", "mirrored"]
_COVERS: tuple[Cover, ...] = ("plain", "texture", "two textures", "tiling", "scene")
_MEDALS: tuple[Medal, ...] = ("none", "none", "none", "none", "oval", "disc", "motif", "mirrored")


@dataclass(frozen=True)
class BackStyle:
    ground: Colour
    ink: Colour
    accent: Colour
    border: Colour
    border_mm: float
    border_radius_mm: float
    frame_mm: float
    cover: Cover
    texture: Texture
    second: Texture
    tiling: Tiling
    scene: Scene
    motif: Motif
    medal: Medal
    medal_size: float
    word: str
    lettering: Lettering
    tilt: float

    def draw(self, size: tuple[int, int]) -> Picture:
        picture = self._covered(size)
        self._draw_medal(picture)
        self._draw_word(picture)
        return self._bordered(picture)

    def _covered(self, size: tuple[int, int]) -> Picture:
        picture = blank(size, self.ground)
        if self.cover == "tiling":
            paint_tiling(picture, self.tiling, self.motif, (self.ink, self.accent, self.ground))
        if self.cover == "scene":
            self.scene.paint(picture, "", "", self.ink, self.motif)
        if self.cover in ("texture", "two textures"):
            picture = overlay(picture, blank(size, self.ink), texture_mask(self.texture, size))
        if self.cover == "two textures":
            picture = overlay(picture, blank(size, self.accent), texture_mask(self.second, size))
        return picture

    def _draw_medal(self, picture: Picture) -> None:
        height, width = picture.shape[:2]
        middle, wide = (width / 2, height / 2), width * self.medal_size
        if self.medal in ("oval", "disc"):
            radii = (wide / 2, wide * (0.8 if self.medal == "oval" else 0.5))
            fill(picture, oval(middle, radii, self.tilt), self.accent)
            line(picture, oval(middle, radii, self.tilt), 3, self.border, closed=True)
        spots = [(middle, self.tilt)] if self.medal == "motif" else []
        if self.medal == "mirrored":
            spots = [((width / 2, height * 0.28), 0.0), ((width / 2, height * 0.72), 180.0)]
            wide *= 0.65
        for at, turn in spots:
            for part in self.motif:
                inks = (self.accent, self.border, self.ground)
                fill(picture, moved(part.points, at, wide, turn), inks[part.role])

    def _draw_word(self, picture: Picture) -> None:
        if not self.word:
            return
        height, width = picture.shape[:2]
        behind = self.accent if self.medal in ("oval", "disc") else self.ground
        pale = (250, 250, 250) if lightness(behind) < 140 else (20, 20, 20)
        mask = figure_mask(self.lettering, self.word, round(width * 0.2), "", self.tilt, round(width * 0.75))
        dark = (20, 20, 20) if pale[0] > 99 else None
        look = Look(pale, dark, 3 if dark else 0, dark, (-4, 4) if dark else (0, 0))
        draw_figure(picture, mask, (width / 2, height / 2), look)

    def _bordered(self, picture: Picture) -> Picture:
        height, width = picture.shape[:2]
        inset = self.border_mm * PX_PER_MM
        outline = rounded(inset, inset, width - inset, height - inset, self.border_radius_mm * PX_PER_MM)
        if inset >= 1:
            mask = np.zeros((height, width), np.uint8)
            cv2.fillPoly(mask, [np.rint(outline * 16).astype(np.int32)], 255, cv2.LINE_AA, 4)
            picture = overlay(blank((width, height), self.border), picture, mask)
        if self.frame_mm:
            line(picture, outline, self.frame_mm * PX_PER_MM, self.accent, closed=True)
        return picture


def random_back(rng: Random, split: str) -> BackStyle:
    ground = any_ink(rng) if rng.random() < 0.8 else rng.choice(((245, 245, 245), random_dark(rng)))
    cover = rng.choices(_COVERS, (2, 4, 2, 4, 2))[0]
    medals = _MEDALS[4:] if cover == "plain" and rng.random() < 0.85 else _MEDALS
    return BackStyle(
        ground=ground,
        ink=_seen_on(rng, ground),
        accent=any_ink(rng),
        border=rng.choices(((248, 248, 248), random_dark(rng), any_ink(rng)), (7, 2, 1))[0],
        border_mm=rng.choice((0.0, rng.uniform(1.5, 6.0), rng.uniform(1.5, 6.0))),
        border_radius_mm=rng.choice((0.0, rng.uniform(1, 6))),
        frame_mm=rng.uniform(0.3, 1.0) if rng.random() < 0.2 else 0.0,
        cover=cover,
        texture=Texture.random(rng),
        second=Texture.random(rng, ("lattice", "dots", "rays", "guilloche")),
        tiling=Tiling.random(rng),
        scene=replace(Scene.random(rng), box=(1.0, 1.0), changes="never"),
        motif=random_motif(rng, split),
        medal=rng.choice(medals),
        medal_size=rng.uniform(0.4, 0.95),
        word=random_word(rng, split) if rng.random() < 0.3 else "",
        lettering=random_lettering(rng, split),
        tilt=rng.choice((0.0, rng.uniform(-35, 35), rng.uniform(-70, -50))),
    )


def _seen_on(rng: Random, ground: Colour) -> Colour:
    """An ink that differs from the ground, strongly or by a shade only."""
    if rng.random() < 0.3:
        return mixed(ground, (0, 0, 0) if lightness(ground) > 90 else (255, 255, 255), rng.uniform(0.2, 0.45))
    for _ in range(8):
        ink = (248, 248, 248) if rng.random() < 0.3 else any_ink(rng)
        if abs(lightness(ink) - lightness(ground)) > 45:
            return ink
    return (248, 248, 248) if lightness(ground) < 130 else (24, 24, 24)


def random_backs(rng: Random, split: str, count: int) -> tuple[BackStyle, ...]:
    """A deck's backs: one design in several hues, one hue with several motifs, or a mixture with twins."""
    first = random_back(rng, split)
    plan = rng.choices(("hues", "motifs", "mixture"), (4, 3, 4))[0]
    if plan == "hues":
        count = min(count, 8)  # more hues of one design than that look alike
        return tuple(_rehued(first, 360.0 * i / count + rng.uniform(-4, 4)) for i in range(count))
    if plan == "motifs":
        shown = first if _shows_motif(first) else replace(first, cover="tiling")
        return tuple(replace(shown, motif=motif) for motif in distinct_motifs(rng, split, count))
    backs: list[BackStyle] = []
    while len(backs) < count:
        back = random_back(rng, split)
        backs += [back, _twin(rng, split, back)] if rng.random() < 0.35 else [back]
    return tuple(backs[:count])


def _rehued(back: BackStyle, degrees: float) -> BackStyle:
    """Greys have no hue to turn: where nothing else shows, the ground is coloured first."""
    grey = not _has_hue(back.ground) and (back.cover == "plain" or not _has_hue(back.ink))
    ground = mixed(back.ground, (40, 90, 200), 0.6) if grey else back.ground
    return replace(
        back,
        ground=turned_hue(ground, degrees),
        ink=turned_hue(back.ink, degrees),
        accent=turned_hue(back.accent, degrees),
        scene=replace(back.scene, inks=tuple(turned_hue(ink, degrees) for ink in back.scene.inks)),
    )


def _has_hue(colour: Colour) -> bool:
    return max(colour) - min(colour) > 60


def _shows_motif(back: BackStyle) -> bool:
    return back.cover == "tiling" or back.medal in ("motif", "mirrored")


def _twin(rng: Random, split: str, back: BackStyle) -> BackStyle:
    if rng.random() < 0.5 or back.cover == "plain":
        return _rehued(back, rng.choice((-1, 1)) * rng.uniform(35, 180))
    return replace(
        back,
        motif=random_motif(rng, split),
        texture=Texture.random(rng),
        tiling=Tiling.random(rng),
        scene=replace(back.scene, seed=rng.randrange(1 << 30)),
    )
