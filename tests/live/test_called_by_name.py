"""Faults for which the evidence is there are called by their names, however little else is known."""

from __future__ import annotations

import pytest

from finito.live.finito_watch import emptied
from finito.live.table_rules import grows_to
from referee.actions import Refill
from referee.cards import Colour, parse_face
from referee.state import top
from tests.live.watched_table import Watched, begun, last_play, plain

NUMBERS = ("Y0", "Y1", "Y2", "Y3", "Y4", "Y5", "Y6", "Y7")


def turned_and_laid(table: Watched, face: str, hand: str | None) -> None:
    """Gelato turns a card and lays it on the yellow pile."""
    table.shows("gelato", "waste", face, faces=plain(face, "B8"), hand="right")
    table.wait(1.5)
    table.play("gelato", "waste", 1, face, faces=plain(face, "B8"), hand=hand)
    table.wait(1)


@pytest.mark.parametrize(("hand", "verdict"), [(None, ("unsure", "two-hands")), ("right", ("legal", None))])
def test_two_hands_show_no_shoulder_where_one_always_did(hand: str | None, verdict: tuple[str, str]) -> None:
    """Two arms of one player tell no hand: that is worth a question where hands are told as a rule."""
    table = begun(pizza_help1="G5", gelato_espresso="B5", gelato_help2="B6")
    for face in NUMBERS[:-1]:
        turned_and_laid(table, face, "right")
    assert set(table.verdicts().values()) == {("legal", None)}
    turned_and_laid(table, NUMBERS[-1], hand)
    table.wait(2)
    assert last_play(table) == verdict


def test_a_card_from_the_hand_is_called_though_another_arm_passed_by() -> None:
    table = begun()
    table.shows("pizza", "waste", "R5", faces=plain("R5", "R6"))
    table.wait(3)
    table.pile(1, "G0", "", reach=(("pizza", 0.9), ("gelato", 0.08)), since=table.at - 0.3)
    table.wait(7)
    assert last_play(table) == ("illegal", "not-open")


@pytest.mark.parametrize(("seconds", "outcome"), [(0.6, "illegal"), (1.1, "unsure")])
def test_within_a_moment_nobody_turns_cards_and_takes_one(seconds: float, outcome: str) -> None:
    table = begun()
    table.shows("pizza", "waste", "R5", faces=plain("R5", "R6"))
    table.wait(3)
    table.cover("pizza", "waste", seconds)
    table.wait(0.3)
    table.pile(1, "G0", "pizza", since=table.at - 0.3)
    table.wait(8)
    assert last_play(table) == (outcome, "not-open")


def test_a_waste_card_laid_while_a_slot_is_empty_is_called_though_nobody_saw_it_leave() -> None:
    table = begun()
    table.shows("pizza", "waste", "G0", faces=plain("G0", "G6"))
    table.wait(3)
    table.play("pizza", "help1", 1, "Y0")
    table.wait(1)
    table.pile(2, "G0", "pizza", faces=plain("G0", "G6"))
    laid = table.at
    table.wait(0.8)
    table.refill("pizza", "help1", "R3", "G2")
    table.wait(2)
    table.shows("pizza", "waste", "R6", since=laid - 0.5, faces=plain("R6", "R8"))  # the slow sweep
    table.wait(8)
    assert not [event for event in table.said if event.said == "withdrawn"]
    assert last_play(table) == ("illegal", "help-not-refilled")


def test_a_refill_from_the_waste_is_called_though_the_stack_was_looked_at() -> None:
    table = begun()
    table.shows("pizza", "waste", "R5", faces=plain("R5", "R6"))
    table.wait(3)
    table.play("pizza", "help1", 1, "Y0")
    table.wait(0.5)
    table.shows("pizza", "espresso", "R3", faces=plain("R3", "R8"), since=table.at - 0.3)
    table.shows("pizza", "waste", "B4", since=table.at - 0.3)
    table.wait(0.3)
    table.shows("pizza", "help1", "R5", faces=plain("R5", "R6"), since=table.at - 0.3)
    table.wait(8)
    filled = table.events(Refill)[-1].verdict
    assert (filled.outcome.value, filled.rule) == ("illegal", "refill-source")


def test_the_second_copy_of_a_card_is_called_however_vague_the_hand_of_its_player() -> None:
    table = begun()
    table.shows("pizza", "waste", "R0", faces=plain("R0", "R6"))
    table.wait(3)
    table.play("pizza", "waste", 1, "R0", reveals="B4", faces=plain("R0", "R6"))
    table.wait(2)
    state = table.referee.log.state
    side = state.sides[0]
    side.__dict__["vague"] = True  # some turn was not seen
    table.shows("pizza", "waste", "R0", faces=plain("R0", "R6"))
    table.wait(2)
    table.play("pizza", "waste", 2, "R0", reveals="B4", faces=plain("R0", "R6"))
    table.wait(4)
    assert last_play(table) == ("illegal", "impossible-card")


@pytest.mark.parametrize(("left", "called"), [(1, True), (3, False)])
def test_the_last_card_of_a_stack_need_not_be_seen_where_it_went(left: int, called: bool) -> None:
    """The stack is empty in plain view; its last card lies under somebody's arm as yet."""
    table = begun()
    table.shows("gelato", "espresso", None)
    table.wait(1.0)
    assert emptied(table.referee.inference, "gelato", left) is None
    table.wait(0.8)
    assert (emptied(table.referee.inference, "gelato", left) is not None) == called


@pytest.mark.parametrize(
    ("number", "card", "grows"),
    [(4, "R6", True), (4, "R5", False), (5, "R5", False), (4, "B6", False), (8, "R3", False)],
)
def test_a_missed_card_excuses_only_what_the_pile_may_have_grown_to(
    number: int, card: str, grows: bool
) -> None:
    """That a blue 5 was on its way under a hand does not make a blue 6 fit upon a red pile."""
    assert grows_to(top(number, Colour.RED), parse_face(card)) == grows


def test_a_last_card_that_may_have_been_carried_home_again_ends_no_round() -> None:
    """Where it went is no more than likely, and a hand has been at the stack since."""
    table = begun()
    table.play("gelato", "espresso", 1, "Y1")
    table.wait(0.5)
    inference = table.referee.inference
    assert emptied(inference, "gelato", 0, 0.75) is None
    assert emptied(inference, "gelato", 0, 0.999) is not None
    table.cover("gelato", "espresso", 0.2)
    table.wait(2.0)
    assert emptied(inference, "gelato", 1, 0.75) is None
