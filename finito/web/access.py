"""Who may do what: on this machine everybody; on a network by the key of the table, or a reader's."""

from __future__ import annotations

import hmac
import json
import os
import secrets
from collections.abc import Mapping
from dataclasses import dataclass
from enum import StrEnum
from http.cookies import CookieError, SimpleCookie
from pathlib import Path
from typing import Final
from urllib.parse import parse_qsl, urlencode

from starlette.datastructures import Headers
from starlette.responses import RedirectResponse
from starlette.types import ASGIApp, Receive, Scope, Send

from finito.errors import BadInput
from finito.web.guard import HARMLESS
from finito.web.problems import problem

COOKIE: Final = "finito_key"
QUERY: Final = "key"
OPEN_PATHS: Final = ("/assets/", "/favicon.ico")  # the page itself: no secret, and the same for everybody
WRITING_SOCKETS: Final = ("/api/camera",)
_KEPT_FOR: Final = 90 * 24 * 3600
_BYTES: Final = 18
_SHORTEST: Final = 16


class Role(StrEnum):
    TABLE = "table"
    READER = "reader"


@dataclass(frozen=True, slots=True)
class Keys:
    """The two keys of a table on a network."""

    table: str
    read: str

    def role(self, key: str | None) -> Role | None:
        """What a key opens; both are compared whatever it is, so that the time tells nothing."""
        given = (key or "").encode("utf-8", "replace")
        table = hmac.compare_digest(given, self.table.encode())
        reader = hmac.compare_digest(given, self.read.encode())
        return Role.TABLE if table else Role.READER if reader else None


def new_keys() -> Keys:
    return Keys(secrets.token_urlsafe(_BYTES), secrets.token_urlsafe(_BYTES))


def kept_keys(path: Path) -> Keys:
    """The keys of this installation, so that a page comes back by itself after a restart."""
    try:
        known = json.loads(path.read_text("utf-8"))
        keys = Keys(str(known["table"]), str(known["read"]))
        if min(len(keys.table), len(keys.read)) >= _SHORTEST and keys.table != keys.read:
            return keys
    except FileNotFoundError:
        pass
    except (OSError, ValueError, KeyError, TypeError):
        raise BadInput(f"{path} is damaged; delete it, and new keys are made") from None
    keys = new_keys()
    path.parent.mkdir(parents=True, exist_ok=True)
    path.unlink(missing_ok=True)
    with open(os.open(path, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w", encoding="utf-8") as file:
        json.dump({"table": keys.table, "read": keys.read}, file)
    return keys


class Access:
    """Lets nobody in without a key, and nobody write without that of the table; without keys all may."""

    def __init__(self, app: ASGIApp, keys: Keys | None = None) -> None:
        self._app = app
        self._keys = keys

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._app(scope, receive, send)
            return
        given = _query_key(scope)
        role = Role.TABLE if self._keys is None else self._keys.role(_key(scope, given))
        scope.setdefault("state", {})["role"] = role
        if scope["type"] == "http" and given is not None and role and _is_page(scope["path"]):
            await _welcome(scope, given)(scope, receive, send)
            return
        refusal = _refusal(scope, role)
        if refusal is None:
            await self._app(scope, receive, send)
        elif scope["type"] == "websocket":
            await receive()  # the request to connect
            await send({"type": "websocket.close", "code": 4400 + refusal[0] % 100, "reason": refusal[1]})
        else:
            await problem(*refusal)(scope, receive, send)


def _refusal(scope: Scope, role: Role | None) -> tuple[int, str] | None:
    path = scope["path"]
    if path.startswith(OPEN_PATHS):
        return None
    if role is None:
        return 401, "this table is on a network: open it by its code or link, or send its key"
    writes = path in WRITING_SOCKETS if scope["type"] == "websocket" else scope["method"] not in HARMLESS
    if writes and role is not Role.TABLE:
        return 403, "this link may only watch; writing needs the key of the table"
    return None


def _is_page(path: str) -> bool:
    return not path.startswith(("/api/", *OPEN_PATHS))


def _key(scope: Scope, given: str | None) -> str | None:
    headers = Headers(scope=scope)
    kind, _, token = headers.get("authorization", "").partition(" ")
    if kind.lower() == "bearer":
        return token.strip()
    return given if given is not None else _cookies(headers).get(COOKIE)


def _cookies(headers: Mapping[str, str]) -> dict[str, str]:
    try:
        return {name: morsel.value for name, morsel in SimpleCookie(headers.get("cookie", "")).items()}
    except CookieError:
        return {}


def _query_key(scope: Scope) -> str | None:
    return dict(parse_qsl(scope.get("query_string", b"").decode("latin-1"))).get(QUERY)


def _welcome(scope: Scope, key: str) -> RedirectResponse:
    """The key moves from the address, which people copy, into a cookie that no script can read."""
    rest = [
        (name, value) for name, value in parse_qsl(scope["query_string"].decode("latin-1")) if name != QUERY
    ]
    path = "/" + scope["path"].lstrip("/\\")  # never the address of another host
    response = RedirectResponse(path + (f"?{urlencode(rest)}" if rest else ""), status_code=303)
    secure = scope.get("scheme") == "https"
    response.set_cookie(COOKIE, key, max_age=_KEPT_FOR, httponly=True, secure=secure, samesite="strict")
    return response
