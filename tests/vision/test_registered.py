"""Whole cards are laid upon their backs: the plane of a photo then no longer rests on rough outlines."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import numpy as np
import pytest
from numpy.typing import NDArray

from finito.virtual_table.scene import Rendered
from tests.vision.test_back_counter import LAYOUTS, house, ladder, reader, table
from tests.vision.test_laid_count import SeeingNet
from vision.back_counter import BackCounter
from vision.card_finder import CardFinder, FoundCard
from vision.counting import laid_count
from vision.counting.known_backs import KnownBacks
from vision.counting.registered import PLAIN, Registrar
from vision.counting.tally import tally
from vision.counting.told_apart import told_apart
from vision.counting.whole_cards import LaidCard
from vision.onnx_model import OnnxModel

Array = NDArray[Any]


def grown(quad: Array, by: float) -> NDArray[np.float32]:
    middle = quad.mean(axis=0)
    return np.asarray(middle + (quad - middle) * by, np.float32)


class ShrunkenFinder:
    """Finds the whole cards, all of them without their rims."""

    def __init__(self, rendered: Rendered, by: float) -> None:
        self._rendered, self._by = rendered, by

    def find(self, _picture: Any) -> list[FoundCard]:
        whole = [grown(card.corners, self._by) for card in self._rendered.cards if card.visible > 0.97]
        return [FoundCard(quad, 0.99, 1.0) for quad in (*whole, *whole[:1])]


@pytest.mark.parametrize("by", [0.93, 1.0, 1.07])
def test_an_outline_that_is_off_is_moved_onto_the_card_by_what_is_printed(by: float) -> None:
    rendered = table(LAYOUTS["spread"])
    quads = [card.corners for card in rendered.cards]
    found = Registrar(rendered.picture, house().backs, house().aspect).registered(
        [grown(quad, by) + 2 for quad in quads]
    )
    assert len(found) >= 7  # of nine; a pattern that repeats may be missed, never misplaced
    for card in found:
        assert min(float(np.abs(np.roll(card.quad, k, 0) - q).max()) for q in quads for k in (0, 2)) < 2.0


def test_a_card_of_which_a_strip_shows_is_not_taken_for_a_whole_one() -> None:
    rendered = table(ladder(["pizza"] * 6, 16))
    found = Registrar(rendered.picture, house().backs, house().aspect).registered(
        [card.corners for card in rendered.cards]
    )
    whole = next(card.corners for card in rendered.cards if card.visible > 0.97)
    assert len([card for card in found if card.likeness >= PLAIN]) == 1
    assert float(np.abs(found[0].quad - whole).max()) < 2.0


def test_rows_are_followed_though_all_outlines_are_a_tenth_too_small() -> None:
    rendered = table(LAYOUTS["laddered"])
    covered = tuple(card.number for card in rendered.cards if card.visible < 0.9)
    net = cast(OnnxModel, SeeingNet(rendered, covered))
    finder = cast(CardFinder, ShrunkenFinder(rendered, 0.9))
    count = BackCounter(net, reader(), house(), finder).count("a.jpg", rendered.picture)
    result = tally(count.cards, count.doubts, [back.name for back in house().backs], 36)
    assert dict(result.counts) == {"pizza": 4, "gelato": 3, "tiramisu": 2}


def test_backs_that_swap_in_another_likely_light_are_asked_about() -> None:
    rendered = table(LAYOUTS["spread"])
    light = np.array([0.8, 1.05, 1.2])
    first = house().backs[0]
    tinted = np.clip(first.thumbnail / light, 0, 255).astype(np.uint8)
    twins = (first, replace(first, name="tinted", thumbnail=tinted))
    net = cast(OnnxModel, SeeingNet(rendered, ()))
    finder = cast(CardFinder, ShrunkenFinder(rendered, 1.0))
    laid = laid_count.laid_count(rendered.picture, net, finder, house())
    assert laid is not None
    whole = next(i for i, card in enumerate(rendered.cards) if card.card.back == first.name)
    pose = laid.sheet.pose_of(rendered.cards[whole].corners.astype(np.float32))
    shares = []
    for others in ((), (light,)):
        backs = KnownBacks(twins, laid.sheet.height)
        backs.other_casts = others
        card = LaidCard(pose, backs.fit(laid.sheet, pose, np.ones(len(backs.points), bool)), 0.0, 0.0)
        (told,) = told_apart(laid.sheet, backs, [card])
        shares.append(float(laid.shares(told).max()))
        assert np.array_equal(backs.cast, np.ones(3))
    assert shares[0] > 0.9
    assert shares[1] < 0.9
