"""A picture in, cards out: where they lie, what they are, and which way up."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Protocol

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck
from vision.card_finder import FoundCard
from vision.card_reader import CardReading
from vision.finding.company import off_size
from vision.finding.selection import of_one_size, overlap
from vision.frame import Picture
from vision.reading.crops import Quad, lies_either_way, upright_quad

# A quad is a card when finder and reader together make that likelier than not.
_LEAST_CHANCE = 0.5
# A card that was read tells how large the cards of this table are, better than dozens of squares of cloth.
_WORTH_IF_READ = 30.0
_LEAST_ODDS = 1e-4
# Outlines that share so much of what they cover are of one card; doubtful ones where they share less and lie
# the same way (radians): a card of which enough shows to be read shares little with the one upon it.
_ONE_CARD, _RATHER_ONE_CARD, _DOUBTFUL, _SAME_WAY = 0.8, 0.5, 0.9, 0.21
# What is in sight and rather no card to the reader is none, however much its edges are those of one: boards
# of a floor, squares of cloth.
_IN_SIGHT, _RATHER_NONE = 0.8, 0.5
# What the finder should name for the reader to look at.
LEAST_WORTH_READING = 0.12


class Finder(Protocol):
    def find(self, picture: Picture) -> list[FoundCard]: ...


class Reader(Protocol):
    def read(
        self, picture: Picture, quads: Sequence[Quad], deck: EnrolledDeck | None = None
    ) -> list[CardReading]: ...


@dataclass(frozen=True, eq=False)
class SeenCard:
    """A card with its reading; corners run clockwise, from its own top left where `reading.upright` is known.

    `chance` is that this is a card, `visible` about how much of it can be seen.
    """

    corners: NDArray[np.float32]
    reading: CardReading
    chance: float
    visible: float


@dataclass(frozen=True)
class TableReader:
    """Finder and reader in a row. The finder should name what is hardly likely, too: the reader looks closer.

    `card_or_not` weighs a constant, the finder's odds, the reader's, and how the size differs from others'.
    """

    finder: Finder
    reader: Reader
    card_or_not: tuple[float, float, float, float] = (0.0, 1.0, 1.0, 0.0)

    def read(self, picture: Picture, deck: EnrolledDeck | None = None) -> list[SeenCard]:
        """Every card of a picture, from top to bottom."""
        return self.read_found(picture, self.finder.find(picture), deck)

    def read_found(
        self, picture: Picture, found: Sequence[FoundCard], deck: EnrolledDeck | None = None
    ) -> list[SeenCard]:
        """What was found, read; what turns out to be no card is left out."""
        readings = self.reader.read(picture, [card.corners for card in found], deck)
        clues = card_clues(found, readings, max(picture.shape))
        chances = 1 / (1 + np.exp(-clues @ np.array(self.card_or_not)))
        cards = [
            SeenCard(from_own_top(card.corners, reading), reading, float(chance), card.visible)
            for card, reading, chance in zip(found, readings, chances, strict=True)
            if chance >= _LEAST_CHANCE and not _plainly_none(card, reading)
        ]
        cards = _of_one_size(_outlined_once(cards))
        return sorted(cards, key=lambda card: (float(card.corners[:, 1].mean()), float(card.corners[0, 0])))


def card_clues(
    found: Sequence[FoundCard], readings: Sequence[CardReading], long_side: float
) -> NDArray[np.float64]:
    """What speaks for each being a card: a one, both odds, and its size among the others (a row for each)."""
    both = list(zip(found, readings, strict=True))
    odds = [(1.0, log_odds(card.score), log_odds(1 - reading.no_card)) for card, reading in both]
    chance = np.array([card.score * (1 - reading.no_card) for card, reading in both], np.float64)
    said = np.array([_worth(reading) for reading in readings], np.float64)
    apart = off_size(found, chance, said, long_side)
    return np.hstack([np.array(odds, np.float64).reshape(-1, 3), apart[:, None]])


def from_own_top(corners: NDArray[np.float32], reading: CardReading) -> NDArray[np.float32]:
    """The corners, clockwise, starting at the card's own top left if the reader knows which one that is."""
    quad = upright_quad(corners)
    turned = reading.upright is False and not lies_either_way(quad)
    return np.roll(quad, 2, axis=0) if turned else quad


def _plainly_none(card: FoundCard, reading: CardReading) -> bool:
    return card.visible > _IN_SIGHT and reading.no_card > _RATHER_NONE


def _outlined_once(cards: list[SeenCard]) -> list[SeenCard]:
    """Of outlines of one card the surest: a thick deck in a hand has edges at its foot, too."""
    kept: list[SeenCard] = []
    for card in sorted(cards, key=lambda card: -card.chance):
        if not any(_is_of_one(card, surer) for surer in kept):
            kept.append(card)
    return kept


def _is_of_one(card: SeenCard, surer: SeenCard) -> bool:
    alike = card.chance < _DOUBTFUL and _between(card.corners, surer.corners) < _SAME_WAY
    return overlap(card.corners, surer.corners) > (_RATHER_ONE_CARD if alike else _ONE_CARD)


def _between(quad: Quad, other: Quad) -> float:
    """The angle between sides of both, at most half a right one: an outline of half a deck lies across it."""
    (x, y), (u, v) = (upright_quad(each)[3] - upright_quad(each)[0] for each in (quad, other))
    turned = abs(math.atan2(y, x) - math.atan2(v, u)) % (math.pi / 2)
    return min(turned, math.pi / 2 - turned)


def _of_one_size(cards: list[SeenCard]) -> list[SeenCard]:
    """Without what is much larger or smaller than the cards of this table."""
    if len(cards) < 2:
        return cards
    areas = [float(cv2.contourArea(card.corners)) for card in cards]
    worth = [card.chance * _worth(card.reading) for card in cards]
    alike = of_one_size(areas, worth)
    return [card for card, close in zip(cards, alike, strict=True) if close]


def _worth(reading: CardReading) -> float:
    # With a deck, the whole table may be taken for a face of it: its backs must have as much to say.
    face = reading.face.colour is not None and reading.face.number is not None
    return _WORTH_IF_READ if face or reading.back is not None else 1.0


def log_odds(chance: float) -> float:
    kept = min(max(chance, _LEAST_ODDS), 1 - _LEAST_ODDS)
    return math.log(kept / (1 - kept))
