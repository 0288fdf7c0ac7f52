"""What is turned away before it reaches the application: other sites' pages, foreign names, huge bodies."""

from __future__ import annotations

from typing import Final
from urllib.parse import urlsplit

from starlette.datastructures import Headers
from starlette.exceptions import HTTPException
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from finito.web.problems import problem

MOST_BYTES: Final = 64 * 1024
LONGEST_LENGTH: Final = 12  # digits
HARMLESS: Final = frozenset({"GET", "HEAD", "OPTIONS"})


class Guard:
    """A page of another site that is open in the user's browser must not be able to change a match.

    `hosts` are the names under which this server answers; None means any.
    """

    def __init__(self, app: ASGIApp, hosts: frozenset[str] | None = None) -> None:
        self._app = app
        self._hosts = hosts

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._app(scope, receive, send)
            return
        refusal = self._refusal(scope["method"], Headers(scope=scope))
        if refusal is None:
            await self._app(scope, _limited(receive), send)
        else:
            await problem(*refusal)(scope, receive, send)

    def _refusal(self, method: str, headers: Headers) -> tuple[int, str] | None:
        host, origin = headers.get("host", ""), headers.get("origin")
        if self._hosts is not None and _hostname(host) not in self._hosts:
            return 421, f"this server does not answer for {host[:60]!r}"
        if method not in HARMLESS and origin is not None and origin.partition("://")[2] != host:
            return 403, f"pages of {origin[:60]!r} may not change matches"
        length = headers.get("content-length", "0")
        if not length.isdecimal() or len(length) > LONGEST_LENGTH or int(length) > MOST_BYTES:
            return 413, f"the request is too large: at most {MOST_BYTES} bytes are read"
        return None


def _hostname(host: str) -> str | None:
    try:
        return urlsplit(f"//{host}").hostname
    except ValueError:  # an opening bracket that is never closed
        return None


def _limited(receive: Receive) -> Receive:
    """Counts a body that comes in pieces and does not say how long it will be."""
    seen = 0

    async def counted() -> Message:
        nonlocal seen
        message = await receive()
        seen += len(message.get("body", b""))
        if seen > MOST_BYTES:
            raise HTTPException(413, f"the request is too large: at most {MOST_BYTES} bytes are read")
        return message

    return counted
