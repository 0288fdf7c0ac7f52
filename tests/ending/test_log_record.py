"""What the log of a round leaves open for the count: piles that differ, and cards of nobody knows whom."""

from __future__ import annotations

from dataclasses import replace

import pytest

from finito.ending.log_record import record_of
from finito.ending.reconciling import Record
from finito.live.entries import Entry
from referee.actions import Play
from referee.verdicts import Rule, illegal, unsure
from tests.ending.test_refereed_round import PLAYERS, Told
from vision.inference.inferred import Alternative
from vision.observations import Spot, centre_spot


@pytest.fixture
def table() -> Told:
    told = Told()
    told.lays("pizza", "help1", 1, "R5")
    told.lays("pizza", "help3", 2, "R6")
    return told


@pytest.fixture
def equal() -> Told:
    """Both have laid a blue 0."""
    table = Told()
    table.shows(Spot("gelato", "help1"), "B0")
    table.passes(1.0)
    table.lays("pizza", "help1", 1, "R5")
    table.shows(Spot("gelato", "help1"), None, "gelato")
    table.shows(centre_spot(2), "B0", "gelato")
    table.passes(2.0)
    return table


def plays(table: Told) -> list[Entry]:
    return [entry for entry in table.round.log.entries if isinstance(entry.what, Play)]


def record(table: Told, tops: dict[int, int | None]) -> Record:
    return record_of(table.round.log, PLAYERS, tops, table.round.homes)


def perhaps_of(entry: Entry, player: str, chance: float) -> None:
    assert isinstance(entry.what, Play)
    assert entry.inferred is not None
    other = Alternative(replace(entry.what, player=player), chance)
    entry.inferred = replace(entry.inferred, alternatives=(other,))


def test_a_log_that_agrees_with_its_piles_stands_alone(table: Told) -> None:
    told = record(table, {1: 1, 2: 1})
    assert told.by_back == {"pizza": 2, "gelato": 0}
    assert told.stands_alone


@pytest.mark.parametrize(
    ("tops", "asked"),
    [
        ({1: 3, 2: 1}, "1 cards were seen laid on pile 1 and by its top it holds 3; count pile 1"),
        ({1: 1, 2: None}, "1 cards were seen laid on pile 2 and its top was not read; how many lie there?"),
        (
            {1: 1, 2: 1, -3: 1},
            "a pile lies there that nobody was seen to begin; how many cards does it hold?",
        ),
    ],
    ids=["more than were laid", "not read", "of nobody"],
)
def test_a_pile_that_does_not_agree_with_the_log_is_asked_about(
    table: Told, tops: dict[int, int | None], asked: str
) -> None:
    told = record(table, tops)
    assert told.questions == (asked,)
    assert not told.stands_alone


def test_one_card_too_many_here_and_too_few_there_do_not_make_a_count(table: Told) -> None:
    assert not record(table, {1: 2, 2: 0}).stands_alone


def test_it_is_asked_whose_a_card_was_where_that_is_open(table: Told) -> None:
    perhaps_of(plays(table)[0], "gelato", 0.4)
    told = record(table, {1: 1, 2: 1})
    assert told.questions == ("was the blue 0 on pile 1 a card of pizza or of gelato?",)


def test_equal_cards_that_may_have_changed_piles_leave_the_count_as_it_is(equal: Told) -> None:
    first, second = plays(equal)
    assert [getattr(each.what, "player", None) for each in (first, second)] == ["pizza", "gelato"]
    perhaps_of(first, "gelato", 0.4)
    assert record(equal, {1: 1, 2: 1}).stands_alone


def test_an_equal_card_that_went_home_again_may_be_the_one_that_was_laid(equal: Told) -> None:
    first, second = plays(equal)
    perhaps_of(first, "gelato", 0.4)
    second.verdict = illegal(Rule.TOO_LATE, "too-late")
    assert not record(equal, {1: 1, 2: 1}).stands_alone


def test_a_mere_trace_of_doubt_is_not_asked_about(table: Told) -> None:
    perhaps_of(plays(table)[0], "gelato", 0.08)
    assert record(table, {1: 1, 2: 1}).stands_alone


def test_a_card_seen_at_home_later_was_not_the_one_that_was_laid(table: Told) -> None:
    perhaps_of(plays(table)[0], "gelato", 0.4)
    table.shows(Spot("gelato", "waste"), "B0", "gelato")
    assert record(table, {1: 1, 2: 1}).stands_alone


def test_a_card_seen_at_home_before_may_be_the_one_that_was_laid() -> None:
    table = Told()
    table.shows(Spot("gelato", "waste"), "B0", "gelato")
    table.passes(1.0)
    table.lays("pizza", "help1", 1, "R5")
    perhaps_of(plays(table)[0], "gelato", 0.4)
    assert not record(table, {1: 1}).stands_alone


def test_it_is_asked_whose_a_card_was_that_seems_to_be_there_twice(table: Told) -> None:
    plays(table)[0].verdict = unsure(Rule.IMPOSSIBLE_CARD, "impossible-card")
    told = record(table, {1: 1, 2: 1})
    assert told.questions == ("was the blue 0 on pile 1 a card of pizza or of somebody else?",)


def raced(table: Told) -> None:
    """Both have laid their blue 0 on pile 1 at once, and it is open who was first."""
    first, second = plays(table)
    assert isinstance(first.what, Play)
    assert isinstance(second.what, Play)
    second.what = replace(second.what, pile=1, t=first.what.t)
    second.verdict = unsure(Rule.TOO_LATE, "too-late")


def test_it_is_asked_whose_card_lies_there_after_a_race_that_nobody_saw_decided(equal: Told) -> None:
    raced(equal)
    told = record(equal, {1: 1})
    assert told.questions == ("was the blue 0 on pile 1 a card of pizza or of gelato?",)


def test_a_race_is_decided_once_one_of_both_cards_is_seen_at_home_again(equal: Told) -> None:
    raced(equal)
    equal.shows(Spot("gelato", "help1"), "B0", "gelato")
    assert record(equal, {1: 1}).questions == ()


def test_a_clean_round_whose_cards_were_not_shown_ends_with_no_question(table: Told) -> None:
    table.clears("gelato")
    table.clears("pizza")
    assert table.round.ended() is None
    ended = table.round.ended(force=True)
    assert ended is not None
    assert (ended.by_back, ended.question) == ({"pizza": 2, "gelato": 0}, None)
    _, result = table.round.closing()
    assert result["counted_by"] == "log and piles"
