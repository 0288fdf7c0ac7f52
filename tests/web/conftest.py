"""A real browser where there is one: an installed Chromium or Chrome, or what FINITO_BROWSER names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from finito.web.app import Places
from tests.web.running import Running, running

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FAKE_CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")
# A container has no user namespaces for the browser's own sandbox; it opens nothing but this server. What a
# browser does by itself on the network would be seen as requests of the page.
ALONE = (
    "--no-sandbox",
    "--disable-background-networking",
    "--disable-component-update",
    "--disable-default-apps",
    "--disable-domain-reliability",
    "--disable-sync",
    "--metrics-recording-only",
    "--no-first-run",
)


def browser_path() -> str | None:
    named = os.environ.get("FINITO_BROWSER")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


@contextmanager
def launched(*more: str) -> Iterator[Browser]:
    """A browser with a camera that is none; skips, and says so, where there is no browser."""
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="no browser tests: playwright is not installed"
    )
    path = browser_path()
    if path is None:
        pytest.skip("no browser tests: install chromium, or name a browser with FINITO_BROWSER")
    with playwright.sync_playwright() as play:
        browser = play.chromium.launch(executable_path=path, args=[*ALONE, *FAKE_CAMERA, *more])
        yield browser
        browser.close()


@pytest.fixture(scope="module")  # Playwright runs a loop of its own, beside which no test could run another
def browser() -> Iterator[Browser]:
    with launched() as found:
        yield found


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    with tablet(browser) as page:
        yield page


@contextmanager
def tablet(browser: Browser) -> Iterator[Page]:
    """A page of a tablet, which fails the test on any error in it or request to another host."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    context.grant_permissions(["camera"])
    context.add_init_script(
        "window.said = [];"
        "speechSynthesis.speak = (words) => window.said.push([words.lang, words.text, words.volume]);"
    )
    page = context.new_page()
    page.set_default_timeout(90_000)
    errors: list[str] = []
    page.on("pageerror", lambda error: errors.append(str(error)))
    page.on(
        "console",
        lambda message: errors.append(message.text) if _is_fault(message.text, message.type) else None,
    )
    page.on(
        "request",
        lambda request: errors.append(request.url) if not request.url.startswith(_OURS) else None,
    )
    yield page
    context.close()
    assert errors == []


@pytest.fixture
def places(tmp_path: Path) -> Places:
    return Places(tmp_path / "web", tmp_path / "sessions")


@pytest.fixture
def server(places: Places, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Running]:
    """With data of its own: no deck of whoever runs the tests is read or written."""
    monkeypatch.setenv("FINITO_DATA", str(tmp_path / "data"))
    with running(places) as here:
        yield here


def opened(page: Page, url: str) -> Page:
    page.goto(url)
    page.wait_for_selector("html[data-ready]")
    return page


_OURS = ("http://127.0.0.1:", "ws://127.0.0.1:", "https://127.0.0.1:", "blob:http://127.0.0.1:")


def _is_fault(text: str, kind: str) -> bool:
    """A server that is away or refuses is told by the browser, too; that is no fault of the page."""
    expected = ("WebSocket connection", "Failed to load resource", "ERR_CONNECTION")
    return kind == "error" and not any(part in text for part in expected)
