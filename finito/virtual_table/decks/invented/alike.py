"""Whether two backs can be told apart across a table: a game that is scored by back needs that."""

from __future__ import annotations

from random import Random
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from finito.virtual_table.decks.deck import PX_PER_MM, Picture, picture_size
from finito.virtual_table.decks.invented.backs import BackStyle, random_back

_GRAIN_MM: Final = 1.5  # finer drawing does not count: nobody sees it from a chair
_LEAST: Final = 12.0  # mean difference of colour (CIELAB) below which people ask each other whose card it is
_TRIES: Final = 60
_CARD_MM: Final = (59.0, 91.0)

Glance = NDArray[np.float32]


def told_apart(backs: tuple[BackStyle, ...], rng: Random, split: str) -> tuple[BackStyle, ...]:
    """The same backs; one that looks like another before it gives way to a new one."""
    kept: list[BackStyle] = []
    seen: list[Glance] = []
    for back in backs:
        own, view = back, glance(back.draw(picture_size(_CARD_MM)))
        for _ in range(_TRIES):
            if all(apart(view, other) >= _LEAST for other in seen):
                break
            own = random_back(rng, split)
            view = glance(own.draw(picture_size(_CARD_MM)))
        kept.append(own)
        seen.append(view)
    return tuple(kept)


def glance(picture: Picture) -> Glance:
    """A back as it looks from a chair, in CIELAB."""
    grain = _GRAIN_MM * PX_PER_MM
    size = tuple(round(side / grain) for side in picture.shape[1::-1])
    small = cv2.resize(cv2.GaussianBlur(picture, (0, 0), grain / 2), size, interpolation=cv2.INTER_AREA)
    return np.asarray(cv2.cvtColor(small.astype(np.float32) / 255, cv2.COLOR_BGR2LAB), np.float32)


def apart(one: Glance, other: Glance) -> float:
    """How much two glances differ, whichever way up the cards lie."""
    return min(
        float(np.sqrt(((one - turned) ** 2).sum(axis=2).mean())) for turned in (other, other[::-1, ::-1])
    )
