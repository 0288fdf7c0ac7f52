"""A server to be killed: python -m tests.web.told_server FOLDER PORT; referees a told round, or goes on."""

from __future__ import annotations

import sys
from pathlib import Path

import uvicorn

from finito.store.bootstrap import open_store
from finito.web.app import Places, create_app
from finito.web.links import Links
from tests.web.told_round import ToldRound

PACE = 4.0


def main() -> None:
    folder, port = Path(sys.argv[1]), int(sys.argv[2])
    store = open_store(str(folder / "club.sqlite"))
    url = f"http://127.0.0.1:{port}"
    app = create_app(store, links=Links(url), places=Places(folder / "web", folder / "sessions"))
    told, openings = ToldRound(pace=PACE), app.state.openings
    openings._source, openings._eyes = told.source, told.eyes
    if not openings.resume("0", told.order):
        openings.watch("0", told.order)
    config = uvicorn.Config(
        app,
        host="127.0.0.1",
        port=port,
        log_level="error",
        ws="websockets-sansio",
        ws_per_message_deflate=False,
    )
    uvicorn.Server(config).run()


if __name__ == "__main__":
    main()
