"""Pictures of the main pages for the documentation: python -m tests.web.screenshots FILM [FOLDER].

FILM is a folder of `finito simulate`; the pages are shown as a tablet and a phone show them.
"""

from __future__ import annotations

import json
import sys
import tempfile
import time
from pathlib import Path
from typing import TYPE_CHECKING

from finito.recording.footage import pictures
from finito.recording.writer import SessionWriter
from finito.web.app import Places
from finito.web.host import Wish
from tests.recording.made import ABOUT, UNLIMITED
from tests.vision.rendered_photos import faces_grid, spread
from tests.web.conftest import ALONE, FAKE_CAMERA, browser_path
from tests.web.running import Running, running
from tests.web.test_setup_pages import look_at
from tests.web.until import has, until
from tests.web.written import lay
from vision.frame import Frame

if TYPE_CHECKING:
    from playwright.sync_api import Page

PATIENCE = 600_000  # milliseconds; a busy machine is slow
QUALITY = 80
FILMED = 20.0  # seconds
FEWER = 4
PACE = 0.3  # so that a busy machine shows every picture


def record(film: Path, folder: Path) -> None:
    """The filmed table as a session, with fewer pictures."""
    with SessionWriter.create(folder, ABOUT, limits=UNLIMITED) as writer:
        for number, (t, picture) in enumerate(pictures(film / "video.mp4", 0.0, FILMED)):
            if number % FEWER == 0:
                writer.frame(Frame(picture, t, number), wait=True)
        for line in (film / "truth.jsonl").read_text("utf-8").splitlines():
            writer.act(json.loads(line))


def ready(page: Page, server: Running, path: str) -> None:
    page.goto(server.url + path)
    page.wait_for_selector("html[data-ready]")


def tell(text: str) -> None:
    sys.stderr.write(text + "\n")


def take(page: Page, folder: Path, name: str) -> None:
    page.screenshot(path=folder / f"page-{name}.jpg", type="jpeg", quality=QUALITY)
    tell(f"page-{name}.jpg")


def live(page: Page, server: Running, film: Path, folder: Path) -> None:
    """The filmed table at the moment of its fault."""
    ready(page, server, "/")
    server.host.open(Wish(source="film", film=str(film), guests=("Anna", "Ben"), pace=PACE))
    page.wait_for_selector(".violation .proof:not([hidden])")
    page.wait_for_selector("canvas.camera:not([hidden])")
    page.wait_for_timeout(700)
    take(page, folder, "live")


def rest(page: Page, server: Running, folder: Path) -> None:
    ready(page, server, "/setup")
    take(page, folder, "setup")
    page.check("input[value=phone]")
    page.click("#learn-deck")
    look_at(server, faces_grid(without=["Y5"], tilt=4.0).picture, has(".guide", "yellow 5"), page)
    page.evaluate("document.querySelector('#enrol').scrollIntoView()")
    take(page, folder, "enrol")
    server.host.open(Wish(players=3, pace=100, guests=("Anna", "Ben", "Chloé")))
    while server.host.table.status["state"] != "over":
        time.sleep(0.2)
    ready(page, server, "/?lang=de")
    until(page, "document.querySelector('#banner').textContent")
    take(page, folder, "finito")
    ready(page, server, "/count?lang=en")
    lying = [back for back, cards in server.host.round.suggestion().items() for _ in range(cards)]
    look_at(server, spread(lying[:12]).picture, has("#sum", "12 of"), page)
    page.wait_for_timeout(1000)
    take(page, folder, "count")
    page.click("#accept")
    page.wait_for_selector(".chart")
    ready(page, server, "/history")
    page.wait_for_selector("tr[data-round]")
    take(page, folder, "history")
    ready(page, server, "/join")
    take(page, folder, "join")
    ready(page, server, "/replay?session=friday")
    until(page, "document.querySelector('#video').readyState >= 2")
    page.click("#next-violation")
    page.wait_for_timeout(500)
    page.evaluate("scrollTo(0, 0)")
    take(page, folder, "replay")
    page.set_viewport_size({"width": 390, "height": 844})
    lay(server.host)
    ready(page, server, "/?lang=fr")
    page.wait_for_selector(".violation")
    take(page, folder, "phone")


def main() -> None:
    from playwright.sync_api import sync_playwright

    film = Path(sys.argv[1])
    folder = Path(sys.argv[2] if len(sys.argv) > 2 else "docs")
    with tempfile.TemporaryDirectory() as name, sync_playwright() as play:
        places = Places(Path(name) / "web", Path(name) / "sessions")
        record(film, Path(name) / "sessions" / "friday")
        browser = play.chromium.launch(executable_path=browser_path(), args=[*ALONE, *FAKE_CAMERA])
        page = browser.new_page(viewport={"width": 1280, "height": 800}, locale="en-GB")
        page.set_default_timeout(PATIENCE)
        page.on("pageerror", lambda error: tell(str(error)))
        page.on("console", lambda message: tell(message.text))
        with running(places) as server:
            live(page, server, film, folder)
            rest(page, server, folder)
        browser.close()


if __name__ == "__main__":
    main()
