"""What the log of a round leaves open for the count: piles that differ, and cards of nobody knows whom."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeGuard

import pytest

from finito.ending.log_record import record_of
from finito.ending.lying import Top
from finito.ending.reconciling import Record
from finito.live.entries import Entry
from referee.actions import Interval, Play
from referee.cards import parse_face
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


def record(table: Told, piles: dict[int, str | None], strayed: tuple[tuple[str, str], ...] = ()) -> Record:
    """`piles` are the faces that were seen on top of each, one after the other."""
    tops = {pile: None if faces is None else tops_of(table, pile, faces) for pile, faces in piles.items()}
    lost = [(owner, parse_face(face)) for owner, face in strayed]
    return record_of(table.round.log, PLAYERS, tops, table.round.homes, lost)


def tops_of(table: Told, pile: int, faces: str) -> list[Top]:
    """The tops of a pile, each with the play that was told of it, if any was."""
    told = {
        (entry.what.pile, str(entry.what.face)): entry
        for entry in reversed(plays(table))
        if is_play(entry.what)
    }
    tops = []
    for name in faces.split():
        entry = told.get((pile, name))
        deed, when = None, Interval(table.now, table.now)
        if entry is not None and entry.inferred is not None and is_play(entry.what):
            deed, when = entry.inferred.number, entry.what.t or when
        face = None if name == "??" else parse_face(name)
        tops.append(Top(face, deed, when.start, when.end))
    return tops


def is_play(what: object) -> TypeGuard[Play]:
    return isinstance(what, Play)


def perhaps_of(entry: Entry, player: str, chance: float) -> None:
    assert isinstance(entry.what, Play)
    assert entry.inferred is not None
    other = Alternative(replace(entry.what, player=player), chance)
    entry.inferred = replace(entry.inferred, alternatives=(other,))


def test_a_log_that_agrees_with_its_piles_stands_alone(table: Told) -> None:
    told = record(table, {1: "B0", 2: "Y0"})
    assert told.by_back == {"pizza": 2, "gelato": 0}
    assert told.stands_alone


@pytest.mark.parametrize(
    ("piles", "asked"),
    [
        ({1: "B0 B2", 2: "Y0"}, "was the blue 1 on pile 1 a card of pizza or of gelato?"),
        (
            {1: "B0", 2: "Y0 ??"},
            "1 cards were seen laid on pile 2 that do not follow each other; count pile 2",
        ),
        (
            {1: "B0 Y1", 2: "Y0"},
            "1 cards were seen laid on pile 1 that do not follow each other; count pile 1",
        ),
        (
            {1: "B0", 2: "Y0", -3: None},
            "a pile lies there that nobody was seen to begin; how many cards does it hold?",
        ),
    ],
    ids=["more than were laid", "not read", "another colour", "of nobody"],
)
def test_a_pile_that_does_not_agree_with_the_log_is_asked_about(
    table: Told, piles: dict[int, str | None], asked: str
) -> None:
    told = record(table, piles)
    assert told.questions[0] == asked
    assert not told.stands_alone


def test_it_is_asked_whose_a_card_was_where_that_is_open(table: Told) -> None:
    perhaps_of(plays(table)[0], "gelato", 0.4)
    told = record(table, {1: "B0", 2: "Y0"})
    assert told.questions == ("was the blue 0 on pile 1 a card of pizza or of gelato?",)


def test_equal_cards_that_may_have_changed_piles_leave_the_count_as_it_is(equal: Told) -> None:
    first, second = plays(equal)
    assert [getattr(each.what, "player", None) for each in (first, second)] == ["pizza", "gelato"]
    perhaps_of(first, "gelato", 0.4)
    assert record(equal, {1: "B0", 2: "B0"}).stands_alone


def test_an_equal_card_that_went_home_again_may_be_the_one_that_was_laid(equal: Told) -> None:
    first, second = plays(equal)
    perhaps_of(first, "gelato", 0.4)
    second.verdict = illegal(Rule.TOO_LATE, "too-late")
    assert not record(equal, {1: "B0", 2: ""}).stands_alone


def test_a_mere_trace_of_doubt_is_not_asked_about(table: Told) -> None:
    perhaps_of(plays(table)[0], "gelato", 0.08)
    assert record(table, {1: "B0", 2: "Y0"}).stands_alone


def test_a_card_seen_at_home_later_was_not_the_one_that_was_laid(table: Told) -> None:
    perhaps_of(plays(table)[0], "gelato", 0.4)
    table.shows(Spot("gelato", "waste"), "B0", "gelato")
    assert record(table, {1: "B0", 2: "Y0"}).stands_alone


def test_a_card_seen_at_home_before_may_be_the_one_that_was_laid() -> None:
    table = Told()
    table.shows(Spot("gelato", "waste"), "B0", "gelato")
    table.passes(1.0)
    table.lays("pizza", "help1", 1, "R5")
    perhaps_of(plays(table)[0], "gelato", 0.4)
    assert not record(table, {1: "B0"}).stands_alone


def test_it_is_asked_whose_a_card_was_that_seems_to_be_there_twice(equal: Told) -> None:
    """Perhaps a deck has it twice; otherwise one of both is somebody else's."""
    second = plays(equal)[1]
    assert isinstance(second.what, Play)
    second.what = replace(second.what, player="pizza")
    second.verdict = unsure(Rule.IMPOSSIBLE_CARD, "impossible-card")
    told = record(equal, {1: "B0", 2: "B0"})
    assert told.questions == ("was the blue 0 on pile 2 a card of gelato or of somebody else?",)


