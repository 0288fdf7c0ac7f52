"""The face-down cards of a photo as they lie on the flat sheet, and where that leaves questions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck
from vision.card_finder import CardFinder
from vision.counting.flat_sheet import WIDTH, FlatSheet, SheetTooLarge
from vision.counting.known_backs import KnownBacks
from vision.counting.laid_rows import rows_of
from vision.counting.left_over import left_over
from vision.counting.registered import PLAIN, Registrar, larger
from vision.counting.table_plane import agreed
from vision.counting.told_apart import told_apart
from vision.counting.whole_cards import LaidCard, starts_of, whole_cards
from vision.frame import Picture
from vision.onnx_model import OnnxModel
from vision.reading.softmax import softmax

Array: TypeAlias = NDArray[Any]
Quad: TypeAlias = NDArray[np.float32]

_FEWEST_OUTLINES: Final = 2
_EXACT, _ROUGH = 3.0, 0.05  # how much outlines laid upon their backs say of the plane, and others beside them
_ALL: Final = 0.85
_MOST_CERTAIN, _ALL_OF_THEM = 0.6, 0.93
_BLURRED: Final = (-0.3, 0.3)  # fits between which it says less and less
_SHARPNESS: Final = (
    50.0  # how much a better fit of a whole card says about whose back it is; a strip says less
)
_EDGE_SAYS, _FIT_SAYS = 2.0, 4.0
_NO_EDGE, _NO_FIT = -1.0, 0.25
# What a card beneath others adds to its row, the fit of its strip, and its far side.
_GAIN_SAYS, _STRIP_SAYS, _FAR_SIDE_SAYS = 3.0, 8.0, 1.5
_NO_STRIP, _NO_FAR_SIDE = 0.25, -3.0
_NEED_SAYS: Final = 4.0  # where the next card does not fit right beneath the one above, one is between them
# Where the far side is not seen, what a card beneath others adds to its row has to be more than this.
_UNSEEN_EDGE, _UNSEEN_GAIN = -1.5, 5.5
_STRAY: Final = 0.06  # of a card's area
_OTHER_SIZE: Final = 0.12  # of a card's width, that corners are off on average
_WIDE_GAP, _SHORT_ROW = 1.5, 3


@dataclass(frozen=True, eq=False)
class LaidCount:
    """Cards on a sheet."""

    sheet: FlatSheet
    backs: KnownBacks
    cards: list[LaidCard]

    def chance(self, card: LaidCard) -> float:
        """That there is a card: the clearer its weakest edge and the better its back fits."""
        if card.beneath is not None:
            # What is weakest counts: a strip may hide an edge within, or be no strip of that back.
            needed = -np.inf if card.needed is None else card.needed / _NEED_SAYS
            least = min(
                card.gain / _GAIN_SAYS,
                _STRIP_SAYS * (card.fit.best - _NO_STRIP),
                max(needed, _FAR_SIDE_SAYS * (card.edge - _NO_FAR_SIDE)),
            )
            if card.edge < _UNSEEN_EDGE:  # a pattern may fit once more beside itself
                least = min(least, max(needed, (card.gain - _UNSEEN_GAIN) / 2))
            return float(1 / (1 + np.exp(-least)))
        said = _EDGE_SAYS * (card.edge - _NO_EDGE) + _FIT_SAYS * (card.fit.best - _NO_FIT)
        return float(1 / (1 + np.exp(-said)))

    def shares(self, card: LaidCard) -> Array:
        """The chance of each back; where even the best one fits badly, none is clear.

        In another light that is as likely, another back may be.
        """
        fit = card.fit
        clear = float(np.clip((fit.best - _BLURRED[0]) / (_BLURRED[1] - _BLURRED[0]), 0.1, 1.0))
        said = _SHARPNESS * np.sqrt(fit.points / len(self.backs.points)) * fit.likeness
        said = said[None] if card.between is None else said + card.between
        return np.asarray(softmax(clear * said.reshape(len(said), -1, 2).max(axis=2)).mean(axis=0))

    def covered(self, points: Array) -> NDArray[np.bool_]:
        """Which points of the picture (N×2) lie on one of the cards."""
        flat = self.sheet.flat(points)
        known = np.zeros(len(flat), bool)
        for card in self.cards:
            known |= self.sheet.under(card.pose, flat, 3.0)
        return known

    def of_size(self, quad: Quad) -> bool:
        """Whether an outline in the picture is about as large as all cards are."""
        off = self.sheet.flat(quad) - self.sheet.corners(self.sheet.pose_of(quad))
        turned = self.sheet.flat(np.roll(quad, 1, axis=0)) - self.sheet.corners(self.sheet.pose_of(quad))
        far = [float(np.hypot(*each.T).mean()) for each in (off, turned)]
        return min(far) < _OTHER_SIZE * WIDTH

    def strays(self) -> list[Quad]:
        """Boxes in the picture around what looks like cards and is none of those found."""
        firm: Array = (self.sheet.card > 0).astype(np.uint8)
        for card in self.cards:
            cv2.fillConvexPoly(firm, np.rint(self.sheet.corners(card.pose)).astype(np.int32), 0)
        firm = cv2.morphologyEx(firm, cv2.MORPH_OPEN, np.ones((9, 9), np.uint8))
        count, _, stats, _ = cv2.connectedComponentsWithStats(firm, connectivity=4)
        boxes = [stats[k] for k in range(1, count) if stats[k][4] >= _STRAY * WIDTH * self.sheet.height]
        return [
            self.sheet.unflat(np.array([(x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall)]))
            for x, y, wide, tall, _ in boxes
        ]

    def gaps(self) -> list[Quad]:
        """Cards that show much more beside the one above than others of their row: one may be missing."""
        rows: dict[int, list[tuple[float, LaidCard]]] = {}
        first: dict[int, int] = {}
        for card in self.cards:
            if card.beneath is not None:
                row = first.get(id(card.beneath), id(card))
                first[id(card)] = row
                away = float(np.hypot(*(card.pose[:2] - card.beneath.pose[:2])))
                rows.setdefault(row, []).append((away, card))
        wide = []
        for members in rows.values():
            usual = float(np.median([away for away, _ in members]))
            if len(members) >= _SHORT_ROW:
                wide += [card for away, card in members if away > _WIDE_GAP * usual]
        return [self.sheet.in_picture(card.pose) for card in wide]


def side_by_side(sheet: FlatSheet, tops: Sequence[LaidCard]) -> bool:
    """Whether whole cards, most of them certain, are all that is seen: then no rows lie beneath."""
    certain = sum(top.certain for top in tops)
    if not tops or certain < _MOST_CERTAIN * len(tops):
        return False
    return sheet.explained([sheet.corners(top.pose) for top in tops]) >= _ALL_OF_THEM


def laid_count(
    picture: Picture,
    net: OnnxModel,
    finder: CardFinder,
    deck: EnrolledDeck,
    sure: Sequence[Quad] = (),
    spread: bool = False,
) -> LaidCount | None:
    """What the cards' own plane, their edges and their backs say.

    Nothing where too few cards were found, or ones too far apart.

    `sure` outlines are whole cards; where the cards are `spread`, they are all, if hardly more is seen.
    """
    found = finder.find(picture)
    if len(found) < _FEWEST_OUTLINES:
        return None
    given = np.array([(card.score * min(1.0, card.visible)) ** 2 for card in found])
    size = (picture.shape[1], picture.shape[0])
    quads, worth = agreed([card.corners for card in found], given, sure, deck.aspect, size)
    registrar = Registrar(picture, deck.backs, deck.aspect)
    outlines = [*(card.corners for card in found), *sure]
    exact = registrar.registered(outlines) or registrar.registered(larger(outlines))
    if exact:  # what is printed says more of the plane than outlines
        quads = [*(card.quad for card in exact), *quads]
        worth = np.append([_EXACT * card.clarity for card in exact], _ROUGH * worth)
    try:
        sheet = FlatSheet(picture, net, quads, worth, deck.aspect)
    except SheetTooLarge:
        return None
    backs = KnownBacks(deck.backs, sheet.height)
    spread = spread and sheet.explained([sheet.flat(quad) for quad in sure]) >= _ALL
    starts = starts_of(sheet, backs, quads)
    exact = registrar.registered([sheet.in_picture(start) for start in starts], exact, sizes=(1.0,))
    plain = [card.quad for card in exact if card.likeness >= PLAIN]
    tops = whole_cards(sheet, backs, starts, sure, spread, plain)
    spread = spread or side_by_side(sheet, tops)
    cards = tops if spread else rows_of(sheet, backs, tops)
    more = left_over(sheet, backs, cards, spread)
    cards = [*cards, *more] if spread else rows_of(sheet, backs, more, cards)
    return LaidCount(sheet, backs, told_apart(sheet, backs, cards))
