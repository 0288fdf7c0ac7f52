"""More accusations and calls that the bench of observations once made of honest players."""

from __future__ import annotations

from referee.actions import Finito, Play, TakeBack
from tests.live.watched_table import begun, plain
from vision.observations import Chances, Covered, Spot, centre_spot


def test_a_card_misread_as_the_one_below_does_not_make_the_next_one_wrong() -> None:
    """A blue 2 turned unseen was read as the blue 1, pushed aside; then the blue 3 comes."""
    table = begun(pizza_help1="B0", pizza_espresso="Y6", gelato_espresso="B1", gelato_help1="G2")
    table.play("pizza", "help1", 1, "B0", at=(10.0, 0.0), faces=plain("B0", "B8"))
    table.refill("pizza", "help1", "Y6", "R3")
    table.play("gelato", "espresso", 1, "B1", "B5", at=(11.0, 2.0), faces=plain("B1", "B7"))
    table.wait(2)
    arms: Chances = (("gelato", 0.6), ("pizza", 0.38))
    table.pile(1, "B1", "", reach=arms, at=(19.0, 4.0), angle=12.0, faces=plain("B1", "B2"))
    table.shows("gelato", "waste", "B3", faces=plain("B3", "B8"))
    table.wait(2)
    table.play("gelato", "waste", 1, "B3", at=(15.0, 2.0), faces=plain("B3", "B8"))
    table.wait(6)
    assert not table.accusations()


def test_a_last_card_that_was_turned_away_from_its_rival_ends_no_round() -> None:
    """Both went for the pile; gelato's hand was back at its stack, and the eyes missed what it put there."""
    table = begun(pizza_espresso="Y1", pizza_help2="B3")
    table.play("pizza", "help1", 1, "Y0")
    table.wait(2)
    state = table.referee.log.state
    state.sides[1].__dict__.update(espresso=1, espresso_least=1)
    table.shows("pizza", "espresso", "R3", faces=plain("R3", "R8"), since=table.at - 0.4)
    table.shows("gelato", "espresso", None, since=table.at - 0.3)
    since = table.at
    table.wait(0.3)
    table.tell(Covered(Spot("gelato", "espresso"), since + 0.2, table.at, (("gelato", 0.98),)))
    arms: Chances = (("gelato", 0.49), ("pizza", 0.47))
    table.pile(1, "Y1", "", reach=arms, since=since - 0.2, faces=plain("Y1", "Y7"))
    table.wait(2.5)
    assert not table.events(Finito)


def test_an_arm_that_passes_the_pile_did_not_come_to_take_a_card_home() -> None:
    """Gelato's equal card had been home for long when its arm was over that pile again."""
    table = begun(pizza_help2="Y1", pizza_espresso="B3")
    table.play("pizza", "help1", 1, "Y0")
    table.refill("pizza", "help1", "B3", "R3")
    table.wait(3)
    table.shows("pizza", "help2", None)
    table.shows("gelato", "espresso", "B5", since=table.at - 0.2)
    table.wait(0.4)
    arms: Chances = (("pizza", 0.5), ("gelato", 0.48))
    table.pile(1, "Y1", "", reach=arms, since=table.at - 0.5, faces=plain("Y1", "Y7"))
    home = table.at + 0.1
    table.wait(3)
    began = table.at
    for _ in range(3):
        table.wait(0.1)
        table.tell(Covered(Spot("gelato", "espresso"), began - 0.05, table.at, (("gelato", 0.98),)))
        table.tell(Covered(centre_spot(1), began, table.at, (("gelato", 0.98),)))
    table.wait(0.1)
    table.shows("gelato", "espresso", "Y1", since=home, faces=plain("Y1", "Y7"))
    table.wait(6)
    assert not table.accusations()


def test_a_card_put_back_upon_the_stack_hides_the_next_one_and_frees_it_for_nobody() -> None:
    """Pizza's green 0 lies on a new pile; gelato had one in view for a moment, under the card put back."""
    table = begun(gelato_espresso="R1")
    table.shows("pizza", "waste", "G0", faces=plain("G0", "G6"))
    table.wait(2)
    table.shows("gelato", "espresso", "G0", since=table.at - 0.3, faces=plain("G0", "G6"))
    table.wait(0.6)
    table.shows("pizza", "waste", "R0", since=table.at - 0.4, faces=plain("R0", "R8"))
    table.shows("gelato", "espresso", "R1", since=table.at - 0.3, faces=plain("R1", "R7"))
    table.wait(0.2)
    arms: Chances = (("gelato", 0.72), ("pizza", 0.26))
    table.pile(1, "G0", "", reach=arms, since=table.at - 0.9, faces=plain("G0", "G8"))
    table.wait(4)
    assert [event.action.player for event in table.events(Play)] == ["pizza"]


