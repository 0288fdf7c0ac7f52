"""A match kept by hand: totals, the end, corrections, statistics, export."""

from __future__ import annotations

import csv
import io
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from referee.errors import RefereeError
from referee.match import Match, apply, find_player, fold, standing
from referee.match_commands import (
    add_round,
    create_match,
    edit_round,
    rename_match,
    restore_round,
    undo_round,
)
from referee.match_events import (
    MatchConflict,
    MatchCreated,
    MatchError,
    MatchEvent,
    NoSuchRound,
    Player,
    RoundAdded,
    RoundSheet,
    Tally,
)
from referee.match_export import match_csv, match_document
from referee.statistics import PlayerStatistics, statistics

ANNA, BEN = Player("pizza", "Anna", "south"), Player("gelato", "Ben", "north")
BACKS = ("pizza", "gelato", "kaffee")
THREE = tuple(Player(back, back) for back in BACKS)


def begin(players: tuple[Player, ...] = (ANNA, BEN), **options: object) -> Match:
    return fold([create_match(players, **options)])  # type: ignore[arg-type]


def counted(finito: str | None = None, **cards: int) -> RoundSheet:
    return RoundSheet(tuple(Tally(back, cards=n) for back, n in cards.items()), finito)


def written(finito: str | None = None, **points: int) -> RoundSheet:
    return RoundSheet(tuple(Tally(back, points=n) for back, n in points.items()), finito)


def played(match: Match, *sheets: RoundSheet) -> Match:
    for sheet in sheets:
        match = apply(match, add_round(match, sheet))
    return match


def test_each_card_in_the_centre_counts_one_and_the_caller_of_finito_five_more() -> None:
    match = played(begin(), counted(finito="pizza", pizza=12, gelato=9))
    assert standing(match).totals == {"pizza": 17, "gelato": 9}


def test_ligretto_takes_two_points_for_each_race_card_left_and_gives_no_bonus() -> None:
    sheet = RoundSheet((Tally("pizza", cards=12), Tally("gelato", cards=3, race_left=4)), finito="pizza")
    match = played(begin(game="ligretto"), sheet)
    assert standing(match).totals == {"pizza": 12, "gelato": -5}


def test_espresso_does_not_punish_race_cards_left() -> None:
    sheet = RoundSheet((Tally("pizza", cards=12), Tally("gelato", cards=3, race_left=4)))
    assert standing(played(begin(), sheet)).totals == {"pizza": 12, "gelato": 3}


def test_points_entered_by_hand_are_final_and_get_no_second_bonus() -> None:
    match = played(begin(), written(finito="pizza", pizza=17, gelato=9))
    assert standing(match).totals == {"pizza": 17, "gelato": 9}


@pytest.mark.parametrize(("game", "target"), [("espresso", 100), ("ligretto", 99), ("dutch-blitz", 75)])
def test_a_match_goes_to_the_target_of_its_game_unless_told_otherwise(game: str, target: int) -> None:
    assert begin(game=game).created.target == target
    assert begin(game=game, target=30).created.target == 30


def test_whoever_reaches_exactly_the_target_wins() -> None:
    assert standing(played(begin(), written(pizza=99, gelato=98))).winner is None
    after = standing(played(begin(), written(pizza=99, gelato=98), written(pizza=1, gelato=1)))
    assert (after.winner, after.decided_in) == ("pizza", 2)


def test_several_over_the_target_in_one_round_the_highest_wins() -> None:
    match = played(
        begin(THREE), written(pizza=95, gelato=96, kaffee=10), written(pizza=9, gelato=10, kaffee=0)
    )
    assert standing(match).winner == "gelato"


def test_a_tie_on_top_plays_on_until_one_is_ahead() -> None:
    match = played(begin(THREE), written(pizza=104, gelato=104, kaffee=103))
    assert standing(match).winner is None
    assert standing(match).leaders == ("pizza", "gelato")
    match = played(match, written(pizza=1, gelato=1, kaffee=9))
    assert standing(match).winner == "kaffee"


def test_no_round_is_added_once_the_match_is_over() -> None:
    match = played(begin(), written(pizza=101, gelato=3))
    with pytest.raises(MatchConflict, match=r"over: Anna \(pizza\) won with 101 points in round 1"):
        add_round(match, written(pizza=1, gelato=1))


