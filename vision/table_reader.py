"""A picture in, cards out: where they lie, what they are, and which way up."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck
from vision.card_finder import FoundCard
from vision.card_reader import CardReading
from vision.frame import Picture
from vision.reading.crops import Quad, lies_either_way, upright_quad

# A quad that the reader takes for no card, and the finder was not sure of either, is none.
_LEAST_CHANCE = 0.25


class Finder(Protocol):
    def find(self, picture: Picture) -> list[FoundCard]: ...


class Reader(Protocol):
    def read(
        self, picture: Picture, quads: Sequence[Quad], deck: EnrolledDeck | None = None
    ) -> list[CardReading]: ...


@dataclass(frozen=True, eq=False)
class SeenCard:
    """A card with its reading; corners run clockwise, from its own top left where `reading.upright` is known.

    `chance` is the finder's that this is a card, `visible` about how much of it can be seen.
    """

    corners: NDArray[np.float32]
    reading: CardReading
    chance: float
    visible: float


@dataclass(frozen=True)
class TableReader:
    """Finder and reader in a row."""

    finder: Finder
    reader: Reader

    def read(self, picture: Picture, deck: EnrolledDeck | None = None) -> list[SeenCard]:
        """Every card of a picture, from top to bottom."""
        return self.read_found(picture, self.finder.find(picture), deck)

    def read_found(
        self, picture: Picture, found: Sequence[FoundCard], deck: EnrolledDeck | None = None
    ) -> list[SeenCard]:
        """What was found, read; what turns out to be no card is left out."""
        readings = self.reader.read(picture, [card.corners for card in found], deck)
        cards = [
            SeenCard(from_own_top(card.corners, reading), reading, card.score, card.visible)
            for card, reading in zip(found, readings, strict=True)
            if _is_card(card, reading)
        ]
        return sorted(cards, key=lambda card: (float(card.corners[:, 1].mean()), float(card.corners[0, 0])))


def from_own_top(corners: NDArray[np.float32], reading: CardReading) -> NDArray[np.float32]:
    """The corners, clockwise, starting at the card's own top left if the reader knows which one that is."""
    quad = upright_quad(corners)
    turned = reading.upright is False and not lies_either_way(quad)
    return np.roll(quad, 2, axis=0) if turned else quad


def _is_card(card: FoundCard, reading: CardReading) -> bool:
    return reading.side != "none" or card.score * (1 - reading.confidence) >= _LEAST_CHANCE
