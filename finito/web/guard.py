"""What is turned away at the door: other sites' pages, foreign names, huge or slow bodies."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

import anyio
from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from finito.web.problems import problem

MOST_BYTES: Final = 64 * 1024
MOST_PHOTO_BYTES: Final = 16 * 1024 * 1024
PHOTOS: Final = "/api/photos/"  # everything below takes a photo as its body
LONGEST_LENGTH: Final = 12  # digits
LONGEST_UPLOAD: Final = 30.0  # seconds until the whole body must be there
HARMLESS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Guard:
    """A page of another site that is open in the user's browser must not be able to change or see a table.

    `hosts` are the names under which this server answers; None means any.
    """

    def __init__(
        self, app: ASGIApp, hosts: frozenset[str] | None = None, longest_upload: float = LONGEST_UPLOAD
    ) -> None:
        self._app = app
        self._hosts = hosts
        self._longest_upload = longest_upload

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        socket = scope["type"] == "websocket"
        refusal = self._refusal(
            "WEBSOCKET" if socket else scope["method"], scope["path"], Headers(scope=scope)
        )
        if refusal is None:
            most = _most_bytes(scope["path"])
            await self._app(scope, receive if socket else _limited(receive, most, self._longest_upload), send)
        elif socket:
            await receive()  # the request to connect
            await send({"type": "websocket.close", "code": 4403, "reason": refusal[1]})
        else:
            await problem(*refusal)(scope, receive, send)

    def _refusal(self, method: str, path: str, headers: Headers) -> tuple[int, str] | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if self._hosts is not None and _hostname(host) not in self._hosts:
            return 421, f"this server does not answer for {host[:60]!r}"
        if method not in HARMLESS and origin is not None and origin.partition("://")[2] != host:
            return 403, f"pages of {origin[:60]!r} may not change matches"
        length, most = headers.get("content-length", "0"), _most_bytes(path)
        if not length.isdecimal() or len(length) > LONGEST_LENGTH or int(length) > most:
            return 413, f"the request is too large: at most {most} bytes are read"
        return None


def _most_bytes(path: str) -> int:
    return MOST_PHOTO_BYTES if path.startswith(PHOTOS) else MOST_BYTES


def _hostname(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:  # an opening bracket that is never closed
        return None


def _limited(receive: Receive, most: int, longest: float) -> Receive:
    """Counts a body that comes in pieces and does not say how long it will be; waits so long in all."""
    seen = 0
    ended = False
    deadline: float | None = None

    async def counted() -> Message:
        nonlocal seen, ended, deadline
        if ended:
            return await receive()  # only the end of the connection can follow
        deadline = deadline or anyio.current_time() + longest
        try:
            with anyio.fail_after(max(0.0, deadline - anyio.current_time())):
                message = await receive()
        except TimeoutError:
            raise HTTPException(
                408, f"the request took longer than {longest:.0f} seconds to arrive"
            ) from None
        ended = not message.get("more_body", False)
        seen += len(message.get("body", b""))
        if seen > most:
            raise HTTPException(413, f"the request is too large: at most {most} bytes are read")
        return message

    return counted
