"""The table over HTTP: calls, rulings, corrections, count, restart."""

from __future__ import annotations

import time
from contextlib import suppress
from pathlib import Path
from typing import Any

import httpx
import pytest

from finito.store.memory import MemoryStore
from finito.web.app import Places, create_app
from finito.web.host import TableHost
from finito.web.journal import Journal
from finito.web.tables import Table
from finito.web.written_round import WrittenRound
from referee.actions import Undo
from referee.errors import RefereeError
from tests.web.client import Client
from tests.web.written import lay, misread

PATIENCE = 120.0


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def api(store: MemoryStore, tmp_path: Path) -> Client:
    return Client(create_app(store, places=Places(tmp_path, tmp_path / "sessions")))


def host_of(api: Client) -> TableHost:
    found: TableHost = api.app.state.host
    return found


def told(api: Client, lines: int = 6) -> dict[str, Any]:
    """The table once the story was told."""
    end = time.monotonic() + PATIENCE
    while time.monotonic() < end:
        shown = ok(api.get("/api/table"))
        if len(shown["lines"]) >= lines and shown["status"]["state"] == "over":
            return shown
        time.sleep(0.05)
    raise AssertionError(shown)


def ok(answer: httpx.Response, status: int = 200) -> dict[str, Any]:
    assert answer.status_code == status, answer.text
    found: dict[str, Any] = answer.json()
    return found


@pytest.fixture
def laid(api: Client) -> dict[str, Any]:
    lay(host_of(api))
    return told(api)


def call_of(shown: dict[str, Any]) -> dict[str, Any]:
    found: dict[str, Any] = next(line for line in shown["lines"] if line["rule"] == "wrong-colour")
    return found


def test_an_idle_table_says_so(api: Client) -> None:
    assert ok(api.get("/api/table"))["status"]["state"] == "idle"
    assert "set one up" in api.post("/api/table/undo").json()["error"]
    assert "set one up" in api.post("/api/table/next").json()["error"]
    assert api.get("/api/table/picture.jpg").status_code == 404


def test_a_fault_is_called_in_the_language_of_the_page(api: Client, laid: dict[str, Any]) -> None:
    call = call_of(laid)
    assert (call["verdict"], call["player"]) == ("illegal", "pizza")
    assert "yellow 2 is next, not green 2" in call["why"]
    german = call_of(ok(api.get("/api/table?lang=de")))
    assert "jetzt kommt die gelbe 2" in german["why"]
    assert german["says"].startswith("Ein Stapel hat eine Farbe")
    assert "words" not in german


def test_a_call_that_was_wrong_falls_and_the_score_follows(api: Client, laid: dict[str, Any]) -> None:
    line = call_of(laid)["line"]
    assert (laid["board"]["points"], laid["board"]["faults"]["pizza"]) == ({"pizza": 1, "gelato": 1}, 1)
    after = ok(api.post("/api/table/rulings", json={"line": line, "ruling": "wrong"}))
    put_right = next(each for each in after["lines"] if each["line"] == line)
    assert (put_right["face"], put_right["verdict"], put_right["corrected"]) == ("Y2", "legal", True)
    assert (after["board"]["points"]["pizza"], after["board"]["faults"]["pizza"]) == (2, 0)
    back = ok(api.post("/api/table/undo"))
    assert call_of(back)["line"] == line
    assert back["board"] == laid["board"]


def test_what_is_let_pass_is_no_fault_and_can_be_taken_back(api: Client, laid: dict[str, Any]) -> None:
    line = call_of(laid)["line"]
    after = ok(api.post("/api/table/rulings", json={"line": line, "ruling": "pass"}))
    assert (call_of(after)["ruling"], after["board"]["faults"]["pizza"]) == ("pass", 0)
    again = ok(
        api.post("/api/table/corrections", json={"type": "undo", "line": call_of(after)["settled_by"]})
    )
    assert "ruling" not in call_of(again)
    assert again["board"]["faults"]["pizza"] == 1
    confirmed = ok(api.post("/api/table/rulings", json={"line": line, "ruling": "right"}))
    assert (call_of(confirmed)["ruling"], confirmed["board"]["faults"]["pizza"]) == ("right", 1)


def test_anything_is_undone_and_later_verdicts_follow(api: Client, laid: dict[str, Any]) -> None:
    opening = next(line for line in laid["lines"] if line["type"] == "play" and line["face"] == "Y0")
    after = ok(api.post("/api/table/corrections", json={"type": "undo", "line": opening["line"]}))
    by_line = {line["line"]: line for line in after["lines"]}
    assert by_line[opening["line"]]["said"] == "withdrawn"
    later = next(line for line in after["lines"] if line.get("face") == "Y1")
    assert later["verdict"] != "legal"
    back = ok(
        api.post(
            "/api/table/corrections", json={"type": "undo", "line": by_line[opening["line"]]["settled_by"]}
        )
    )
    verdicts = [(line["line"], line["verdict"], line["why"]) for line in back["lines"]]
    assert verdicts == [(line["line"], line["verdict"], line["why"]) for line in laid["lines"]]


