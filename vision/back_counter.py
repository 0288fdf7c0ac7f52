"""Counts the face-down cards of a photo by their backs: spread, touching, overlapping, fanned or laddered."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck
from vision.card_finder import CardFinder
from vision.card_reader import CardReader, CardReading
from vision.counting.back_match import BackMatcher, Match
from vision.counting.card_chance import FEATURES, chances, features
from vision.counting.laid_count import LaidCount, laid_count
from vision.counting.outlines import outlines_in
from vision.counting.parts import Parts
from vision.counting.tally import CLEAR, NO_CARD, NOT_COUNTED, SURE_CARD, Corners, CountedCard, Doubt
from vision.counting.whole_cards import LaidCard
from vision.finding.maps import STRIDE
from vision.finding.selection import overlap
from vision.frame import Picture
from vision.onnx_model import OnnxModel
from vision.reading.crops import cut_out, light_of

_NO_BACK: Final = 0.0  # what fits worse is no back of the deck, whatever its outline says
_WEAK: Final = 0.15  # chance below which nothing is a card
_OF_OTHER_SIZE: Final = 0.3  # chance of what seemed a card and is larger or smaller than the others
_SURE_SIDE: Final = 0.9
_MOSTLY: Final = 0.5
_STRAY: Final = 0.1  # of a card's area: as much that belongs to no card is worth a question
_CUT_OFF: Final = 0.35
_WHOLE: Final = 0.6  # of a card shows
_SAME_CARD: Final = 0.6
_SPREAD: Final = 0.8  # of the cards are whole where they lie side by side
_UNSEEN: Final = 0.5  # cards that a player may have although none of them is clear


@dataclass(frozen=True)
class PhotoCount:
    """What one photo shows."""

    cards: tuple[CountedCard, ...]
    doubts: tuple[Doubt, ...]


@dataclass(frozen=True, eq=False)
class Weighed:
    """The outlines in a picture, what each shows, and the chance that it is a card of the deck."""

    quads: list[NDArray[np.float32]]
    readings: list[CardReading]
    parts: Parts
    match: Match
    features: NDArray[np.float64]
    chances: list[float]

    def seen(self, number: int) -> float:
        """The part of an outline that shows."""
        return self.parts.area(number) / max(1.0, float(cv2.contourArea(self.quads[number])))


class BackCounter:
    """Finder and reader at work on one deck."""

    def __init__(
        self, net: OnnxModel, reader: CardReader, deck: EnrolledDeck, finder: CardFinder | None = None
    ) -> None:
        """With a finder, rows and fans are followed card by card; without, only outlines are counted."""
        self._net = net
        self._finder = finder
        self._deck = deck
        self._reader = reader
        self._matcher = BackMatcher(deck, reader)
        self._aspect = deck.aspect

    def count(self, photo: str, picture: Picture) -> PhotoCount:
        """Every face-down card with the chance of each back, and what else should be looked at."""
        weighed = self.weighed(picture)
        whole: list[int] = []
        laid = None
        if self._finder is not None:
            clear = [number for number, chance in enumerate(weighed.chances) if chance >= SURE_CARD]
            whole = [number for number in clear if _is_whole(weighed, number)]
            spread = len(whole) >= _SPREAD * len(clear)
            sure = [weighed.quads[number] for number in whole]
            laid = laid_count(picture, self._net, self._finder, self._deck, sure, spread)
        cards: list[CountedCard] = []
        doubts: list[Doubt] = []
        for number, (quad, chance) in enumerate(zip(weighed.quads, weighed.chances, strict=True)):
            reading, corners = weighed.readings[number], _corners(quad)
            if chance < _WEAK or (laid is not None and _met(laid, weighed, number)):
                continue
            if _lies_open(reading, weighed.seen(number)):
                why = f"this card lies face up ({reading.face}); turn it over"
                doubts.append(Doubt("card", why, ("face up",), photo, corners))
                continue
            if laid is not None and not laid.of_size(quad):
                if chance < SURE_CARD:
                    continue
                chance = _OF_OTHER_SIZE
            cards.append(CountedCard(photo, corners, chance, self._ranked(weighed.match.shares[number])))
        if laid is None:
            strays = _strays(photo, weighed)
        else:
            cards += [self._laid(photo, laid, card, weighed, whole) for card in laid.cards]
            cards = of_those_at_the_table(cards)
            strays = left_open(photo, laid, cards)
        cut_off = [doubt for card in cards for doubt in _cut_off(photo, card.corners, picture)]
        return PhotoCount(tuple(cards), (*doubts, *cut_off, *strays))

    def _laid(
        self, photo: str, laid: LaidCount, card: LaidCard, weighed: Weighed, whole: Sequence[int]
    ) -> CountedCard:
        chance, shares = laid.chance(card), laid.shares(card)
        quad = laid.sheet.in_picture(card.pose)
        same = [whole[card.given]] if card.given is not None else []
        if card.beneath is None and not same:
            same = [number for number in whole if overlap(quad, weighed.quads[number]) >= _SAME_CARD]
        if card.given is not None and card.fit.best > _NO_BACK:
            chance = weighed.chances[same[0]]
        if same:  # of a whole card the reader's net has a say, too
            shares = shares * weighed.match.shares[same[0]] + 1e-12
            shares = shares / shares.sum()
        return CountedCard(photo, _corners(quad), chance, self._ranked(shares))

    def weighed(self, picture: Picture) -> Weighed:
        """Every outline of the picture with all that speaks for and against it."""
        seen = outlines_in(picture, self._net, self._aspect)
        quads, parts = seen.quads, seen.parts
        if not quads:
            nothing = Match(np.zeros((0, 1)), np.zeros(0), np.zeros(0))
            return Weighed([], [], parts, nothing, np.zeros((0, FEATURES)), [])
        match = self._match(picture, quads, parts)
        owned = np.array([parts.area(i) / max(1.0, cv2.contourArea(quad)) for i, quad in enumerate(quads)])
        rows = features(quads, seen.scores, owned, match.likeness, match.nearness, self._aspect)
        readings = self._reader.read(picture, quads)
        return Weighed(quads, readings, parts, match, rows, [float(chance) for chance in chances(rows)])

    def _match(self, picture: Picture, quads: Sequence[NDArray[np.float32]], parts: Parts) -> Match:
        crops = np.stack([cut_out(picture, quad) for quad in quads])
        masks = np.stack([parts.mask(number, quad) for number, quad in enumerate(quads)])
        return self._matcher.match(crops, masks, light_of(picture))

    def _ranked(self, share: NDArray[np.float64]) -> tuple[tuple[str, float], ...]:
        return tuple((self._matcher.names[i], float(share[i])) for i in np.argsort(-share))


def of_those_at_the_table(cards: Sequence[CountedCard]) -> list[CountedCard]:
    """The same cards: one in doubt is rather of a player of whom there are others than of one without."""
    seen: dict[str, float] = defaultdict(float)
    for card in cards:
        for name, share in card.shares:
            seen[name] += share * card.chance
    weighed = []
    for card in cards:
        likely = {name: share * math.sqrt(seen[name] + _UNSEEN) for name, share in card.shares}
        whole = sum(likely.values())
        ranked = sorted(((name, share / whole) for name, share in likely.items()), key=lambda one: -one[1])
        weighed.append(replace(card, shares=tuple(ranked)))
    return weighed


def _is_whole(weighed: Weighed, number: int) -> bool:
    """Whether an outline is a face-down card that hardly anything covers."""
    seen = weighed.seen(number)
    return (
        weighed.chances[number] >= SURE_CARD
        and seen >= _WHOLE
        and not _lies_open(weighed.readings[number], seen)
    )


def _met(laid: LaidCount, weighed: Weighed, number: int) -> bool:
    """Whether what shows of an outline belongs to cards that are known already."""
    cells = np.argwhere(weighed.parts.owner == number)[:, ::-1]
    middles = ((cells + 0.5) * STRIDE) * weighed.parts.scale - 0.5
    return not len(cells) or float(laid.covered(middles).mean()) > _MOSTLY


def left_open(photo: str, laid: LaidCount, cards: Sequence[CountedCard]) -> list[Doubt]:
    """Where a card may be missing from those that were laid, and which of them are not quite clear."""
    more = "there may be one more card here; lay the cards farther apart, or count it by hand"
    known = [np.array(card.corners, np.float32) for card in cards]
    strays = [
        quad
        for quad in laid.strays()
        if not any(cv2.pointPolygonTest(card, quad.mean(axis=0).tolist(), False) > 0 for card in known)
    ]
    doubts = [
        Doubt("card", more, (NOT_COUNTED, NO_CARD), photo, _corners(quad)) for quad in (*strays, *laid.gaps())
    ]
    for card in cards:
        if SURE_CARD <= card.chance < CLEAR:
            why = "this is counted as a card and its edges are hard to see; have a look"
            doubts.append(Doubt("card", why, (card.shares[0][0], NO_CARD), photo, card.corners))
    return doubts


def _lies_open(reading: CardReading, seen: float) -> bool:
    return (
        reading.side == "face" and reading.face.known and reading.confidence >= _SURE_SIDE and seen >= _MOSTLY
    )


def _corners(corners: NDArray[np.float32]) -> Corners:
    return tuple((round(float(x), 1), round(float(y), 1)) for x, y in corners)


def _cut_off(photo: str, corners: Corners, picture: Picture) -> list[Doubt]:
    """A card that leaves the picture: others may have left it altogether."""
    height, width = picture.shape[:2]
    frame = np.array([(0, 0), (width, 0), (width, height), (0, height)], np.float32)
    quad = np.array(corners, np.float32)
    inside = float(cv2.intersectConvexConvex(quad, frame)[0]) / max(1.0, float(cv2.contourArea(quad)))
    if inside >= 1 - _CUT_OFF:
        return []
    why = "this card is cut off by the edge of the photo; photograph all cards whole"
    return [Doubt("photos", why, (), photo, corners)]


def _strays(photo: str, weighed: Weighed) -> list[Doubt]:
    """Where something looks like a card and belongs to none that was found."""
    parts, quads = weighed.parts, weighed.quads
    if not quads:
        return []
    card = float(np.median([cv2.contourArea(quad) for quad in quads]))
    least = _STRAY * card / (STRIDE * parts.scale) ** 2
    # One cell of erosion takes the seams between cards away.
    firm = cv2.morphologyEx(parts.strays.astype(np.uint8), cv2.MORPH_OPEN, np.ones((2, 2), np.uint8))
    count, _, stats, _ = cv2.connectedComponentsWithStats(firm, connectivity=4)
    doubts = []
    for x, y, wide, tall, area in stats[1:count]:
        if area < max(4.0, least):
            continue
        side = STRIDE * parts.scale
        box = [(x, y), (x + wide, y), (x + wide, y + tall), (x, y + tall)]
        corners = tuple((round(float(px * side), 1), round(float(py * side), 1)) for px, py in box)
        why = "there may be one more card here; lay the cards farther apart, or count it by hand"
        doubts.append(Doubt("card", why, (NOT_COUNTED, NO_CARD), photo, corners))
    return doubts