def test_a_round_after_the_end_stays_on_the_sheet_and_no_longer_counts() -> None:
    match = played(begin(), written(pizza=60, gelato=10), written(pizza=10, gelato=95))
    match = apply(match, edit_round(match, 1, written(pizza=100, gelato=10)))
    now = standing(match)
    assert (now.winner, now.decided_in) == ("pizza", 1)
    assert [entry.status for entry in now.rounds] == ["counts", "after-the-end"]
    assert now.totals == {"pizza": 100, "gelato": 10}


def test_any_past_round_is_edited_and_the_others_stay() -> None:
    match = played(begin(), counted(pizza=5, gelato=6), counted(pizza=7, gelato=8))
    match = apply(match, edit_round(match, 1, counted(finito="gelato", pizza=1, gelato=2)))
    assert standing(match).totals == {"pizza": 8, "gelato": 15}


def test_any_past_round_is_undone_and_keeps_its_number() -> None:
    match = played(begin(), *(counted(pizza=n, gelato=0) for n in (1, 2, 4)))
    match = apply(match, undo_round(match, 2))
    assert standing(match).totals["pizza"] == 5
    assert [(entry.number, entry.status) for entry in standing(match).rounds][1] == (2, "undone")
    match = played(match, counted(pizza=8, gelato=0))
    assert len(match.sheets) == 4


def test_undo_takes_the_latest_standing_round_and_restore_the_latest_undo() -> None:
    match = played(begin(), *(counted(pizza=n, gelato=0) for n in (1, 2, 4)))
    for expected in (3, 2, 1):
        undo = undo_round(match)
        assert undo.round == expected
        match = apply(match, undo)
    with pytest.raises(MatchConflict, match="no round to undo"):
        undo_round(match)
    assert restore_round(match).round == 1


def test_undoing_the_round_that_won_opens_the_match_again() -> None:
    match = played(begin(), written(pizza=101, gelato=3))
    match = apply(match, undo_round(match))
    assert standing(match).winner is None
    played(match, written(pizza=1, gelato=1))


def test_corrections_that_make_no_sense_are_refused() -> None:
    match = played(begin(), counted(pizza=1, gelato=2))
    with pytest.raises(NoSuchRound, match="round 7 does not exist: rounds 1 to 1 are played"):
        undo_round(match, 7)
    with pytest.raises(NoSuchRound, match="no round is played"):
        edit_round(begin(), 1, counted(pizza=1, gelato=1))
    with pytest.raises(MatchConflict, match="not undone"):
        restore_round(match, 1)
    with pytest.raises(MatchConflict, match="nothing to restore"):
        restore_round(match)
    match = apply(match, undo_round(match))
    with pytest.raises(MatchConflict, match="already undone"):
        undo_round(match, 1)
    with pytest.raises(MatchConflict, match="restore it before"):
        edit_round(match, 1, counted(pizza=1, gelato=1))


@pytest.mark.parametrize(
    ("sheet", "sentence"),
    [
        (counted(pizza=1), r"lacks Ben \(gelato\)"),
        (counted(pizza=1, gelato=2, sushi=3), r"'sushi' does not play .* Anna \(pizza\), Ben \(gelato\)"),
        (counted(pizza=37, gelato=1), "37 centre cards .* only 0 to 36"),
        (counted(pizza=-1, gelato=1), "-1 centre cards"),
        (counted(finito="sushi", pizza=1, gelato=1), "'sushi' does not play"),
        (written(pizza=1001, gelato=1), "1001 points"),
        (RoundSheet((Tally("pizza", cards=1), Tally("gelato"))), "either cards counted"),
        (RoundSheet((Tally("pizza", cards=1), Tally("Anna", cards=1))), "given twice"),
        (RoundSheet((Tally("pizza", cards=1), Tally("gelato", cards=1, race_left=10))), "10 race cards left"),
        (RoundSheet((Tally("pizza", cards=30), Tally("gelato", cards=30, race_left=9))), "only 0 to 27"),
        (RoundSheet((Tally("pizza", cards=1), Tally("gelato", cards=1, illegal=-1))), "-1 illegal plays"),
        (
            RoundSheet((Tally("pizza", cards=1), Tally("gelato", cards=1, race_left=1)), "gelato"),
            "cannot call Finito",
        ),
    ],
)
def test_a_round_that_cannot_have_been_played_is_refused(sheet: RoundSheet, sentence: str) -> None:
    with pytest.raises(MatchError, match=sentence):
        add_round(begin(), sheet)


