"""What was done at the table, told by looks alone."""

from __future__ import annotations

import pytest

from referee.actions import Action, Play, Recycle, Refill, TakeBack, Turn
from referee.cards import parse_face
from tests.vision.inference.told_table import HEADER, ToldTable
from vision.action_inference import ActionInference
from vision.inference.inferred import Inferred, PileSeen


@pytest.fixture
def table() -> ToldTable:
    return ToldTable(ActionInference(HEADER).feed).begin()


def standing(table: ToldTable) -> list[Inferred]:
    """The last word on every deed that was not withdrawn."""
    last = {each.number: each for each in table.said}
    return [each for each in last.values() if each.said != "withdrawn"]


def deeds(table: ToldTable) -> list[Action]:
    return [each.action for each in standing(table) if not isinstance(each.action, PileSeen)]


def plays(table: ToldTable) -> list[Play]:
    return [deed for deed in deeds(table) if isinstance(deed, Play)]


def told(play: Play) -> tuple[str, str, str, int | None]:
    return play.player, str(play.face), play.source, play.pile


def test_what_lies_there_at_first_is_no_action(table: ToldTable) -> None:
    table.wait(5)
    assert not table.said


def test_a_card_gone_from_a_slot_and_come_to_the_centre_is_a_play(table: ToldTable) -> None:
    table.play("pizza", "help1", 1, "Y0")
    (only,) = standing(table)
    assert isinstance(only.action, Play)
    assert told(only.action) == ("pizza", "Y0", "help1", 1)
    assert only.action.opens
    assert only.confidence > 0.99
    assert only.fits > 0.99
    assert only.action.t is not None
    assert only.action.t.end - only.action.t.start < 1.0


def test_a_play_is_said_soon_after_it_is_seen(table: ToldTable) -> None:
    table.shows("pizza", "help1", None)
    table.wait(0.5)
    table.pile(1, "Y0", "pizza")
    table.wait(0.2)
    assert plays(table)


def test_a_slot_is_refilled_from_the_stack(table: ToldTable) -> None:
    table.play("pizza", "help1", 1, "Y0")
    table.refill("pizza", "help1", "R3", "G2")
    refill = deeds(table)[-1]
    assert isinstance(refill, Refill)
    assert (refill.player, refill.slot, str(refill.face), refill.source) == (
        "pizza",
        "help1",
        "R3",
        "espresso",
    )


def test_a_slot_filled_while_the_stack_keeps_its_card_was_filled_from_elsewhere(table: ToldTable) -> None:
    table.play("pizza", "help1", 1, "Y0")
    table.shows("pizza", "help1", "G5")
    table.wait(6)  # the slow sweep goes over all of the table first
    refill = deeds(table)[-1]
    assert isinstance(refill, Refill)
    assert refill.source != "espresso"
    assert standing(table)[-1].confidence > 0.99


def test_cards_turned_and_the_waste_taken_up(table: ToldTable) -> None:
    table.shows("pizza", "waste", "B4")
    table.wait(2)
    table.shows("pizza", "waste", "R6")
    table.wait(2)
    table.shows("pizza", "waste", None)
    table.wait(2)
    turns = deeds(table)
    assert [type(deed) for deed in turns] == [Turn, Turn, Recycle]
    assert [str(deed.top) for deed in turns if isinstance(deed, Turn)] == ["B4", "R6"]


def test_a_card_played_from_the_waste_is_no_turn(table: ToldTable) -> None:
    table.shows("pizza", "waste", "B0")
    table.wait(2)
    table.play("pizza", "waste", 1, "B0", reveals="G4")
    table.wait(3)
    assert [type(deed) for deed in deeds(table)] == [Turn, Play]


def test_a_waste_card_that_turns_up_on_a_pile_late_was_no_turn_after_all(table: ToldTable) -> None:
    table.shows("pizza", "waste", "B0")
    table.wait(2)
    left = table.at
    table.shows("pizza", "waste", "G4")
    table.wait(3)
    table.pile(1, "B0", "pizza", since=left)
    table.wait(3)
    assert [type(deed) for deed in deeds(table)] == [Turn, Play]
    assert any(each.said == "withdrawn" for each in table.said)


