"""Counting on the flat sheet: rows and fans are followed from the card on top down to the last strip."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck
from finito.virtual_table.scene import Card, Rendered
from tests.vision.test_back_counter import LAYOUTS, MIXED, house, ladder, lying, reader, table
from tests.vision.truth_net import TruthNet
from vision.back_counter import BackCounter
from vision.card_finder import CardFinder, FoundCard
from vision.counting import laid_rows, whole_cards
from vision.counting.flat_sheet import FlatSheet
from vision.counting.known_backs import Fit, KnownBacks
from vision.counting.laid_count import LaidCount, laid_count
from vision.counting.laid_rows import row_beneath
from vision.counting.table_plane import moved_by, plane_of, rigid_misfit
from vision.counting.tally import CLEAR, SURE_CARD, Tally, tally
from vision.counting.whole_cards import LaidCard
from vision.finding.maps import BORDER
from vision.onnx_model import OnnxModel


class EdgeNet(TruthNet):
    """A net that votes for no card that is covered, and sees all edges."""

    def _maps(self, cells: NDArray[np.int16], scale: float) -> NDArray[np.float32]:
        maps = super()._maps(cells, scale)
        ids = cells.astype(np.float32)
        edge = cv2.morphologyEx(ids, cv2.MORPH_GRADIENT, np.ones((3, 3), np.uint8)) > 0
        maps[BORDER] = np.where(edge, 3.0, -4.0)
        return maps


class WholeFinder:
    """Finds the cards that nothing covers, and one that is none."""

    def __init__(self, rendered: Rendered) -> None:
        self._rendered = rendered

    def find(self, _picture: Any) -> list[FoundCard]:
        whole = [card.corners.astype(np.float32) for card in self._rendered.cards if card.visible > 0.97]
        return [FoundCard(quad, 0.99, 1.0) for quad in (*whole, *whole[:1])]


def counted(cards: list[Card], deck: EnrolledDeck | None = None) -> Tally:
    rendered = table(cards)
    covered = tuple(card.number for card in rendered.cards if card.visible < 0.9)
    net = cast(OnnxModel, SeeingNet(rendered, covered))
    finder = cast(CardFinder, WholeFinder(rendered))
    count = BackCounter(net, reader(), deck or house(), finder).count("a.jpg", rendered.picture)
    return tally(count.cards, count.doubts, [back.name for back in house().backs], 36)


class SeeingNet(EdgeNet):
    """Sees that there are cards where it votes for none."""

    def _maps(self, cells: NDArray[np.int16], scale: float) -> NDArray[np.float32]:
        maps = super()._maps(cells, scale)
        maps[0] = np.where(cells > 0, 6.0, -6.0)
        return maps


@pytest.mark.parametrize("layout", ["laddered", "overlapping", "fanned"])
def test_cards_of_which_only_strips_show_are_followed_from_the_top_down(layout: str) -> None:
    assert dict(counted(LAYOUTS[layout]).counts) == {"pizza": 4, "gelato": 3, "tiramisu": 2}


def test_two_rows_are_two_rows() -> None:
    cards = [*ladder(MIXED, 16, -70.0), *ladder(MIXED[:6], 25, 70.0)]
    assert dict(counted(cards).counts) == {"pizza": 6, "gelato": 6, "tiramisu": 3}


def test_a_gap_in_a_row_is_asked_about_and_not_filled_with_a_card() -> None:
    places = [-80, -64, -48, -32, 0, 16, 32, 48, 64]
    cards = [lying(back, x, 0.0) for back, x in zip(MIXED, places, strict=True)]
    result = counted(cards)
    assert dict(result.counts) == {"pizza": 4, "gelato": 3, "tiramisu": 2}
    assert any("one more card" in doubt.why for doubt in result.unsure)


def test_glare_on_the_photo_a_back_was_enrolled_from_is_no_other_back() -> None:
    def hazy(picture: NDArray[np.uint8]) -> NDArray[np.uint8]:
        return np.asarray(np.clip(0.5 * picture + 90, 0, 255), np.uint8)

    backs = tuple(
        replace(back, thumbnail=hazy(back.thumbnail)) if back.name == "gelato" else back
        for back in house().backs
    )
    result = counted(LAYOUTS["laddered"], replace(house(), backs=backs))
    assert dict(result.counts) == {"pizza": 4, "gelato": 3, "tiramisu": 2}


def test_a_card_found_by_way_of_one_that_is_none_is_laid_without_it() -> None:
    laid, _ = laid_of(ladder(["pizza"] * 6, 22))
    top = next(card for card in laid.cards if card.beneath is None)
    way = next(way for way in range(4) if len(row_beneath(laid.sheet, laid.backs, top, way)) == 5)
    row = laid_rows.Row(laid.sheet, laid.backs, top, way)
    row._search()
    first, second = row._path()[:2]
    above, card = row._nodes[first], row._nodes[second]
    false = laid_rows._Node(
        (above.pose + card.pose) / 2, (above.gone + card.gone) / 2, above.worth + 5, first
    )
    row._nodes.append(false)
    false.fit = above.fit
    card.above = len(row._nodes) - 1
    poses = [card.pose for card in row.cards()]
    assert len(poses) == 5
    assert not any(np.array_equal(false.pose, pose) for pose in poses)


def test_a_whole_card_is_looked_for_where_a_back_fits_though_edges_are_clearer_elsewhere(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    laid, rendered = laid_of(LAYOUTS["laddered"])
    top = next(card.corners for card in rendered.cards if card.visible > 0.97)
    whole = laid.sheet.pose_of(top.astype(np.float32))
    across = [
        whole - np.array([40.0 * steps, 0.0, 0.0]) for steps in (1, 2, 3)
    ]  # over strips of several cards
    monkeypatch.setattr(whole_cards, "_peaks", lambda _: [*across, whole])
    monkeypatch.setattr(whole_cards, "_MOST_PEAKS", 1)
    monkeypatch.setattr(whole_cards, "_MOST_BACKS", 1)
    starts = whole_cards.starts_of(laid.sheet, laid.backs, [])
    assert any(np.array_equal(start, whole) for start in starts)


def test_a_card_whose_far_side_is_unseen_counts_if_its_row_does_not_fit_without_it() -> None:
    laid = LaidCount(cast(FlatSheet, None), cast(KnownBacks, None), [])
    fit = Fit(np.array([0.9, 0.2]), 250, np.array([0.9, 0.2]))
    top = LaidCard(np.zeros(3), fit, 2.0, 0.0)
    card = LaidCard(np.array([20.0, 0, 0]), fit, -3.7, 0.0, beneath=top, gain=12.0)
    assert laid.chance(card) < 0.5
    assert laid.chance(replace(card, needed=2.0)) < CLEAR
    assert laid.chance(replace(card, needed=20.0)) > CLEAR


def test_an_outline_that_fits_no_back_at_all_is_asked_about_and_not_counted() -> None:
    rendered = table(LAYOUTS["spread"])
    net, finder = cast(OnnxModel, SeeingNet(rendered, ())), cast(CardFinder, WholeFinder(rendered))
    counter = BackCounter(net, reader(), house(), finder)
    weighed = counter.weighed(rendered.picture)
    laid = laid_count(rendered.picture, net, finder, house())
    assert laid is not None
    pose, bare = laid.cards[0].pose + np.array([150.0, 0.0, 0.4]), Fit(np.array([-0.2]), 975, np.zeros(12))
    given = LaidCard(pose, bare, -2.1, 0.0, given=0)
    assert weighed.chances[0] > SURE_CARD
    assert counter._laid("a.jpg", laid, given, weighed, [0]).chance < SURE_CARD


def laid_of(cards: list[Card]) -> tuple[LaidCount, Rendered]:
    rendered = table(cards)
    covered = tuple(card.number for card in rendered.cards if card.visible < 0.9)
    net = cast(OnnxModel, SeeingNet(rendered, covered))
    laid = laid_count(rendered.picture, net, cast(CardFinder, WholeFinder(rendered)), house())
    assert laid is not None
    return laid, rendered


def test_the_plane_is_that_of_most_cards_though_some_outlines_are_wrong() -> None:
    aspect, size = 0.65, (1920, 1080)
    rng = np.random.default_rng(4)
    turned, _ = cv2.Rodrigues(np.array([0.3, -0.1, 0.0]))
    lens = np.array([[1700.0, 0, 960], [0, 1700.0, 540], [0, 0, 1]])
    to_picture = lens @ turned.T @ np.diag([1.0, 1.0, 1.0])
    half = np.array([(-aspect, -1), (aspect, -1), (aspect, 1), (-aspect, 1)]) * 0.05
    turns = rng.uniform(-0.4, 0.4, 9)
    flat = np.array([half @ [[np.cos(t), np.sin(t)], [-np.sin(t), np.cos(t)]] for t in turns])
    flat += rng.uniform((-0.4, -0.2), (0.4, 0.2), (9, 2))[:, None]
    quads = list(moved_by(to_picture, flat))
    wrong = [
        quad.mean(axis=0) + (quad - quad.mean(axis=0)) * grown
        for quad, grown in zip(quads[:3], (1.3, 0.8, 1.5), strict=True)
    ]
    plane = plane_of([*quads, *wrong], np.ones(12), aspect, size)
    off, _, _ = rigid_misfit(moved_by(plane.matrix, np.stack(quads)), aspect, plane.height)
    assert np.abs(off).max() / plane.height < 0.02
