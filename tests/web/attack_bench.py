"""Frame rate and delay of the referee before and during an attack: python -m tests.web.attack_bench [CSV].

A simulated game is sent to `finito serve --lan` as a phone would, over TLS, and refereed with the nets that
ship. Then strangers, slow clients and 200 spectators come. Attackers, phone and server share the machine, so
that the ratio is what all of them cost together. Nothing is timed in a test; this writes a table.
"""

from __future__ import annotations

import json
import os
import ssl
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Any

import cv2
import httpx
import numpy as np
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

ROOT = Path(__file__).parents[2]
SECONDS = 20.0
WARM = 8.0
RATE = 15.0
SEED = 3
FPS = 10
FILMED = (5.2, 14.0)
COLUMNS = "what,before,during,ratio"


def frames() -> list[bytes]:
    from finito.virtual_table.choreography.filming import draw
    from finito.virtual_table.choreography.session import Wish, plan_session

    planned = plan_session(Wish(2, 12, SEED, size=(1280, 720), fps=FPS, roughness=0.4))
    numbers = range(int(FILMED[0] * FPS), int(FILMED[1] * FPS))
    made = []
    for frame in draw(planned.shot, numbers):
        _, jpeg = cv2.imencode(".jpg", np.asarray(frame.picture, np.uint8), [cv2.IMWRITE_JPEG_QUALITY, 80])
        made.append(jpeg.tobytes())
    return made


class Phone(threading.Thread):
    """Sends frames at a steady rate, at most two on their way; notes when each was taken."""

    def __init__(self, address: str, trust: ssl.SSLContext, film: list[bytes]) -> None:
        super().__init__(daemon=True)
        self._address, self._trust, self._film = address, trust, film
        self.taken: list[tuple[float, float]] = []  # when, and after how many seconds
        self.over = threading.Event()

    def run(self) -> None:
        with suppress(ConnectionClosed), self._connected() as socket:
            number, due = 0, time.monotonic()
            while not self.over.is_set():
                shown = int(number * FPS / RATE) % len(self._film)
                sent = time.monotonic()
                socket.send(self._film[shown])
                socket.recv(timeout=120)
                self.taken.append((time.monotonic(), time.monotonic() - sent))
                number, due = number + 1, max(due + 1 / RATE, time.monotonic() - 0.5)
                time.sleep(max(0.0, due - time.monotonic()))

    def _connected(self) -> ClientConnection:
        trust = self._trust if self._address.startswith("wss") else None
        return connect(self._address, ssl=trust, proxy=None, open_timeout=120)

    def since(self, begin: float, end: float) -> list[float]:
        return [delay for moment, delay in self.taken if begin <= moment < end]


@contextmanager
def served(folder: Path) -> Iterator[dict[str, str]]:
    players = ["--watch", "phone", "--players", "pizza:south,spaghetti:north"]
    command = [
        sys.executable,
        "-m",
        "finito",
        "serve",
        "--lan",
        "--host",
        "127.0.0.1",
        "--port",
        "0",
        "--json",
    ]
    process = subprocess.Popen(
        [*command, *players, "--db", str(folder / "club.sqlite")],
        cwd=ROOT,
        text=True,
        stdout=subprocess.PIPE,
        env={**os.environ, "FINITO_DATA": str(folder)},
    )
    try:
        assert process.stdout is not None
        yield json.loads(process.stdout.readline())
    finally:
        process.kill()
        process.wait()


class Watch:
    """The referee's own figures, asked for twice a second."""

    def __init__(self, url: str, key: str, trust: ssl.SSLContext) -> None:
        headers = {"Authorization": f"Bearer {key}"}
        self._client = httpx.Client(base_url=url, verify=trust, trust_env=False, timeout=120, headers=headers)

    def status(self) -> dict[str, Any]:
        shown: dict[str, dict[str, Any]] = self._client.get("/api/table").json()
        return shown["status"]

    def until_ready(self) -> None:
        while self.status().get("session") is None:
            time.sleep(0.5)

    def over(self, seconds: float) -> list[dict[str, Any]]:
        end, seen = time.monotonic() + seconds, []
        while time.monotonic() < end:
            seen.append(self.status())
            time.sleep(0.5)
        return seen


def measured(phone: Phone, watch: Watch, seconds: float) -> dict[str, float]:
    begin = time.monotonic()
    seen = watch.over(seconds)
    end = time.monotonic()
    delays = sorted(phone.since(begin, end))
    referee = sorted(float(status["delay"]) for status in seen if status.get("delay") is not None)
    return {
        "frames refereed per second": statistics.mean(float(status.get("fps") or 0) for status in seen),
        "frame to verdict: median ms": statistics.median(referee),
        "frame to verdict: 95th percentile ms": referee[int(0.95 * (len(referee) - 1))],
        "frames taken from the phone per second": len(delays) / (end - begin),
        "phone hears of its frame: median ms": 1000 * statistics.median(delays),
    }


def main() -> None:
    trust = ssl.create_default_context()
    trust.check_hostname, trust.verify_mode = False, ssl.CERT_NONE
    film = frames()
    with tempfile.TemporaryDirectory() as name, served(Path(name)) as links:
        url, key, read = links["url"], _key(links["table"]), _key(links["spectators"])
        watch = Watch(url, key, trust)
        phone = Phone(url.replace("http", "ws", 1) + f"/api/camera?key={key}", trust, film)
        phone.start()
        watch.until_ready()
        time.sleep(WARM)
        before = measured(phone, watch, SECONDS)
        command = [sys.executable, "-m", "tests.web.attackers", url, read, str(SECONDS + WARM)]
        with subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE) as attack:
            time.sleep(WARM)
            during = measured(phone, watch, SECONDS)
            told = json.loads(attack.communicate(timeout=300)[0])
        phone.over.set()
    rows = [
        f"{what},{before[what]:.1f},{during[what]:.1f},{during[what] / max(before[what], 1e-9):.2f}"
        for what in before
    ]
    rows += [f"{what},,{count}," for what, count in told.items()]
    text = "\n".join([COLUMNS, *rows]) + "\n"
    sys.stdout.write(text)
    if len(sys.argv) > 1:
        machine = f"seed {SEED}, {os.cpu_count()} cores, load {os.getloadavg()[0]:.1f}"
        head = f"# python -m tests.web.attack_bench {sys.argv[1]} ({machine})\n"
        Path(sys.argv[1]).write_text(head + text, encoding="utf-8")


def _key(link: str) -> str:
    return link.partition("key=")[2]


if __name__ == "__main__":
    main()
