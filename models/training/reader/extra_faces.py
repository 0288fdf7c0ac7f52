"""Faces that carry no number from 0 to 10: action cards, wild cards, high numbers, letters."""

from __future__ import annotations

from random import Random
from typing import Any

import cv2
import numpy as np

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


def extra_face(deck: Deck, rng: Random) -> tuple[str, Picture]:
    """A face of that deck without a number from 0 to 10, with its colour."""
    colour = rng.choice(deck.colours)
    kind = rng.choices(("words", "high", "sign", "wild"), (4, 1, 4, 2))[0]
    artist: Any = deck.artist
    if kind == "words":
        return colour, np.array(artist.draw_face(colour, rng.choice(_WORDS)))
    if kind == "high":
        return colour, np.array(artist.draw_face(colour, rng.choice(_HIGH)))
    if kind == "wild":
        return "other", _wild(np.array(artist.faces.ground(colour)), rng)
    return colour, _signed(np.array(artist.faces.ground(colour)), rng)


def _signed(picture: Picture, rng: Random) -> Picture:
    """A large sign in the middle and small ones in two corners."""
    height, width = picture.shape[:2]
    sign = rng.choice((_skip, _reverse, _cards))
    fill: _Ink
    fill, edge = rng.choice((((250, 250, 250), (20, 20, 20)), ((20, 20, 20), (240, 240, 240))))
    if rng.random() < 0.4:
        fill = tuple(int(v) for v in picture[height // 2, width // 10])
    size = rng.uniform(0.4, 0.62) * width
    sign(picture, (width / 2, height / 2), size, fill, edge)
    if rng.random() < 0.8:
        inset = rng.uniform(0.11, 0.17)
        x, y = inset * width, inset * height * 0.8
        for place in ((x, y), (width - x, height - y)):
            sign(picture, place, width * rng.uniform(0.1, 0.17), fill, edge)
    return picture


_Ink = tuple[int, ...]


def _skip(picture: Picture, at: tuple[float, float], size: float, fill: _Ink, edge: _Ink) -> None:
    centre, radius = (round(at[0]), round(at[1])), round(size / 2)
    lean = round(radius * 0.66)
    for ink, thick in ((edge, size * 0.24), (fill, size * 0.15)):
        width = max(1, round(thick))
        cv2.circle(picture, centre, radius, ink, width, cv2.LINE_AA)
        start, end = (centre[0] - lean, centre[1] + lean), (centre[0] + lean, centre[1] - lean)
        cv2.line(picture, start, end, ink, width, cv2.LINE_AA)


def _reverse(picture: Picture, at: tuple[float, float], size: float, fill: _Ink, edge: _Ink) -> None:
    arrow = np.array([(0.02, 0.45), (0.02, -0.05), (-0.18, -0.05), (0.22, -0.5), (0.62, -0.05), (0.4, -0.05)])
    turn = np.array([[0.77, -0.64], [0.64, 0.77]])
    for points in (arrow, -arrow):
        shape = np.rint((points @ turn.T * size + at) * 16).astype(np.int32)
        cv2.fillPoly(picture, [shape], fill, cv2.LINE_AA, 4)
        cv2.polylines(picture, [shape], True, edge, max(1, round(size * 0.03)), cv2.LINE_AA, 4)


def _cards(picture: Picture, at: tuple[float, float], size: float, fill: _Ink, edge: _Ink) -> None:
    box = np.array([(-0.22, -0.34), (0.22, -0.34), (0.22, 0.34), (-0.22, 0.34)]) @ np.array(
        [[1, 0], [-0.25, 1]]
    )
    for step in ((0.16, -0.16), (-0.16, 0.16)):
        shape = np.rint(((box + step) * size + at) * 16).astype(np.int32)
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
        _cards(picture, (width / 2, height / 2), width * 0.5, inks[0], (245, 245, 245))
    return picture
