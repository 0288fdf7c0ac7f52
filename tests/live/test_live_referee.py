"""Verdicts on what is seen: who is accused, who is not, and what later evidence or a person changes."""

from __future__ import annotations

import pytest

from referee.actions import Amend, Count, Finito, Play, Undo
from referee.cards import parse_face
from tests.live.watched_table import Watched


@pytest.fixture
def table() -> Watched:
    watched = Watched()
    watched.begin()
    return watched


def test_the_first_play_starts_the_round_and_is_legal(table: Watched) -> None:
    table.play("pizza", "help1", 1, "Y0")
    assert [type(event.action).__name__ for event in table.said] == ["Start", "Play"]
    assert all(event.verdict.legal for event in table.said)


def test_a_play_before_the_shout_is_called_where_the_shout_is_told() -> None:
    table = Watched(shout=True)
    table.begin()
    table.play("pizza", "help1", 1, "Y0")
    table.wait(2)
    assert list(table.verdicts().values()) == [("illegal", "before-start")]


def test_a_clear_card_of_the_wrong_colour_is_called(table: Watched) -> None:
    table.play("pizza", "help1", 1, "Y0")
    table.play("pizza", "help2", 1, "B1")
    table.wait(3)
    assert list(table.verdicts().values())[-1] == ("illegal", "wrong-colour")
    call = table.events(Play)[-1]
    assert call.confidence >= 0.99
    assert call.seen is not None


def test_a_poorly_read_card_accuses_nobody(table: Watched) -> None:
    table.dealt[("gelato", "help2")] = "Y2"
    table.play("pizza", "help1", 1, "Y0")
    table.shows("gelato", "espresso", "B7")
    table.wait(0.5)
    table.pile(1, "B1", "gelato", faces=(("B1", 0.7), ("Y1", 0.28)))
    table.wait(4)
    assert all(outcome != "illegal" for outcome, _ in table.verdicts().values())


def test_playing_on_with_an_empty_slot_is_called_once_the_slot_was_seen_empty(table: Watched) -> None:
    table.play("pizza", "help1", 1, "Y0")
    table.wait(0.6)
    table.dealt.clear()
    table.play("pizza", "help2", 2, "B1")
    assert not [v for v in table.verdicts().values() if v[0] == "illegal" and v[1] == "help-not-refilled"]
    table.wait(0.5)
    table.refill("pizza", "help1", "R3", "G2")
    table.wait(3)
    rules = [rule for _, rule in table.verdicts().values()]
    assert rules[-1] in ("must-start-with-zero", "help-not-refilled")


def test_a_turn_with_an_empty_slot_is_no_case_while_the_slot_is_hidden(table: Watched) -> None:
    table.play("pizza", "help1", 1, "Y0")
    hidden = table.at
    table.shows("pizza", "espresso", "G2")
    table.cover("pizza", "help1", 1.0)
    table.shows("pizza", "waste", "B4")
    table.cover("pizza", "help1", 1.0)
    table.shows("pizza", "help1", "R3", since=hidden)
    table.wait(5)
    assert all(event.verdict.legal for event in table.said if event.said == "new")


def emptied(table: Watched) -> None:
    """Pizza's stack goes card by card onto its slots and piles until one card is left."""
    table.play("pizza", "help1", 1, "Y0")
    table.refill("pizza", "help1", "R3", "G0")


def test_finito_is_called_when_the_last_card_of_the_stack_lies_in_the_centre(table: Watched) -> None:
    emptied(table)
    table.play("pizza", "espresso", 2, "G0", reveals=None)
    table.wait(1.0)
    (call,) = table.events(Finito)
    assert call.action.player == "pizza"
    assert call.verdict.legal


def test_finito_is_called_though_an_earlier_card_of_the_stack_is_still_under_a_hand(table: Watched) -> None:
    """The slot it went to is hidden; the last card is not on its way back, nor is that one."""
    table.play("pizza", "help1", 1, "Y0")
    table.shows("pizza", "espresso", "G0")
    table.wait(0.5)
    table.play("pizza", "espresso", 2, "G0", reveals=None)
    table.wait(1.0)
    assert [call.action.player for call in table.events(Finito)] == ["pizza"]


def test_a_stack_lifted_for_a_moment_is_no_finito(table: Watched) -> None:
    emptied(table)
    table.shows("pizza", "espresso", None)
    table.wait(1.0)
    table.shows("pizza", "espresso", "G0")
    table.wait(5)
    assert not table.events(Finito)


def test_a_stack_straightened_right_after_a_refill_is_no_finito(table: Watched) -> None:
    """Its top card is known to lie in the slot, and yet by all that was seen cards are left."""
    table.play("pizza", "help1", 1, "Y0")
    table.shows("pizza", "espresso", None)
    table.wait(0.2)
    table.shows("pizza", "help1", "R3")
    table.wait(0.9)
    table.shows("pizza", "espresso", "G0")
    table.wait(5)
    assert not table.events(Finito)


