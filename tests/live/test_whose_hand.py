"""Faults told by what a hand can have done meanwhile, and the honest deeds that look like them."""

from __future__ import annotations

import pytest

from tests.live.watched_table import begun, last_play, plain
from vision.observations import Chances


@pytest.mark.parametrize(("laid", "outcome"), [(True, "illegal"), (False, "unsure")])
def test_a_hand_that_laid_a_card_from_the_waste_turned_none_meanwhile(laid: bool, outcome: str) -> None:
    """The waste was hidden for long; but in that time its own top card was carried to a pile."""
    table = begun()
    table.shows("pizza", "waste", "Y0", faces=plain("Y0", "Y6"))
    table.wait(4)
    since = table.at
    table.wait(0.86)
    table.shows("pizza", "waste", "R5", since=since, t=table.at, faces=plain("R5", "R6"))
    if laid:
        table.pile(1, "Y0", "pizza", faces=plain("Y0", "Y6"), since=since + 0.35)
    table.wait(1.3)
    table.pile(2, "G0", "pizza", since=table.at - 0.3, faces=plain("G0", "G6"))
    table.wait(8)
    assert last_play(table) == (outcome, "not-open")


def test_a_card_missed_by_the_eyes_where_it_left_is_not_taken_for_one_from_the_hand() -> None:
    """The stack's red 0 was read as an 8, and that it left is seen by the slow sweep only."""
    table = begun(pizza_espresso="R8")
    table.shows("pizza", "waste", "B5", faces=plain("B5", "B6"))
    table.shows("pizza", "espresso", "R8", faces=plain("R8", "R0"), since=table.at - 0.3)
    table.wait(4)
    table.pile(1, "R0", "pizza", faces=plain("R0", "R8"), since=table.at - 0.3)
    laid = table.at
    table.wait(4.7)
    table.shows("pizza", "espresso", "Y5", faces=plain("Y5", "Y3"), since=laid - 0.4)
    table.wait(6)
    assert not table.accusations()


@pytest.mark.parametrize(("owner", "outcome"), [(0.0, "illegal"), (0.2, "unsure")])
def test_whose_card_it_was_did_not_lay_it_where_only_anothers_arm_was(owner: float, outcome: str) -> None:
    """The owner's arm was longer over the place that the card left; but was it over the pile at all?"""
    table = begun()
    table.shows("pizza", "help1", None, reach=(("pizza", 0.62), ("gelato", 0.36)), since=table.at - 0.3)
    table.wait(0.5)
    over: Chances = (("gelato", 0.97 - owner), *((("pizza", owner),) if owner else ()))
    table.pile(1, "Y0", "", reach=over, since=table.at - 0.3)
    table.wait(8)
    assert last_play(table) == (outcome, "not-yours")
