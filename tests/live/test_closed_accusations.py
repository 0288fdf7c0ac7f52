"""Accusations that the bench of observations once made of honest players, each as a small table."""

from __future__ import annotations

from typing import Any

import pytest

from referee.actions import Amend, Play, TakeBack, Undo
from tests.live.watched_table import Watched, begun, last_play, plain
from vision.inference.priors import Priors
from vision.inference.reaching import in_centre
from vision.observations import Covered, Look, Spot, centre_spot


def test_a_card_that_is_only_a_second_guess_at_home_takes_no_play_back() -> None:
    """The green 0 that shows on the waste might be the yellow 0 just laid; more likely it is not."""
    table = begun()
    table.shows("pizza", "waste", "Y0", faces=plain("Y0", "Y8"))
    table.wait(2)
    table.play("pizza", "waste", 1, "Y0", reveals="B4", faces=plain("Y0", "Y8"))
    table.wait(1)
    table.shows("pizza", "waste", "G0", faces=(("G0", 0.65), ("Y0", 0.28)))
    table.wait(3)
    assert not [event for event in table.events(Play) if event.said == "withdrawn"]


def test_a_card_that_a_wrong_one_hid_was_not_laid_by_whoever_took_that_one_off() -> None:
    """Pizza's yellow 1 fits, gelato's red 8 comes upon it in the same moment and is taken back."""
    table = begun(pizza_help2="Y1")
    table.play("pizza", "help1", 1, "Y0")
    table.refill("pizza", "help1", "R3", "G2")
    table.wait(3)
    table.shows("pizza", "help2", None, since=table.at - 0.3)
    table.shows("gelato", "help3", None, since=table.at - 0.2)
    table.wait(0.5)
    arms = (("gelato", 0.55), ("pizza", 0.43))
    table.pile(1, "R8", "", reach=arms, since=table.at - 0.6, faces=plain("R8", "R3"))
    table.wait(2)
    table.pile(1, "Y1", "gelato", faces=plain("Y1", "Y7"))
    table.wait(0.4)
    table.shows("gelato", "help3", "R8", faces=plain("R8", "R3"))
    table.wait(7)
    assert set(table.accusations()) == {"wrong-number"}
    assert [event.action.player for event in table.events(TakeBack)] == ["gelato"]
    plays = [event.action for event in table.events(Play) if isinstance(event.action, Play)]
    assert ("pizza", "Y1") in {(play.player, str(play.face)) for play in plays}
    assert last_play(table) == ("legal", None)


@pytest.mark.parametrize(("off", "outcome"), [(5.0, "illegal"), (24.0, "unsure")])
def test_a_pile_pushed_aside_by_one_who_turned_the_equal_card_away_is_no_second_card(
    off: float, outcome: str
) -> None:
    """Laid upon its like a card lies near the pile's middle; far off it may be the same one, pushed."""
    table = begun(pizza_help2="Y1", gelato_espresso="B5")
    table.play("pizza", "help1", 1, "Y0", at=(10.0, 0.0))
    table.refill("pizza", "help1", "R3", "G2")
    table.shows("gelato", "waste", "Y1", faces=plain("Y1", "Y7"))
    table.wait(2)
    table.play("pizza", "help2", 1, "Y1", at=(12.0, 1.0), faces=plain("Y1", "Y7"))
    table.shows("gelato", "waste", "R6", faces=plain("R6", "R8"), since=table.at - 0.3)
    table.wait(0.5)
    table.pile(1, "Y1", "gelato", at=(12.0 + off, 1.0), angle=9.0, faces=plain("Y1", "Y7"))
    table.wait(6)
    assert (outcome, "too-late") in table.verdicts().values()


def two_under_one_look() -> tuple[Watched, dict[str, Any]]:
    """A yellow 1 and a yellow 2 come to a pile under one look that is not read yet; and that look."""
    table = begun(pizza_help2="Y1", gelato_espresso="Y2", gelato_help2="Y3")
    table.play("pizza", "help1", 1, "Y0")
    table.refill("pizza", "help1", "R3", "G2")
    table.wait(3)
    table.shows("pizza", "help2", None)
    table.wait(0.7)
    table.shows("gelato", "espresso", "B5")
    table.wait(0.4)
    seen: dict[str, Any] = {
        "reach": (("pizza", 0.54), ("gelato", 0.44)),
        "since": table.at - 1.3,
        "t": table.at - 0.1,
    }
    table.pile(1, "Y1", "", faces=(), at=(10.0, 0.0), **seen)
    return table, seen


def test_of_two_cards_under_one_look_that_was_read_late_the_upper_one_counts() -> None:
    """What was taken for the yellow 1 is read as the yellow 2 upon it: the yellow 3 fits."""
    table, seen = two_under_one_look()
    table.wait(0.6)
    table.pile(1, "Y2", "", faces=plain("Y2", "Y6"), at=(10.0, 0.0), again=True, **seen)
    table.wait(3)
    table.play("gelato", "help2", 1, "Y3", faces=plain("Y3", "Y8"))
    table.wait(4)
    assert not table.accusations()


