"""The designs of enrolled decks as cards are compared with them, made when first asked for."""

from __future__ import annotations

from dataclasses import dataclass
from weakref import WeakKeyDictionary

import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck
from vision.reading.cells import Cells, cells_nearby
from vision.reading.ground_hue import ground_hue


@dataclass(frozen=True, eq=False)
class Designs:
    """Of one side of a deck: their cells, the crops they were enrolled from, and the hues of these."""

    cells: Cells
    crops: NDArray[np.uint8]
    hues: NDArray[np.float64]

    @classmethod
    def of(cls, crops: NDArray[np.uint8]) -> Designs:
        return cls(cells_nearby(crops), crops, np.stack([ground_hue(crop) for crop in crops]))

    def __getitem__(self, chosen: NDArray[np.intp]) -> Designs:
        return Designs(self.cells[chosen], self.crops[chosen], self.hues[chosen])


_KNOWN: WeakKeyDictionary[EnrolledDeck, dict[str, Designs]] = WeakKeyDictionary()


def designs_of(deck: EnrolledDeck, side: str) -> Designs:
    """The faces of a deck, or its backs."""
    known = _KNOWN.setdefault(deck, {})
    if side not in known:
        designs = deck.faces if side == "face" else deck.backs
        known[side] = Designs.of(np.stack([design.thumbnail for design in designs]))
    return known[side]
