"""Cards laid apart for enrolment: rendered photos, seen by the nets that ship."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray

from finito.virtual_table.scene import Rendered
from finito.virtual_table.stills import still
from models.evaluation.finding_truth import corner_error, met
from models.evaluation.reading_sets import enrolment_photos
from vision.card_finder import CardFinder, FoundCard
from vision.card_reader import CardReader
from vision.laid_apart import congruent, read_apart
from vision.table_reader import LEAST_WORTH_READING, TableReader

# Decks on which the finder takes printed bands and frames for edges: 59 outlines of 36 faces, 8 of 6 backs.
_BANDED, _FRAMED = "test-119", "test-120"


@pytest.fixture(scope="module")
def finder() -> CardFinder:
    return CardFinder(least_score=LEAST_WORTH_READING, one_size=False)


def _truth(photo: Rendered) -> list[NDArray[np.float32]]:
    return [np.asarray(card.corners, np.float32) for card in photo.cards]


def _worst(truth: list[NDArray[np.float32]], outlines: list[NDArray[np.float32]]) -> float:
    """The mean error of the worst outline, in card widths; every card has one and nothing else does."""
    pairs = met(truth, [FoundCard(quad, 1.0, 1.0) for quad in outlines]).pairs
    assert len(pairs) == len(truth) == len(outlines)
    return max(corner_error(truth[t], outlines[f]) for t, f, _ in pairs)


@pytest.mark.parametrize(("deck", "side"), [(_BANDED, 0), (_FRAMED, 1)])
def test_a_band_across_a_card_is_not_taken_for_its_edge(deck: str, side: int, finder: CardFinder) -> None:
    photo = enrolment_photos(deck)[side]
    found = finder.find(photo.picture)
    outlines = congruent(photo.picture, finder.net, found)
    assert _worst(_truth(photo), outlines) < 0.03


def test_cards_are_read_at_the_outlines_they_agree_on(finder: CardFinder) -> None:
    photo = enrolment_photos(_BANDED)[0]
    cards = read_apart(photo.picture, finder, TableReader(finder, CardReader()))
    assert len(cards) == len(photo.cards)


def test_cards_that_lie_on_each_other_are_left_to_the_finder(finder: CardFinder) -> None:
    heap = still(7, "test", (1280, 720), recipe="heap")
    assert congruent(heap.picture, finder.net, finder.find(heap.picture)) == []


def test_an_empty_table_stays_empty(finder: CardFinder) -> None:
    table = TableReader(finder, CardReader())
    assert read_apart(np.full((360, 640, 3), 140, np.uint8), finder, table) == []
