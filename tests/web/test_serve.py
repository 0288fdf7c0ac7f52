"""The real server on a free port of this machine."""

from __future__ import annotations

import hashlib
import json
import os
import signal
import socket
import ssl
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import httpx
import pytest

from finito.errors import BadInput
from finito.web import serve
from finito.web.certificate import certificate_for

ROOT = Path(__file__).parents[2]
PROGRAM = """
import typer
from finito.web import serve
from finito.web.certificate import certificate_for
app = typer.Typer()
app.callback()(lambda: None)
serve.register(app)
app()
"""


@pytest.fixture
def database(tmp_path: Path) -> str:
    return str(tmp_path / "club.sqlite")


def started(database: str, folder: Path, *options: str) -> subprocess.Popen[str]:
    command = [sys.executable, "-c", PROGRAM, "serve", "--port", "0", "--json", "--db", database, *options]
    return subprocess.Popen(
        command,
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        stderr=subprocess.PIPE,
        env={**os.environ, "FINITO_DATA": str(folder)},
    )


@pytest.fixture
def server(database: str, tmp_path: Path) -> Iterator[subprocess.Popen[str]]:
    with started(database, tmp_path) as process:
        yield process
        process.kill()


def test_the_server_keeps_matches_and_stops_when_asked(server: subprocess.Popen[str], database: str) -> None:
    assert server.stdout is not None
    url = json.loads(server.stdout.readline())["url"]
    assert url.startswith("http://127.0.0.1:")
    with httpx.Client(base_url=url, timeout=60, trust_env=False) as client:
        assert client.get("/api/health").json()["status"] == "ok"
        made = client.post("/api/matches", json={"players": [{"back": "pizza"}, {"back": "gelato"}]})
        assert made.status_code == 201
        played = client.post("/api/matches/1/rounds", json={"by_back": {"pizza": 3, "gelato": 4}})
        assert played.json()["totals"] == {"pizza": 3, "gelato": 4}
        assert client.get("/api/health", headers={"Host": "evil.example"}).status_code == 421
    server.send_signal(signal.SIGINT)
    rest, complaints = server.communicate(timeout=60)
    assert (server.returncode, rest) == (0, "")
    assert "Traceback" not in complaints
    assert Path(database).exists()


def lines_at_least(process: subprocess.Popen[str], number: int) -> list[Any]:
    """What was called, once so much was."""
    assert process.stdout is not None
    url = json.loads(process.stdout.readline())["url"]
    with httpx.Client(base_url=url, timeout=60, trust_env=False) as client:
        for _ in range(600):
            lines: list[Any] = client.get("/api/table").json()["lines"]
            if len(lines) >= number:
                return lines
            time.sleep(0.1)
    raise AssertionError(lines)


def test_a_server_killed_in_the_middle_of_a_round_goes_on_with_it(database: str, tmp_path: Path) -> None:
    with started(database, tmp_path, "--demo") as process:
        before = lines_at_least(process, 4)
        process.send_signal(signal.SIGKILL)
    with started(database, tmp_path) as process:
        after = lines_at_least(process, len(before) + 1)
        process.kill()
    assert after[: len(before)] == before


def test_a_port_in_use_is_named_before_the_database_is_touched(database: str) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = taken.getsockname()[1]
        with pytest.raises(BadInput, match=f"cannot listen on 127.0.0.1 port {port} .*in use.*--port"):
            serve.serve(port=port, db=database)
    assert not Path(database).exists()


def test_other_machines_are_let_in_only_by_key(database: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match="say --lan"):
        serve.serve(host="0.0.0.0", port=0, db=database)
    with started(database, tmp_path, "--lan") as process:
        assert process.stdout is not None
        links = json.loads(process.stdout.readline())
        port = links["url"].rpartition(":")[2]
        trusted = ssl.create_default_context()
        trusted.check_hostname, trusted.verify_mode = False, ssl.CERT_NONE
        base = f"https://127.0.0.1:{port}"
        with httpx.Client(base_url=base, timeout=60, trust_env=False, verify=trusted) as client:
            assert client.get("/api/matches").status_code == 401
            key = links["table"].partition("key=")[2]
            assert client.get("/api/matches", headers={"Authorization": f"Bearer {key}"}).json() == []
        shown = ssl.get_server_certificate(("127.0.0.1", int(port)))
        digest = hashlib.sha256(ssl.PEM_cert_to_DER_cert(shown)).hexdigest().upper()
        assert links["fingerprint"].replace(":", "") == digest
        process.kill()


def test_a_certificate_is_kept_until_the_addresses_change(tmp_path: Path) -> None:
    first = certificate_for(("192.0.2.7", "localhost"), tmp_path)
    assert certificate_for(("192.0.2.7", "localhost"), tmp_path) == first
    assert first.file.stat().st_mode & 0o077 == 0
    assert certificate_for(("192.0.2.8", "localhost"), tmp_path).fingerprint != first.fingerprint
    first.file.write_text("-----BEGIN CERTIFICATE-----\nx\n-----END CERTIFICATE-----")
    assert certificate_for(("192.0.2.8", "localhost"), tmp_path).fingerprint.count(":") == 31


def test_a_camera_is_watched_for_whom_the_command_names() -> None:
    order = serve._order("pizza:south,gelato", "house")
    assert order.header.players == ("pizza", "gelato")
    assert [(guest.name, guest.seat) for guest in order.guests] == [("pizza", "south"), ("gelato", None)]
    with pytest.raises(BadInput, match="two to six players"):
        serve._order("", "house")


def test_an_address_that_is_not_ours_is_named() -> None:
    with pytest.raises(BadInput, match=r"cannot listen on 192\.0\.2\.1"):
        serve.serve(host="192.0.2.1", port=0)
