"""Drawing of the things that lie about on a card table and are no cards."""

import math
from collections.abc import Callable
from dataclasses import dataclass
from functools import lru_cache

import cv2
import numpy as np

from finito.virtual_table.camera import Array
from finito.virtual_table.decals import Decal, premultiplied
from finito.virtual_table.surface_patterns import Rng, any_colour, colour_of

_DENSITY = 2.0
_FINE = 16


@dataclass(frozen=True)
class Thing:
    """The top of a thing, how high it stands, and the outline and colour of its sides."""

    decal: Decal
    height: float
    outline: Array
    side: tuple[float, float, float]


class Sheet:
    """A transparent picture in millimetres from its middle, to draw a thing on."""

    def __init__(self, width: float, height: float, density: float = _DENSITY) -> None:
        self.size = (width, height)
        self.density = density
        shape = (max(2, round(height * density)), max(2, round(width * density)))
        self.colour = np.zeros((*shape, 3), np.uint8)
        self.alpha = np.zeros(shape, np.uint8)

    def at(self, points: Array) -> Array:
        """Pixel positions in sixteenths, as OpenCV draws them."""
        spot = (np.asarray(points, float) + np.array(self.size) / 2) * self.density - 0.5
        return np.round(spot * _FINE).astype(np.int32)

    def polygon(self, points: Array, colour: Array) -> None:
        at = self.at(points)
        cv2.fillPoly(self.colour, [at], _bgr(colour), cv2.LINE_AA, 4)
        cv2.fillPoly(self.alpha, [at], (255,), cv2.LINE_AA, 4)

    def disc(self, x: float, y: float, radius: float, colour: Array) -> None:
        self.polygon(circle(x, y, radius), colour)

    def line(self, points: Array, width: float, colour: Array) -> None:
        at = self.at(points)
        thick = max(1, round(width * self.density))
        cv2.polylines(self.colour, [at], False, _bgr(colour), thick, cv2.LINE_AA, 4)
        cv2.polylines(self.alpha, [at], False, (255,), thick, cv2.LINE_AA, 4)

    def text(self, text: str, x: float, y: float, height: float, colour: Array) -> None:
        px, py = (self.at(np.array([[x, y]]))[0] / _FINE).astype(int)
        scale = height * self.density / 22
        cv2.putText(
            self.colour, text, (px, py), cv2.FONT_HERSHEY_SIMPLEX, scale, _bgr(colour), 1, cv2.LINE_AA
        )

    def shaded(self, rng: Rng, strength: float = 0.12) -> "Sheet":
        """Uneven light and grain, so that no thing is a flat colour."""
        rows, columns = self.alpha.shape
        soft = cv2.resize(rng.normal(0, strength, (3, 3)).astype(np.float32), (columns, rows))
        grain = rng.normal(0, 0.015, (rows, columns))
        self.colour = np.clip(self.colour * (1 + soft + grain)[:, :, None], 0, 255).astype(np.uint8)
        return self

    def thing(self, height: float, outline: Array, side: Array) -> Thing:
        art = premultiplied(self.colour, self.alpha)
        decal = Decal(art, self.size, (self.size[0] / 2, self.size[1] / 2))
        return Thing(decal, height, outline, _bgr(side))


def _bgr(colour: Array) -> tuple[float, float, float]:
    b, g, r = (float(v) for v in colour)
    return b, g, r


def circle(x: float, y: float, radius: float) -> Array:
    turn = np.linspace(0, 2 * math.pi, 48, endpoint=False)
    return np.stack([x + radius * np.cos(turn), y + radius * np.sin(turn)], axis=1)


def box(width: float, height: float, radius: float = 0.0) -> Array:
    """A rectangle around the origin, with rounded corners."""
    if not radius:
        return np.array([[-1, -1], [1, -1], [1, 1], [-1, 1]]) * (np.array([width, height]) / 2)
    turn = np.linspace(0, math.pi / 2, 6)
    quarter = np.stack([np.cos(turn), np.sin(turn)], axis=1) * radius
    corner = np.array([width / 2 - radius, height / 2 - radius])
    first = quarter + corner
    second = quarter[::-1] * [-1, 1] + corner * [-1, 1]
    third = -quarter - corner
    fourth = quarter[::-1] * [1, -1] + corner * [1, -1]
    return np.concatenate([first, second, third, fourth])