@pytest.mark.parametrize(
    ("path", "body"),
    [
        ("rulings", {"line": 999, "ruling": "wrong"}),
        ("rulings", {"line": 5, "ruling": "wrong"}),
        ("rulings", {"line": 5, "ruling": "maybe"}),
        ("corrections", {"type": "undo", "line": 999}),
        ("corrections", {"type": "amend", "line": 6}),
        ("corrections", {"type": "amend", "line": 6, "action": {"type": "play", "player": "nobody"}}),
        ("corrections", {"type": "undo", "line": 10**9}),
        ("count", {"by_back": {"sushi": 2}}),
        ("count", {"by_back": {"pizza": 99}}),
        ("finito", {"player": "nobody"}),
    ],
)
def test_what_cannot_be_said_is_refused_and_changes_nothing(
    api: Client, laid: dict[str, Any], path: str, body: object
) -> None:
    answer = api.post(f"/api/table/{path}", json=body)
    assert answer.status_code == 422, answer.text
    assert answer.json()["error"]
    assert ok(api.get("/api/table"))["lines"] == laid["lines"]


def test_a_false_finito_is_called(api: Client, laid: dict[str, Any]) -> None:
    assert laid
    after = ok(api.post("/api/table/finito", json={"player": "gelato"}))
    assert after["lines"][-1]["rule"] == "false-finito"


def test_a_count_goes_into_the_match_and_a_correction_follows_it(api: Client, laid: dict[str, Any]) -> None:
    assert ok(api.get("/api/table/suggestion")) == {"by_back": {"pizza": 1, "gelato": 1}, "total": 2}
    after = ok(api.post("/api/table/count", json={"by_back": {"pizza": 2, "gelato": 1}}))
    assert after["about"]["match"]["totals"] == {"pizza": 2, "gelato": 1}
    assert after["about"]["match"]["statistics"]["pizza"]["illegal"] == 1
    line = call_of(laid)["line"]
    ok(api.post("/api/table/rulings", json={"line": line, "ruling": "wrong"}))
    kept = ok(api.get("/api/matches/1"))
    assert (len(kept["rounds"]), kept["statistics"]["pizza"]["illegal"]) == (1, 0)
    ok(api.post("/api/table/count", json={"by_back": {"pizza": 5, "gelato": 1}}))
    kept = ok(api.get("/api/matches/1"))
    assert (len(kept["rounds"]), kept["totals"]["pizza"]) == (1, 5)


def test_a_server_that_was_killed_goes_on_with_nothing_lost(
    api: Client, laid: dict[str, Any], store: MemoryStore, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    import finito.web.host as module

    line = call_of(laid)["line"]
    before = ok(api.post("/api/table/rulings", json={"line": line, "ruling": "wrong"}))
    with (tmp_path / "table.jsonl").open("a") as journal:
        journal.write('{"type": "play", "pla')  # the kill came in the middle of a line
    monkeypatch.setattr(module, "_story", lambda _wish: misread())
    again = Client(create_app(store, places=Places(tmp_path, tmp_path / "sessions")))
    assert host_of(again).resume()
    after = told(again)
    assert (after["lines"], after["board"]) == (before["lines"], before["board"])
    assert ok(again.post("/api/table/undo"))["board"] == laid["board"]


def test_a_line_that_cannot_be_judged_any_more_does_not_end_the_round(tmp_path: Path) -> None:
    journal = Journal(tmp_path / "table.jsonl")
    journal.begin({"type": "table"})
    told = WrittenRound(Table(), journal)
    story = misread()
    for entry in story.entries[:5]:
        told.tell(entry)
    opening = len(journal.lines)
    told.correct(Undo(opening))
    for entry in story.entries[5:]:
        with suppress(RefereeError):
            told.tell(entry)
    told.correct(Undo(len(journal.lines) - len(story.entries[5:])))
    again = WrittenRound(Table(), Journal(tmp_path / "table.jsonl"))
    assert again.entries == told.entries == len(story.entries)
    assert again.suggestion() == told.suggestion()
    assert again.suggestion()["pizza"] == 1


def test_a_demo_is_set_up_by_name(api: Client) -> None:
    body = {"names": ["Anna", "Ben"], "target": 60, "pace": 50.0}
    made = ok(api.post("/api/table", json=body), 201)
    match = made["about"]["match"]
    assert ([player["name"] for player in match["players"]], match["target"]) == (["Anna", "Ben"], 60)
    shown = told(api)
    assert shown["board"]["finito"] in [player["back"] for player in match["players"]]
    assert shown["board"]["faults"] != {}
    host_of(api).close()