def test_a_hand_over_the_empty_place_delays_the_call(table: Watched) -> None:
    emptied(table)
    table.shows("pizza", "espresso", None)
    table.cover("pizza", "espresso", 0.4)
    table.pile(2, "G0", "pizza")
    table.cover("pizza", "espresso", 2.0)
    assert not table.events(Finito)
    table.wait(1.5)
    assert len(table.events(Finito)) == 1


def test_a_call_with_cards_left_is_false(table: Watched) -> None:
    table.play("pizza", "help1", 1, "Y0")
    (event,) = table.referee.call_finito("gelato", table.at)
    assert (event.verdict.illegal, event.verdict.rule) == (True, "false-finito")


def test_a_card_laid_well_after_finito_is_called(table: Watched) -> None:
    emptied(table)
    table.play("pizza", "espresso", 2, "G0", reveals=None)
    table.wait(2.0)
    table.play("gelato", "espresso", 1, "Y1", reveals="B7")
    table.wait(2.0)
    assert list(table.verdicts().values())[-1] == ("illegal", "after-finito")


def test_a_card_that_lands_as_finito_is_called_may_have_come_before_the_shout(table: Watched) -> None:
    """The referee sees the empty stack before its player has drawn breath."""
    emptied(table)
    table.play("pizza", "espresso", 2, "G0", reveals=None)
    while not table.events(Finito):
        table.wait(0.1)
    table.shows("gelato", "espresso", "B7", since=table.at - 0.4)  # the hand was at the card already
    table.wait(0.5)
    table.pile(1, "Y1", "gelato", since=table.at - 0.35)
    table.wait(3.0)
    assert list(table.verdicts().values())[-1] == ("unsure", "after-finito")


def test_undoing_a_line_judges_all_later_ones_anew(table: Watched) -> None:
    table.play("pizza", "help1", 1, "Y0")
    table.play("gelato", "espresso", 1, "Y1", reveals="B7")
    table.play("gelato", "help2", 1, "Y2")
    table.wait(1)
    line = table.events(Play)[1].line
    changed = table.referee.correct(Undo(line))
    assert any(event.said == "withdrawn" and event.line == line for event in changed)


def test_amending_a_line_is_a_persons_word_that_stands(table: Watched) -> None:
    table.play("pizza", "help1", 1, "Y0")
    table.play("pizza", "help2", 1, "B1")
    table.wait(3)
    wrong = table.events(Play)[-1]
    assert wrong.verdict.illegal
    assert isinstance(wrong.action, Play)
    right = Play("pizza", parse_face("Y1"), "help2", 1, wrong.action.t)
    table.referee.correct(Amend(wrong.line, right))
    entry = table.referee.log.entry(wrong.line)
    assert entry is not None
    assert entry.verdict is not None
    assert entry.verdict.rule is not None or entry.verdict.legal
    assert entry.what == right


def test_the_other_hand_is_called_when_two_looks_say_so(table: Watched) -> None:
    table.play("gelato", "espresso", 1, "Y0", reveals="G0", faces=(("Y0", 0.9),), hand="right")
    said = [("help1", "G0", 2), ("help2", "R0", 3), ("help3", "B0", 4)]
    watched = Watched()
    for slot, face, _ in said:
        watched.dealt["pizza", slot] = face
    watched.dealt["pizza", "espresso"] = "Y0"
    watched.begin()
    for slot, face, stack in said:
        watched.play("pizza", slot, stack, face, hand="right")
        watched.refill("pizza", slot, "Y0" if slot == "help1" else "Y5", "Y5")
    watched.play("pizza", "help1", 5, "Y0", hand="left")
    watched.wait(3)
    assert ("illegal", "two-hands") in watched.verdicts().values()


def test_a_line_of_watch_has_the_form_of_the_contract(table: Watched) -> None:
    table.play("pizza", "help1", 1, "Y0")
    line = table.events(Play)[0].json()
    assert line["type"] == "play"
    assert (line["player"], line["face"], line["from"], line["to"]) == ("pizza", "Y0", "help1", "new")
    assert (line["verdict"], line["rule"]) == ("legal", None)
    assert line["why"]
    assert 0.9 < line["confidence"] <= 1.0
    assert len(line["seen"]) == 2
    assert isinstance(line["t"], float)


def test_joined_late_a_card_that_fits_what_is_seen_is_legal() -> None:
    table = Watched()
    table.pile(3, "B0", "")
    table.begin()
    table.play("pizza", "help2", 3, "B1")
    table.wait(2)
    assert list(table.verdicts().values()) == [("legal", None)]


def test_the_count_is_made_from_what_was_seen(table: Watched) -> None:
    table.play("pizza", "help1", 1, "Y0")
    table.play("gelato", "espresso", 1, "Y1", reveals="B7")
    sheet = table.referee.recorded().count(Count((("pizza", 1), ("gelato", 1))))
    assert not sheet.unsure
    assert sheet.expected == 2
