"""Rounds under the camera are recorded, replayed on the page, and gone on with after a kill."""

from __future__ import annotations

import math
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import httpx
import pytest

from finito.recording.library import SessionLibrary
from finito.recording.session import Session
from finito.store.memory import MemoryStore
from finito.web.app import Places
from tests.free_port import free_port
from tests.web.running import Running, running
from tests.web.told_round import ToldRound
from tests.web.told_server import CALLED, LATER, PATIENCE, told_server, wait_for_video


@contextmanager
def refereed(places: Places, told: ToldRound, store: MemoryStore | None = None) -> Iterator[Running]:
    with running(places, store=store) as server:
        openings = server.app.state.openings
        openings._source, openings._eyes = told.source, told.eyes
        yield server


def asked(url: str, method: str, path: str, body: Any = None) -> Any:
    with httpx.Client(base_url=url, trust_env=False, timeout=120) as client:
        answer = client.request(method, path, json=body)
        assert answer.status_code < 400, answer.text
        return answer.json()


def until(url: str, true: Callable[[dict[str, Any]], bool]) -> dict[str, Any]:
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        shown: dict[str, Any] = asked(url, "GET", "/api/table")
        if true(shown):
            return shown
        time.sleep(0.1)
    raise AssertionError(shown["status"], [line["why"] for line in shown["lines"]])


def over(shown: dict[str, Any]) -> bool:
    return bool(shown["status"]["state"] == "over")


def words(shown: dict[str, Any]) -> list[Any]:
    """What a page shows of each line, without the time at which it was told."""
    names = ("line", "type", "player", "verdict", "rule", "why", "said", "ruling", "settled_by")
    return [[line.get(name) for name in names] for line in shown["lines"]]


def test_a_round_from_the_page_is_recorded_and_replayed_there(places: Places) -> None:
    told = ToldRound()
    with refereed(places, told) as server:
        backs = list(told.header.players)
        body = {"source": "0", "backs": backs, "names": ["Anna", "Ben"], "seats": ["south", "north"]}
        asked(server.url, "POST", "/api/table", body)
        shown = until(server.url, over)
        assert [player["name"] for player in shown["about"]["match"]["players"]] == ["Anna", "Ben"]
        accused = next(line for line in shown["lines"] if line["rule"] == "wrong-colour")
        asked(server.url, "POST", "/api/table/rulings", {"line": accused["line"], "ruling": "pass"})
        asked(server.url, "POST", "/api/table/count", {"by_back": dict.fromkeys(backs, 7)})
        listed = asked(server.url, "GET", "/api/sessions")
        assert [each["session"] for each in listed] == [shown["status"]["session"]]
        assert listed[0]["players"] == backs
        session = asked(server.url, "GET", f"/api/sessions/{listed[0]['session']}?lang=fr")
        called = {line["line"]: line for line in session["lines"] if line.get("verdict")}
        assert len(called) >= len([line for line in shown["lines"] if line.get("said") != "withdrawn"])
        assert any(
            line.get("rule") == "wrong-colour" and line["ruling"] == "pass" for line in called.values()
        )
        assert "on attend" in next(line["why"] for line in called.values() if line["rule"] == "wrong-colour")
        dealt = next(board for board in session["boards"] if board["started"])["sides"].values()
        assert not all(card == "??" for side in dealt for card in side["helps"])
        assert session["parts"], "there is a video of it"
        counted = [line for line in session["lines"] if line["type"] == "count"]
        assert counted[0]["by_back"] == dict.fromkeys(backs, 7)
        assert session["boards"][-1]["piles"]
    assert Session(SessionLibrary(places.sessions or Path()).folder / listed[0]["session"]).closed


def test_nothing_is_recorded_where_nobody_wants_it(places: Places) -> None:
    told = ToldRound(pace=100.0)
    with refereed(places, told) as server:
        body = {"source": "0", "backs": list(told.header.players), "record": False}
        asked(server.url, "POST", "/api/table", body)
        until(server.url, over)
        assert asked(server.url, "GET", "/api/sessions") == []