def test_players_are_found_by_name_or_back_in_any_case() -> None:
    match = played(begin(), RoundSheet((Tally("BEN", cards=3), Tally("Pizza", cards=4)), finito="anna"))
    assert match.sheets[0] == RoundSheet((Tally("pizza", cards=4), Tally("gelato", cards=3)), "pizza")
    assert find_player(match, "ben").back == "gelato"


def many(number: int) -> tuple[Player, ...]:
    return tuple(Player(f"b{n}", f"Player {n}") for n in range(number))


@pytest.mark.parametrize(("game", "most"), [("espresso", 6), ("ligretto", 12), ("dutch-blitz", 12)])
def test_two_players_up_to_the_most_the_game_allows(game: str, most: int) -> None:
    assert len(begin(many(2), game=game).players) == 2
    assert len(begin(many(most), game=game).players) == most
    for wrong in (0, 1, most + 1):
        with pytest.raises(RefereeError, match=f"{game} is for 2 to {most} players"):
            begin(many(wrong), game=game)


@pytest.mark.parametrize(
    ("options", "sentence"),
    [
        ({"game": "uno"}, "'uno' is not known; known are espresso"),
        ({"variant": ("turbo",)}, "'turbo' is not known"),
        ({"variant": ("normalo", "zero")}, "leave the others out"),
        ({"variant": ("zero",), "game": "ligretto"}, "needs cards with a 0"),
        ({"edition": "1890"}, "'1890' is not known; known are amigo-1995"),
        ({"target": 0}, "target 0 is out of range"),
        ({"name": "=1+1"}, "match name '=1\\+1' will not do"),
        ({"players": (ANNA, replace(BEN, back="pizza"))}, "'pizza' is named twice"),
        ({"players": (ANNA, replace(BEN, name="pizza"))}, "'pizza' is given to two"),
        ({"players": (ANNA, replace(BEN, seat="south"))}, "'south' is given to two"),
        (
            {"players": (ANNA, replace(BEN, seat="upstairs"))},
            "seat 'upstairs' does not exist; seats are south",
        ),
        ({"players": (ANNA, replace(BEN, name="=cmd()"))}, "begin with a letter"),
        ({"players": (ANNA, replace(BEN, name="x" * 41))}, "at most 40"),
        ({"players": (ANNA, replace(BEN, name=""))}, "the name ''"),
        ({"players": (ANNA, replace(BEN, back="a:b"))}, "leave out"),
    ],
)
def test_a_match_that_cannot_be_played_is_refused(options: dict[str, object], sentence: str) -> None:
    with pytest.raises(RefereeError, match=sentence):
        begin(**options)  # type: ignore[arg-type]


def test_a_match_is_named_after_its_players_and_can_be_renamed() -> None:
    match = begin()
    assert match.name == "Anna – Ben"
    assert apply(match, rename_match("Friday")).name == "Friday"


def test_a_stream_must_begin_with_the_creation_and_have_only_one() -> None:
    created = create_match((ANNA, BEN))
    with pytest.raises(MatchError, match="not been created"):
        fold([])
    with pytest.raises(MatchError, match="begins with its creation, not with RoundAdded"):
        fold([RoundAdded(counted(pizza=1, gelato=1))])
    with pytest.raises(MatchError, match="created once"):
        fold([created, created])


def test_statistics_leave_out_undone_rounds() -> None:
    first = RoundSheet((Tally("pizza", cards=12, illegal=2), Tally("gelato", cards=9)), "pizza")
    match = played(begin(), first, counted(finito="gelato", pizza=4, gelato=8), counted(pizza=30, gelato=30))
    match = apply(match, undo_round(match))
    assert statistics(match) == {
        "pizza": PlayerStatistics(rounds=2, finitos=1, average=10.5, best=17, illegal=2),
        "gelato": PlayerStatistics(rounds=2, finitos=1, average=11.0, best=13, illegal=0),
    }


