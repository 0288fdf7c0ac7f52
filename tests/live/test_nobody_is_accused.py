"""Honest players under bad light, sleeves and hands: what was not plain to see accuses nobody."""

from __future__ import annotations

import pytest

from referee.actions import Finito, Play, Refill, TakeBack
from tests.live.watched_table import Watched, begun


@pytest.fixture
def table() -> Watched:
    watched = Watched()
    watched.begin()
    return watched


def test_a_slot_filled_and_emptied_under_a_hand_is_no_empty_slot() -> None:
    table = Watched()
    table.dealt["pizza", "help2"] = "B0"
    table.begin()
    table.play("pizza", "help1", 1, "Y0")
    table.wait(0.4)
    table.shows("pizza", "espresso", "G2")  # R3 goes to the slot, which a hand hides
    table.cover("pizza", "help1", 0.6)
    table.shows("pizza", "help2", None)
    table.cover("pizza", "help1", 0.5)
    table.pile(2, "B0", "pizza")
    table.cover("pizza", "help1", 0.6)  # and under the same hand it leaves again
    table.wait(0.5)
    table.shows("pizza", "help1", "G2")
    table.wait(5)
    assert not table.accusations()


def test_a_card_that_nobody_saw_leave_is_no_play_with_an_empty_slot() -> None:
    table = Watched()
    table.dealt["pizza", "espresso"] = "R0"
    table.begin()
    table.play("pizza", "help1", 1, "Y0")
    table.wait(0.4)
    hidden = table.at  # the card goes to the slot first, and from there to the centre
    table.cover("pizza", "espresso", 0.8)
    table.pile(2, "R0", "pizza")
    table.cover("pizza", "espresso", 0.3)
    table.wait(0.6)
    table.shows("pizza", "espresso", "G2", since=hidden)
    table.shows("pizza", "help1", "G2")
    table.wait(5)
    assert not table.accusations()


def test_a_slot_whose_new_card_nobody_looked_at_was_not_empty(table: Watched) -> None:
    table.play("pizza", "help1", 1, "Y0")
    table.wait(0.4)
    table.shows("pizza", "espresso", "G2")  # R3 fills the slot, which is not looked at
    table.wait(1.2)
    table.shows("pizza", "waste", "B4")
    table.wait(1.0)
    table.pile(2, "R3", "pizza")  # and it is played from there
    table.wait(0.6)
    table.shows("pizza", "espresso", "B8")
    table.wait(0.3)
    table.shows("pizza", "help1", "G2")
    table.wait(6)
    assert "help-not-refilled" not in table.accusations()


def test_a_pile_that_grew_under_a_sleeve_needs_no_zero(table: Watched) -> None:
    hidden = table.at
    table.wait(5)
    table.shows("pizza", "help3", None)
    table.wait(0.4)
    table.pile(1, "G7", "pizza", since=hidden)
    table.wait(4)
    assert not table.accusations()


def test_a_top_misread_as_the_card_below_makes_the_next_card_no_wrong_number() -> None:
    table = Watched()
    table.pile(1, "G5", "", at=(0.0, 0.0))
    table.begin()
    table.shows("gelato", "waste", "G6")
    table.wait(3)
    table.shows("gelato", "waste", "Y1")
    table.wait(0.4)
    table.pile(1, "G5", "gelato", at=(6.0, 3.0), angle=9.0, faces=(("G5", 0.9985), ("G6", 0.0012)))
    table.wait(5)
    table.play("pizza", "help3", 1, "G7", at=(2.0, 9.0), angle=-8.0)
    table.wait(5)
    assert not table.accusations()


def test_a_pile_not_read_since_a_hand_was_on_it_may_have_got_the_card_that_fits() -> None:
    table = Watched()
    table.pile(1, "G5", "", at=(0.0, 0.0))
    table.begin()
    table.shows("gelato", "waste", "G7", faces=(("G7", 0.62), ("G6", 0.36)))  # a G6, hard to read
    table.wait(3)
    table.cover(None, "pile", 0.4, stack=1)  # it is laid, and the look at it fails
    table.shows("gelato", "waste", "Y1")
    table.wait(1.5)
    table.play("pizza", "help3", 1, "G7", at=(2.0, 9.0), angle=-8.0)
    table.wait(5)
    assert not table.accusations()


def test_a_pile_that_was_read_before_shows_a_wrong_number() -> None:
    table = Watched()
    table.pile(1, "G5", "", at=(0.0, 0.0))
    table.begin()
    table.wait(1.9)
    table.play("pizza", "help3", 1, "G7", at=(2.0, 9.0), angle=-8.0)
    table.wait(5)
    assert table.accusations() == ["wrong-number"]


def test_a_stack_looked_at_while_a_slot_is_filled_may_have_filled_it() -> None:
    table = Watched()
    table.dealt["pizza", "espresso"] = "G2"  # a Y7, misread as the card that lies below it
    table.begin()
    table.play("pizza", "help1", 1, "Y0")
    table.shows("pizza", "espresso", "G2")
    table.wait(0.3)
    table.shows("pizza", "help1", "Y7")
    table.wait(6)
    assert not table.accusations()


def test_a_card_turned_and_played_at_once_was_open(table: Watched) -> None:
    table.shows("pizza", "waste", "G1")
    table.wait(4)
    table.shows("pizza", "waste", "B0")
    table.wait(0.8)
    table.play("pizza", "waste", 1, "B0", reveals="G1")
    table.wait(5)
    assert not table.accusations()
    (play,) = [event.action for event in table.events(Play)]
    assert isinstance(play, Play)
    assert play.source == "waste"