def test_the_camera_goes_on_with_the_next_round_of_the_match(places: Places) -> None:
    told = ToldRound(pace=100.0)
    with refereed(places, told) as server:
        server.app.state.openings.watch("0", told.order)
        until(server.url, over)
        asked(server.url, "POST", "/api/table/count", {"by_back": dict.fromkeys(told.header.players, 5)})
        asked(server.url, "POST", "/api/table/next")
        shown = until(server.url, over)
        asked(server.url, "POST", "/api/table/count", {"by_back": dict.fromkeys(told.header.players, 6)})
        match = asked(server.url, "GET", f"/api/matches/{shown['about']['match']['match']}")
        assert [entry["by_back"][told.header.players[0]] for entry in match["rounds"]] == [5, 6]
        assert len(asked(server.url, "GET", "/api/sessions")) == 2


def test_a_count_is_undone_and_made_again(places: Places) -> None:
    told = ToldRound(pace=100.0)
    with refereed(places, told) as server:
        server.app.state.openings.watch("0", told.order)
        until(server.url, over)
        first, other = told.header.players
        asked(server.url, "POST", "/api/table/count", {"by_back": {first: 5, other: 9}})
        undone = asked(server.url, "POST", "/api/table/undo")
        assert (undone["result"], undone["about"]["round"]) == (None, None)
        assert set(undone["about"]["match"]["totals"].values()) == {0}
        again = asked(server.url, "POST", "/api/table/count", {"by_back": {first: 6, other: 9}})
        assert [entry["status"] for entry in again["about"]["match"]["rounds"]] == ["counts"]
        assert again["about"]["match"]["rounds"][0]["by_back"] == {first: 6, other: 9}
        name = asked(server.url, "GET", "/api/sessions")[0]["session"]
        told_again = asked(server.url, "GET", f"/api/sessions/{name}")["lines"]
        assert [line["by_back"] for line in told_again if line["type"] == "count"] == [{first: 6, other: 9}]


def test_a_server_killed_under_a_camera_goes_on_with_nothing_lost(tmp_path: Path) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with told_server(tmp_path, port, CALLED) as server:
        until(url, lambda shown: any(line["rule"] == "wrong-colour" for line in shown["lines"]))
        call = next(line for line in until(url, lambda _: True)["lines"] if line["rule"] == "wrong-colour")
        asked(url, "POST", "/api/table/rulings", {"line": call["line"], "ruling": "wrong"})
        wait_for_video(tmp_path, call["t"])
        before = until(url, lambda _: True)
        server.send_signal(signal.SIGKILL)
        server.wait()
    with told_server(tmp_path, port, LATER):
        after = until(url, lambda shown: len(shown["lines"]) > len(before["lines"]))
        known = {line[0] for line in words(before)}
        assert [line for line in words(after) if line[0] in known][: len(known)] == words(before)
        assert after["about"]["match"]["match"] == before["about"]["match"]["match"]
        assert asked(url, "GET", f"/api/table/evidence/{call['line']}")["pictures"] > 0
        asked(url, "POST", "/api/table/undo")
        again = until(url, lambda _: True)
        assert (
            next(line for line in again["lines"] if line["line"] == call["line"]).get("said") != "withdrawn"
        )


@pytest.mark.parametrize("seed", [11, 12, 13])
def test_nobody_is_accused_because_the_server_was_started_again(places: Places, seed: int) -> None:
    """A round without a fault, cut off in its middle; the eyes see all anew."""
    told, store = ToldRound(seed, (), pace=100.0), MemoryStore()
    half = told.seen[len(told.seen) // 2].t
    told.pauses = half  # so that the round cannot be over before it is cut off
    with refereed(places, told, store) as server:
        server.app.state.openings.watch("0", told.order)
        until(server.url, lambda shown: any(line["t"] > half - 10 for line in shown["lines"]))
        before = until(server.url, lambda _: True)
        server.app.state.host.close()
    told.pauses = math.inf
    with refereed(places, told, store) as server:
        assert server.app.state.openings.resume()
        after = until(server.url, over)
    assert len(after["lines"]) > len(before["lines"])
    accused = [
        line["why"]
        for line in after["lines"]
        if line["verdict"] == "illegal" and line.get("said") != "withdrawn"
    ]
    assert accused == []
