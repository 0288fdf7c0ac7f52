"""Counts the face-down cards of a whole table: first where cards lie, then each island of them by itself.

Plane and size of the cards are known, so all there is to find out is where they lie and whose.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck
from calibration.zones import inside
from finito.ending.table_view import BoxMm, TableView, islands
from vision.back_counter import PhotoCount, left_open, of_those_at_the_table
from vision.card_finder import CardFinder
from vision.counting.flat_sheet import WIDTH
from vision.counting.laid_count import LaidCount
from vision.counting.level_table import card_boxes, cards_on_levels, seen_at_ends
from vision.counting.tally import NO_CARD, NOT_COUNTED, SURE_CARD, Corners, CountedCard, Doubt
from vision.frame import Picture
from vision.onnx_model import OnnxModel

Array: TypeAlias = NDArray[Any]

_REACHED: Final = 240.0  # millimetres from a place at which its player may lay cards down
_AT_FIRST: Final = 1.0  # pixels per millimetre of the whole table
# Of what shows of the last card of a row, looks like a card: none is there, or one that is hard to see.
_NOTHING_THERE, _A_CARD_THERE, _FAINT = 0.35, 0.8, 0.6
# Cards of another back among those of a row; so many of a row say whose it is, as they err alike.
_STRANGERS, _FEWEST_OF_ROW, _AS_MANY_SAY, _LEAST_SHARE = 0.03, 3, 3.0, 1e-6
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
            if laid is None:
                why = "so much lies together here that it was not counted; lay the players' cards apart"
                doubts.append(Doubt("card", why, (NOT_COUNTED, NO_CARD), corners=(box[:2], box[2:])))
                continue
            part = self._told(laid)
            cards += [replace(card, corners=_in_mm(card.corners, box, scale)) for card in part]
            doubts += [
                replace(doubt, corners=_in_mm(doubt.corners, box, scale))
                for doubt in left_open("", laid, part)
                if doubt.corners is not None and NOT_COUNTED in doubt.between  # of others the chance says it
            ]
        cards = [card for card in cards if not _on_paper(card.corners, view)]
        doubts = [doubt for doubt in doubts if _where_cards_may_lie(doubt.corners or (), view)]
        return PhotoCount(tuple(of_those_at_the_table(cards)), tuple(doubts))

    def _told(self, laid: LaidCount) -> list[CountedCard]:
        names = [design.name for design in self._deck.backs]
        cards, ends = [], seen_at_ends(laid)
        told = _by_rows(laid)
        for number, card in enumerate(laid.cards):
            chance, seen = laid.chance(card), ends.get(number)
            if seen is not None and chance < SURE_CARD:
                if seen < _NOTHING_THERE:
                    continue
                chance = _FAINT if seen > _A_CARD_THERE else chance
            shares = told[number]
            ranked = tuple((names[k], float(shares[k])) for k in np.argsort(-shares))
            cards.append(CountedCard("", _corners(laid, card.pose), chance, ranked))
        return cards


def _by_rows(laid: LaidCount) -> Array:
    """The chance of each back (cards × backs): in a row another's card is rare, and plain pixels prove it."""
    if not laid.cards:
        return np.zeros((0, 0))
    shares = np.stack([laid.shares(card) for card in laid.cards])
    first: dict[int, int] = {}
    for card in laid.cards:
        first[id(card)] = id(card) if card.beneath is None else first.get(id(card.beneath), id(card))
    rows = np.array([first[id(card)] for card in laid.cards])
    for row in set(rows.tolist()):
        own = rows == row
        if own.sum() >= _FEWEST_OF_ROW and shares.shape[1] > 1:
            said = np.log(shares[own] + _LEAST_SHARE).mean(axis=0) * _AS_MANY_SAY
            whose = np.exp(said - said.max())
            whose = whose / whose.sum()
            weighed = shares[own] * (whose * (1 - _STRANGERS) + (1 - whose) * _STRANGERS / (len(whose) - 1))
            shares[own] = weighed / weighed.sum(axis=1, keepdims=True)
    return np.asarray(shares)


def _on_paper(corners: Corners, view: TableView) -> bool:
    """Whether something lies where a marker was painted over: what is left of it may seem a plain back."""
    x, y = (float(each) for each in np.mean(corners, axis=0))
    return any(
        cv2.pointPolygonTest(np.asarray(paper, np.float32), (x, y), False) >= 0 for paper in view.papers
    )


def _where_cards_may_lie(corners: Corners, view: TableView) -> bool:
    """Not in a corner of the picture, where other things lie, nor on a marker."""
    x, y = (float(each) for each in np.mean(corners, axis=0))
    places = [place for seat in view.zones.seats for place in seat.places]
    near = any(math.dist((x, y), (place.x, place.y)) <= _REACHED for place in places)
    return (near or inside(view.zones.centre, (x, y))) and not _on_paper(corners, view)


def _corners(laid: LaidCount, pose: Array) -> Corners:
    return tuple((float(x), float(y)) for x, y in laid.sheet.in_picture(pose))


def _on_table(box: BoxMm, whole: BoxMm) -> BoxMm:
    left, top, right, bottom = (side / _AT_FIRST for side in box)
    return left + whole[0], top + whole[1], right + whole[0], bottom + whole[1]


def _in_mm(corners: Sequence[tuple[float, float]], box: BoxMm, scale: float) -> Corners:
    return tuple((round(x / scale + box[0], 1), round(y / scale + box[1], 1)) for x, y in corners)
