"""Flat pictures with transparency that are laid onto the table: cards, things and hands."""

import math
from collections import OrderedDict
from dataclasses import dataclass
from functools import cached_property
from typing import Protocol

import cv2
import numpy as np

from finito.virtual_table.camera import Array

_SMALLEST = 12
_STEPS = 6
# Transparent pixels around each level, so that edges blend into what lies below.
PAD = 2


class DeckArt(Protocol):
    """What the renderer needs to know of a deck of cards."""

    @property
    def card_mm(self) -> tuple[float, float]: ...

    def face(self, name: str) -> Array: ...

    def back(self, name: str) -> Array: ...

    def shape_mask(self) -> Array: ...


@dataclass(frozen=True)
class Level:
    """The picture at one size: a pixel is (millimetres from the anchor + anchor) * scale - 1/2 + pad."""

    picture: Array
    scale: tuple[float, float]
    pad: int


class Decal:
    """A picture (BGRA, colours already multiplied by alpha) of `size` mm, with `anchor` mm as its origin.

    A `shape` is another decal with the same outline, whose shadows it shares.
    """

    def __init__(
        self, art: Array, size: tuple[float, float], anchor: tuple[float, float], shape: "Decal | None" = None
    ) -> None:
        self._shape = shape
        self.art = art
        self.size = size
        self.anchor = anchor
        self._levels: dict[int, Level] = {}
        self._shadows: dict[int, Level] = {}

    @cached_property
    def outline(self) -> Array:
        """Corners from the anchor in mm: top left, top right, bottom right, bottom left."""
        (w, h), (u, v) = self.size, self.anchor
        return np.array([[-u, -v], [w - u, -v], [w - u, h - v], [-u, h - v]])

    @cached_property
    def fill(self) -> float:
        """The part of its rectangle that the picture covers."""
        return float(self.art[:, :, 3].mean()) / 255

    def level(self, pixels_per_mm: float) -> Level:
        """The prepared picture whose scale is nearest to the asked one; each is half the one before."""
        ratio = pixels_per_mm * self.size[0] / self.art.shape[1]
        step = min(_STEPS, max(0, round(-math.log2(max(ratio, 1e-3)))))
        if step not in self._levels:
            small = self._halved(step)
            padded = cv2.copyMakeBorder(small, PAD, PAD, PAD, PAD, cv2.BORDER_CONSTANT, value=(0, 0, 0, 0))
            scale = (small.shape[1] / self.size[0], small.shape[0] / self.size[1])
            self._levels[step] = Level(padded, scale, PAD)
        return self._levels[step]

    def _halved(self, times: int) -> Array:
        if not times:
            return self.art
        larger = self._halved(times - 1)
        if min(larger.shape[:2]) < _SMALLEST:
            return larger
        size = (round(larger.shape[1] / 2), round(larger.shape[0] / 2))
        return cv2.resize(larger, size, interpolation=cv2.INTER_AREA)

    def shadow(self, sigma: float) -> Level:
        """The shape blurred by about `sigma` mm."""
        if self._shape is not None:
            return self._shape.shadow(sigma)
        step = max(0, round(2 * math.log2(max(sigma, 0.5) / 0.5)))
        if step not in self._shadows:
            self._shadows[step] = self._make_shadow(0.5 * 2 ** (step / 2))
        return self._shadows[step]

    def _make_shadow(self, sigma: float) -> Level:
        density = min(2.0, 2.5 / sigma, self.art.shape[1] / self.size[0])
        size = (max(4, round(self.size[0] * density)), max(4, round(self.size[1] * density)))
        alpha = cv2.resize(self.art[:, :, 3], size, interpolation=cv2.INTER_AREA)
        pad = math.ceil(2.5 * sigma * density) + 1
        wide = cv2.copyMakeBorder(alpha, pad, pad, pad, pad, cv2.BORDER_CONSTANT, value=0)
        soft = cv2.GaussianBlur(wide, (0, 0), sigma * density)
        return Level(soft, (size[0] / self.size[0], size[1] / self.size[1]), pad)


def premultiplied(colour: Array, alpha: Array) -> Array:
    """BGRA with colours multiplied by alpha, from BGR and an alpha of 0..255."""
    weighed = cv2.multiply(colour, cv2.cvtColor(alpha, cv2.COLOR_GRAY2BGR), scale=1 / 255)
    return cv2.merge([*cv2.split(weighed), alpha])


class DeckDecals:
    """The sides of a deck's cards as decals, each prepared when first asked for."""

    def __init__(self, deck: DeckArt) -> None:
        self.deck = deck
        self._sides: dict[tuple[str, str], Decal] = {}
        self._mask = deck.shape_mask()
        width, height = deck.card_mm
        blank = cv2.cvtColor(self._mask, cv2.COLOR_GRAY2BGRA)
        blank[:, :, 3] = self._mask
        self._shape = Decal(blank, (width, height), (width / 2, height / 2))

    def side(self, side: str, name: str) -> Decal:
        key = (side, name)
        if key not in self._sides:
            picture = self.deck.face(name) if side == "face" else self.deck.back(name)
            shape = self._shape
            self._sides[key] = Decal(premultiplied(picture, self._mask), shape.size, shape.anchor, shape)
        return self._sides[key]


_PREPARED: OrderedDict[int, DeckDecals] = OrderedDict()
_PREPARED_DECKS = 12


def deck_decals(deck: DeckArt) -> DeckDecals:
    """The decals of a deck; the last few decks used are kept."""
    key = id(deck)
    if key not in _PREPARED:
        _PREPARED[key] = DeckDecals(deck)
        if len(_PREPARED) > _PREPARED_DECKS:
            _PREPARED.popitem(last=False)
    _PREPARED.move_to_end(key)
    return _PREPARED[key]
