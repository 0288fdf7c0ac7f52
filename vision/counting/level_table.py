"""The face-down cards of a table that is measured: seen straight from above, and the size of a card is known.

Who photographs cards has to find plane and size by the cards themselves; over a table that was set up both
are given, and every card is searched for at just its size.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck
from vision.card_finder import CardFinder
from vision.counting.even_rows import even_row
from vision.counting.flat_sheet import WIDTH, FlatSheet, SheetTooLarge
from vision.counting.known_backs import KnownBacks
from vision.counting.laid_count import LaidCount, side_by_side
from vision.counting.laid_rows import rows_of
from vision.counting.left_over import left_over
from vision.counting.registered import PLAIN, Registrar
from vision.counting.told_apart import told_apart
from vision.counting.whole_cards import LaidCard, certain, judged, learn_cast, shared, starts_of
from vision.finding.at_scale import said_at
from vision.finding.maps import CARD
from vision.frame import Picture
from vision.onnx_model import OnnxModel

Array: TypeAlias = NDArray[Any]
Box: TypeAlias = tuple[float, float, float, float]

_SEEN_AT: Final = 48.0  # pixels of a card's width at which it is clearest where there are cards at all
_LARGEST: Final = 2600
_PERHAPS: Final = -0.5  # logit from which on a cell may be of a card
_LEAST: Final = 0.1  # of a card's area
_MOST_ASKED, _EDGE_RANGE = 16, (-3.0, 0.8)  # places that may be whole cards, and what an edge says
_FEWEST_EXACT, _MOST_IN_LIGHT = 2, 12  # whole cards that tell the light
_COVERED: Final = 0.25  # of a whole card lies below another
_WORTH_A_SEARCH: Final = 0.8  # cards' area that is not explained
_EXPLAINED: Final = 0.3  # of a place lies on cards that are known


def card_boxes(level: Picture, net: OnnxModel, finder: CardFinder, width: float, aspect: float) -> list[Box]:
    """Where something that may be cards lies on a level picture in which they are so wide."""
    said, matrix = said_at(level, net, _SEEN_AT / width, _LARGEST, (CARD,))
    likely = (said[..., 0] if said.ndim == 3 else said) > _PERHAPS
    count, _, stats, _ = cv2.connectedComponentsWithStats(likely.astype(np.uint8), connectivity=8)
    cell, first = float(matrix[0, 0]), float(matrix[0, 2])
    least = _LEAST * width * width / aspect / cell**2
    boxes = [
        (first + (x - 0.5) * cell, first + (y - 0.5) * cell, first + (x + w) * cell, first + (y + h) * cell)
        for x, y, w, h, area in stats[1:count].tolist()
        if area >= least
    ]
    for card in finder.find(level):
        low, high = card.corners.min(axis=0), card.corners.max(axis=0)
        boxes.append((float(low[0]), float(low[1]), float(high[0]), float(high[1])))
    return boxes


def cards_on_levels(
    levels: Sequence[Picture], net: OnnxModel, finder: CardFinder, deck: EnrolledDeck
) -> list[LaidCount | None]:
    """All that lies on level pictures of parts of one table, in one light; cards are `WIDTH` pixels wide.

    None for one that is too large to be searched.
    """
    every = [_part(level, net, finder, deck) for level in levels]
    parts = [part for part in every if part is not None]
    if not parts:
        return [None] * len(every)
    backs = KnownBacks(deck.backs, parts[0].sheet.height)
    for part in parts:
        part.register(deck)
    clear = [place for part in parts for place in part.exact]
    if len(clear) < _FEWEST_EXACT:
        clear += [place for part in parts for place in part.clearest()]
    learn_cast(backs, clear[:: -(-len(clear) // _MOST_IN_LIGHT)])
    for part in parts:
        if part.exact:
            backs.trim(part.sheet, [pose for _, pose in part.exact])
    return [None if part is None else part.counted(backs) for part in every]


def _part(level: Picture, net: OnnxModel, finder: CardFinder, deck: EnrolledDeck) -> _Part | None:
    try:
        return _Part(level, net, finder, deck)
    except SheetTooLarge:
        return None


class _Part:
    """An island of cards on its sheet."""

    def __init__(self, level: Picture, net: OnnxModel, finder: CardFinder, deck: EnrolledDeck) -> None:
        self._level = level
        self.sheet = FlatSheet(level, net, _corner_cards(level, deck.aspect), np.ones(4), deck.aspect)
        shape = KnownBacks(deck.backs[:1], self.sheet.height)
        found = [card.corners for card in finder.find(level)]
        self._starts = sorted(
            starts_of(self.sheet, shape, found), key=lambda start: -_edges(self.sheet, start)
        )
        self.exact: list[tuple[FlatSheet, Array]] = []

    def register(self, deck: EnrolledDeck) -> None:
        """Finds whole cards by what is printed, whatever the light."""
        clear = [self.sheet.in_picture(start) for start in self._starts[:_MOST_ASKED]]
        known = Registrar(self._level, deck.backs, deck.aspect).registered(clear, sizes=(1.0,))
        self.exact = [(self.sheet, self.sheet.pose_of(card.quad)) for card in known if card.likeness >= PLAIN]

    def clearest(self) -> list[tuple[FlatSheet, Array]]:
        return [(self.sheet, start) for start in self._starts[:_FEWEST_EXACT]]

    def counted(self, backs: KnownBacks) -> LaidCount:
        """Most places within a row seem the start of a card: rows beneath what is certain go before them."""
        sheet = self.sheet
        laid = [certain(sheet, backs, pose) for _, pose in self.exact]
        tops = apart([card for card in laid if card is not None], sheet)
        spread = side_by_side(sheet, tops)
        cards = tops if spread else rows_of(sheet, backs, tops, beneath=even_row)
        more = left_over(sheet, backs, cards, spread) if cards else list[LaidCard]()
        known = [*cards, *more]
        more += apart(judged(sheet, backs, _open(sheet, known, self._starts), [c.pose for c in known]), sheet)
        cards = [*cards, *more] if spread else rows_of(sheet, backs, more, cards, even_row)
        if _unexplained(sheet, cards) > _WORTH_A_SEARCH:
            more = left_over(sheet, backs, cards, spread=False, any_angle=True)
            cards = rows_of(sheet, backs, more, cards, even_row)
        return LaidCount(sheet, backs, told_apart(sheet, backs, cards))


def seen_at_ends(laid: LaidCount) -> dict[int, float]:
    """For the last card of each row, by its place in the count: how much of it that shows looks like a card.

    Whether there is one more at the end is clearer by what lies there than by its edges.
    """
    within = {id(card.beneath) for card in laid.cards if card.beneath is not None}
    seen = {}
    for number, card in enumerate(laid.cards):
        if id(card) in within or card.beneath is None:
            continue
        own = np.zeros(laid.sheet.card.shape, np.uint8)
        cv2.fillConvexPoly(own, np.rint(laid.sheet.corners(card.pose)).astype(np.int32), 1)
        for other in laid.cards:
            if other is not card:
                cv2.fillConvexPoly(own, np.rint(laid.sheet.corners(other.pose)).astype(np.int32), 0)
        seen[number] = float((laid.sheet.card[own > 0] > 0).mean()) if own.any() else 0.0
    return seen


def apart(cards: Sequence[LaidCard], sheet: FlatSheet) -> list[LaidCard]:
    """Without those that lie upon better ones."""
    kept: list[LaidCard] = []
    for card in cards:
        if all(shared(sheet, card.pose, other.pose) <= _COVERED for other in kept):
            kept.append(card)
    return kept


def _edges(sheet: FlatSheet, pose: Array) -> float:
    """How clear its sides are: what is whole has four."""
    return float(np.clip(sheet.along_sides(pose)[0], *_EDGE_RANGE).sum())


def _unexplained(sheet: FlatSheet, cards: Sequence[LaidCard]) -> float:
    """How many cards' area looks like cards and is none of those that are known."""
    left: Array = (sheet.card > 0).astype(np.uint8)
    for card in cards:
        cv2.fillConvexPoly(left, np.rint(sheet.corners(card.pose)).astype(np.int32), 0)
    left = cv2.morphologyEx(left, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
    return float(left.sum()) / (WIDTH * sheet.height)


def _open(sheet: FlatSheet, cards: Sequence[LaidCard], starts: Sequence[Array]) -> list[Array]:
    """Those places that known cards do not explain."""
    mask = np.zeros(sheet.bare.shape, np.uint8)
    for card in cards:
        cv2.fillConvexPoly(mask, np.rint(sheet.corners(card.pose)).astype(np.int32), 1)
    kept = []
    for start in starts:
        own = np.zeros_like(mask)
        cv2.fillConvexPoly(own, np.rint(sheet.corners(start)).astype(np.int32), 1)
        if float(mask[own > 0].mean()) <= _EXPLAINED:
            kept.append(start)
    return kept


def _corner_cards(level: Picture, aspect: float) -> Sequence[Array]:
    """Outlines of true size in the corners of the picture: they say that it is level already."""
    tall, wide = level.shape[:2]
    right, below = wide - WIDTH, tall - WIDTH / aspect
    card = np.array([(0.0, 0.0), (1.0, 0.0), (1.0, 1.0), (0.0, 1.0)]) * (WIDTH, WIDTH / aspect)
    return [card + corner for corner in ((0.0, 0.0), (right, 0.0), (right, below), (0.0, below))]