def test_a_pile_on_which_a_card_lies_that_was_called_for_not_fitting_is_asked_about(table: Told) -> None:
    table.lays("gelato", "help2", 1)
    told = record(table, {1: "B0 B2", 2: "Y0"}, strayed=(("gelato", "B1"),))
    assert told.questions[0] == "2 cards were seen laid on pile 1 that do not follow each other; count pile 1"


def raced(table: Told) -> None:
    """Both have laid their blue 0 on pile 1 at once, and it is open who was first."""
    first, second = plays(table)
    assert isinstance(first.what, Play)
    assert isinstance(second.what, Play)
    second.what = replace(second.what, pile=1, t=first.what.t)
    second.verdict = unsure(Rule.TOO_LATE, "too-late")


def test_it_is_asked_whose_card_lies_there_after_a_race_that_nobody_saw_decided(equal: Told) -> None:
    raced(equal)
    told = record(equal, {1: "B0"})
    assert told.questions == ("was the blue 0 on pile 1 a card of pizza or of gelato?",)


def test_a_race_is_decided_once_one_of_both_cards_is_seen_at_home_again(equal: Told) -> None:
    raced(equal)
    equal.shows(Spot("gelato", "help1"), "B0", "gelato")
    assert record(equal, {1: "B0"}).questions == ()


def test_a_clean_round_whose_cards_were_not_shown_ends_with_no_question(table: Told) -> None:
    table.clears("gelato")
    table.clears("pizza")
    assert table.round.ended() is None
    ended = table.round.ended(force=True)
    assert ended is not None
    assert (ended.by_back, ended.question) == ({"pizza": 2, "gelato": 0}, None)
    _, result = table.round.closing()
    assert result["counted_by"] == "log and piles"


def missed(table: Told) -> dict[int, str | None]:
    """The blue 2 lies on the blue 0, and nobody saw the card between them."""
    table.lays("gelato", "help2", 1)
    plays(table)[2].verdict = unsure(Rule.WRONG_NUMBER, "order-unknown")
    return {1: "B0 B2", 2: "Y0"}


def test_a_card_laid_unseen_is_of_whom_it_had_left_its_place(table: Told) -> None:
    told = record(table, missed(table), strayed=(("gelato", "B1"),))
    assert told.by_back == {"pizza": 2, "gelato": 2}
    assert told.stands_alone


def test_a_card_laid_unseen_is_of_nobody_who_has_it_at_home_later(table: Told) -> None:
    piles = missed(table)
    assert not record(table, piles).stands_alone
    for place in ("help1", "waste"):
        table.passes(1.0)
        table.shows(Spot("pizza", place), "B1", "pizza")
    plays(table)[2].verdict = unsure(Rule.WRONG_NUMBER, "order-unknown")  # it was judged anew since
    told = record(table, piles)
    assert told.by_back == {"pizza": 2, "gelato": 2}
    assert told.stands_alone


def test_a_card_is_not_counted_for_whom_it_is_seen_at_home_again(table: Told) -> None:
    """Its place was not in view when it was taken for the one that was laid."""
    perhaps_of(plays(table)[0], "gelato", 0.02)
    for place in ("help1", "waste"):
        table.passes(1.0)
        table.shows(Spot("pizza", place), "B0", "pizza")
    assert record(table, {1: "B0", 2: "Y0"}).by_back == {"pizza": 1, "gelato": 1}


def test_it_is_asked_whose_a_card_was_that_is_seen_at_home_once_more(table: Told) -> None:
    perhaps_of(plays(table)[0], "gelato", 0.01)
    table.shows(Spot("pizza", "waste"), "B0", "pizza")
    assert record(table, {1: "B0", 2: "Y0"}).questions == (
        "was the blue 0 on pile 1 a card of pizza or of gelato?",
    )


def test_a_card_said_twice_of_one_back_is_of_the_other_who_had_it_open() -> None:
    """No deck has a card twice."""
    table = Told()
    table.shows(Spot("gelato", "waste"), "B0", "gelato")
    table.passes(1.0)
    table.lays("pizza", "help1", 1, "R5")
    table.shows(Spot("gelato", "waste"), None, "gelato")
    table.shows(centre_spot(2), "B0", "pizza")
    table.passes(3.0)
    told = record(table, {1: "B0", 2: "B0"})
    assert told.by_back == {"pizza": 1, "gelato": 1}


def test_a_card_that_seems_to_come_from_a_hand_may_be_of_another_who_had_it_open(table: Told) -> None:
    first = plays(table)[0]
    assert isinstance(first.what, Play)
    first.what = replace(first.what, source="hand")
    first.verdict = unsure(Rule.NOT_OPEN, "order-unknown")
    assert record(table, {1: "B0", 2: "Y0"}).stands_alone
    other = Told()
    other.shows(Spot("gelato", "waste"), "B0", "gelato")
    other.lays("pizza", "help1", 1, "R5")
    second = plays(other)[0]
    assert isinstance(second.what, Play)
    second.what = replace(second.what, source="hand")
    second.verdict = unsure(Rule.NOT_OPEN, "order-unknown")
    assert not record(other, {1: "B0"}).stands_alone


def test_a_card_read_now_as_this_and_now_as_that_is_the_one_that_fits(table: Told) -> None:
    table.lays("gelato", "help2", 1)
    plays(table)[2].verdict = None
    first, second = tops_of(table, 1, "B0 R1")
    piles = {1: [first, replace(second, perhaps=(parse_face("R1"), parse_face("B1")))]}
    told = record_of(table.round.log, PLAYERS, piles, table.round.homes)
    assert told.tops == 2
    assert record_of(table.round.log, PLAYERS, {1: [first, second]}, table.round.homes).tops is None
