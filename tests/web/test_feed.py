"""The table's WebSocket: what pages and phones hear, many of them, and slow ones."""

from __future__ import annotations

import json
import struct
import time
from collections.abc import Iterator
from typing import Any

import anyio
import cv2
import numpy as np
import pytest
from websockets.asyncio.client import connect
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection
from websockets.sync.client import connect as connect_now

from finito.web.access import Keys
from finito.web.camera_socket import MOST_PIXELS
from finito.web.links import Links
from tests.web.running import Running, running
from tests.web.written import lay

KEYS = Keys("t" * 24, "r" * 24)
SPECTATORS = 200


@pytest.fixture
def server() -> Iterator[Running]:
    with running() as here:
        yield here


def address(server: Running, path: str) -> str:
    return server.url.replace("http", "ws", 1) + path


def heard(socket: ClientConnection, kind: str) -> dict[str, Any]:
    while True:
        message = socket.recv(timeout=60)
        if isinstance(message, bytes):
            continue
        told: dict[str, Any] = json.loads(message)
        if told["type"] == kind:
            return told


def jpeg(width: int = 320, height: int = 180) -> bytes:
    done, data = cv2.imencode(".jpg", np.full((height, width, 3), 90, np.uint8))
    assert done
    return data.tobytes()


def test_a_page_hears_the_round_as_it_is_and_then_what_changes(server: Running) -> None:
    with connect_now(address(server, "/api/table/feed?lang=fr"), proxy=None, open_timeout=90) as socket:
        assert heard(socket, "snapshot")["status"]["state"] == "idle"
        lay(server.host)
        lines: list[dict[str, Any]] = []
        while not lines or lines[-1].get("rule") != "wrong-colour":
            message = socket.recv(timeout=60)
            told = json.loads(message)
            if told["type"] == "snapshot":
                lines += told["lines"]
            elif told["type"] == "line":
                lines.append(told["line"])
        assert "on attend" in lines[-1]["why"]
        server.host.table.show(jpeg(), 1.0, (320, 180), [{"corners": [[0, 0]], "word": "R1"}])
        packed = next(
            message for message in iter(lambda: socket.recv(timeout=60), None) if isinstance(message, bytes)
        )
        length = struct.unpack(">I", packed[:4])[0]
        head = json.loads(packed[4 : 4 + length])
        assert (head["type"], head["size"], head["outlines"][0]["word"]) == ("picture", [320, 180], "R1")
        assert packed[4 + length :].startswith(b"\xff\xd8")


def test_a_page_that_lagged_far_behind_is_told_everything_anew(server: Running) -> None:
    table = server.host.table
    for number in range(1000):
        table.push({"line": number + 1, "type": "play", "verdict": "legal", "why": str(number)})
    revision, told = table.changes_after(1, "en")
    assert [each["type"] for each in told] == ["snapshot"]
    assert table.changes_after(revision, "en") == (revision, [])


def test_a_call_keeps_the_pictures_around_it(server: Running) -> None:
    table = server.host.table
    for number in range(40):
        table.show(jpeg(), number / 10, (320, 180))
    table.push({"line": 7, "type": "play", "verdict": "illegal", "why": "no"})
    for number in range(40, 80):
        table.show(jpeg(), number / 10, (320, 180))
    times = [shown.t for shown in table.clip(7)]
    assert 1.5 <= times[0] <= 2.1
    assert 4.8 <= times[-1] <= 5.2


def test_a_call_spoken_of_again_long_after_is_not_proved_by_pictures_of_now(server: Running) -> None:
    """As when a ruling is taken back after a restart, and the pictures of the deed are gone."""
    table = server.host.table
    for number in range(40):
        table.show(jpeg(), 60 + number / 10, (320, 180))
    for line, t in ((7, 12.0), (8, [11.5, 12.0])):
        table.push({"line": line, "t": t, "type": "play", "verdict": "illegal", "why": "no"})
        assert table.clip(line) == []
    table.push({"line": 9, "t": 63.0, "type": "play", "verdict": "illegal", "why": "no"})
    assert table.clip(9)