def test_a_card_that_opened_a_pile_under_a_wrong_one_was_not_drawn_from_the_hand() -> None:
    """Pizza's green 0 was hidden by gelato's red 8 before it could be seen; the red 8 is taken back."""
    table = begun()
    table.shows("pizza", "waste", "G0", faces=plain("G0", "G6"))
    table.shows("gelato", "waste", "B4", faces=plain("B4", "B6"))
    table.wait(3)
    table.shows("pizza", "waste", "R6", since=table.at - 0.3, faces=plain("R6", "R8"))
    table.wait(1.2)
    table.shows("gelato", "help3", None, since=table.at - 0.3)
    table.wait(0.5)
    arms: Chances = (("gelato", 0.56), ("pizza", 0.42))
    table.pile(1, "R8", "", reach=arms, since=table.at - 2.1, faces=plain("R8", "R3"))
    table.wait(2)
    table.pile(1, "G0", "gelato", since=table.at - 0.3, faces=plain("G0", "G6"))
    table.wait(0.4)
    table.shows("gelato", "help3", "R8", since=table.at - 0.3, faces=plain("R8", "R3"))
    table.wait(8)
    assert "not-open" not in table.accusations()
    assert "pizza" in {play.player for _, play in table.told_of("G0")}


def test_of_two_slots_that_seem_empty_each_needs_its_proof() -> None:
    """One was seen filled though the refill is not told yet; the other kept its card under an arm."""
    table = begun(gelato_help2="Y0", gelato_help1="Y1", pizza_help1="G5")
    table.tell(Covered(Spot("gelato", "help2"), table.at - 0.4, table.at, (("gelato", 0.98),)))
    arms: Chances = (("gelato", 0.5), ("pizza", 0.48))
    table.pile(1, "Y0", "", reach=arms, faces=plain("Y0", "Y8"))
    table.wait(8)
    table.play("gelato", "help1", 1, "Y1", faces=plain("Y1", "Y7"))
    table.shows("gelato", "help1", "B7", since=table.at - 0.3, faces=plain("B7", "B2"))
    table.wait(0.8)
    table.shows("gelato", "waste", "B6", since=table.at - 0.3, faces=plain("B6", "B8"))
    table.wait(1.5)
    assert "help-not-refilled" not in table.accusations()


def test_a_card_that_comes_to_light_on_the_waste_long_after_was_not_taken_home() -> None:
    """Cards were turned upon pizza's yellow 1; its arm passed the pile that has one, and passed it again."""
    table = begun(pizza_help2="B3", gelato_espresso="Y1")
    table.shows("pizza", "waste", "Y1", faces=plain("Y1", "Y7"))
    table.play("pizza", "help1", 1, "Y0")
    table.refill("pizza", "help1", "R3", "G2")
    table.wait(3)
    table.play("gelato", "espresso", 1, "Y1", "B5", faces=plain("Y1", "Y7"))
    table.shows("pizza", "waste", "R6", since=table.at - 0.5, faces=plain("R6", "R8"))
    for seconds in (0.3, 1.5):
        table.wait(seconds)
        table.tell(Covered(centre_spot(1), table.at - 0.1, table.at, (("pizza", 0.98),)))
    table.wait(2)
    table.cover("pizza", "waste", 0.2)
    table.wait(2)
    table.shows("pizza", "waste", "Y1", since=table.at - 0.4, faces=plain("Y1", "Y7"))
    table.wait(6)
    assert not table.accusations()


def test_a_card_laid_after_finito_and_taken_home_again_is_no_second_play() -> None:
    """It fits, but it was asked about: the card below shows again, and the stack its card, seconds later."""
    table = begun(pizza_help1="Y0", pizza_espresso="B3", gelato_help1="Y1", gelato_espresso="G4")
    table.play("pizza", "help1", 1, "Y0", at=(10.0, 0.0))
    table.refill("pizza", "help1", "B3", "Y2")
    table.play("gelato", "help1", 1, "Y1", at=(12.0, 3.0))
    table.wait(2)
    table.referee.call_finito("gelato", table.at)
    table.wait(1)
    table.play("pizza", "espresso", 1, "Y2", "B5", at=(14.0, 4.0))
    table.wait(3.5)
    table.pile(1, "Y1", "pizza", at=(12.0, 3.0))
    table.wait(0.2)
    table.shows("pizza", "espresso", "Y2")
    table.wait(1.5)
    table.shows("pizza", "espresso", None)  # all is cleared
    table.wait(4)
    assert [str(getattr(event.action, "face", None)) for event in table.events(TakeBack)] == ["Y2"]
    assert len(table.verdicts()) == 3


def test_a_stack_long_out_of_view_is_not_empty_by_the_one_card_that_is_known_to_have_left() -> None:
    """The next one was in the hand as well, came too late for its pile, and is back."""
    table = begun(pizza_help1="Y0", pizza_espresso="Y1", gelato_espresso="G4")
    table.play("pizza", "help1", 1, "Y0")
    table.wait(1)
    table.referee.log.state.sides[0].__dict__.update(espresso=2, espresso_least=2)
    since = table.at
    table.wait(0.6)
    table.pile(1, "Y1", "pizza")
    table.wait(1.3)
    table.shows("pizza", "espresso", None, since=since)
    table.wait(0.8)
    table.shows("pizza", "espresso", "B3")
    table.wait(3)
    assert not table.events(Finito)