def _mug(rng: Rng) -> Thing:
    radius, tall = rng.uniform(28, 44), rng.uniform(50, 100)
    sheet = Sheet(radius * 4, radius * 4)
    glaze = any_colour(rng)
    turn = np.linspace(-1.5, 1.5, 12)
    sheet.line(np.stack([radius - 4 + 20 * np.cos(turn), 16 * np.sin(turn)], axis=1), 7, glaze * 0.8)
    sheet.disc(0, 0, radius, glaze)
    sheet.disc(0, 0, radius - 3.5, glaze * 0.5)
    sheet.disc(
        rng.uniform(-2, 2), rng.uniform(-2, 2), radius - 5, colour_of(rng, (10, 40), (0.2, 0.9), (0.1, 0.7))
    )
    return sheet.shaded(rng).thing(tall, circle(0, 0, radius), glaze * 0.7)


def _plate(rng: Rng) -> Thing:
    radius = rng.uniform(55, 125)
    sheet = Sheet(radius * 2 + 4, radius * 2 + 4, 1.5)
    glaze = colour_of(rng, (0, 360), (0, 0.3), (0.6, 1.0)) if rng.random() < 0.7 else any_colour(rng)
    for part, tone in ((1.0, 1.0), (0.93, 0.94), (0.7, 0.85), (0.67, 1.0)):
        sheet.disc(0, 0, radius * part, np.minimum(glaze * tone, 255))
    for _ in range(rng.integers(0, 6)):
        x, y = rng.normal(0, radius / 3, 2)
        sheet.disc(x, y, rng.uniform(2, radius / 4), any_colour(rng))
    return sheet.shaded(rng, 0.08).thing(14.0, circle(0, 0, radius * 0.6), glaze * 0.6)


def _pen(rng: Rng) -> Thing:
    long, wide = rng.uniform(90, 160), rng.uniform(6, 13)
    sheet = Sheet(long + 4, wide + 4)
    body, cap = any_colour(rng), any_colour(rng)
    for tone, part in ((0.55, 1.0), (0.85, 0.75), (1.0, 0.5), (1.35, 0.15)):
        sheet.polygon(
            box(long, wide * part, wide * part / 2.2), np.minimum(body * tone + 30 * (tone > 1), 255)
        )
        ends = box(long * 0.3, wide * part, wide * part / 2.2) + np.array([long * 0.35, 0])
        sheet.polygon(ends, np.minimum(cap * tone + 30 * (tone > 1), 255))
    return sheet.shaded(rng).thing(wide * 0.7, box(long, wide), body * 0.5)


def _paper(rng: Rng) -> Thing:
    """A sheet, a note or a score pad, with writing, ruling or boxes."""
    width, height = [(210, 297), (148, 210), (105, 148), (76, 76), (60, 90), (88, 125)][rng.integers(6)]
    sheet = Sheet(width + 2, height + 2, 1.6)
    base = colour_of(rng, (40, 70), (0, 0.6 if width < 90 else 0.08), (0.85, 1.0))
    sheet.polygon(box(width, height), base)
    ink = colour_of(rng, (200, 260), (0, 0.8), (0.1, 0.5))
    style = rng.integers(4)
    step = rng.uniform(4, 9)
    for y in np.arange(-height / 2 + 12, height / 2 - 8, step):
        if style == 0:
            sheet.line(np.array([[-width / 2 + 4, y], [width / 2 - 4, y]]), 0.4, ink * 0.5 + base * 0.5)
        elif style == 1 and rng.random() < 0.85:
            x = np.arange(-width / 2 + 10, rng.uniform(0, width / 2 - 8), 1.5)
            sheet.line(np.stack([x, y + rng.normal(0, 0.9, len(x))], axis=1), 0.6, ink)
        elif style == 2:
            sheet.text("".join(rng.choice(list("0123456789 "), 12)), -width / 2 + 8, y, step * 0.7, ink)
    return sheet.shaded(rng, 0.05).thing(0.4, box(width, height), base * 0.7)


