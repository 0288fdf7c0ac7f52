"""A real browser where there is one: an installed Chromium or Chrome, or what FINITO_BROWSER names."""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page

NAMES = ("chromium", "chromium-browser", "google-chrome", "google-chrome-stable", "chrome")
FAKE_CAMERA = ("--use-fake-device-for-media-stream", "--use-fake-ui-for-media-stream")


def browser_path() -> str | None:
    named = os.environ.get("FINITO_BROWSER")
    return named or next((found for name in NAMES if (found := shutil.which(name))), None)


@pytest.fixture(scope="module")  # Playwright runs a loop of its own, beside which no test could run another
def browser() -> Iterator[Browser]:
    playwright = pytest.importorskip(
        "playwright.sync_api", reason="no browser tests: playwright is not installed"
    )
    path = browser_path()
    if path is None:
        pytest.skip("no browser tests: install chromium, or name a browser with FINITO_BROWSER")
    with playwright.sync_playwright() as play:
        # A container has no user namespaces for the browser's own sandbox; it opens nothing but this server.
        browser = play.chromium.launch(executable_path=path, args=["--no-sandbox", *FAKE_CAMERA])
        yield browser
        browser.close()


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """A tablet, which fails the test on any error in the page or request to another host."""
    context = browser.new_context(viewport={"width": 1280, "height": 800}, locale="en-GB")
    context.grant_permissions(["camera"])
    context.add_init_script(
        "window.said = []; speechSynthesis.speak = (words) => window.said.push([words.lang, words.text]);"
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


_OURS = ("http://127.0.0.1:", "ws://127.0.0.1:", "https://127.0.0.1:", "blob:http://127.0.0.1:")


def _is_fault(text: str, kind: str) -> bool:
    """A server that is away or refuses is told by the browser, too; that is no fault of the page."""
    expected = ("WebSocket connection", "Failed to load resource", "ERR_CONNECTION")
    return kind == "error" and not any(part in text for part in expected)
