"""Honest players are not accused: what was not seen, seen late or put right must not make a play illegal."""

from __future__ import annotations

from typing import Any

import pytest

from tests.rules.golden import Json, judged
from tests.rules.telling import deal, header, play, refill, start, take_back, turn

TABLE = [
    header(),
    deal("pizza", "R2", "R0", "R1", "B8"),
    deal("gelato", "R3", "R1", "B0", "Y7"),
    start(),
    play("pizza", "R0", "help1"),
    refill("pizza", "help1", "R2", "G4"),
]


def accused(*lines: Json) -> list[tuple[int, str]]:
    """Line and rule of every accusation."""
    return [(a["line"], a["rule"]) for a in judged(*lines) if a.get("verdict") == "illegal"]


def at(t: float | list[float], line: Json) -> Json:
    return {"t": t, **line}


def test_a_wrong_card_taken_back_after_its_slot_was_refilled_may_be_played_again() -> None:
    lines = [*TABLE, play("gelato", "Y7", "help3", 1), refill("gelato", "help3", "R3", "Y0")]
    lines += [take_back("gelato", "Y7", 1), play("gelato", "Y7", "help3", 1)]
    assert accused(*lines) == [(7, "wrong-number"), (10, "wrong-number")]


def test_the_slower_card_taken_back_after_a_refill_leaves_the_faster_one_lying() -> None:
    lines = [*TABLE, play("pizza", "R1", "help2", 1), refill("pizza", "help2", "G4", "Y5")]
    lines += [
        play("gelato", "R1", "help1", 1),
        refill("gelato", "help1", "R3", "G6"),
        take_back("gelato", "R1", 1),
    ]
    assert accused(*lines, play("pizza", "R2", "help1", 1)) == [(9, "too-late")]


def test_a_card_called_late_and_silently_taken_back_after_a_refill_may_be_played_on_another_pile() -> None:
    lines = [*TABLE, play("pizza", "R1", "help2", 1), refill("pizza", "help2", "G4", "Y5")]
    lines += [play("gelato", "R1", "help1", 1), refill("gelato", "help1", "R3", "R0")]
    lines += [play("gelato", "R0", "espresso"), play("gelato", "R1", "help1", 2)]
    assert accused(*lines) == [(9, "too-late")]


def test_the_player_who_takes_a_card_back_is_the_slower_one_whatever_the_written_order() -> None:
    lines = [*TABLE, play("gelato", "R1", "help1", 1), play("pizza", "R1", "help2", 1)]
    lines += [
        take_back("gelato", "R1", 1),
        refill("pizza", "help2", "G4", "Y4"),
        play("pizza", "R2", "help1", 1),
    ]
    lines += [play("gelato", "B0", "help2"), refill("gelato", "help2", "R3", "R0")]
    assert accused(*lines, play("gelato", "R0", "espresso"), play("gelato", "R1", "help1", 3)) == [
        (8, "too-late")
    ]


RACE: dict[str, list[Json]] = {
    "pizza first": [play("pizza", "R1", "help2", 1), play("gelato", "R1", "help1", 1)],
    "gelato first": [play("gelato", "R1", "help1", 1), play("pizza", "R1", "help2", 1)],
}


def raced(order: str) -> list[Json]:
    one, other = RACE[order]
    return [
        *TABLE[:3],
        at(0, TABLE[3]),
        at(1, TABLE[4]),
        at(1.5, TABLE[5]),
        at([2, 3], one),
        at([2.2, 3.2], other),
    ]


@pytest.mark.parametrize("order", RACE)
@pytest.mark.parametrize("slower", ["pizza", "gelato"])
def test_who_may_have_been_the_slower_of_two_need_not_refill(order: str, slower: str) -> None:
    assert accused(*raced(order), at(4, turn(slower))) == []


@pytest.mark.parametrize("order", RACE)
def test_after_a_take_back_both_of_two_equal_cards_are_settled(order: str) -> None:
    lines = [*raced(order), at(4, take_back("gelato", "R1", 1)), at(5, refill("pizza", "help2", "G4", "Y4"))]
    lines += [at(6, play("gelato", "B0", "help2")), at(7, refill("gelato", "help2", "R3", "Y2"))]
    assert accused(*lines, at(8, turn("pizza")), at(9, turn("gelato"))) == []
    count = {"type": "count", "by_back": {"pizza": 2, "gelato": 1}}
    assert judged(*lines, count)[-1]["unsure"] == []


def test_one_misread_turn_does_not_make_the_real_card_impossible() -> None:
    """B4 was read where Y0 lay; once Y0 was played from there the reading of B4 is void."""
    lines = [*TABLE, turn("gelato", 3, "B4"), play("gelato", "Y0", "waste"), play("gelato", "R1", "help1", 1)]
    assert accused(*lines, refill("gelato", "help1", "R3", "B4")) in ([], [(8, "not-open")])


def test_a_waste_card_that_comes_up_otherwise_than_it_went_down_is_a_doubt() -> None:
    """Of two readings of one card one is wrong: nobody's fault, and no second copy was seen."""
    lines = [
        *TABLE,
        turn("gelato", 3, "B4"),
        turn("gelato", 3, "Y0"),
        play("gelato", "Y0", "waste", reveals="G0"),
    ]
    lines += [play("gelato", "G0", "waste", reveals="R2")]
    lines += [play("pizza", "R1", "help2", 1), play("gelato", "R2", "waste", 1, reveals="B1")]
    assert accused(*lines) == []


def late(**options: Any) -> Json:
    return header(options={"joined_late": True, **options})


