"""Faces of cards. An unknown part is a value: `R?`, `?5` and `??` are faces too."""

from __future__ import annotations

import re
from dataclasses import dataclass
from enum import IntEnum
from functools import lru_cache
from typing import Final

from referee.errors import NotationError

LAST_NUMBER: Final = 15  # the highest number a mask has room for
_FACES: dict[tuple[Colour | None, int | None], Face] = {}


class Colour(IntEnum):
    """The four colours, in the order in which decks are laid out."""

    RED = 0
    YELLOW = 1
    GREEN = 2
    BLUE = 3

    @property
    def initial(self) -> str:
        return "RYGB"[self]


@dataclass(frozen=True, slots=True, init=False, eq=False)
class Face:
    """The number side of a card; None is a part nobody has read.

    There is one instance per face, so faces are compared by identity; the hot paths live on that.
    """

    colour: Colour | None
    number: int | None
    bit: int  # a mask with one bit per known face; 0 while a part is unknown

    def __new__(cls, colour: Colour | None, number: int | None) -> Face:
        made = _FACES.get((colour, number))
        if made is None:
            made = object.__new__(cls)
            object.__setattr__(made, "colour", None if colour is None else Colour(colour))
            object.__setattr__(made, "number", number)
            object.__setattr__(made, "bit", _bit(colour, number))
            made = _FACES.setdefault((colour, number), made)
        return made

    def __reduce__(self) -> tuple[type[Face], tuple[Colour | None, int | None]]:
        return Face, (self.colour, self.number)

    def __str__(self) -> str:
        colour = "?" if self.colour is None else self.colour.initial
        return colour + ("?" if self.number is None else str(self.number))

    @property
    def known(self) -> bool:
        return self.bit != 0

    def could_be(self, other: Face) -> bool:
        """Whether both may describe one card."""
        if self.bit and other.bit:
            return self is other
        colours = self.colour is None or other.colour is None or self.colour == other.colour
        return colours and (self.number is None or other.number is None or self.number == other.number)

    def merged(self, other: Face) -> Face:
        """What both readings of one card say together; they must agree."""
        if self.bit:
            return self
        if other.bit:
            return other
        return face(
            self.colour if self.colour is not None else other.colour,
            self.number if self.number is not None else other.number,
        )


def face(colour: Colour | None, number: int | None) -> Face:
    """The face of that colour and number."""
    return Face(colour, number)


def _bit(colour: Colour | None, number: int | None) -> int:
    if colour is None or number is None:
        return 0
    return 1 << (colour * (LAST_NUMBER + 1) + number)


UNKNOWN: Final = face(None, None)
_FORM: Final = re.compile(r"([RYGB?])(\?|\d{1,2})", re.ASCII)


@lru_cache(maxsize=1024)
def parse_face(text: str) -> Face:
    """Reads `R5`, `Y?`, `?3` or `??`."""
    match = _FORM.fullmatch(text)
    if match is None:
        raise NotationError(f"{_quoted(text)} is no face; write R, Y, G, B or ? and a number, like R5 or ??")
    initial, digits = match.groups()
    number = None if digits == "?" else int(digits)
    if number is not None and number > LAST_NUMBER:
        raise NotationError(f"{_quoted(text)} is no face of any game here; the highest number is 10")
    return face(None if initial == "?" else Colour("RYGB".index(initial)), number)


def _quoted(text: str) -> str:
    return repr(text if len(text) <= 20 else text[:20] + "…")
