"""What an accusation rests on: all that was seen is remembered; a likely other story makes it a question."""

from __future__ import annotations

import pytest

from finito.live.entries import Entry
from finito.live.fairness import fair
from referee.actions import Interval, Play
from referee.cards import parse_face
from referee.verdicts import Rule, illegal
from tests.live.watched_table import Watched
from vision.inference.decided import hand_of
from vision.inference.inferred import Inferred
from vision.inference.priors import Priors
from vision.inference.reaching import in_centre
from vision.observations import Chances, Look, Spot

PLAIN = {
    "R5": (("R5", 0.9985), ("R6", 0.0012)),
    "B7": (("B7", 0.9985), ("B1", 0.0012)),
    "R0": (("R0", 0.9985), ("R6", 0.0012)),
}


def begun() -> Watched:
    table = Watched()
    table.begin()
    return table


def last_play(table: Watched) -> tuple[str, str | None]:
    return list(table.verdicts().values())[-1]


def test_a_card_from_the_hand_is_called_once_the_whole_table_was_swept() -> None:
    table = begun()
    table.shows("pizza", "waste", "R5")
    table.wait(3)
    table.pile(1, "G0", "pizza")
    table.wait(7)
    assert last_play(table) == ("illegal", "not-open")


def test_a_card_from_the_hand_is_called_though_others_were_turned_just_before() -> None:
    table = begun()
    table.shows("pizza", "waste", "R5", faces=PLAIN["R5"])
    table.wait(3)
    table.shows("pizza", "waste", "B7", faces=PLAIN["B7"], since=table.at - 0.3)
    table.wait(0.5)
    table.pile(1, "G0", "pizza")
    table.wait(7)
    assert last_play(table) == ("illegal", "not-open")


def test_a_card_that_was_hardly_read_where_it_lay_may_be_the_one_that_was_played() -> None:
    """It was taken for the card below it, which shows now: nobody played from the hand."""
    table = begun()
    table.shows("pizza", "waste", "R0", faces=(("R0", 0.62), ("Y0", 0.3)))
    table.wait(3)
    table.shows("pizza", "waste", "R0")
    table.wait(0.3)
    table.pile(1, "Y0", "pizza")
    table.wait(7)
    assert not table.accusations()
    action = table.events(Play)[-1].action
    assert isinstance(action, Play)
    assert action.source == "waste"


def test_a_card_misread_as_the_very_card_below_it_was_not_drawn_from_the_hand() -> None:
    table = begun()
    table.shows("pizza", "waste", "R6", faces=(("R6", 0.985), ("R0", 0.012)))
    table.wait(3)
    table.shows("pizza", "waste", "R6", faces=(("R6", 0.9985), ("B6", 0.0012)))
    table.wait(0.3)
    table.pile(1, "R0", "pizza", faces=PLAIN["R0"])
    table.wait(7)
    assert not table.accusations()


def test_what_spoke_for_a_player_is_not_forgotten_when_much_has_happened_since() -> None:
    table = begun()
    table.shows("pizza", "waste", "R5", faces=(("R5", 0.96), ("R6", 0.0397)))
    table.wait(3)
    table.shows("pizza", "waste", "B7", faces=(("B7", 0.96), ("B1", 0.0397)))
    table.pile(1, "G0", "pizza")
    table.wait(7)
    assert last_play(table)[0] == "unsure"
    for face in ("B3", "G3", "Y5", "R6", "G5", "Y7", "B8", "G8"):
        table.shows("pizza", "waste", face)
        table.wait(1.5)
    table.referee.log.rejudge_all()
    assert not [entry for entry in table.referee.log.entries if entry.verdict and entry.verdict.illegal]


def test_where_a_card_from_the_hand_is_nearly_as_likely_it_is_not_simply_legal() -> None:
    """Gelato's green 0 left its place just then, but nobody saw gelato's arm at the pile, only pizza's."""
    table = begun()
    table.shows("gelato", "waste", "G0")
    table.wait(3)
    table.shows("gelato", "waste", "B7")
    table.wait(0.4)
    table.pile(1, "G0", "pizza", since=table.at - 0.3)
    table.wait(7)
    (verdict,) = table.verdicts().values()
    assert verdict[0] == "unsure"
    assert "where" in [event.json()["why"] for event in table.events(Play)][-1]


