"""A client that speaks to the application without a network."""

from __future__ import annotations

from typing import Any

import anyio
import httpx
from fastapi import FastAPI


class Client:
    """One request at a time, each in an event loop of its own."""

    def __init__(self, app: FastAPI, *, host: str = "127.0.0.1:8000") -> None:
        self.app = app
        self._base = f"http://{host}"

    def __call__(self, method: str, path: str, **options: Any) -> httpx.Response:
        async def ask() -> httpx.Response:
            transport = httpx.ASGITransport(self.app, raise_app_exceptions=False)
            async with httpx.AsyncClient(transport=transport, base_url=self._base) as client:
                return await client.request(method, path, **options)

        return anyio.run(ask)

    def get(self, path: str, **options: Any) -> httpx.Response:
        return self("GET", path, **options)

    def post(self, path: str, **options: Any) -> httpx.Response:
        return self("POST", path, **options)

    def put(self, path: str, **options: Any) -> httpx.Response:
        return self("PUT", path, **options)

    def patch(self, path: str, **options: Any) -> httpx.Response:
        return self("PATCH", path, **options)
