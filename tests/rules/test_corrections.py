"""Corrections are entries of the record: what they change, and what undoing them brings back."""

from __future__ import annotations

from tests.rules.golden import Json, judged
from tests.rules.telling import deal, header, play, refill, start

TABLE: list[Json] = [
    header(),
    deal("pizza", "R2", "Y0", "R1", "B8", espresso=1),
    deal("gelato", "R3", "Y1", "B0", "Y7"),
    start(),
    play("pizza", "Y0", "help1"),
    play("gelato", "Y1", "help1", 1),
]


def test_undoing_an_amendment_brings_the_old_verdict_back() -> None:
    misread = {"type": "amend", "line": 6, "action": play("gelato", "Y7", "help3", 1)}
    *_, amended, undone = judged(*TABLE, misread, {"type": "undo", "line": 7})
    assert [(each["line"], each["rule"]) for each in amended["changed"]] == [(6, "wrong-number")]
    assert [(each["line"], each["verdict"]) for each in undone["changed"]] == [(6, "legal")]


def test_a_finito_taken_out_after_the_count_takes_its_bonus_back() -> None:
    lines = [*TABLE, refill("pizza", "help1", "R2"), {"type": "finito", "player": "pizza"}]
    lines += [{"type": "count", "by_back": {"pizza": 1, "gelato": 1}}, {"type": "undo", "line": 8}]
    counted, _, again = judged(*lines)[-3:]
    assert counted["points"] == {"pizza": 6, "gelato": 1}
    assert again["points"] == {"pizza": 1, "gelato": 1}
    assert judged(*lines, *TABLE, {"type": "count", "by_back": {}})[-1]["totals"] == {"pizza": 1, "gelato": 1}


def test_a_new_pile_taken_out_gives_its_number_to_the_next() -> None:
    lines = [
        *TABLE[:5],
        {"type": "undo", "line": 5},
        play("pizza", "Y0", "help1"),
        play("gelato", "Y1", "help1", 1),
    ]
    assert [answer["verdict"] for answer in judged(*lines)] == ["legal"] * 5


def test_totals_do_not_carry_over_to_other_players() -> None:
    first = [header(), start(), {"type": "count", "by_back": {"pizza": 9}}]
    second = [header(players=["pizza", "tonno"]), start(), {"type": "count", "by_back": {"pizza": 2}}]
    assert judged(*first, *second)[-1]["totals"] == {"pizza": 2, "tonno": 0}
