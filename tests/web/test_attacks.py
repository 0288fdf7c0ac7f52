"""What a stranger on the network, another site in the browser, or a broken client may try."""

from __future__ import annotations

import json
import socket
import stat
from collections.abc import AsyncIterator
from pathlib import Path
from typing import Any

import anyio
import httpx
import pytest
from fastapi import FastAPI

from finito.errors import BadInput
from finito.store.memory import MemoryStore
from finito.web.access import COOKIE, Keys, Role, kept_keys
from finito.web.app import create_app
from finito.web.impatience import ImpatientProtocol
from finito.web.links import Links
from tests.web.client import Client
from tests.web.running import running

KEYS = Keys("t" * 24, "r" * 24)
MATCH = {"players": [{"back": "pizza"}, {"back": "gelato"}]}


@pytest.fixture
def lan() -> FastAPI:
    return create_app(MemoryStore(), links=Links("https://table:8000", KEYS))


def bearer(key: str) -> dict[str, str]:
    return {"Authorization": f"Bearer {key}"}


@pytest.mark.parametrize("key", [None, "", "x", "T" * 24, "ü" * 24, KEYS.table[:-1], KEYS.table + "t"])
def test_nobody_reads_or_writes_without_a_key(lan: FastAPI, key: str | None) -> None:
    client = Client(lan)
    headers = {} if key is None else {"Authorization": f"Bearer {key}".encode()}
    for method, path in [("GET", "/api/matches"), ("POST", "/api/matches"), ("GET", "/api/openapi.json")]:
        answer = client(method, path, headers=headers)
        assert answer.status_code == 401, (method, path)
        assert "key" in answer.json()["error"]


def test_a_spectator_reads_and_never_writes(lan: FastAPI) -> None:
    client = Client(lan)
    assert client.get("/api/matches", headers=bearer(KEYS.read)).status_code == 200
    for method, path in [
        ("POST", "/api/matches"),
        ("PATCH", "/api/matches/1"),
        ("PUT", "/api/matches/1/rounds/1"),
        ("POST", "/api/matches/1/undo"),
        ("DELETE", "/api/sessions/x"),
    ]:
        answer = client(method, path, json=MATCH, headers=bearer(KEYS.read))
        assert answer.status_code == 403, (method, path)
        assert "only watch" in answer.json()["error"]
    assert client.get("/api/matches", headers=bearer(KEYS.table)).json() == []
    assert client.post("/api/matches", json=MATCH, headers=bearer(KEYS.table)).status_code == 201


def test_the_key_moves_from_the_link_into_a_cookie_no_script_can_read(lan: FastAPI) -> None:
    client = Client(lan)
    answer = client.get(f"/?key={KEYS.read}&lang=de")
    assert (answer.status_code, answer.headers["location"]) == (303, "/?lang=de")
    cookie = answer.headers["set-cookie"].lower()
    assert "httponly" in cookie
    assert "samesite=strict" in cookie
    by_cookie = {"Cookie": f"{COOKIE}={KEYS.read}"}
    assert client.get("/api/matches", headers=by_cookie).status_code == 200
    assert client.post("/api/matches", json=MATCH, headers=by_cookie).status_code == 403


def test_a_wrong_key_in_the_link_sets_no_cookie(lan: FastAPI) -> None:
    answer = Client(lan).get("/?key=guess")
    assert answer.status_code == 401
    assert "set-cookie" not in answer.headers


def test_the_welcome_never_leads_to_another_host(lan: FastAPI) -> None:
    answer = Client(lan).get(f"//evil.example/%2e?key={KEYS.read}")
    assert not answer.headers.get("location", "/").startswith(("//", "/\\", "http"))


def test_a_broken_cookie_is_no_key(lan: FastAPI) -> None:
    for cookie in ("finito_key", "=;;;", "finito_key=\x7f", f"{COOKIE}=" + "x" * 5000):
        assert Client(lan).get("/api/matches", headers={"Cookie": cookie}).status_code == 401


def test_another_site_cannot_use_the_cookie_to_write(lan: FastAPI) -> None:
    headers = {"Cookie": f"{COOKIE}={KEYS.table}", "Origin": "https://evil.example"}
    answer = Client(lan).post("/api/matches", json=MATCH, headers=headers)
    assert answer.status_code == 403
    assert "evil.example" in answer.json()["error"]


