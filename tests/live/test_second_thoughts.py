"""What is told anew once more is seen: said once, and nothing is lost or turned against anybody by it."""

from __future__ import annotations

import pytest

from referee.actions import Finito, Undo
from tests.live.watched_table import Watched, begun, plain
from vision.observations import Covered, Spot, centre_spot


def test_one_of_two_cards_under_one_look_stays_told_though_its_place_seems_to_keep_it() -> None:
    """The pile has grown by two: where the upper one came from is a question, that it lies there is none."""
    table = begun(gelato_espresso="Y1", gelato_help2="Y2")
    table.play("pizza", "help1", 1, "Y0")
    table.refill("pizza", "help1", "R3", "G2")
    table.wait(3)
    table.shows("gelato", "espresso", "B5")
    table.wait(0.5)
    table.tell(Covered(Spot("gelato", "help2"), table.at - 0.6, table.at, (("gelato", 0.98),)))
    table.pile(1, "Y2", "gelato", since=table.at - 0.6, faces=plain("Y2", "Y7"))
    table.wait(8)
    event, _ = table.told_of("Y2")[-1]
    assert (event.said, event.verdict.outcome.value) == ("changed", "unsure")


def test_a_play_whose_card_seems_to_lie_at_home_is_explained_anew_once() -> None:
    """Nobody but gelato was near, and its yellow 0 is on the pile and in its slot: what else should it be?"""
    table = begun(gelato_help2="Y0", pizza_help1="G5")
    table.tell(Covered(Spot("gelato", "help2"), table.at - 0.4, table.at, (("gelato", 0.98),)))
    table.pile(1, "Y0", "gelato", faces=plain("Y0", "Y8"))
    table.wait(12)
    told = table.told_of("Y0")
    assert len(told) < 6
    assert told[-1][0].verdict.outcome.value == "unsure"


def test_a_call_of_ours_that_came_before_the_last_card_was_laid_accuses_nobody() -> None:
    """Gelato held its last card for long: we called, and then it was laid."""
    table = begun()
    table.play("pizza", "help1", 1, "Y0")
    table.wait(2)
    table.referee.log.state.sides[1].__dict__.update(espresso=1, espresso_least=1)
    table.shows("gelato", "espresso", None)
    table.wait(1.7)
    assert table.events(Finito)
    table.pile(1, "Y1", "gelato", since=table.at - 0.2, t=table.at, faces=plain("Y1", "Y7"))
    table.wait(4)
    assert not table.accusations()
    assert table.events(Finito)[-1].verdict.legal
    assert table.told_of("Y1")[-1][0].verdict.legal


@pytest.mark.parametrize("passed", [False, True])
def test_an_arm_that_passed_the_pile_before_does_not_hide_who_took_a_slower_card_home(passed: bool) -> None:
    table = begun(pizza_help2="Y1", pizza_espresso="B3")
    table.play("pizza", "help1", 1, "Y0")
    table.refill("pizza", "help1", "B3", "R3")
    table.wait(3)
    table.play("pizza", "help2", 1, "Y1", faces=plain("Y1", "Y7"))
    table.shows("gelato", "espresso", "B5", since=table.at - 0.9, t=table.at - 0.5)
    gelato = (("gelato", 0.98),)
    table.tell(Covered(centre_spot(1), table.at - 0.3, table.at, gelato))
    table.wait(0.7)
    if passed:
        table.tell(Covered(centre_spot(1), table.at - 0.1, table.at, gelato))
    table.wait(2.5)
    table.tell(Covered(centre_spot(1), table.at - 0.3, table.at, gelato))
    table.wait(0.5)
    table.shows("gelato", "espresso", "Y1", since=table.at - 0.3, faces=plain("Y1", "Y7"))
    table.wait(6)
    assert table.accusations() == ["too-late"]


@pytest.mark.parametrize("number", [1, 2])
def test_a_pile_that_the_tracker_lost_for_a_moment_has_been_under_the_same_hands(number: int) -> None:
    """A green 6, hard to read, was laid under a hand and taken for the green 5 once the pile was moved."""
    table = Watched()
    table.pile(1, "G5", "", at=(0.0, 0.0))
    table.begin()
    table.shows("gelato", "waste", "G7", faces=(("G7", 0.62), ("G6", 0.36)))
    table.wait(3)
    table.cover(None, "pile", 0.4, stack=1)
    table.shows("gelato", "waste", "Y1")
    if number == 2:
        table.pile(1, None, "")
    table.pile(number, "G5", "", at=(30.0, 4.0), angle=14.0, faces=plain("G5", "G3"))
    table.wait(1.5)
    table.play("pizza", "help3", number, "G7", at=(32.0, 9.0), angle=-8.0)
    table.wait(5)
    assert not table.accusations()


def test_a_card_that_may_have_lain_below_a_wrong_one_accuses_nobody_once_it_is_off_the_pile() -> None:
    """Pizza's green 0 may have come before the red 8. It is taken off; later a person corrects a line."""
    table = begun()
    for player in ("pizza", "gelato"):
        table.shows(player, "waste", "R5", faces=plain("R5", "R6"))
    table.wait(3)
    table.shows("gelato", "help3", None)
    table.wait(0.5)
    table.pile(1, "R8", "gelato", at=(10.0, 0.0), faces=plain("R8", "R3"))
    table.wait(4)
    table.pile(1, "G0", "pizza", at=(16.0, 4.0), angle=20.0, faces=plain("G0", "G6"))
    table.wait(8)
    table.pile(1, "R8", "pizza", at=(10.0, 0.0), faces=plain("R8", "R3"))
    table.wait(4)
    table.said += table.referee.correct(Undo(1))
    assert "not-open" not in table.accusations()


def test_a_call_that_a_person_took_back_is_not_taken_back_again() -> None:
    table = begun()
    table.play("pizza", "help1", 1, "Y0")
    table.wait(2)
    table.referee.log.state.sides[1].__dict__.update(espresso=1, espresso_least=1)
    table.play("gelato", "espresso", 1, "Y1", faces=plain("Y1", "Y7"))
    table.wait(3)
    table.said += table.referee.correct(Undo(table.events(Finito)[-1].line))
    table.shows("gelato", "espresso", "B5", faces=plain("B5", "B8"))
    table.wait(2)
    assert [event.said for event in table.events(Finito)] == ["new", "withdrawn"]