@pytest.mark.parametrize("said", ["stays", "did not happen"])
def test_what_a_person_ruled_on_is_not_explained_anew(said: str) -> None:
    """A later reading of the same pile neither doubles the play that stays nor brings back the other one."""
    table, seen = two_under_one_look()
    table.wait(2)
    play = table.events(Play)[-1]
    table.referee.correct(Amend(play.line, play.action) if said == "stays" else Undo(play.line))
    before = table.referee.log.state.sides[0].centre
    table.pile(1, "Y2", "", faces=plain("Y2", "Y6"), at=(10.0, 0.0), again=True, **seen)
    table.wait(4)
    assert table.referee.log.state.sides[0].centre == before


@pytest.mark.parametrize(("hidden", "outcome"), [(0.4, "illegal"), (4.0, "unsure")])
def test_a_card_that_came_to_a_pile_under_a_sleeve_may_be_anybodys(hidden: float, outcome: str) -> None:
    """Only of a first copy that was plain to see a second one is called impossible."""
    table = begun()
    table.shows("pizza", "waste", "R0", faces=plain("R0", "R6"))
    table.wait(5)
    table.shows("pizza", "waste", "B4", since=table.at - 0.3)
    table.wait(0.4)
    table.pile(1, "R0", "pizza", faces=plain("R0", "R6"), since=table.at - hidden)
    table.wait(4)
    table.shows("pizza", "waste", "R0", faces=plain("R0", "R6"))
    table.wait(2)
    table.play("pizza", "waste", 2, "R0", reveals="B4", faces=plain("R0", "R6"))
    table.wait(4)
    assert last_play(table) == (outcome, "impossible-card")


def test_a_card_put_down_in_a_slot_that_nobody_had_seen_filled_is_no_refill() -> None:
    """The first look at the slot came while its card was lifted."""
    table = Watched()
    del table.dealt["pizza", "help1"]
    table.begin()
    table.shows("pizza", "help1", None, since=0.0)
    table.wait(1)
    table.shows("pizza", "help1", "R6", faces=plain("R6", "R5"))
    table.wait(8)
    assert not table.accusations()


def test_a_card_from_a_slot_first_seen_as_it_was_emptied_was_not_drawn_from_the_hand() -> None:
    """An arm lay over the slot from the start; when it was first seen, its card was on the way."""
    table = Watched()
    del table.dealt["pizza", "help1"]
    table.begin()
    table.shows("pizza", "help1", None, since=0.0)
    table.wait(0.5)
    table.pile(1, "Y0", "pizza", since=table.at - 0.4)
    table.wait(8)
    assert not table.accusations()


def test_a_card_that_was_seen_home_again_is_no_second_copy() -> None:
    """Gelato's arm was over the pile too: its red 0 may be the one that lies there, and pizza's went home."""
    table = begun()
    table.shows("pizza", "waste", "R0", faces=plain("R0", "R6"))
    table.wait(3)
    table.shows("pizza", "waste", "B4", faces=plain("B4", "B6"), since=table.at - 0.3)
    table.wait(0.4)
    arms = (("gelato", 0.5), ("pizza", 0.48))
    table.pile(1, "R0", "", reach=arms, faces=plain("R0", "R6"), since=table.at - 0.4)
    table.wait(3.5)
    table.shows("pizza", "waste", "R0", faces=plain("R0", "R6"))
    table.wait(5)
    table.play("pizza", "waste", 2, "R0", reveals="B4", faces=plain("R0", "R6"))
    table.wait(4)
    assert "impossible-card" not in table.accusations()


def test_a_slot_hidden_all_the_while_may_have_been_filled_and_emptied_again() -> None:
    """The yellow 1 went from the stack by way of the slot; an arm lay over it for two seconds."""
    table = begun(pizza_espresso="Y1")
    table.pile(1, "Y0", "pizza")
    since = table.at - 0.5
    table.wait(0.8)
    table.cover("pizza", "help1", 0.8)
    table.shows("pizza", "espresso", "R3", faces=plain("R3", "R8"), since=table.at - 0.3)
    table.cover("pizza", "help1", 0.4)
    table.wait(0.2)
    table.shows("pizza", "help1", None, since=since, t=table.at - 0.05)
    table.pile(1, "Y1", "pizza", faces=plain("Y1", "Y7"), since=table.at - 0.3, t=table.at)
    table.wait(0.9)
    table.refill("pizza", "help1", "R3", "G2")
    table.wait(8)
    assert not table.accusations()


def test_an_arm_that_passes_by_is_no_suspect_in_a_short_look_but_may_be_in_a_long_one() -> None:
    reach = (("pizza", 0.92), ("gelato", 0.06))
    short, long = (
        Look(Spot(None, "pile", 1), 5.0, 5.0 + seconds, "face", reach=reach) for seconds in (0.35, 5.0)
    )
    assert in_centre(Priors(), short, "gelato") < 0.01 * in_centre(Priors(), short, "pizza")
    assert in_centre(Priors(), long, "gelato") > 0.5 * in_centre(Priors(), long, "pizza")


def test_no_hand_told_at_a_table_where_hands_cannot_be_told_is_no_question() -> None:
    table = begun()
    table.tell(Covered(centre_spot(1), 1.0, 1.1, ()))
    table.play("pizza", "help1", 1, "Y0")
    table.refill("pizza", "help1", "R3", "G2")
    table.play("gelato", "espresso", 1, "Y1", reveals="B5")
    table.wait(3)
    assert set(table.verdicts().values()) == {("legal", None)}
