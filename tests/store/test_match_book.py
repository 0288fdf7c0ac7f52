"""The book of matches on any store."""

from __future__ import annotations

import json
from itertools import count
from typing import Any

import pytest

from finito.store.bootstrap import match_book
from finito.store.interface import Conflict, Event, StoreError
from finito.store.match_book import KeptMatch, MatchBook, UnknownMatch
from finito.store.match_codec import EVENT_TYPES, decode_match_event, encode_match_event
from finito.store.memory import MemoryStore
from referee.match import Match, standing
from referee.match_commands import (
    add_round,
    create_match,
    edit_round,
    rename_match,
    restore_round,
    undo_round,
)
from referee.match_events import MatchEvent, Player, RoundAdded, RoundSheet, Tally

PLAYERS = (Player("pizza", "Anna", "south"), Player("gelato", "Ben"))


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def book(store: MemoryStore) -> MatchBook:
    ticks = count(1)
    return MatchBook(store, lambda: f"2024-05-31T20:00:{next(ticks):02}Z")


def begin(book: MatchBook, **options: Any) -> KeptMatch:
    return book.create(lambda at: create_match(PLAYERS, at=at, **options))


def plus(pizza: int, gelato: int) -> Any:
    sheet = RoundSheet((Tally("pizza", points=pizza), Tally("gelato", points=gelato)))
    return lambda match, at: add_round(match, sheet, at)


def test_matches_are_numbered_and_come_back_as_they_were_written(book: MatchBook) -> None:
    assert [begin(book).id for _ in range(11)] == [str(n) for n in range(1, 12)]
    written = book.change("11", plus(3, 4))
    assert book.get("11") == written
    assert (written.version, written.last.at) == (2, "2024-05-31T20:00:12Z")
    assert [kept.id for kept in book.newest_first()][:3] == ["11", "10", "9"]


def test_a_number_taken_meanwhile_by_another_table_is_skipped(
    store: MemoryStore, book: MatchBook, monkeypatch: pytest.MonkeyPatch
) -> None:
    begin(book)
    monkeypatch.setattr(store, "streams", lambda _kind: [])
    assert begin(book).id == "2"


def test_a_change_to_a_version_that_is_gone_is_refused(book: MatchBook) -> None:
    begin(book)
    book.change("1", plus(1, 1), version=1)
    with pytest.raises(Conflict, match="match/1 has 2 events, not 1: it was changed meanwhile"):
        book.change("1", plus(2, 2), version=1)
    assert standing(book.get("1").match).totals == {"pizza": 1, "gelato": 1}


def test_of_two_who_read_the_same_the_second_is_refused(book: MatchBook) -> None:
    begin(book)

    def slow(match: Match, at: str) -> MatchEvent:
        book.change("1", plus(1, 1))
        event: MatchEvent = plus(2, 2)(match, at)
        return event

    with pytest.raises(Conflict):
        book.change("1", slow)
    assert len(book.get("1").match.sheets) == 1


@pytest.mark.parametrize("word", ["2", "0", "-1", "01x", "²", "../1", "", "9" * 50])
def test_an_unknown_match_is_named_with_those_that_exist(book: MatchBook, word: str) -> None:
    begin(book, name="Friday")
    with pytest.raises(UnknownMatch, match=r"there is no match .*the latest are 1 \(Friday\)"):
        book.get(word)
    with pytest.raises(UnknownMatch):
        book.find(word)


def test_a_match_is_found_by_name_and_the_latest_of_that_name(book: MatchBook) -> None:
    for _ in range(2):
        begin(book, name="Friday")
    assert book.find("friday").id == "2"
    assert book.find("1").id == "1"


def test_the_running_match_and_the_one_changed_last(book: MatchBook) -> None:
    for _ in range(2):
        begin(book, target=10)
    assert book.latest_unfinished().id == "2"
    book.change("2", plus(11, 0))
    assert (book.latest_unfinished().id, book.last_changed().id) == ("1", "2")
    book.change("1", plus(0, 11))
    with pytest.raises(UnknownMatch, match="no match is being played"):
        book.latest_unfinished()


def test_every_kind_of_event_survives_being_written(book: MatchBook, store: MemoryStore) -> None:
    begin(book)
    sheet = RoundSheet((Tally("pizza", cards=3, race_left=0, illegal=2), Tally("gelato", cards=4)), "pizza")
    book.change("1", lambda match, at: add_round(match, sheet, at))
    book.change("1", lambda match, at: edit_round(match, 1, sheet, at))
    book.change("1", lambda match, at: undo_round(match, 1, at))
    book.change("1", lambda match, at: restore_round(match, 1, at))
    book.change("1", lambda _match, at: rename_match("Friday", at))
    stored = list(store.read("match/1"))
    assert {event.event["type"] for event in stored} == set(EVENT_TYPES)
    for event in stored:
        again = encode_match_event(decode_match_event("match/1", event))
        assert json.loads(json.dumps(again)) == event.event
    assert book.get("1").match.sheets == (sheet,)


@pytest.mark.parametrize(
    "event",
    [
        {"type": "round-doubled"},
        {"no": "type"},
        {"type": "round-added"},
        {"type": "round-undone", "round": "second"},
        {"type": "round-added", "sheet": {"tallies": [{"cards": 3}]}},
    ],
)
def test_a_damaged_event_is_named(book: MatchBook, store: MemoryStore, event: Event) -> None:
    begin(book)
    store.append("match/1", [event], expected=1)
    with pytest.raises(StoreError, match="event 2 of match/1 is damaged or was written by a newer Finito"):
        book.get("1")


def test_events_carry_the_time_they_were_written(book: MatchBook) -> None:
    begin(book)
    last = book.change("1", plus(1, 2)).last
    assert isinstance(last, RoundAdded)
    assert last.at == "2024-05-31T20:00:02Z"


def test_two_tables_of_a_club_share_one_book(postgres_address: str) -> None:
    with match_book(postgres_address) as first, match_book(postgres_address) as second:
        assert (begin(first).id, begin(second).id) == ("1", "2")
        first.change("2", plus(3, 4))
        assert standing(second.get("2").match).totals == {"pizza": 3, "gelato": 4}
