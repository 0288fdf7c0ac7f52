"""The cells of the designs of enrolled decks, made when first asked for."""

from __future__ import annotations

from weakref import WeakKeyDictionary

import numpy as np

from calibration.deck_enrolment import EnrolledDeck
from vision.reading.cells import Cells, cells_nearby

_KNOWN: WeakKeyDictionary[EnrolledDeck, dict[str, Cells]] = WeakKeyDictionary()


def face_cells(deck: EnrolledDeck) -> Cells:
    return _cells(deck, "face")


def back_cells(deck: EnrolledDeck) -> Cells:
    return _cells(deck, "back")


def _cells(deck: EnrolledDeck, side: str) -> Cells:
    known = _KNOWN.setdefault(deck, {})
    if side not in known:
        designs = deck.faces if side == "face" else deck.backs
        known[side] = cells_nearby(np.stack([design.thumbnail for design in designs]))
    return known[side]
