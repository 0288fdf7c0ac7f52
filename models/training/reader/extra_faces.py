"""Faces that carry no number from 0 to 10: action cards, wild cards, high numbers, letters."""

from __future__ import annotations

import math
from random import Random
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

from finito.virtual_table.decks import Deck
from finito.virtual_table.decks.deck import Picture

_WORDS = (
    "+2",
    "+4",
    "+1",
    "+3",
    "J",
    "Q",
    "K",
    "A",
    "X",
    "?",
    "!",
    "#",
    "&",
    "%",
    "@",
    "W",
    "M",
    "N",
    "H",
    "T",
)
_HIGH = ("11", "12", "13", "14", "15", "20", "25", "50", "99")


def extra_face(deck: Deck, rng: Random, kind: str | None = None) -> tuple[str, Picture]:
    """A face of that deck without a number from 0 to 10, with its colour."""
    colour = rng.choice(deck.colours)
    kind = kind or rng.choices(("words", "high", "sign", "wild"), (4, 1, 7, 2))[0]
    artist: Any = deck.artist
    if kind == "words":
        return colour, np.array(artist.draw_face(colour, rng.choice(_WORDS)))
    if kind == "high":
        return colour, np.array(artist.draw_face(colour, rng.choice(_HIGH)))
    if kind == "wild":
        return "other", _wild(np.array(artist.faces.ground(colour)), rng)
    return colour, _signed(deck, colour, rng)