def _phone(rng: Rng) -> Thing:
    width, height = rng.uniform(65, 78), rng.uniform(130, 165)
    sheet = Sheet(width + 4, height + 4)
    body = colour_of(rng, (0, 360), (0, 0.5), (0.03, 0.9))
    sheet.polygon(box(width, height, 9), body)
    screen = colour_of(rng, (180, 260), (0, 0.4), (0.03, 0.2)) if rng.random() < 0.7 else any_colour(rng)
    sheet.polygon(box(width - 5, height - 6, 7), screen)
    if rng.random() < 0.7:
        shine = np.array([[-0.4, -0.45], [0.1, -0.45], [-0.1, 0.45], [-0.4, 0.45]]) * [width, height]
        sheet.polygon(shine, np.minimum(screen + rng.uniform(8, 60), 255))
    if rng.random() < 0.4:
        for i in range(3):
            sheet.disc(-width / 2 + 14, -height / 2 + 15 + 17 * i, 6.5, body * 0.3)
    return sheet.shaded(rng).thing(8.0, box(width, height, 9), body * 0.4)


def _cable(rng: Rng) -> Thing:
    span = rng.uniform(150, 500)
    sheet = Sheet(span * 1.3, span * 0.8, 1.5)
    t = np.linspace(-1, 1, 80)
    wave = sum(rng.normal(0, 0.16) * np.sin(t * k + rng.uniform(0, 6)) for k in (2, 3, 5))
    points = np.stack([t * span * 0.6, np.clip(wave, -0.4, 0.4) * span], axis=1)
    colour, width = colour_of(rng, (0, 360), (0, 0.4), (0.03, 0.95)), rng.uniform(2.5, 6)
    sheet.line(points, width, colour * 0.7)
    sheet.line(points - [0, width * 0.15], width * 0.45, np.minimum(colour * 1.1 + 12, 255))
    return sheet.thing(0.0, box(1, 1), colour)


def _crumbs(rng: Rng) -> Thing:
    sheet = Sheet(160, 160)
    tone = colour_of(rng, (15, 45), (0.1, 0.7), (0.2, 1.0))
    for x, y in rng.normal(0, 32, (rng.integers(8, 60), 2)):
        r = rng.uniform(0.4, 2.2)
        sheet.polygon(
            np.array([x, y]) + rng.normal(0, r, (5, 2)), np.clip(tone * rng.uniform(0.6, 1.3), 0, 255)
        )
    return sheet.thing(0.0, box(1, 1), tone)


def _chip(rng: Rng) -> Thing:
    """Coins, chips, counters, bottle caps and coasters."""
    radius, tall = float(rng.choice([10, 12, 20, 20, 45])), rng.uniform(1.5, 18)
    sheet = Sheet(radius * 2 + 4, radius * 2 + 4, 3)
    base, ink = any_colour(rng), any_colour(rng)
    sheet.disc(0, 0, radius, base)
    for turn in np.arange(0, 360, 45 if rng.random() < 0.5 else 400):
        x, y = radius * 0.86 * math.cos(math.radians(turn)), radius * 0.86 * math.sin(math.radians(turn))
        sheet.disc(x, y, radius * 0.11, ink)
    sheet.disc(0, 0, radius * 0.7, np.clip(base * rng.uniform(0.7, 1.3), 0, 255))
    sheet.text(str(rng.integers(100)), -radius * 0.4, radius * 0.25, radius * 0.6, ink)
    return sheet.shaded(rng).thing(tall if radius < 30 else 3.0, circle(0, 0, radius), base * 0.6)


def _die(rng: Rng) -> Thing:
    size = rng.uniform(10, 18)
    sheet = Sheet(size + 3, size + 3, 4)
    base = any_colour(rng)
    sheet.polygon(box(size, size, size * 0.15), base)
    ink = np.array([250, 250, 250]) if base.mean() < 120 else np.array([20, 20, 20])
    for x, y in ((0, 0), (-1, -1), (1, 1), (-1, 1), (1, -1))[: rng.integers(1, 6)]:
        sheet.disc(x * size * 0.27, y * size * 0.27, size * 0.09, ink)
    return sheet.shaded(rng).thing(size, box(size, size), base * 0.6)