def test_statistics_before_the_first_round_name_no_best() -> None:
    assert statistics(begin())["pizza"] == PlayerStatistics(0, 0, 0.0, None, 0)


def test_csv_has_a_row_for_each_round_and_player() -> None:
    match = played(begin(), counted(finito="pizza", pizza=12, gelato=9), written(pizza=3, gelato=4))
    rows = list(csv.DictReader(io.StringIO(match_csv("7", apply(match, undo_round(match, 2))))))
    assert len(rows) == 4
    assert rows[0] == {
        "match": "7", "round": "1", "status": "counts", "player": "Anna", "back": "pizza", "seat": "south",
        "cards": "12", "race_left": "0", "finito": "1", "illegal": "0", "points": "17", "total": "17",
    }  # fmt: skip
    assert (rows[3]["status"], rows[3]["cards"], rows[3]["points"], rows[3]["total"]) == (
        "undone",
        "",
        "4",
        "9",
    )


def test_the_document_says_what_was_counted_and_who_leads() -> None:
    document = match_document("7", played(begin(), counted(finito="pizza", pizza=12, gelato=9)), version=2)
    assert document["totals"] == {"pizza": 17, "gelato": 9}
    assert (document["match"], document["version"], document["leaders"]) == ("7", 2, ["pizza"])
    assert document["rounds"][0]["by_back"] == {"pizza": 12, "gelato": 9}
    assert document["players"][0] == {"back": "pizza", "name": "Anna", "seat": "south"}


SHEETS = st.builds(
    lambda cards, caller: RoundSheet(
        tuple(Tally(back, cards=n) for back, n in zip(BACKS, cards, strict=True)), caller
    ),
    st.tuples(*[st.integers(0, 36)] * 3),
    st.sampled_from([None, *BACKS]),
)


@st.composite
def histories(draw: st.DrawFn) -> list[MatchEvent]:
    """Any sequence of entries and corrections that the commands allow."""
    events: list[MatchEvent] = [create_match(THREE, target=draw(st.integers(1, 300)))]
    for _ in range(draw(st.integers(0, 12))):
        match = fold(events)
        number = draw(st.integers(1, len(match.sheets) + 1))
        deed = draw(st.sampled_from(["add", "edit", "undo", "restore"]))
        try:
            if deed == "add":
                events.append(add_round(match, draw(SHEETS)))
            elif deed == "edit":
                events.append(edit_round(match, number, draw(SHEETS)))
            elif deed == "undo":
                events.append(undo_round(match, number))
            else:
                events.append(restore_round(match, number))
        except MatchError:
            continue
    return events


@given(histories())
def test_totals_are_the_sum_of_the_rounds_that_count(events: list[MatchEvent]) -> None:
    now = standing(fold(events))
    for back in BACKS:
        assert now.totals[back] == sum(entry.points[back] for entry in now.rounds if entry.status == "counts")


@given(histories(), st.data())
def test_undo_then_restore_gives_the_same_standing(events: list[MatchEvent], data: st.DataObject) -> None:
    match = fold(events)
    left = [n for n in range(1, len(match.sheets) + 1) if n not in match.undone]
    if not left:
        return
    undone = apply(match, undo_round(match, data.draw(st.sampled_from(left))))
    assert apply(undone, restore_round(undone)) == match


@given(histories(), SHEETS, st.data())
def test_an_edit_and_its_reversal_give_the_same_match(
    events: list[MatchEvent], sheet: RoundSheet, data: st.DataObject
) -> None:
    match = fold(events)
    left = [n for n in range(1, len(match.sheets) + 1) if n not in match.undone]
    if not left:
        return
    number = data.draw(st.sampled_from(left))
    edited = apply(match, edit_round(match, number, sheet))
    assert apply(edited, edit_round(edited, number, match.sheets[number - 1])) == match


@given(histories())
def test_a_winner_alone_is_on_top_at_the_target(events: list[MatchEvent]) -> None:
    match = fold(events)
    now, created = standing(match), events[0]
    assert isinstance(created, MatchCreated)
    if now.winner is None:
        assert max(now.totals.values()) < created.target or len(now.leaders) > 1
    else:
        assert now.leaders == (now.winner,)
        assert now.totals[now.winner] >= created.target