def test_a_card_that_does_not_fit_and_goes_home_again_is_taken_back(table: ToldTable) -> None:
    table.play("pizza", "help1", 1, "Y0", at=(0.0, 0.0))
    table.play("gelato", "help3", 1, "R8", at=(3.0, 6.0), angle=12.0)
    table.wait(2)
    table.pile(1, "Y0", "gelato", at=(0.0, 0.0))
    table.wait(0.4)
    table.shows("gelato", "help3", "R8")
    table.wait(3)
    last = deeds(table)[-1]
    assert isinstance(last, TakeBack)
    assert (last.player, str(last.face), last.pile) == ("gelato", "R8", 1)
    assert len(deeds(table)) == 3


def test_two_plays_under_one_look_are_both_found(table: ToldTable) -> None:
    table.play("pizza", "help1", 1, "Y0")
    covered = table.at
    table.shows("gelato", "espresso", "B7")
    table.wait(0.4)
    table.shows("gelato", "help2", None)
    table.wait(0.6)
    table.pile(1, "Y2", "gelato", since=covered)
    table.wait(3)
    assert [told(play) for play in plays(table)[1:]] == [
        ("gelato", "Y1", "espresso", 1),
        ("gelato", "Y2", "help2", 1),
    ]


def test_two_plays_under_one_look_are_both_found_though_one_was_taken_for_a_turn() -> None:
    """The card that fits is not what is read: it lies below."""
    table = ToldTable(ActionInference(HEADER).feed)
    table.dealt["gelato", "help2"] = "G5"
    table.begin()
    table.shows("pizza", "waste", "Y2")
    table.wait(1)
    table.play("pizza", "help1", 1, "Y0")
    table.wait(1)
    covered = table.at
    table.shows("gelato", "espresso", "B7")
    table.wait(1.4)
    table.shows("pizza", "waste", "B4")
    table.wait(1.7)
    faces = (("Y2", 0.985), ("Y8", 0.012))
    table.pile(1, "Y2", "", since=covered, faces=faces, reach=(("gelato", 0.938), ("pizza", 0.042)))
    table.wait(4)
    assert [told(play) for play in plays(table)[1:]] == [
        ("gelato", "Y1", "espresso", 1),
        ("pizza", "Y2", "waste", 1),
    ]


def test_a_card_from_a_place_that_is_still_hidden_is_known_by_its_face(table: ToldTable) -> None:
    table.play("pizza", "help1", 1, "Y0")
    table.cover("gelato", "espresso", 0.5)
    table.pile(1, "Y1", "gelato")
    table.cover("gelato", "espresso", 1.0)
    assert told(plays(table)[-1]) == ("gelato", "Y1", "espresso", 1)


def test_a_pile_straightened_is_nothing(table: ToldTable) -> None:
    table.play("pizza", "help1", 1, "Y0", at=(0.0, 0.0))
    table.pile(1, "Y0", "gelato", at=(25.0, 8.0), angle=15.0)
    table.wait(4)
    assert len(deeds(table)) == 1


def test_a_pile_the_tracker_lost_and_found_is_the_same_pile(table: ToldTable) -> None:
    table.play("pizza", "help1", 1, "Y0")
    table.pile(1, None, "gelato")
    table.pile(77, "Y0", "gelato")
    table.wait(4)
    table.play("gelato", "espresso", 77, "Y1", reveals="B7")
    assert [told(play) for play in plays(table)] == [
        ("pizza", "Y0", "help1", 1),
        ("gelato", "Y1", "espresso", 1),
    ]


def test_a_wrong_card_is_taken_off_a_pile_that_the_tracker_lost_meanwhile(table: ToldTable) -> None:
    table.play("pizza", "help1", 1, "Y0")
    table.play("gelato", "help3", 1, "R8")
    table.pile(1, None, "")
    table.wait(2)
    table.pile(77, "Y0", "gelato")
    table.wait(0.3)
    table.shows("gelato", "help3", "R8")
    table.wait(4)
    last = deeds(table)[-1]
    assert isinstance(last, TakeBack)
    assert (last.player, str(last.face), last.pile) == ("gelato", "R8", 1)


