"""A phone as camera: JPEG frames over a WebSocket, answered one by one so that the phone knows its delay."""

from __future__ import annotations

import asyncio
import contextlib
import time
from collections import deque
from collections.abc import Callable
from typing import Any, Final

import cv2
import numpy as np
from fastapi import APIRouter, WebSocket, WebSocketDisconnect

from finito.web.tables import Table
from vision.frame import Picture

LARGEST: Final = 4 * 1024 * 1024
MOST_PIXELS: Final = 4096 * 2304
_SILENT: Final = 20.0  # seconds without a frame: the phone sleeps, and comes back by itself
_JPEG: Final = b"\xff\xd8\xff"
OnFrame = Callable[[Picture], bool]


class NoPicture(ValueError):
    """What a phone sent is no JPEG of a sane size."""


def decoded(data: bytes) -> Picture:
    """The picture of a frame; NoPicture for anything else, before much memory is spent on it."""
    if not data.startswith(_JPEG) or len(data) > LARGEST:
        raise NoPicture("only JPEG frames of up to 4 MB are taken")
    width, height = jpeg_size(data)
    if not 0 < width * height <= MOST_PIXELS:
        raise NoPicture(f"a frame of {width}×{height} is not taken; send at most 4096×2304")
    picture = cv2.imdecode(np.frombuffer(data, np.uint8), cv2.IMREAD_COLOR)
    if picture is None:
        raise NoPicture("this JPEG frame is damaged")
    return picture.astype(np.uint8, copy=False)


def jpeg_size(data: bytes) -> tuple[int, int]:
    """Width and height as the header says; nothing is decoded."""
    at = 2
    while at + 9 < len(data) and data[at] == 0xFF:
        kind = data[at + 1]
        if 0xC0 <= kind <= 0xCF and kind not in (0xC4, 0xC8, 0xCC):
            return int.from_bytes(data[at + 7 : at + 9], "big"), int.from_bytes(data[at + 5 : at + 7], "big")
        at += 2 + int.from_bytes(data[at + 2 : at + 4], "big")
    return 0, 0


def camera_socket(table: Table, on_frame: OnFrame | None = None) -> APIRouter:
    """Frames go to whoever referees them, and straight to the pages where nobody does."""
    router = APIRouter()
    taken = asyncio.Lock()

    @router.websocket("/api/camera")
    async def camera(socket: WebSocket) -> None:
        await socket.accept()
        if taken.locked():
            await socket.close(4409, "another phone is the camera already")
            return
        async with taken:
            table.tell(camera="phone")
            try:
                with contextlib.suppress(WebSocketDisconnect, TimeoutError, RuntimeError, OSError):
                    await _take(socket, table, on_frame)
            finally:
                table.tell(camera=None, camera_fps=None)
        with contextlib.suppress(WebSocketDisconnect, RuntimeError, OSError):
            await socket.close()

    return router


async def _take(socket: WebSocket, table: Table, on_frame: OnFrame | None) -> None:
    began = time.monotonic()
    times: deque[float] = deque(maxlen=30)
    number = 0
    while True:
        data = await asyncio.wait_for(socket.receive_bytes(), _SILENT)
        try:
            picture = await asyncio.to_thread(decoded, data)
        except NoPicture as problem:
            await socket.send_json({"type": "refused", "why": str(problem)})
            continue
        now = time.monotonic() - began
        number += 1
        times.append(now)
        if on_frame is None or not on_frame(picture):
            table.show(data, now, (picture.shape[1], picture.shape[0]))
        rate = (len(times) - 1) / (times[-1] - times[0]) if len(times) > 1 else 0.0
        if number % 10 == 0:
            table.tell(camera_fps=round(rate, 1))
        answer: dict[str, Any] = {"type": "taken", "n": number, "fps": round(rate, 1)}
        await socket.send_json(answer)
