"""A deck: the picture of every face and every back, drawn when first asked for."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

PX_PER_MM = 4

Picture = NDArray[np.uint8]


class Artist(Protocol):
    """Draws the cards of one deck, portrait, BGR, PX_PER_MM."""

    def draw_face(self, colour: str, text: str) -> Picture: ...

    def draw_back(self, name: str) -> Picture: ...


@dataclass(frozen=True)
class Deck:
    name: str
    card_mm: tuple[float, float]
    corner_radius_mm: float
    colours: tuple[str, ...]
    numbers: tuple[int, ...]
    backs: tuple[str, ...]
    specials: tuple[str, ...] = ()  # faces without a number: colour initial and a sign, such as R+2
    artist: Artist = field(kw_only=True, repr=False, compare=False)
    _pictures: dict[str, Picture] = field(default_factory=dict, repr=False, compare=False)

    @property
    def faces(self) -> tuple[str, ...]:
        return tuple(f"{colour}{number}" for colour in self.colours for number in self.numbers)

    @property
    def size_px(self) -> tuple[int, int]:
        """Width and height of every picture of this deck."""
        return picture_size(self.card_mm)

    def face(self, face: str) -> Picture:
        """The face `R5`: colour initial and number."""
        if face not in self._pictures:
            colour, number = face[0], face[1:]
            if colour not in self.colours or not number.isdigit() or int(number) not in self.numbers:
                raise KeyError(f"deck {self.name} has no face {face}")
            self._keep(face, self.artist.draw_face(colour, number))
        return self._pictures[face]

    def special(self, name: str) -> Picture:
        """A face without a number; a reader should answer `R?`."""
        if name not in self._pictures:
            if name not in self.specials:
                raise KeyError(f"deck {self.name} has no special {name}")
            self._keep(name, self.artist.draw_face(name[0], name[1:]))
        return self._pictures[name]

    def back(self, name: str) -> Picture:
        key = f"back {name}"
        if key not in self._pictures:
            if name not in self.backs:
                raise KeyError(f"deck {self.name} has no back {name}; it has {', '.join(self.backs)}")
            self._keep(key, self.artist.draw_back(name))
        return self._pictures[key]

    def shape_mask(self) -> Picture:
        """How much of each pixel the rounded card covers, 0 to 255."""
        if "shape" not in self._pictures:
            self._keep("shape", card_outline(self.size_px, self.corner_radius_mm))
        return self._pictures["shape"]

    def _keep(self, key: str, picture: Picture) -> None:
        picture.flags.writeable = False
        self._pictures[key] = picture


def picture_size(card_mm: tuple[float, float]) -> tuple[int, int]:
    return round(card_mm[0] * PX_PER_MM), round(card_mm[1] * PX_PER_MM)


def card_outline(size_px: tuple[int, int], radius_mm: float) -> Picture:
    width, height = size_px
    finer = 4
    radius = round(radius_mm * PX_PER_MM * finer)
    mask = np.zeros((height * finer, width * finer), np.uint8)
    right, bottom = width * finer - 1, height * finer - 1
    cv2.rectangle(mask, (radius, 0), (right - radius, bottom), 255, cv2.FILLED)
    cv2.rectangle(mask, (0, radius), (right, bottom - radius), 255, cv2.FILLED)
    for x in (radius, right - radius):
        for y in (radius, bottom - radius):
            cv2.circle(mask, (x, y), radius, 255, cv2.FILLED)
    return np.asarray(cv2.resize(mask, (width, height), interpolation=cv2.INTER_AREA), np.uint8)
