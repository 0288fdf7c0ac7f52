"""Inks of a deck: named hues with the spread that real printers show."""

from __future__ import annotations

import colorsys
from dataclasses import dataclass
from random import Random

Colour = tuple[int, int, int]  # blue, green, red

# Initial: hue range in degrees, saturation range, value range.
_HUES: dict[str, tuple[tuple[float, float], tuple[float, float], tuple[float, float]]] = {
    "R": ((-16, 9), (0.72, 1.0), (0.58, 0.98)),
    "Y": ((43, 60), (0.68, 1.0), (0.80, 1.0)),
    "G": ((84, 165), (0.48, 1.0), (0.30, 0.78)),
    "B": ((196, 243), (0.55, 1.0), (0.34, 0.98)),
    "O": ((20, 33), (0.80, 1.0), (0.82, 1.0)),
    "P": ((262, 305), (0.40, 0.95), (0.30, 0.75)),
    "K": ((0, 360), (0.0, 0.25), (0.06, 0.20)),
}
MAIN_COLOURS = ("R", "Y", "G", "B")


@dataclass(frozen=True)
class Inks:
    by_colour: dict[str, Colour]
    paper: Colour
    dark: Colour

    @property
    def colours(self) -> tuple[str, ...]:
        return tuple(self.by_colour)


def random_inks(rng: Random) -> Inks:
    extra = rng.choice((("P",), ("O",), ("K",), ("O", "P"), ("P", "K"))) if rng.random() < 0.2 else ()
    colours = (*MAIN_COLOURS, *extra)
    faded = rng.uniform(0.0, 0.22) if rng.random() < 0.3 else 0.0
    paper = random_paper(rng)
    inks = {colour: mixed(_ink(rng, colour, crowded="O" in extra), paper, faded) for colour in colours}
    return Inks(inks, paper, random_dark(rng))


def _ink(rng: Random, colour: str, crowded: bool) -> Colour:
    hue, saturation, value = _HUES[colour]
    if crowded and colour in "RY":  # keep clear of orange
        hue = (hue[0], 2) if colour == "R" else (50, hue[1])
    return hsv(rng.uniform(*hue), rng.uniform(*saturation), rng.uniform(*value))


def random_paper(rng: Random) -> Colour:
    """White card stock, sometimes cream or greyish with age."""
    if rng.random() < 0.65:
        level = rng.randint(238, 255)
        return (level, level, level)
    return hsv(rng.uniform(25, 60), rng.uniform(0.02, 0.16), rng.uniform(0.88, 1.0))


def random_dark(rng: Random) -> Colour:
    return hsv(rng.uniform(0, 360), rng.uniform(0.0, 0.5), rng.uniform(0.04, 0.2))


def any_ink(rng: Random) -> Colour:
    """For backs: any hue at all, from pastel to almost black."""
    return hsv(rng.uniform(0, 360), rng.uniform(0.15, 1.0) ** 0.6, rng.uniform(0.2, 1.0))


def hsv(hue: float, saturation: float, value: float) -> Colour:
    red, green, blue = colorsys.hsv_to_rgb(hue / 360 % 1.0, saturation, value)
    return round(blue * 255), round(green * 255), round(red * 255)


def turned_hue(colour: Colour, degrees: float) -> Colour:
    blue, green, red = (part / 255 for part in colour)
    hue, saturation, value = colorsys.rgb_to_hsv(red, green, blue)
    return hsv(hue * 360 + degrees, saturation, value)


def mixed(colour: Colour, other: Colour, share: float) -> Colour:
    blue, green, red = (round(a + (b - a) * share) for a, b in zip(colour, other, strict=True))
    return blue, green, red


def lightness(colour: Colour) -> float:
    return 0.114 * colour[0] + 0.587 * colour[1] + 0.299 * colour[2]
