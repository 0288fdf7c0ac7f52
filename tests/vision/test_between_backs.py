"""Backs that share frame and pattern are told apart by what they do not share, where that is seen."""

from __future__ import annotations

from dataclasses import replace
from typing import cast

import numpy as np

from tests.vision.test_back_counter import LAYOUTS, house, table
from tests.vision.test_laid_count import SeeingNet, WholeFinder
from vision.card_finder import CardFinder
from vision.counting.between_backs import between_backs
from vision.counting.flat_sheet import WIDTH
from vision.counting.known_backs import KnownBacks
from vision.counting.laid_count import LaidCount, laid_count
from vision.counting.told_apart import told_apart
from vision.counting.whole_cards import LaidCard
from vision.onnx_model import OnnxModel


def stamped() -> tuple[LaidCount, KnownBacks, LaidCard]:
    """A card of the first back, and that back beside one that has a stamp in its middle and is less sharp."""
    rendered = table(LAYOUTS["spread"])
    finder = cast(CardFinder, WholeFinder(rendered))
    laid = laid_count(rendered.picture, cast(OnnxModel, SeeingNet(rendered, ())), finder, house())
    assert laid is not None
    first = house().backs[0]
    other = first.thumbnail.astype(np.float32)
    other = 0.7 * other + 0.3 * np.roll(other, 2, axis=1)
    other[40:64, 26:46] = 255 - other[40:64, 26:46]
    twins = (first, replace(first, name="stamped", thumbnail=other.astype(np.uint8)))
    backs = KnownBacks(twins, laid.sheet.height)
    number = next(i for i, card in enumerate(rendered.cards) if card.card.back == first.name)
    pose = laid.sheet.pose_of(rendered.cards[number].corners.astype(np.float32))
    whole = np.ones(len(backs.points), bool)
    return laid, backs, LaidCard(pose, backs.fit(laid.sheet, pose, whole), 0.0, 0.0)


def test_only_points_at_which_backs_differ_say_whose_a_card_is() -> None:
    laid, backs, card = stamped()
    likeness = np.array([0.9, 0.2, 0.9, 0.2])
    strip = backs.points[:, 0] < -WIDTH / 2 + 20
    hidden = between_backs(backs, laid.sheet, card.pose, strip, likeness)
    assert hidden[0] == hidden[2] == 0
    seen = between_backs(backs, laid.sheet, card.pose, np.ones(len(strip), bool), likeness)
    assert seen[0] == 0
    assert seen[2] < -5


def test_what_differs_nowhere_in_sight_is_not_clear_and_what_differs_in_sight_is() -> None:
    laid, backs, card = stamped()
    (whole,) = told_apart(laid.sheet, backs, [card])
    assert laid.shares(whole)[0] > 0.99
    right = np.array([np.cos(card.pose[2]), np.sin(card.pose[2]), 0.0])
    above = LaidCard(card.pose + 18 * right, card.fit, 0.0, 0.0)
    beneath = replace(card, beneath=above)
    told = told_apart(laid.sheet, backs, [above, beneath])[1]
    assert told.fit.points < 300
    assert float(laid.shares(told).max()) < 0.9


def test_a_back_that_was_enrolled_in_strong_glare_looks_like_its_card() -> None:
    laid, _, card = stamped()
    first = house().backs[0]
    hazy = replace(first, thumbnail=np.asarray(0.3 * first.thumbnail + 170, np.uint8))
    backs = KnownBacks((hazy,), laid.sheet.height)
    _, off, allowed = backs.lit(laid.sheet, card.pose, np.ones(len(backs.points), bool))
    assert float((off[0] < allowed[0]).mean()) > 0.9