def test_a_record_that_begins_after_the_shout_accuses_nobody_of_a_false_start() -> None:
    assert accused(late(), play("pizza", "R5", "help1", 1), play("gelato", "R6", "help1", 1)) == []


def test_a_pile_skipped_in_a_late_record_is_as_unknown_as_the_others() -> None:
    lines = [late(), start(), play("pizza", "R5", "help1", 3), refill("pizza", "help1", "G4")]
    assert accused(*lines, play("gelato", "B7", "waste", 2), play("gelato", "Y4", "waste", 1)) == []


def test_a_late_records_pile_numbers_count_piles_that_were_there_before() -> None:
    """A new pile is not pile 1 when older piles lie there; what is laid on them is not judged by it."""
    assert accused(late(), start(), play("pizza", "Y0", "help1"), play("gelato", "R6", "help1", 1)) == []


def test_taking_out_a_new_pile_leaves_the_numbers_of_the_others() -> None:
    lines = [header(), deal("pizza", "R2", "R0", "Y0", "B8"), deal("gelato", "R3", "R1", "Y1", "Y7"), start()]
    lines += [play("pizza", "R0", "help1"), refill("pizza", "help1", "R2"), play("pizza", "Y0", "help2")]
    lines += [play("gelato", "Y1", "help2", 2), {"type": "undo", "line": 5}]
    answers = judged(*lines)
    changed = answers[-1]["changed"]
    assert [each for each in changed if each["verdict"] == "illegal"] == []


def test_a_card_that_stayed_after_a_call_leaves_what_it_uncovered_open_in_the_waste() -> None:
    lines = [
        *TABLE,
        turn("gelato", 3, "B1"),
        turn("gelato", 3, "Y0"),
        play("gelato", "Y0", "waste", reveals="G0"),
    ]
    lines += [play("gelato", "G0", "waste", reveals="R8"), play("gelato", "R8", "waste", 1, reveals="B1")]
    lines += [play("gelato", "B0", "help2"), refill("gelato", "help2", "R3", "Y2")]
    assert accused(*lines, play("gelato", "B1", "waste", 4, reveals="G3")) == [(11, "wrong-number")]


def test_a_card_that_stayed_after_a_call_leaves_what_it_uncovered_open_for_building_at_home() -> None:
    lines = [header(game="dutch-blitz", players=["anna", "ben", "carla", "dan"])]
    lines += [deal("anna", "R4", "Y7", "B8", "G3", espresso=10), start()]
    lines += [play("ben", "G1", "waste"), play("anna", "R4", "espresso", 1, reveals="R6")]
    lines += [{"type": "build", "player": "anna", "face": "R6", "from": "espresso", "to": "help1"}]
    assert [line for line, _ in accused(*lines)] == [5]


def test_of_an_exact_time_and_an_interval_around_it_nobody_is_called_the_slower() -> None:
    """The record may be written in order of the ends: the interval began before the exact moment."""
    lines = [*TABLE[:3], at(0, TABLE[3]), at(1, TABLE[4]), at(1.5, TABLE[5])]
    lines += [at(5, play("pizza", "R1", "help2", 1)), at([4.8, 5.2], play("gelato", "R1", "help1", 1))]
    assert accused(*lines) == []


def test_a_number_of_which_no_copy_is_left_is_impossible_and_not_the_wrong_number() -> None:
    lines = [header(), deal("pizza", "Y0", "R0", "G0", "B0"), start(), play("pizza", "R0", "help1")]
    lines += [refill("pizza", "help1", "Y0"), play("pizza", "Y0", "help1"), refill("pizza", "help1", "??")]
    lines += [play("pizza", "G0", "help2"), refill("pizza", "help2", "??"), play("pizza", "B0", "help3")]
    lines += [refill("pizza", "help3", "??"), play("pizza", "?0", "help3")]
    assert accused(*lines) == [(12, "impossible-card")]


def test_totals_below_zero_carry_over_in_the_family() -> None:
    options = {"totals": {"pizza": -8, "gelato": 3}}
    lines = [header(game="ligretto", options=options), start(), {"type": "count", "by_back": {"pizza": 12}}]
    assert judged(*lines)[-1]["totals"]["pizza"] == -8 + 12 - 20


def test_a_recycle_that_nobody_saw_does_not_make_the_next_turn_wrong() -> None:
    lines = [*TABLE, *[turn("gelato") for _ in range(30)]]
    assert accused(*lines) == []


def test_a_theft_does_not_make_the_robbed_player_one_who_forgot_to_refill() -> None:
    table = [header("chaos"), *TABLE[1:], play("pizza", "R1", "help1", 1, owner="gelato")]
    assert accused(*table, play("gelato", "B0", "help2"), turn("gelato")) in ([], [(9, "help-not-refilled")])
    assert accused(*table, turn("gelato")) == []


def test_the_second_of_two_jokers_on_an_eight_is_called_like_the_first() -> None:
    lines = [header("zero"), start(), play("gelato", "R1", "waste")]
    lines += [play("gelato", f"R{n}", "waste", 1) for n in range(2, 9)]
    lines += [play("pizza", "Y0", "help1", 1), play("gelato", "B0", "waste", 1)]
    assert accused(*lines) == [(11, "joker-on-eight"), (12, "joker-on-eight")]


def test_a_count_read_again_replaces_the_first_count_of_the_round() -> None:
    first, again = [{"type": "count", "by_back": {"pizza": n}} for n in (3, 4)]
    assert judged(header(), start(), first, again)[-1]["totals"] == {"pizza": 4, "gelato": 0}
