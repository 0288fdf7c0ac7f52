"""Matches over HTTP."""

from __future__ import annotations

import csv
import io
from typing import Any

import httpx
import pytest

from finito.store.interface import StoreError
from finito.store.memory import MemoryStore
from finito.web.app import create_app
from finito.web.guard import MOST_BYTES
from tests.web.client import Client

PLAYERS = [{"back": "pizza", "name": "Anna", "seat": "south"}, {"back": "gelato", "name": "Ben"}]
ROUND = {"by_back": {"pizza": 12, "gelato": 9}, "finito": "pizza"}


@pytest.fixture
def store() -> MemoryStore:
    return MemoryStore()


@pytest.fixture
def api(store: MemoryStore) -> Client:
    return Client(create_app(store, now=lambda: "2024-05-31T20:00:00Z"))


@pytest.fixture
def friday(api: Client) -> str:
    answer = api.post("/api/matches", json={"players": PLAYERS, "name": "Friday"})
    assert answer.status_code == 201
    return f"/api/matches/{answer.json()['match']}"


def ok(answer: httpx.Response, status: int = 200) -> Any:
    assert answer.status_code == status, answer.text
    return answer.json()


def refused(answer: httpx.Response, status: int) -> str:
    """The one sentence of a refusal."""
    assert answer.status_code == status, answer.text
    body = answer.json()
    assert list(body) == ["error"]
    sentence: str = body["error"]
    assert "\n" not in sentence
    return sentence


def test_health_says_that_the_store_answers(api: Client, friday: str) -> None:
    assert friday
    health = ok(api.get("/api/health"))
    assert (health["status"], health["matches"]) == ("ok", 1)


