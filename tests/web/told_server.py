"""A server to be killed: python -m tests.web.told_server FOLDER PORT PAUSES.

Referees a told round, or goes on with it, until the second PAUSES of its film; then the table stands still,
so that whoever looks at it has all the time in the world.
"""

from __future__ import annotations

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import Final

import httpx
import uvicorn

from finito.recording.session import Session
from finito.store.bootstrap import open_store
from finito.web.app import Places, create_app
from finito.web.links import Links
from tests.web.told_round import ToldRound

ROOT = Path(__file__).parents[2]
PACE: Final = 8.0
CALLED: Final = 29.0  # the second of the film at which the fault has been called
LATER: Final = 33.0  # and some lines later
PATIENCE: Final = 240.0


@contextmanager
def told_server(folder: Path, port: int, pauses: float) -> Iterator[subprocess.Popen[bytes]]:
    command = [sys.executable, "-m", "tests.web.told_server", str(folder), str(port), str(pauses)]
    process = subprocess.Popen(command, cwd=ROOT, env={**os.environ, "FINITO_DATA": str(folder / "data")})
    try:
        end = time.monotonic() + PATIENCE
        while not _answers(port):
            assert process.poll() is None, "the server ended before it answered"
            assert time.monotonic() < end, "the server never answered"
            time.sleep(0.1)
        yield process
    finally:
        process.kill()
        process.wait()


def _answers(port: int) -> bool:
    try:
        return httpx.get(f"http://127.0.0.1:{port}/api/health", trust_env=False, timeout=5).is_success
    except httpx.TransportError:
        return False


def wait_for_video(folder: Path, moment: float) -> None:
    """Until the recording on the disk shows a moment: the last second may be lost when a server is killed."""
    end = time.monotonic() + PATIENCE
    while not any(max(Session(each).frame_times(), default=0.0) >= moment for each in _sessions(folder)):
        assert time.monotonic() < end, f"no video of second {moment}"
        time.sleep(0.1)


def _sessions(folder: Path) -> list[Path]:
    return [each.parent for each in (folder / "sessions").glob("*/video.mp4")]


def main() -> None:
    folder, port, pauses = Path(sys.argv[1]), int(sys.argv[2]), float(sys.argv[3])
    store = open_store(str(folder / "club.sqlite"))
    url = f"http://127.0.0.1:{port}"
    app = create_app(store, links=Links(url), places=Places(folder / "web", folder / "sessions"))
    told, openings = ToldRound(pace=PACE, pauses=pauses), app.state.openings
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
