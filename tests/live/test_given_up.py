"""Who takes a card home again owns that it came too late; who clears the table or turned back does not."""

from __future__ import annotations

import pytest

from referee.actions import Finito
from tests.live.watched_table import Watched, begun, last_play
from vision.inference.table import Place
from vision.observations import Chances, Look, Spot


def laid_as_finito_is_called() -> Watched:
    """Gelato's hand was at its card already when pizza's stack was seen to be empty."""
    table = begun()
    table.play("pizza", "help1", 1, "Y0", at=(10.0, 0.0))
    table.refill("pizza", "help1", "R3", "G0")
    table.play("pizza", "espresso", 2, "G0", reveals=None)
    while not table.events(Finito):
        table.wait(0.1)
    table.shows("gelato", "espresso", "B7", since=table.at - 0.4)
    table.wait(0.5)
    table.pile(1, "Y1", "gelato", since=table.at - 0.35, at=(14.0, 4.0))
    table.wait(2.5)
    assert last_play(table) == ("unsure", "after-finito")
    return table


def test_a_card_taken_home_again_after_finito_was_laid_after_it() -> None:
    table = laid_as_finito_is_called()
    table.pile(1, "Y0", "gelato", at=(10.0, 0.0))
    table.wait(0.2)
    table.shows("gelato", "espresso", "Y1")
    table.wait(3)
    assert last_play(table) == ("illegal", "after-finito")


def test_a_card_that_is_cleared_away_with_its_pile_was_not_given_up() -> None:
    """Whoever takes it off the pile for the count does not lay it open in its old place."""
    table = laid_as_finito_is_called()
    table.pile(1, "Y0", "gelato", at=(10.0, 0.0))
    table.wait(0.5)
    table.shows("gelato", "espresso", None)
    table.wait(6)
    assert not table.accusations()


def test_a_card_that_somebody_else_takes_off_the_pile_was_not_given_up() -> None:
    table = laid_as_finito_is_called()
    table.pile(1, "Y0", "pizza", at=(10.0, 0.0))
    table.wait(6)
    assert not table.accusations()


def both_under_one_look() -> Watched:
    """Pizza's yellow 1 sets out before gelato's, and both come to light at once."""
    table = Watched()
    table.dealt["pizza", "help2"] = "Y1"
    table.pile(1, "Y0", "", at=(10.0, 0.0), since=0.0, t=0.1)
    table.begin()
    table.shows("pizza", "help2", None, since=table.at - 0.3)
    table.wait(0.3)
    table.shows("gelato", "espresso", "B5", since=table.at - 0.2)
    table.wait(0.3)
    both: Chances = (("gelato", 0.5), ("pizza", 0.48))
    table.pile(1, "Y1", "", since=table.at - 0.6, at=(12.0, 3.0), reach=both)
    table.wait(2)
    return table


@pytest.mark.parametrize("bare", [True, False])
def test_of_two_equal_cards_the_one_taken_home_was_the_slower_though_it_set_out_first(bare: bool) -> None:
    """But a place that was not seen bare until then may have had its card back long before."""
    table = both_under_one_look()
    left = table.at - 2.5
    table.pile(1, "Y1", "pizza", at=(22.0, 9.0))
    table.wait(0.3)
    table.shows("pizza", "help2", "Y1", since=table.at - 0.3 if bare else left)
    table.wait(6)
    assert (("illegal", "too-late") in table.verdicts().values()) == bare
    assert set(table.accusations()) <= {"too-late"}


def test_a_card_that_was_home_and_left_again_had_come_from_the_pile_all_the_same() -> None:
    """What shows how it came home is the look that showed it there, not the last one at its place."""
    spot = Spot("pizza", "help3")
    home, again = Look(spot, 26.9, 27.2, "face", (("Y2", 0.99),)), Look(spot, 27.9, 28.2, "nothing")
    place = Place("pizza", "help3", looks=[home, again], look=again)
    assert place.visited_after(26.5, 26.6, home.t)
    assert not place.visited_after(24.5, 24.6, home.t)