def test_a_store_that_fails_is_no_healthy_server(
    api: Client, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def locked(_kind: str) -> list[str]:
        raise StoreError("the database is in use by another program")

    monkeypatch.setattr(store, "streams", locked)
    assert "in use" in refused(api.get("/api/health"), 503)
    assert "in use" in refused(api.get("/api/matches"), 503)


def test_a_match_is_created_played_and_won(api: Client) -> None:
    made = ok(
        api.post("/api/matches", json={"players": PLAYERS, "target": 30, "variant": ["zero", "chaos"]}), 201
    )
    assert (made["match"], made["version"], made["created"]) == ("1", 1, "2024-05-31T20:00:00Z")
    assert made["players"][1] == {"back": "gelato", "name": "Ben", "seat": None}
    after = ok(api.post("/api/matches/1/rounds", json=ROUND), 201)
    assert (after["totals"], after["leaders"]) == ({"pizza": 17, "gelato": 9}, ["pizza"])
    after = ok(api.post("/api/matches/1/rounds", json={"points": {"Anna": 13, "Ben": 4}}), 201)
    assert (after["winner"], after["decided_in"]) == ("pizza", 2)
    assert ok(api.get("/api/matches/1")) == after
    assert "the match is over" in refused(api.post("/api/matches/1/rounds", json=ROUND), 409)


def test_ligretto_takes_points_for_race_cards_left(api: Client) -> None:
    ok(api.post("/api/matches", json={"players": PLAYERS, "game": "ligretto"}), 201)
    played = {**ROUND, "race_left": {"gelato": 4}, "illegal": {"Ben": 2}}
    after = ok(api.post("/api/matches/1/rounds", json=played), 201)
    assert after["totals"] == {"pizza": 12, "gelato": 1}
    assert after["statistics"]["gelato"]["illegal"] == 2


def test_a_round_is_edited_undone_and_restored(api: Client, friday: str) -> None:
    for _ in range(2):
        ok(api.post(f"{friday}/rounds", json=ROUND), 201)
    assert (
        ok(api.put(f"{friday}/rounds/1", json={"points": {"pizza": 1, "gelato": 2}}))["totals"]["pizza"] == 18
    )
    assert ok(api.post(f"{friday}/undo"))["totals"] == {"pizza": 1, "gelato": 2}
    assert ok(api.post(f"{friday}/rounds/1/undo"))["totals"] == {"pizza": 0, "gelato": 0}
    assert ok(api.post(f"{friday}/redo"))["totals"] == {"pizza": 1, "gelato": 2}
    after = ok(api.post(f"{friday}/rounds/2/redo"))
    assert (after["totals"]["pizza"], after["version"]) == (18, 8)
    assert "nothing to restore" in refused(api.post(f"{friday}/redo"), 409)
    assert "not undone" in refused(api.post(f"{friday}/rounds/2/redo"), 409)


def test_a_change_based_on_an_old_version_is_refused(api: Client, friday: str) -> None:
    ok(api.post(f"{friday}/rounds?version=1", json=ROUND), 201)
    for method, path, body in [
        ("POST", "/rounds", ROUND),
        ("PUT", "/rounds/1", ROUND),
        ("POST", "/undo", None),
        ("POST", "/rounds/1/undo", None),
        ("PATCH", "", {"name": "Saturday"}),
    ]:
        answer = api(method, f"{friday}{path}?version=1", json=body)
        assert "has 2 events, not 1: it was changed meanwhile" in refused(answer, 409)
    assert ok(api.get(friday))["version"] == 2


def test_a_match_is_renamed(api: Client, friday: str) -> None:
    assert ok(api.patch(friday, json={"name": "Saturday"}))["name"] == "Saturday"
    assert "will not do" in refused(api.patch(friday, json={"name": "=x"}), 422)


def test_matches_are_listed_newest_first(api: Client) -> None:
    assert ok(api.get("/api/matches")) == []
    for name in ("one", "two", "three"):
        ok(api.post("/api/matches", json={"players": PLAYERS, "name": name}), 201)
    assert [match["name"] for match in ok(api.get("/api/matches?limit=2"))] == ["three", "two"]


def test_a_match_is_exported(api: Client, friday: str) -> None:
    ok(api.post(f"{friday}/rounds", json=ROUND), 201)
    answer = api.get(f"{friday}/export")
    assert answer.headers["content-type"].startswith("text/csv")
    assert answer.headers["content-disposition"] == 'attachment; filename="match-1.csv"'
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert [(row["player"], row["points"]) for row in rows] == [("Anna", "17"), ("Ben", "9")]
    assert ok(api.get(f"{friday}/export?format=json")) == ok(api.get(friday))
    refused(api.get(f"{friday}/export?format=xml"), 422)


@pytest.mark.parametrize(
    ("method", "path"),
    [
        ("GET", "/api/matches/7"),
        ("GET", "/api/matches/x"),
        ("GET", "/api/matches/7/export"),
        ("POST", "/api/matches/7/undo"),
        ("POST", "/api/matches/1/rounds/7/undo"),
        ("GET", "/api/nothing"),
        ("GET", "/nothing"),
    ],
)
def test_what_does_not_exist_is_not_found(api: Client, friday: str, method: str, path: str) -> None:
    assert friday
    refused(api(method, path), 404)


def test_an_unknown_match_names_those_that_exist(api: Client, friday: str) -> None:
    assert friday
    assert refused(api.get("/api/matches/7"), 404) == "there is no match '7'; the latest are 1 (Friday)"


def test_a_wrong_method_is_refused_in_json(api: Client, friday: str) -> None:
    answer = api("DELETE", friday)
    refused(answer, 405)
    assert answer.headers["allow"]


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, "body.players: Field required"),
        ({"players": PLAYERS[:1]}, "body.players"),
        ({"players": PLAYERS * 7}, "body.players"),
        ({"players": PLAYERS, "colour": "red"}, "body.colour: Extra inputs are not permitted"),
        ({"players": [{"back": "x" * 41}, {"back": "y"}]}, "body.players.0.back"),
        ({"players": [{"back": "a", "seat": "upstairs"}, {"back": "b"}]}, "body.players.0.seat"),
        ({"players": PLAYERS, "target": 0}, "body.target"),
        ({"players": PLAYERS, "target": "100"}, "body.target"),
        ({"players": PLAYERS, "target": 10**9}, "body.target"),
        ({"players": PLAYERS, "game": "uno"}, "'uno' is not known; known are espresso"),
        ({"players": PLAYERS, "variant": ["turbo"]}, "'turbo' is not known"),
        ({"players": [{"back": "a"}, {"back": "a"}]}, "'a' is named twice"),
        ([], "body"),
    ],
)
def test_a_match_that_cannot_be_is_refused(api: Client, body: object, sentence: str) -> None:
    assert sentence in refused(api.post("/api/matches", json=body), 422)
    assert ok(api.get("/api/matches")) == []


