"""A real server in a thread of the test, on a free port of this machine."""

from __future__ import annotations

import socket
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import uvicorn
from fastapi import FastAPI

from finito.store.memory import MemoryStore
from finito.web.app import Places, close_table, create_app
from finito.web.host import TableHost
from finito.web.impatience import ImpatientProtocol
from finito.web.links import Links
from finito.web.serve import MOST_MESSAGE


@dataclass(frozen=True)
class Running:
    url: str
    app: FastAPI

    @property
    def host(self) -> TableHost:
        found: TableHost = self.app.state.host
        return found


@contextmanager
def running(
    places: Places | None = None, links: Links | None = None, port: int = 0, store: MemoryStore | None = None
) -> Iterator[Running]:
    with socket.create_server(("127.0.0.1", port)) as listener:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        app = create_app(store or MemoryStore(), links=links or Links(url), places=places or Places())
        config = uvicorn.Config(
            app,
            http=ImpatientProtocol,
            log_level="error",
            ws="websockets-sansio",
            ws_max_size=MOST_MESSAGE,
            ws_per_message_deflate=False,
            timeout_graceful_shutdown=1,
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, kwargs={"sockets": [listener]}, daemon=True)
        thread.start()
        while not server.started and thread.is_alive():
            time.sleep(0.02)
        try:
            yield Running(url, app)
        finally:
            app.state.host.close()
            server.should_exit = True
            thread.join(timeout=10)
            close_table(app)