def test_a_phone_is_the_camera_and_hears_its_rate(server: Running) -> None:
    with connect_now(address(server, "/api/camera"), proxy=None, open_timeout=90) as phone:
        phone.send(jpeg())
        assert json.loads(phone.recv(timeout=60))["type"] == "taken"
        shown = server.host.table.picture
        assert shown is not None
        assert shown.size == (320, 180)
        with (
            connect_now(address(server, "/api/camera"), proxy=None, open_timeout=90) as second,
            pytest.raises(ConnectionClosed),
        ):
            second.recv(timeout=60)
        bomb = bytearray(jpeg())
        at = bomb.index(b"\xff\xc0")
        bomb[at + 5 : at + 9] = struct.pack(">HH", 65535, 65535)
        for bad in (b"GIF89a", b"", b"\xff\xd8\xff", bytes(bomb), jpeg()[:40]):
            phone.send(bad)
            assert json.loads(phone.recv(timeout=60))["type"] == "refused"
        phone.send(jpeg())
        assert json.loads(phone.recv(timeout=60))["type"] == "taken"
    assert MOST_PIXELS < 65535 * 65535


def test_a_frame_that_is_too_large_ends_the_connection_and_nothing_else(server: Running) -> None:
    def send_too_much() -> None:
        with connect_now(address(server, "/api/camera"), proxy=None, open_timeout=90) as phone:
            phone.send(b"\xff\xd8\xff" + b"0" * 5_000_000)
            phone.recv(timeout=60)

    with pytest.raises(ConnectionClosed):
        send_too_much()
    with connect_now(address(server, "/api/table/feed"), proxy=None, open_timeout=90) as page:
        assert heard(page, "snapshot")


def test_keys_and_origins_hold_for_sockets_of_a_real_server() -> None:
    with running(links=Links("http://table", KEYS)) as server:
        for path, headers in [
            ("/api/table/feed", {}),
            ("/api/table/feed?key=wrong", {}),
            ("/api/camera?key=" + KEYS.read, {}),
            ("/api/table/feed?key=" + KEYS.read, {"Origin": "https://evil.example"}),
        ]:
            with (
                pytest.raises(Exception, match="403"),
                connect_now(address(server, path), additional_headers=headers, proxy=None, open_timeout=90),
            ):
                pass
        with connect_now(
            address(server, "/api/table/feed?key=" + KEYS.read), proxy=None, open_timeout=90
        ) as page:
            assert heard(page, "snapshot")


def test_two_hundred_spectators_and_one_that_never_reads_hold_nobody_up(server: Running) -> None:
    """The producer's own work must not wait for pages: its time per push before and with them."""
    table = server.host.table
    picture = jpeg()

    def pushed() -> float:
        spent = []
        for number in range(11):
            begin = time.perf_counter()
            table.show(picture, number / 10, (320, 180))
            table.push({"line": number + 1, "type": "play", "verdict": "legal", "why": "ok"})
            spent.append(time.perf_counter() - begin)
            time.sleep(0.02)
        return min(spent)  # whoever waits for pages waits every time; a busy machine holds up some

    async def spectate(heard_by: list[int]) -> None:
        async with connect(address(server, "/api/table/feed"), proxy=None, open_timeout=600) as socket:
            async for message in socket:
                if isinstance(message, str) and '"last"' in message:
                    heard_by.append(1)
                    return

    async def crowd() -> tuple[int, float]:
        heard_by: list[int] = []
        async with connect(address(server, "/api/table/feed"), proxy=None, open_timeout=600) as never_reads:
            async with anyio.create_task_group() as group:
                for _ in range(SPECTATORS):
                    group.start_soon(spectate, heard_by)
                while table.followers <= SPECTATORS:
                    await anyio.sleep(0.1)
                busy = await anyio.to_thread.run_sync(pushed)
                table.push({"line": 1, "type": "play", "verdict": "legal", "why": "last"})
            assert never_reads
        return len(heard_by), busy

    alone = pushed()
    served, busy = anyio.run(crowd)
    assert served == SPECTATORS
    assert busy < max(50 * alone, 0.05), f"{busy / alone:.1f} times slower with {SPECTATORS} spectators"