def _case(rng: Rng) -> Thing:
    """Boxes, books and wallets: large, coloured, lettered, rectangular and no cards."""
    width, height = rng.uniform(60, 220), rng.uniform(80, 280)
    sheet = Sheet(width + 2, height + 2, 1.6)
    base, ink = any_colour(rng), any_colour(rng)
    sheet.polygon(box(width, height, rng.choice([0.0, 4.0])), base)
    for _ in range(rng.integers(1, 5)):
        x, y = rng.uniform(-0.3, 0.3, 2) * [width, height]
        part = box(width * rng.uniform(0.1, 0.6), height * rng.uniform(0.05, 0.3)) + np.array([x, y])
        sheet.polygon(
            np.clip(part, -np.array([width, height]) / 2, np.array([width, height]) / 2), any_colour(rng)
        )
    sheet.text(
        str(rng.choice(["CAFFE", "GAME", "2024", "Notes", "BAR 7"])), -width * 0.35, 0, height / 9, ink
    )
    return sheet.shaded(rng).thing(rng.uniform(3, 45), box(width, height), base * 0.5)


def _spoon(rng: Rng) -> Thing:
    long = rng.uniform(110, 200)
    sheet = Sheet(long + 30, 50)
    steel = colour_of(rng, (200, 240), (0, 0.1), (0.55, 0.9))
    for tone, part in ((0.5, 1.0), (1.0, 0.7), (1.25, 0.3)):
        lit = np.minimum(steel * tone, 255)
        sheet.line(np.array([[-long / 2, 0], [long / 2 - 20, 0]]), 7 * part, lit)
        sheet.polygon(circle(0, 0, 15 * part) * [1.5, 1] + [long / 2 - 12, 0], lit)
    return sheet.shaded(rng, 0.2).thing(3.0, box(long, 6), steel * 0.5)


def _glass(rng: Rng) -> Thing:
    radius, tall = rng.uniform(26, 40), rng.uniform(60, 120)
    sheet = Sheet(radius * 2 + 6, radius * 2 + 6)
    drink = any_colour(rng)
    sheet.disc(0, 0, radius, np.array([215, 220, 220]))
    sheet.disc(0, 0, radius - 2, drink)
    sheet.disc(radius * 0.3, -radius * 0.3, radius * 0.14, np.array([255, 255, 255]))
    sheet.alpha = (sheet.alpha * 0.75).astype(np.uint8)
    return sheet.shaded(rng).thing(tall, circle(0, 0, radius), drink * 0.6 + 60)


def _marker(rng: Rng) -> Thing:
    """A printed ArUco marker of 50 mm (DICT_4X4_50) on white paper; its id is the seed's first number."""
    return aruco_paper(int(rng.integers(4)), rng.uniform(72, 110))


def aruco_paper(number: int, paper: float = 80.0, side: float = 50.0) -> Thing:
    sheet = Sheet(paper, paper, 4)
    sheet.polygon(box(paper, paper), np.array([245, 246, 246]))
    dictionary = cv2.aruco.getPredefinedDictionary(cv2.aruco.DICT_4X4_50)
    pixels = round(side * sheet.density)
    marker = cv2.aruco.generateImageMarker(dictionary, number, pixels)
    start = (sheet.alpha.shape[0] - pixels) // 2
    ink = np.clip(marker, 25, 240)
    sheet.colour[start : start + pixels, start : start + pixels] = cv2.cvtColor(ink, cv2.COLOR_GRAY2BGR)
    return sheet.thing(0.2, box(paper, paper), np.array([200, 200, 200]))


THINGS: dict[str, Callable[[Rng], Thing]] = {
    "cable": _cable,
    "case": _case,
    "chip": _chip,
    "crumbs": _crumbs,
    "die": _die,
    "glass": _glass,
    "marker": _marker,
    "mug": _mug,
    "paper": _paper,
    "pen": _pen,
    "phone": _phone,
    "plate": _plate,
    "spoon": _spoon,
}


@lru_cache(maxsize=64)
def thing(kind: str, seed: int) -> Thing:
    """The thing of a kind that a seed gives; `aruco` has the marker's id as its seed."""
    if kind == "aruco":
        return aruco_paper(seed)
    return THINGS[kind](np.random.default_rng([seed, len(kind)]))
