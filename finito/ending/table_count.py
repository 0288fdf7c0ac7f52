"""Counts the face-down cards of a whole table: first where cards lie, then each island of them by itself.

Plane and size of the cards are known, so that nothing has to be found out but where they lie and whose they are.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import Final

import numpy as np

from calibration.deck_enrolment import EnrolledDeck
from finito.ending.table_view import BoxMm, TableView, islands
from vision.back_counter import PhotoCount, left_open, of_those_at_the_table
from vision.card_finder import CardFinder
from vision.counting.flat_sheet import WIDTH
from vision.counting.laid_count import LaidCount
from vision.counting.level_table import card_boxes, cards_on_levels
from vision.counting.tally import Corners, CountedCard, Doubt
from vision.frame import Picture
from vision.onnx_model import OnnxModel

_AT_FIRST: Final = 1.0  # pixels per millimetre of the whole table
_APART: Final = 40.0  # millimetres between two cards of one island, at most twice that


class TableCounter:
    """A counter of backs for a table that was measured."""

    def __init__(self, net: OnnxModel, finder: CardFinder, deck: EnrolledDeck) -> None:
        """`deck` holds the backs of those who play, and no others."""
        self._net, self._finder, self._deck = net, finder, deck

    def count(self, picture: Picture, view: TableView) -> PhotoCount:
        """Every face-down card and what else should be looked at; corners are millimetres."""
        whole, width = view.whole, view.zones.card_mm[0]
        first = view.flat(picture, whole, _AT_FIRST)
        found = card_boxes(first, self._net, self._finder, width * _AT_FIRST, self._deck.aspect)
        scale = WIDTH / width
        cards: list[CountedCard] = []
        doubts: list[Doubt] = []
        boxes = islands([_on_table(each, whole) for each in found], _APART)
        levels = [view.flat(picture, box, scale) for box in boxes]
        islands_laid = cards_on_levels(levels, self._net, self._finder, self._deck)
        for box, laid in zip(boxes, islands_laid, strict=True):
            part = self._told(laid)
            cards += [replace(card, corners=_in_mm(card.corners, box, scale)) for card in part]
            doubts += left_open("", laid, part)
        return PhotoCount(tuple(of_those_at_the_table(cards)), tuple(doubts))

    def _told(self, laid: LaidCount) -> list[CountedCard]:
        names = [design.name for design in self._deck.backs]
        cards = []
        for card in laid.cards:
            shares = laid.shares(card.fit)
            ranked = tuple((names[k], float(shares[k])) for k in np.argsort(-shares))
            cards.append(CountedCard("", _corners(laid, card.pose), laid.chance(card), ranked))
        return cards


def _corners(laid: LaidCount, pose: np.typing.NDArray[np.float64]) -> Corners:
    return tuple((float(x), float(y)) for x, y in laid.sheet.in_picture(pose))


def _on_table(box: BoxMm, whole: BoxMm) -> BoxMm:
    left, top, right, bottom = (side / _AT_FIRST for side in box)
    return left + whole[0], top + whole[1], right + whole[0], bottom + whole[1]


def _in_mm(corners: Sequence[tuple[float, float]], box: BoxMm, scale: float) -> Corners:
    return tuple((round(x / scale + box[0], 1), round(y / scale + box[1], 1)) for x, y in corners)
