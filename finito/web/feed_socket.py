"""The table over a WebSocket: a snapshot, then what changes, and pictures as often as a page takes them."""

from __future__ import annotations

import asyncio
import contextlib
import json
import math
import struct
import time
from typing import Final

from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from finito.web.access import Role
from finito.web.tables import Shown, Table
from referee.language import LANGUAGES

_SLOWEST: Final = 10.0  # seconds that one message may take; then the page is let go and comes back by itself
_BEAT: Final = 15.0
_PICTURES: Final = 60.0  # a second, for all spectators together: the camera and the table come first


def feed_socket(table: Table) -> APIRouter:
    router = APIRouter()

    @router.websocket("/api/table/feed")
    async def feed(socket: WebSocket, lang: str = "en", pictures: bool = True) -> None:
        language = lang if lang in LANGUAGES else "en"
        await socket.accept()
        listening = asyncio.create_task(_until_gone(socket))
        at_the_table = socket.scope["state"]["role"] is Role.TABLE
        telling = asyncio.create_task(_tell(socket, table, language, pictures, at_the_table))
        done, pending = await asyncio.wait({listening, telling}, return_when=asyncio.FIRST_COMPLETED)
        for task in (*pending, *done):
            task.cancel()
            with contextlib.suppress(
                asyncio.CancelledError, WebSocketDisconnect, TimeoutError, RuntimeError, OSError
            ):
                await task
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            await socket.close()

    return router


async def _until_gone(socket: WebSocket) -> None:
    """Pages only listen; whatever one sends is not read."""
    while True:
        message = await socket.receive()
        if message["type"] == "websocket.disconnect":
            return


async def _tell(socket: WebSocket, table: Table, language: str, pictures: bool, at_the_table: bool) -> None:
    sent = -math.inf
    with table.followed() as news:
        snapshot = table.snapshot(language)
        revision, shown = int(snapshot["revision"]), 0
        await _send(socket, json.dumps(snapshot))
        news.set()
        while True:
            with contextlib.suppress(TimeoutError):
                await asyncio.wait_for(news.wait(), _BEAT)
            quiet = not news.is_set()
            news.clear()
            revision, changes = table.changes_after(revision, language)
            for change in changes:
                await _send(socket, json.dumps(change))
            picture = table.picture
            pause = 0.0 if at_the_table else table.followers / _PICTURES
            fresh = picture is not None and picture.number != shown
            if pictures and picture is not None and fresh and time.monotonic() - sent >= pause:
                shown, sent = picture.number, time.monotonic()
                await _send(socket, packed(picture))
            if quiet:
                await _send(socket, '{"type": "beat"}')


def packed(picture: Shown) -> bytes:
    """Length of the head, the head as JSON, the JPEG."""
    head = json.dumps(picture.head()).encode()
    return struct.pack(">I", len(head)) + head + picture.jpeg


async def _send(socket: WebSocket, message: str | bytes) -> None:
    sending = socket.send_text(message) if isinstance(message, str) else socket.send_bytes(message)
    await asyncio.wait_for(sending, _SLOWEST)