def test_a_card_buried_by_a_turn_and_played_from_below_is_not_simply_legal() -> None:
    """Its player has played and refilled since: nobody holds a card all the while."""
    table = begun()
    table.shows("pizza", "waste", "G0")
    table.wait(2)
    table.shows("pizza", "waste", "R5")
    table.wait(1.5)
    table.play("pizza", "help1", 1, "Y0")
    table.refill("pizza", "help1", "R3", "B5")
    table.pile(2, "G0", "pizza")
    table.wait(7)
    assert last_play(table)[1] == "not-open"


def test_a_card_taken_from_somebody_elses_place_is_called_though_the_owners_arm_was_there_too() -> None:
    table = begun()
    table.shows("pizza", "help1", None, reach=(("pizza", 0.5), ("gelato", 0.48)))
    table.wait(0.5)
    table.pile(1, "Y0", "gelato", since=table.at - 0.3)
    table.wait(3)
    assert last_play(table) == ("illegal", "not-yours")


def test_nobody_is_accused_of_anothers_card_whose_arm_was_not_where_it_had_lain() -> None:
    """Over the pile it was alone; but it was the owner who took the card."""
    table = begun()
    table.shows("pizza", "help1", None, reach=(("pizza", 0.7), ("gelato", 0.3)))
    table.wait(0.5)
    table.pile(1, "Y0", "gelato", since=table.at - 0.3)
    table.wait(3)
    assert last_play(table)[0] != "illegal"


@pytest.mark.parametrize(("rule", "outcome"), [(Rule.AFTER_FINITO, "illegal"), (Rule.WRONG_NUMBER, "unsure")])
def test_what_else_lies_on_the_pile_matters_to_the_rules_of_the_pile_alone(rule: Rule, outcome: str) -> None:
    """Surely this player laid this card; whether it lies upon its like is not so sure."""
    look = Look(Spot(None, "pile", 1), 5.0, 5.4, "face", PLAIN["R5"])
    play = Play("pizza", parse_face("R5"), "help1", 1, Interval(5.0, 5.4))
    said = Inferred(1, play, 0.9, 5.4, (1, 2), (look, look), done=0.999, fits=0.0)
    entry = Entry(1, play, 5.4, said)
    assert fair(entry, illegal(rule, "running")).outcome == outcome


def test_of_two_arms_at_once_each_was_there_and_one_that_passed_by_hardly() -> None:
    look = Look(
        Spot(None, "pile", 1), 5.0, 5.4, "face", reach=(("pizza", 0.46), ("gelato", 0.44), ("me", 0.08))
    )
    pizza, gelato, passing = (in_centre(Priors(), look, name) for name in ("pizza", "gelato", "me"))
    assert min(pizza, gelato) > 10.0
    assert passing < 0.5


@pytest.mark.parametrize(
    ("reach", "hand"),
    [
        ((("pizza", 0.98),), "left"),
        ((("pizza", 0.55), ("gelato", 0.43)), None),
        ((("gelato", 0.9), ("pizza", 0.08)), None),
    ],
)
def test_a_hand_is_not_taken_from_a_look_that_many_arms_share(reach: Chances, hand: str | None) -> None:
    look = Look(Spot(None, "pile", 1), 5.0, 5.4, "face", reach=reach, hand="left")
    assert hand_of(look, None, "pizza") == (hand, int(hand is not None))


def test_a_second_copy_that_comes_to_light_later_takes_nothing_back() -> None:
    table = begun()
    table.shows("pizza", "waste", "R0", faces=PLAIN["R0"])
    table.wait(2)
    table.play("pizza", "waste", 1, "R0", reveals="B4", faces=PLAIN["R0"])
    table.wait(4)
    table.shows("pizza", "waste", "R0", faces=PLAIN["R0"])
    table.wait(2)
    assert not [event for event in table.events(Play) if event.said == "withdrawn"]
    table.play("pizza", "waste", 2, "R0", reveals="B4", faces=PLAIN["R0"])
    table.wait(4)
    assert last_play(table) == ("illegal", "impossible-card")


def test_a_card_put_back_into_its_slot_and_misread_is_no_refill_from_elsewhere() -> None:
    """Somebody was quicker with the same card: pizza's yellow 0 went home and is taken for a yellow 6."""
    table = begun()
    table.shows("pizza", "help1", None)
    table.wait(0.4)
    table.pile(1, "Y0", "pizza")
    table.shows("gelato", "espresso", "B5")
    table.wait(0.4)
    table.pile(1, "Y1", "gelato")
    table.shows("pizza", "help1", "Y6", faces=(("Y6", 0.9985), ("Y0", 0.0012)))
    table.wait(8)
    assert "refill-source" not in table.accusations()