def socket_answer(app: FastAPI, path: str, headers: dict[str, str]) -> dict[str, Any]:
    """The first thing the application says to a WebSocket that wants to open."""
    said: list[dict[str, Any]] = []

    async def connect() -> None:
        async def receive() -> dict[str, str]:
            if said:
                await anyio.sleep(0.05)
                return {"type": "websocket.disconnect"}
            return {"type": "websocket.connect"}

        async def send(message: Any) -> None:
            said.append(message)

        route, _, query = path.partition("?")
        raw = [(name.lower().encode(), value.encode()) for name, value in headers.items()]
        scope: dict[str, Any] = {
            "type": "websocket",
            "path": route,
            "query_string": query.encode(),
            "headers": raw,
        }
        scope |= {"scheme": "ws", "subprotocols": [], "state": {}, "root_path": ""}
        with anyio.move_on_after(60):
            await app(scope, receive, send)

    anyio.run(connect)
    return said[0]


@pytest.mark.parametrize("origin", ["https://evil.example", "null", "http://127.0.0.1:9999", ""])
def test_a_socket_from_another_site_is_refused(origin: str) -> None:
    app = create_app(MemoryStore())
    headers = {"host": "127.0.0.1:8000", "origin": origin}
    assert socket_answer(app, "/api/table/feed", headers)["type"] == "websocket.close"


def test_a_socket_needs_a_key_on_the_network(lan: FastAPI) -> None:
    answer = socket_answer(lan, "/api/table/feed", {"host": "table:8000"})
    assert (answer["type"], answer["code"]) == ("websocket.close", 4401)


def test_a_spectator_cannot_be_the_camera(lan: FastAPI) -> None:
    answer = socket_answer(lan, "/api/camera", {"host": "table:8000", **bearer(KEYS.read)})
    assert (answer["type"], answer["code"]) == ("websocket.close", 4403)


def test_a_body_that_drips_is_given_up() -> None:
    app = create_app(MemoryStore(), longest_upload=0.2)

    async def drip() -> AsyncIterator[bytes]:
        for _ in range(50):
            yield b" "
            await anyio.sleep(0.02)

    answer = Client(app).post("/api/matches", content=drip(), headers={"Content-Type": "application/json"})
    assert answer.status_code in (408, 413)


def test_a_body_that_stops_is_given_up() -> None:
    app = create_app(MemoryStore(), longest_upload=0.2)
    said: list[Any] = []

    async def stalled() -> None:
        asked = 0

        async def receive() -> Any:
            nonlocal asked
            asked += 1
            if asked == 1:
                return {"type": "http.request", "body": b"{", "more_body": True}
            await anyio.sleep(30)
            return None

        async def send(message: Any) -> None:
            said.append(message)

        headers = [(b"host", b"127.0.0.1"), (b"content-type", b"application/json")]
        scope: dict[str, Any] = {
            "type": "http",
            "method": "POST",
            "path": "/api/matches",
            "query_string": b"",
        }
        scope |= {"headers": headers, "scheme": "http", "state": {}, "root_path": "", "http_version": "1.1"}
        with anyio.fail_after(25):
            await app(scope, receive, send)

    anyio.run(stalled)
    assert said[0]["status"] == 408


def test_a_request_whose_head_never_ends_is_let_go(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ImpatientProtocol, "head_seconds", 0.3)
    with running() as server:
        port = int(server.url.rpartition(":")[2])
        with socket.create_connection(("127.0.0.1", port), timeout=60) as slow:
            slow.sendall(b"POST /api/matches HTTP/1.1\r\nHost: 127.0.0.1\r\nX-Slow: 1\r\n")
            assert slow.recv(100) == b""  # the end of the connection
        with socket.create_connection(("127.0.0.1", port), timeout=60) as quick:
            quick.sendall(b"GET /api/health HTTP/1.1\r\nHost: 127.0.0.1\r\n\r\n")
            assert quick.recv(100).startswith(b"HTTP/1.1 200")


@pytest.mark.parametrize("path", ["/", "/api/matches", "/api/nothing", "/assets/nothing.js"])
def test_every_answer_forbids_foreign_content(path: str) -> None:
    headers: httpx.Headers = Client(create_app(MemoryStore())).get(path).headers
    policy = headers["content-security-policy"]
    assert "default-src 'none'" in policy
    assert "unsafe" not in policy
    assert "http" not in policy
    assert headers["x-content-type-options"] == "nosniff"
    assert headers["referrer-policy"] == "no-referrer"
    assert "frame-ancestors 'none'" in policy


def test_keys_are_kept_where_only_their_owner_reads_them(tmp_path: Path) -> None:
    path = tmp_path / "deep" / "keys.json"
    keys = kept_keys(path)
    assert kept_keys(path) == keys
    assert stat.S_IMODE(path.stat().st_mode) == 0o600
    assert keys.role(keys.table) is Role.TABLE
    assert keys.role(keys.read) is Role.READER
    path.write_text(json.dumps({"table": "", "read": ""}))
    assert kept_keys(path).role("") is None
    path.write_text("{")
    with pytest.raises(BadInput, match="delete it"):
        kept_keys(path)
