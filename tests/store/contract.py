"""What every store promises; the three stores run the same tests."""

from __future__ import annotations

from itertools import islice
from threading import Barrier, Thread
from typing import Any

import pytest

from finito.store.interface import Conflict, EventStore, StoreError


class StoreContract:
    """Subclasses give a fixture `store`."""

    def test_events_come_back_in_order_and_numbered_from_one(self, store: EventStore) -> None:
        assert store.append("match/1", [{"n": 1}, {"n": 2}], expected=0) == 2
        assert store.append("match/1", [{"n": 3}], expected=2) == 3
        assert [(kept.sequence, kept.event) for kept in store.read("match/1")] == [
            (1, {"n": 1}),
            (2, {"n": 2}),
            (3, {"n": 3}),
        ]

    def test_reading_starts_after_a_given_event(self, store: EventStore) -> None:
        store.append("match/1", [{"n": n} for n in range(1, 6)], expected=0)
        assert [kept.sequence for kept in store.read("match/1", after=3)] == [4, 5]
        assert list(store.read("match/1", after=5)) == []
        assert list(store.read("match/1", after=99)) == []

    def test_a_stream_never_written_is_empty(self, store: EventStore) -> None:
        assert list(store.read("match/404")) == []
        assert store.streams("match") == []

    def test_streams_do_not_mix(self, store: EventStore) -> None:
        store.append("match/1", [{"of": "match"}], expected=0)
        store.append("round/1", [{"of": "round"}], expected=0)
        assert [kept.event for kept in store.read("round/1")] == [{"of": "round"}]

    def test_streams_are_listed_by_kind_and_sorted(self, store: EventStore) -> None:
        for stream in ("match/2", "round/x", "match/1", "matchbox/1"):
            store.append(stream, [{}, {}], expected=0)
        assert store.streams("match") == ["match/1", "match/2"]
        assert store.streams("round") == ["round/x"]
        assert store.streams("deck") == []

    @pytest.mark.parametrize("expected", [0, 1, 3, 99])
    def test_a_stale_writer_is_refused_and_nothing_is_written(self, store: EventStore, expected: int) -> None:
        store.append("match/1", [{"n": 1}, {"n": 2}], expected=0)
        with pytest.raises(Conflict, match=f"match/1 has 2 events, not {expected}"):
            store.append("match/1", [{"late": 1}, {"late": 2}], expected=expected)
        assert [kept.event for kept in store.read("match/1")] == [{"n": 1}, {"n": 2}]

    def test_appending_nothing_changes_nothing(self, store: EventStore) -> None:
        assert store.append("match/1", [], expected=0) == 0
        assert store.streams("match") == []
        with pytest.raises(Conflict):
            store.append("match/1", [], expected=1)

    def test_one_bad_event_and_none_is_kept(self, store: EventStore) -> None:
        for bad in ({"n": float("nan")}, {"n": object()}, {"n": {1, 2}}):
            with pytest.raises(StoreError, match="not plain JSON"):
                store.append("match/1", [{"n": 1}, bad], expected=0)
        assert list(store.read("match/1")) == []

    @pytest.mark.parametrize(
        "event",
        [
            {"name": "Zoë – Müller 😀", "quote": "'; DROP TABLE events; --"},
            {"nul": "a\x00b", "newline": "a\nb", "lone": "\ud800"},
            {"deep": [{"list": [1, 2.5, None, True, {"x": []}]}], "big": 2**60, "tiny": 1e-300},
            {},
            {"long": "x" * 200_000},
        ],
    )
    def test_any_json_comes_back_as_it_was(self, store: EventStore, event: dict[str, Any]) -> None:
        store.append("match/1", [event], expected=0)
        assert next(store.read("match/1")).event == event

    def test_an_event_cannot_be_changed_after_it_was_kept(self, store: EventStore) -> None:
        event: dict[str, Any] = {"list": [1]}
        store.append("match/1", [event], expected=0)
        event["list"].append(2)
        next(store.read("match/1")).event["list"].append(3)
        assert next(store.read("match/1")).event == {"list": [1]}

    @pytest.mark.parametrize(
        "name", ["match", "match/", "/1", "Match/1", "match/a b", "match/1/2", "match/é", ""]
    )
    def test_a_stream_needs_a_kind_and_a_key(self, store: EventStore, name: str) -> None:
        with pytest.raises(StoreError, match="cannot name a stream"):
            store.append(name, [{}], expected=0)
        with pytest.raises(StoreError, match="cannot name a stream"):
            list(store.read(name))

    def test_a_long_stream_reads_completely_and_can_be_left_early(self, store: EventStore) -> None:
        store.append("round/1", [{"n": n} for n in range(1, 1502)], expected=0)
        assert [kept.event["n"] for kept in store.read("round/1")] == list(range(1, 1502))
        assert [kept.sequence for kept in islice(store.read("round/1"), 3)] == [1, 2, 3]
        store.append("round/1", [{"n": 1502}], expected=1501)

    def test_of_eight_writers_at_once_exactly_one_wins_each_number(self, store: EventStore) -> None:
        barrier, refused = Barrier(8), []

        def write(writer: int) -> None:
            barrier.wait()
            try:
                store.append("match/1", [{"writer": writer}, {"writer": writer}], expected=0)
            except Conflict:
                refused.append(writer)

        threads = [Thread(target=write, args=(writer,)) for writer in range(8)]
        for thread in threads:
            thread.start()
        for thread in threads:
            thread.join()
        kept = list(store.read("match/1"))
        assert len(refused) == 7
        assert [event.sequence for event in kept] == [1, 2]
        assert kept[0].event == kept[1].event