def test_a_card_from_a_slot_that_nobody_had_seen_yet_was_not_drawn_from_the_hand() -> None:
    table = Watched()
    del table.dealt["pizza", "help1"]  # an arm lay over it from the start
    table.begin()
    table.pile(1, "Y0", "pizza")
    table.wait(0.1)
    table.shows("pizza", "help1", None, since=0.0)
    table.wait(8)
    assert not table.accusations()
    assert list(table.verdicts().values()) == [("legal", None)]


def test_a_top_misread_for_sure_makes_the_card_that_fits_its_second_guess_a_question() -> None:
    table = Watched()
    del table.dealt["gelato", "help1"]
    table.dealt["pizza", "help2"] = "G1"
    table.begin()
    table.pile(1, "B0", "gelato", faces=(("B0", 0.9985), ("G0", 0.0012)))
    table.wait(5)
    table.play("pizza", "help2", 1, "G1")
    table.wait(4)
    assert last_play(table) == ("unsure", "wrong-colour")


def test_a_waste_card_read_anew_while_a_slot_is_empty_is_no_turn_to_be_called() -> None:
    table = begun()
    table.shows("pizza", "waste", "B0", faces=(("B0", 0.985), ("B6", 0.012)))
    table.wait(3)
    table.play("pizza", "help1", 1, "Y0")
    table.shows("pizza", "waste", "B6", faces=(("B6", 0.9985), ("R6", 0.0012)))
    table.wait(0.9)
    table.refill("pizza", "help1", "R3", "G2")
    table.wait(9)
    assert not table.accusations()


def test_a_stack_lifted_at_its_players_own_false_call_ends_no_round() -> None:
    table = begun()
    table.play("pizza", "help1", 1, "Y0")
    table.refill("pizza", "help1", "R3", "G2")
    table.shows("gelato", "espresso", None)
    table.wait(0.2)
    table.said += table.referee.call_finito("gelato", table.at)
    table.wait(0.3)
    table.shows("gelato", "espresso", "Y1")
    table.wait(2)
    table.play("gelato", "espresso", 1, "Y1", reveals="B7")
    table.wait(4)
    assert table.accusations() == ["false-finito"]
    assert last_play(table) == ("legal", None)


def test_a_card_misread_as_the_one_that_has_just_left_was_not_drawn_from_the_hand() -> None:
    """The red 3 is turned upon and seems to be back; it is another card."""
    table = begun()
    table.shows("pizza", "waste", "R3", faces=(("R3", 0.9985), ("R8", 0.0012)))
    table.wait(3)
    table.shows("pizza", "waste", "Y5", faces=(("Y5", 0.9985), ("Y6", 0.0012)))
    table.wait(0.6)
    table.shows("pizza", "waste", "R3", faces=(("R3", 0.985), ("G0", 0.012)))
    table.wait(2)
    table.shows("pizza", "waste", "B5", faces=(("B5", 0.9985), ("R5", 0.0012)))
    table.wait(0.4)
    table.pile(3, "G0", "pizza", faces=(("G0", 0.9985), ("G6", 0.0012)))
    table.wait(8)
    assert not table.accusations()


@pytest.mark.parametrize(("visits", "outcome"), [(1, "illegal"), (2, "unsure")])
def test_a_hand_twice_at_a_waste_that_seems_unchanged_may_have_turned_and_taken_a_card(
    visits: int, outcome: str
) -> None:
    table = begun()
    table.shows("pizza", "waste", "R5", faces=PLAIN["R5"])
    table.wait(3)
    for _ in range(visits):
        table.cover("pizza", "waste", 0.3)
        table.wait(0.8)
    table.pile(1, "G0", "pizza", since=table.at - 0.3)
    table.wait(8)
    assert last_play(table) == (outcome, "not-open")


def test_a_waste_recycled_after_the_play_does_not_tell_that_nothing_was_turned_and_taken_before() -> None:
    """The second visit goes on, and only its end is seen: by then the card has long been laid."""
    table = begun()
    table.shows("pizza", "waste", "R5", faces=PLAIN["R5"])
    table.wait(3)
    table.cover("pizza", "waste", 0.3)
    table.wait(0.8)
    table.cover("pizza", "waste", 0.3)
    table.pile(1, "G0", "pizza", since=table.at - 0.3)
    table.wait(0.3)
    table.cover("pizza", "waste", 0.6)
    table.shows("pizza", "waste", None, since=table.at - 0.3)
    table.wait(8)
    assert last_play(table) == ("unsure", "not-open")