def test_a_pile_read_faintly_again_and_again_with_no_arm_near_has_got_no_card(table: ToldTable) -> None:
    """Even where the card that would fit has just been buried by a turn."""
    table.play("pizza", "help1", 1, "Y0", at=(0.0, 0.0))
    table.shows("pizza", "waste", "Y1")
    table.wait(2)
    table.shows("pizza", "waste", "B4")
    for _ in range(4):
        faintly = (("Y8", 0.31), ("Y1", 0.25), ("Y7", 0.12), ("Y4", 0.1))
        table.pile(1, "Y8", "", faces=faintly, since=table.at - 0.1, at=(1.0, 7.0), angle=5.0)
        table.wait(0.7)
    table.wait(4)
    assert [told(play) for play in plays(table)] == [("pizza", "Y0", "help1", 1)]


def test_a_card_lifted_and_put_back_is_nothing(table: ToldTable) -> None:
    for place, face in (("help2", "B1"), ("espresso", "R3")):
        table.shows("pizza", place, None)
        table.wait(0.6)
        table.shows("pizza", place, face)
        table.wait(4)
    assert not deeds(table)


def test_a_waste_lifted_for_a_while_was_not_taken_up(table: ToldTable) -> None:
    table.shows("pizza", "waste", "B4")
    table.wait(2)
    table.shows("pizza", "waste", None)
    table.wait(1.5)
    table.shows("pizza", "waste", "B4")
    table.wait(3)
    assert [type(deed) for deed in deeds(table)] == [Turn]


def test_a_misread_card_is_put_right_when_it_is_read_again(table: ToldTable) -> None:
    table.shows("pizza", "help1", None)
    table.wait(0.4)
    table.pile(1, "Y8", "pizza", faces=(("Y8", 0.6), ("Y0", 0.35)), t=table.at)
    seen = table.at
    table.wait(3)
    table.pile(1, "Y0", "pizza", t=seen, again=True)
    table.wait(1)
    assert [str(play.face) for play in plays(table)] == ["Y0"]


def test_the_card_of_one_player_in_the_hand_of_another(table: ToldTable) -> None:
    table.play("pizza", "help1", 1, "Y0", by="gelato")
    table.wait(4)
    (play,) = plays(table)
    assert (play.player, play.owner) == ("gelato", "pizza")


def test_an_onlookers_hand_over_the_pile_accuses_nobody(table: ToldTable) -> None:
    table.shows("pizza", "help1", None, by="")
    table.wait(0.5)
    table.pile(1, "Y0", "")
    table.wait(1)
    (play,) = plays(table)
    assert (play.player, play.owner) == ("pizza", None)


def test_a_complete_pile_may_be_taken_away() -> None:
    table = ToldTable(ActionInference(HEADER).feed)
    table.pile(1, "R7", "")
    table.begin()
    table.play("gelato", "help3", 1, "R8")
    table.pile(1, None, "gelato")
    table.wait(4)
    assert [type(deed) for deed in deeds(table)] == [Play]


def test_a_pile_that_was_there_before_is_adopted_and_played_on() -> None:
    table = ToldTable(ActionInference(HEADER).feed)
    table.pile(4, "B0", "")
    table.begin()
    table.play("pizza", "help2", 4, "B1")
    (only,) = standing(table)
    assert isinstance(only.action, Play)
    assert told(only.action) == ("pizza", "B1", "help2", 1)
    assert not only.action.opens
    assert only.fits > 0.99


def test_after_the_camera_was_shut_piles_are_taken_as_they_are_seen(table: ToldTable) -> None:
    table.play("pizza", "help1", 1, "Y0")
    shut = table.at
    table.gap(20.0)
    table.pile(1, "G6", "", since=shut)
    table.wait(6)
    table.play("pizza", "help3", 1, "G7")
    assert isinstance(table.said[1].action, PileSeen)
    assert [deed.face for deed in plays(table)] == [parse_face("Y0"), parse_face("G7")]


def test_a_hand_resting_on_a_place_says_nothing(table: ToldTable) -> None:
    table.cover("pizza", "help2", 4.0)
    table.wait(3)
    assert not table.said