def _signed(deck: Deck, colour: str, rng: Random) -> Picture:
    """A large sign in the middle; the same small, or a word, in the corners."""
    artist: Any = deck.artist
    picture = np.array(artist.faces.ground(colour))
    height, width = picture.shape[:2]
    sign = rng.choice((_skip, _reverse, _cards))
    fill: _Ink
    fill, edge = rng.choice(
        (((250, 250, 250), (20, 20, 20)), ((235, 235, 235), (30, 30, 30)), ((20, 20, 20), (240, 240, 240)))
    )
    if rng.random() < 0.4:
        fill, edge = tuple(int(v) for v in picture[height // 2, width // 10]), (25, 25, 25)
    size = rng.uniform(0.38, 0.66) * width
    tilt = rng.uniform(-0.3, 0.3)
    sign(picture, (width / 2, height / 2), size, fill, edge, tilt)
    if rng.random() < 0.85:
        inset, small = rng.uniform(0.11, 0.17), width * rng.uniform(0.1, 0.18)
        x, y = inset * width, inset * height * 0.8
        for place in ((x, y), (width - x, height - y)):
            if sign is _cards:
                _written("+2", picture, place, small, place[1] > y)
            else:
                sign(picture, place, small, (250, 250, 250), (20, 20, 20), tilt)
    return picture


def _written(text: str, picture: Picture, at: tuple[float, float], size: float, turned: bool) -> None:
    pad = round(size)
    note = np.zeros((2 * pad, 3 * pad), np.uint8)
    font, scale = cv2.FONT_HERSHEY_SIMPLEX, size / 22
    cv2.putText(note, text, (pad // 3, round(1.5 * pad)), font, scale, 255, max(1, pad // 8), cv2.LINE_AA)
    note = note[::-1, ::-1] if turned else note
    top, left = round(at[1]) - pad, round(at[0]) - 3 * pad // 2
    left = min(max(left, 0), picture.shape[1] - 3 * pad)
    rows = slice(max(0, top), min(picture.shape[0], top + 2 * pad))
    columns = slice(max(0, left), min(picture.shape[1], left + 3 * pad))
    shown = note[rows.start - top : rows.stop - top, columns.start - left : columns.stop - left] > 120
    picture[rows, columns][shown] = 250


_Ink = tuple[int, ...]


def _skip(
    picture: Picture, at: tuple[float, float], size: float, fill: _Ink, edge: _Ink, tilt: float
) -> None:
    centre, radius = (round(at[0]), round(at[1])), round(size / 2)
    along = (round(radius * math.cos(0.8 + tilt)), round(radius * math.sin(0.8 + tilt)))
    for ink, thick in ((edge, size * 0.24), (fill, size * 0.15)):
        width = max(1, round(thick))
        cv2.circle(picture, centre, radius, ink, width, cv2.LINE_AA)
        start, end = (
            (centre[0] - along[0], centre[1] + along[1]),
            (centre[0] + along[0], centre[1] - along[1]),
        )
        cv2.line(picture, start, end, ink, width, cv2.LINE_AA)


def _reverse(
    picture: Picture, at: tuple[float, float], size: float, fill: _Ink, edge: _Ink, tilt: float
) -> None:
    """Two arrows past each other, with thick edges."""
    shaft = [(-0.1, 0.3), (-0.1, -0.08), (-0.26, -0.08), (0.0, -0.5), (0.26, -0.08), (0.1, -0.08), (0.1, 0.3)]
    arrow = np.array(shaft) - np.array([0.15, 0.02])
    turn = _turn(0.7 + tilt)
    for ink, thick in ((edge, max(2, round(size * 0.1))), (fill, 0)):
        for points in (arrow, -arrow):
            shape = np.rint((points @ turn.T * size + at) * 16).astype(np.int32)
            if thick:
                cv2.polylines(picture, [shape], True, ink, thick, cv2.LINE_AA, 4)
            cv2.fillPoly(picture, [shape], ink, cv2.LINE_AA, 4)


def _turn(angle: float) -> NDArray[np.float64]:
    return np.array([[np.cos(angle), -np.sin(angle)], [np.sin(angle), np.cos(angle)]])


def _cards(
    picture: Picture, at: tuple[float, float], size: float, fill: _Ink, edge: _Ink, tilt: float
) -> None:
    box = np.array([(-0.22, -0.34), (0.22, -0.34), (0.22, 0.34), (-0.22, 0.34)]) @ np.array(
        [[1, 0], [-0.25, 1]]
    )
    for step in ((0.16, -0.16), (-0.16, 0.16)):
        shape = np.rint(((box + step) @ _turn(tilt).T * size + at) * 16).astype(np.int32)
        cv2.fillPoly(picture, [shape], fill, cv2.LINE_AA, 4)
        cv2.polylines(picture, [shape], True, edge, max(1, round(size * 0.035)), cv2.LINE_AA, 4)


def _wild(picture: Picture, rng: Random) -> Picture:
    """A dark card with an oval, a disc or a box in four colours."""
    height, width = picture.shape[:2]
    inset = round(width * rng.uniform(0.04, 0.09))
    dark = tuple(rng.randint(5, 45) for _ in range(3))
    cv2.rectangle(picture, (inset, inset), (width - inset, height - inset), dark, cv2.FILLED)
    inks = [(40, 40, 220), (30, 220, 250), (60, 160, 40), (200, 90, 20)]
    rng.shuffle(inks)
    wide, tall = width * rng.uniform(0.28, 0.42), height * rng.uniform(0.22, 0.42)
    tilt, start = rng.choice((0.0, rng.uniform(10, 40))), rng.choice((0, 45, 90))
    centre = (round(width / 2), round(height / 2))
    for i, ink in enumerate(inks):
        begin = start + 90 * i
        cv2.ellipse(
            picture, centre, (round(wide), round(tall)), tilt, begin, begin + 90, ink, cv2.FILLED, cv2.LINE_AA
        )
    if rng.random() < 0.4:
        _cards(picture, (width / 2, height / 2), width * 0.5, inks[0], (245, 245, 245), 0.0)
    if rng.random() < 0.8:
        _small_wheels(picture, inks, tilt, rng)
    return picture


def _small_wheels(picture: Picture, inks: list[tuple[int, int, int]], tilt: float, rng: Random) -> None:
    """The four colours once more, small, in two corners: an oval that is no nought."""
    height, width = picture.shape[:2]
    x, y = rng.uniform(0.11, 0.19) * width, rng.uniform(0.08, 0.14) * height
    radii = (round(width * rng.uniform(0.035, 0.07)), round(width * rng.uniform(0.05, 0.09)))
    plain, rim = rng.random() < 0.3, rng.choice(((245, 245, 245), (250, 250, 250), (200, 200, 200)))
    for at in ((x, y), (width - x, height - y)):
        spot = (round(at[0]), round(at[1]))
        for i, ink in enumerate(inks):
            fill = inks[0] if plain else ink
            cv2.ellipse(picture, spot, radii, tilt, 90 * i, 90 * i + 90, fill, cv2.FILLED, cv2.LINE_AA)
        cv2.ellipse(picture, spot, radii, tilt, 0, 360, rim, max(1, round(width * 0.012)), cv2.LINE_AA)
