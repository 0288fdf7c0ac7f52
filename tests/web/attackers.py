"""Strangers, spectators and broken clients, all at once, against one address, until they are told to stop."""

from __future__ import annotations

import asyncio
import contextlib
import json
import ssl
import sys
import time
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any
from urllib.parse import urlsplit

import httpx
from websockets.asyncio.client import connect

SPECTATORS = 200
NEVER_READ = 20
SLOW = 40
WRITERS = 4
PAUSE = 0.05
TRAVERSALS = (
    "/api/sessions/..%2f..%2fetc%2fpasswd",
    "/api/sessions/%2e%2e/video/video.mp4",
    "/assets/..%2f..%2fapp.py",
    "/api/sessions/x/video/..%2fsession.json",
)


class Attack:
    """`url` is the server's, `read` the key of the spectators; everything else has no key, or a wrong one."""

    def __init__(self, url: str, read: str, seconds: float) -> None:
        self.url, self.read = url, read
        self.end = time.monotonic() + seconds
        self.seen: Counter[str] = Counter()
        self._trust = ssl.create_default_context()
        self._trust.check_hostname, self._trust.verify_mode = False, ssl.CERT_NONE

    async def run(self) -> dict[str, int]:
        everybody = [self._spectate(number < NEVER_READ) for number in range(SPECTATORS)]
        everybody += [self._drip() for _ in range(SLOW)]
        for ask in (self._write, self._traverse, self._oversized, self._wrong_type, self._wrong_origin):
            everybody += [self._repeat(ask) for _ in range(WRITERS)]
        await asyncio.gather(*everybody)
        return dict(sorted(self.seen.items()))

    async def _repeat(self, ask: Callable[[httpx.AsyncClient], Awaitable[str]]) -> None:
        async with httpx.AsyncClient(
            base_url=self.url, verify=self._trust, trust_env=False, timeout=60
        ) as client:
            while time.monotonic() < self.end:
                try:
                    self.seen[await ask(client)] += 1
                except (httpx.HTTPError, OSError):
                    self.seen["connection refused"] += 1
                await asyncio.sleep(PAUSE)

    async def _write(self, client: httpx.AsyncClient) -> str:
        headers = {"Authorization": "Bearer guessed"}
        answer = await client.post("/api/table/undo", headers=headers)
        return f"write without the key: {answer.status_code}"

    async def _traverse(self, client: httpx.AsyncClient) -> str:
        path = TRAVERSALS[self.seen.total() % len(TRAVERSALS)]
        answer = await client.get(path, headers={"Authorization": f"Bearer {self.read}"})
        assert "root:" not in answer.text
        return f"path traversal: {answer.status_code}"

    async def _oversized(self, client: httpx.AsyncClient) -> str:
        answer = await client.post("/api/photos/count", content=b"\xff\xd8\xff" + bytes(17 * 1024 * 1024))
        return f"oversized upload: {answer.status_code}"

    async def _wrong_type(self, client: httpx.AsyncClient) -> str:
        headers = {"Content-Type": "image/svg+xml", "Authorization": f"Bearer {self.read}"}
        answer = await client.post("/api/photos/count", content=b"<svg/>", headers=headers)
        return f"wrong-typed upload: {answer.status_code}"

    async def _wrong_origin(self, _client: httpx.AsyncClient) -> str:
        try:
            await self._socket(origin="https://evil.example")
        except Exception as problem:  # what the server says is all that counts
            answer = getattr(problem, "response", None)
            return f"socket of another site: {getattr(answer, 'status_code', 'gone')}"
        return "socket of another site: let in"

    async def _socket(self, origin: str | None = None) -> Any:
        address = self.url.replace("http", "ws", 1) + f"/api/table/feed?key={self.read}"
        headers = {} if origin is None else {"Origin": origin}
        trust = self._trust if address.startswith("wss") else None
        return await connect(address, additional_headers=headers, ssl=trust, proxy=None, open_timeout=120)

    async def _spectate(self, never_reads: bool) -> None:
        try:
            socket = await self._socket()
        except Exception:
            self.seen["spectators turned away"] += 1
            return
        self.seen["spectators let in"] += 1
        while time.monotonic() < self.end:
            if never_reads:
                await asyncio.sleep(0.5)
                continue
            with contextlib.suppress(TimeoutError):
                try:
                    await asyncio.wait_for(socket.recv(), 0.5)
                    self.seen["messages to spectators"] += 1
                except TimeoutError:
                    raise
                except Exception:
                    self.seen["spectators let go"] += 1
                    return
        with contextlib.suppress(Exception):
            await asyncio.wait_for(socket.close(), 5)

    async def _drip(self) -> None:
        """A request whose head never ends."""
        parts = urlsplit(self.url)
        trust = self._trust if parts.scheme == "https" else None
        try:
            _, writer = await asyncio.open_connection(parts.hostname, parts.port, ssl=trust)
            writer.write(b"POST /api/matches HTTP/1.1\r\nHost: table\r\nContent-Length: 60000\r\n")
            while time.monotonic() < self.end:
                writer.write(b"X-Slow: 1\r\n")
                await writer.drain()
                await asyncio.sleep(1.0)
            writer.close()
        except OSError:
            self.seen["slow clients cut off"] += 1
        self.seen["slow clients"] += 1


def main() -> None:
    url, read, seconds = sys.argv[1], sys.argv[2], float(sys.argv[3])
    sys.stdout.write(json.dumps(asyncio.run(Attack(url, read, seconds).run())) + "\n")


if __name__ == "__main__":
    main()