def test_a_refill_from_the_waste_is_called_though_its_card_is_played_later() -> None:
    table = Watched()
    table.begin()
    table.shows("pizza", "waste", "Y1")
    table.wait(2)
    table.play("pizza", "help1", 1, "Y0")
    table.wait(0.4)
    table.shows("pizza", "waste", "B4")
    table.wait(0.3)
    table.shows("pizza", "help1", "Y1")
    table.wait(1.0)
    table.play("pizza", "help1", 1, "Y1")
    table.wait(6)
    calls = {event.line: event.verdict for event in table.events(Refill)}
    assert [str(verdict.rule) for verdict in calls.values() if verdict.illegal] == ["refill-source"]


def test_a_stack_covered_since_it_was_empty_is_seen_again_before_finito(table: Watched) -> None:
    table.play("pizza", "help1", 1, "Y0")
    table.refill("pizza", "help1", "R3", "G0")
    table.shows("pizza", "espresso", None)
    table.wait(0.3)
    table.pile(2, "G0", "pizza")
    table.cover("pizza", "espresso", 0.2)
    table.wait(0.4)
    assert not table.events(Finito)  # under that hand the card may have come back
    table.shows("pizza", "espresso", "G0", since=table.at - 0.7)
    table.wait(5)
    assert not table.events(Finito)


def test_of_two_stacks_that_are_empty_at_once_the_first_is_called() -> None:
    table = Watched()
    table.dealt["gelato", "espresso"] = "R0"
    table.dealt["pizza", "espresso"] = "B0"
    table.begin()
    table.shows("gelato", "espresso", None)
    table.wait(0.3)
    table.shows("pizza", "espresso", None)
    table.wait(0.3)
    table.pile(1, "B0", "pizza")
    table.wait(0.25)
    table.pile(2, "R0", "gelato")
    table.wait(3)
    assert [event.action.player for event in table.events(Finito)] == ["gelato"]


def test_cards_laid_while_the_camera_was_bumped_make_the_next_one_no_wrong_number() -> None:
    table = Watched()
    table.pile(1, "Y1", "", at=(0.0, 0.0))
    table.dealt["pizza", "help3"] = "Y5"
    table.begin()
    table.gap(8.0)  # Y2, Y3 and Y4 are laid
    table.wait(0.3)
    table.pile(1, "Y4", "", at=(3.0, 2.0), faces=(("Y4", 0.97), ("Y1", 0.01)))
    table.wait(3)
    table.play("pizza", "help3", 1, "Y5", at=(1.0, 4.0), angle=7.0)
    table.wait(5)
    assert not table.accusations()


def test_a_card_washed_out_by_a_lamp_that_is_seen_again_was_put_there_by_nobody(table: Watched) -> None:
    """The slot seemed empty in the glare, and shows a card again with no arm near it."""
    faint = (("G5", 0.4), ("B5", 0.2))
    table.shows("pizza", "help2", None)
    table.wait(4)
    table.shows("pizza", "help2", "G5", by="", faces=faint, since=table.at, t=table.at)
    table.wait(8)
    assert not table.accusations()


def test_a_card_that_is_hardly_read_on_a_lit_pile_does_not_begin_it() -> None:
    """The 0 below it was never seen: in that glare nothing is."""
    table = Watched()
    table.dealt["pizza", "help1"] = "R3"
    table.begin()
    table.play("pizza", "help1", 1, "R3", faces=(("R3", 0.45), ("R7", 0.27), ("R8", 0.1)))
    table.wait(8)
    assert not table.accusations()


def test_a_waste_card_read_otherwise_after_a_hand_passed_is_no_turn_with_an_empty_slot() -> None:
    table = Watched()
    table.dealt["pizza", "help1"] = "Y0"
    table.begin()
    table.shows("pizza", "waste", "R6")
    table.wait(3)
    table.play("pizza", "help1", 1, "Y0")
    table.wait(0.3)
    table.shows("pizza", "waste", "R3", faces=(("R3", 0.79), ("B3", 0.17)))
    table.wait(0.6)
    table.refill("pizza", "help1", "R3", "G2")
    table.wait(9)
    assert not table.accusations()


def test_a_card_read_otherwise_with_no_arm_near_it_was_not_taken_back(table: Watched) -> None:
    table.play("pizza", "help1", 1, "Y0", at=(10.0, 0.0))
    table.refill("pizza", "help1", "R3", "G2")
    table.play("gelato", "espresso", 1, "Y1", "B5", at=(12.0, 3.0))
    table.wait(2)
    table.pile(1, "Y3", "", faces=(("Y3", 0.66), ("Y0", 0.03)), since=table.at, t=table.at, at=(20.0, 9.0))
    table.wait(6)
    assert not table.events(TakeBack)


def test_a_card_upon_one_that_the_eyes_have_missed_is_no_wrong_number() -> None:
    """The blue 1 left its slot, which was filled at once, and was seen nowhere since: it lies below."""
    table = begun(gelato_help1="B0", gelato_espresso="B1", gelato_help2="B2")
    table.play("gelato", "help1", 1, "B0", at=(90.0, 90.0))
    table.wait(2)
    table.shows("gelato", "espresso", "R4")
    table.wait(2)
    table.play("gelato", "help2", 1, "B2", at=(91.0, 91.0), angle=20.0)
    table.wait(6)
    assert table.accusations() == []
