"""What the faces of one invented deck have in common, drawn by lot from the habits of real decks."""

from __future__ import annotations

from dataclasses import dataclass, replace
from random import Random
from typing import Literal

from finito.virtual_table.decks.invented.figures import Lettering, random_lettering
from finito.virtual_table.decks.invented.motifs import Motif, random_motif, suit_motifs
from finito.virtual_table.decks.invented.scenes import Scene
from finito.virtual_table.decks.invented.textures import Texture, Tiling
from finito.virtual_table.decks.invented.words import random_word

Ground = Literal["ink", "paper", "dark", "gradient", "tint"]
Device = Literal["none", "oval", "ring", "disc", "diamond", "panel", "band", "motif"]


@dataclass(frozen=True)
class Outlining:
    outline: Literal["none", "dark", "light"]
    outline_mm: float
    shadow: Literal["none", "dark", "ink"]
    shadow_mm: tuple[float, float]


@dataclass(frozen=True)
class Corners:
    layout: Literal["two", "four", "one"]
    height_mm: float
    inset_mm: float
    outlined: bool
    suit_mm: float  # the colour's motif below the index; 0 for none


@dataclass(frozen=True)
class FaceStyle:
    border_mm: float
    border: Literal["paper", "dark", "ink"]
    panel_radius_mm: float
    frame_mm: float  # a thin line around the panel
    ground: Ground
    gradient: Literal["down", "across", "round"]
    texture: Texture | None
    texture_strength: float
    tiling: Tiling | None
    scene: Scene | None
    device: Device
    device_size: tuple[float, float]  # of the card's width and height
    device_tilt: float
    device_fill: Literal["paper", "ink", "dark", "shade"]
    figure_mm: float  # 0: no figure in the middle
    figure_tilt: float
    figure_fill: Literal["auto", "dark"]
    lettering: Lettering
    outlining: Outlining
    corners: Corners | None
    corner_lettering: Lettering
    pips: bool
    motifs: tuple[Motif, ...]  # one per colour
    word: str  # the maker's name in the upper right
    mark: Literal["underline", "dot"]
    marks_always: bool


def random_face_style(rng: Random, split: str, colours: int) -> FaceStyle:
    habits = {_uno: 0.40, _plain: 0.12, _full: 0.14, _playing: 0.10, _picture: 0.14, _home_made: 0.10}
    style = rng.choices(list(habits), list(habits.values()))[0]
    return style(rng, split, colours)


def _base(rng: Random, split: str, colours: int) -> FaceStyle:
    """Everything by lot; the habits below change what they are known for."""
    lettering = random_lettering(rng, split)
    corner_lettering = lettering if rng.random() < 0.75 else random_lettering(rng, split)
    return FaceStyle(
        border_mm=rng.choice((0.0, rng.uniform(1.5, 5.5))),
        border=rng.choices(("paper", "dark", "ink"), (8, 2, 1))[0],
        panel_radius_mm=rng.choice((0.0, rng.uniform(1, 8))),
        frame_mm=rng.uniform(0.3, 1.2) if rng.random() < 0.25 else 0.0,
        ground="ink",
        gradient=rng.choice(("down", "across", "round")),
        texture=Texture.random(rng) if rng.random() < 0.3 else None,
        texture_strength=rng.uniform(0.08, 0.4),
        tiling=None,
        scene=None,
        device="none",
        device_size=(rng.uniform(0.6, 0.9), rng.uniform(0.6, 0.9)),
        device_tilt=rng.choice((0.0, rng.uniform(-30, 30))),
        device_fill=rng.choices(("paper", "shade", "dark", "ink"), (6, 2, 1, 1))[0],
        figure_mm=rng.uniform(22, 56),
        figure_tilt=rng.uniform(-14, 14) if rng.random() < 0.2 else 0.0,
        figure_fill="dark" if rng.random() < 0.08 else "auto",
        lettering=lettering,
        outlining=_outlining(rng),
        corners=_corners(rng),
        corner_lettering=corner_lettering,
        pips=False,
        motifs=suit_motifs(rng, split, colours)
        if rng.random() < 0.5
        else (random_motif(rng, split),) * colours,
        word=random_word(rng, split) if rng.random() < 0.08 else "",
        mark="underline" if rng.random() < 0.8 else "dot",
        marks_always=rng.random() < 0.8,
    )


def _outlining(rng: Random) -> Outlining:
    shadow_mm = (rng.choice((-1, 1)) * rng.uniform(0.4, 2.2), rng.uniform(0.3, 2.2))
    return Outlining(
        outline=rng.choices(("none", "dark", "light"), (5, 4, 1))[0],
        outline_mm=rng.uniform(0.3, 1.3),
        shadow=rng.choices(("none", "dark", "ink"), (6, 3, 1))[0],
        shadow_mm=shadow_mm,
    )


def _corners(rng: Random) -> Corners | None:
    if rng.random() < 0.15:
        return None
    return Corners(
        layout=rng.choices(("two", "four", "one"), (8, 3, 1))[0],
        height_mm=rng.uniform(5.0, 13.0),
        inset_mm=rng.uniform(1.5, 4.5),
        outlined=rng.random() < 0.4,
        suit_mm=rng.uniform(3.0, 7.0) if rng.random() < 0.25 else 0.0,
    )