@pytest.mark.parametrize(
    ("body", "sentence"),
    [
        ({}, "give either by_back or points"),
        ({**ROUND, "points": {"pizza": 1, "gelato": 2}}, "give either by_back or points"),
        ({"by_back": {"pizza": 1}}, "lacks Ben (gelato)"),
        ({"by_back": {"pizza": 1, "sushi": 2}}, "'sushi' does not play in this match"),
        ({**ROUND, "finito": "sushi"}, "'sushi' does not play"),
        ({**ROUND, "illegal": {"sushi": 1}}, "'sushi' does not play"),
        ({"by_back": {"pizza": 1, "gelato": 2, "Anna": 3}}, "'Anna' gives a second number"),
        ({"by_back": {"pizza": 37, "gelato": 2}}, "only 0 to 36"),
        ({"by_back": {"pizza": -1, "gelato": 2}}, "body.by_back.pizza"),
        ({"by_back": {"pizza": 1.5, "gelato": 2}}, "body.by_back.pizza"),
        ({"by_back": {"pizza": True, "gelato": 2}}, "body.by_back.pizza"),
        ({"points": {"pizza": 1001, "gelato": 2}}, "body.points.pizza"),
        ({**ROUND, "comment": "x"}, "body.comment: Extra inputs"),
    ],
)
def test_a_round_that_cannot_be_is_refused(api: Client, friday: str, body: object, sentence: str) -> None:
    assert sentence in refused(api.post(f"{friday}/rounds", json=body), 422)
    assert ok(api.get(friday))["version"] == 1


@pytest.mark.parametrize(
    "content",
    [b"{broken", b"", b"\xff\xfe\x00", b'{"players": NaN}', b"[" * 5_000],
)
def test_a_body_that_is_no_json_is_refused(api: Client, content: bytes) -> None:
    answer = api.post("/api/matches", content=content, headers={"Content-Type": "application/json"})
    assert answer.status_code in (400, 422)
    refused(answer, answer.status_code)


def test_a_huge_body_is_refused_before_it_is_read(api: Client) -> None:
    json_type = {"Content-Type": "application/json"}
    answer = api.post("/api/matches", content=b" " * (MOST_BYTES + 1), headers=json_type)
    assert "too large" in refused(answer, 413)
    lying = api.post("/api/matches", content=b"{}", headers=json_type | {"Content-Length": "9" * 5000})
    assert "too large" in refused(lying, 413)

    async def pieces() -> Any:
        for _ in range(100):
            yield b" " * 1000

    assert "too large" in refused(api.post("/api/matches", content=pieces(), headers=json_type), 413)


def test_a_page_of_another_site_may_not_change_a_match(api: Client, friday: str) -> None:
    ok(api.post(f"{friday}/rounds", json=ROUND), 201)
    for origin in ("https://evil.example", "null", "http://127.0.0.1:9999"):
        assert "may not change" in refused(api.post(f"{friday}/undo", headers={"Origin": origin}), 403)
    ok(api.post(f"{friday}/undo", headers={"Origin": "http://127.0.0.1:8000"}))


def test_a_server_on_this_machine_answers_only_under_its_own_name(store: MemoryStore) -> None:
    app = create_app(store, hosts=frozenset({"127.0.0.1", "localhost"}))
    ok(Client(app).get("/api/health"))
    ok(Client(app, host="localhost:8000").get("/api/health"))
    for name in ("evil.example", "[", "", "127.0.0.1.evil.example"):
        answer = Client(app).get("/api/health", headers={"Host": name})
        assert f"does not answer for {name!r}" in refused(answer, 421)


def test_a_fault_of_our_own_shows_no_traceback(
    api: Client, store: MemoryStore, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(_kind: str) -> list[str]:
        raise ZeroDivisionError("secret")

    monkeypatch.setattr(store, "streams", broken)
    assert "secret" not in refused(api.get("/api/health"), 500)


def test_the_api_is_documented(api: Client) -> None:
    document = ok(api.get("/api/openapi.json"))
    operations = [
        (path, method, operation)
        for path, methods in document["paths"].items()
        for method, operation in methods.items()
    ]
    assert len(operations) == 47
    for path, method, operation in operations:
        assert operation["summary"], (method, path)
        if path != "/api/health":
            error = operation["responses"]["422"]["content"]["application/json"]["schema"]["$ref"]
            assert error.endswith("/Problem")
    assert document["components"]["schemas"]["NewRound"]["properties"]["by_back"]["examples"]
    assert document["components"]["schemas"]["NewMatch"]["additionalProperties"] is False