def _uno(rng: Random, split: str, colours: int) -> FaceStyle:
    """A coloured panel in a white border with an oval or ring across it."""
    style = _base(rng, split, colours)
    tilt = rng.choice((rng.uniform(15, 40), rng.uniform(15, 40), 0.0, rng.uniform(-40, -15)))
    outlining = Outlining(
        rng.choices(("dark", "none"), (7, 3))[0],
        rng.uniform(0.3, 1.1),
        rng.choices(("dark", "none"), (7, 3))[0],
        (rng.choice((-1, -1, 1)) * rng.uniform(0.5, 2.0), rng.uniform(0.4, 1.8)),
    )
    return replace(
        style,
        border_mm=rng.uniform(2.0, 5.5),
        border=rng.choices(("paper", "dark"), (9, 1))[0],
        panel_radius_mm=rng.uniform(0.5, 6),
        ground=rng.choices(("ink", "gradient", "dark"), (8, 1, 1))[0],
        texture=style.texture if rng.random() < 0.2 else None,
        device=rng.choices(("oval", "ring", "disc"), (4, 4, 2))[0],
        device_size=(rng.uniform(0.6, 0.85), rng.uniform(0.72, 1.0)),
        device_tilt=tilt,
        device_fill=rng.choices(("paper", "shade"), (9, 1))[0],
        figure_mm=rng.uniform(24, 46),
        outlining=outlining,
        corners=style.corners or _corners(rng),
    )


def _plain(rng: Random, split: str, colours: int) -> FaceStyle:
    """White paper, a coloured number, little else."""
    return replace(
        _base(rng, split, colours),
        ground="paper",
        border_mm=rng.choice((0.0, 0.0, rng.uniform(1.5, 5))),
        border=rng.choice(("paper", "ink", "ink")),
        texture=None,
        device=rng.choices(("none", "disc", "panel", "band", "motif"), (6, 1, 1, 1, 1))[0],
        device_fill=rng.choice(("ink", "ink", "shade")),
        figure_mm=rng.uniform(24, 54),
    )


def _full(rng: Random, split: str, colours: int) -> FaceStyle:
    """Colour to the edge or to a border, a pale number on it."""
    style = _base(rng, split, colours)
    return replace(
        style,
        ground=rng.choices(("ink", "gradient", "dark"), (5, 4, 1))[0],
        border_mm=rng.choice((0.0, style.border_mm)),
        device=rng.choices(("none", "disc", "diamond", "panel", "ring", "band"), (5, 2, 2, 2, 1, 1))[0],
        tiling=Tiling.random(rng) if rng.random() < 0.3 else None,
        figure_mm=rng.uniform(26, 52),
    )


def _playing(rng: Random, split: str, colours: int) -> FaceStyle:
    """Like a pack of playing cards: pips on white, an index with a suit in the corners."""
    style = _base(rng, split, colours)
    suited = Corners(
        rng.choice(("two", "two", "four")), rng.uniform(7, 14), rng.uniform(1.5, 3.5), False, 5.5
    )
    pips = rng.random() < 0.7
    scene = replace(Scene.random(rng), box=(0.62, 0.78), doubled=True) if rng.random() < 0.3 else None
    figure_mm = rng.choice((0.0, rng.uniform(24, 45)))
    return replace(
        style,
        ground="paper",
        border_mm=0.0,
        frame_mm=rng.choice((0.0, 0.0, 0.4)),
        texture=None,
        device="none",
        pips=pips or (scene is None and not figure_mm),  # nobody prints a card with an empty middle
        scene=scene,
        figure_mm=figure_mm,
        corners=suited,
        motifs=suit_motifs(rng, split, colours),
        outlining=Outlining("none", 0.5, "none", (0.0, 0.0)),
    )


def _picture(rng: Random, split: str, colours: int) -> FaceStyle:
    """An illustration: gradient sky, patterned ground, a large figure, the number on or above it."""
    style = _base(rng, split, colours)
    return replace(
        style,
        ground=rng.choice(("gradient", "tint", "ink", "paper")),
        texture=Texture.random(rng, ("marble", "rays", "waves", "scales", "rings", "dots")),
        texture_strength=rng.uniform(0.15, 0.6),
        tiling=Tiling.random(rng) if rng.random() < 0.25 else None,
        scene=Scene.random(rng) if rng.random() < 0.6 else None,
        device=rng.choices(("motif", "disc", "oval", "panel", "none"), (5, 2, 2, 1, 4))[0],
        device_fill=rng.choice(("paper", "shade", "ink", "dark")),
        outlining=Outlining(
            rng.choice(("dark", "light", "light")), rng.uniform(0.5, 1.5), style.outlining.shadow, (0.8, 0.8)
        ),
        figure_mm=rng.choice((rng.uniform(24, 50), rng.uniform(16, 24))),
    )


def _home_made(rng: Random, split: str, colours: int) -> FaceStyle:
    """Paper cut by hand, written with a felt pen, edged in another colour."""
    style = _base(rng, split, colours)
    return replace(
        style,
        ground=rng.choice(("paper", "paper", "tint")),
        border_mm=rng.choice((0.0, rng.uniform(0.5, 2.5))),
        border=rng.choice(("ink", "dark")),
        panel_radius_mm=0.0,
        texture=None,
        device="none",
        figure_mm=rng.uniform(18, 50),
        outlining=Outlining("none", 0.5, "none", (0.0, 0.0)),
        corners=style.corners if rng.random() < 0.5 else None,
    )
