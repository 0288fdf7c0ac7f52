"""Setting up, counting and the phone as camera in a real browser, with the nets that ship."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

from finito.deck_library import DeckLibrary
from finito.web.host import Wish
from finito.web.stories import pressed
from tests.vision.rendered_photos import BACKS, backs_row, faces_grid, spread
from tests.vision.shipped import nets_or_skip
from tests.web.conftest import opened
from tests.web.running import Running
from tests.web.until import has, until, until_true
from vision.frame import Picture

if TYPE_CHECKING:
    from playwright.sync_api import Page

LOOKS_EVERY = 1000  # milliseconds


def look_at(server: Running, picture: Picture, until_true: str, page: Page) -> None:
    """The camera shows one picture again and again until the page says what it should."""
    end = time.monotonic() + 300
    number = 0.0
    jpeg, size, _ = pressed(picture)
    while not page.evaluate(until_true):
        assert time.monotonic() < end, f"never came true: {until_true}: {page.inner_text('main')}"
        number += 0.2
        server.host.table.show(jpeg, number, size, whole=picture)
        page.wait_for_timeout(LOOKS_EVERY)


def test_a_deck_is_enrolled_with_live_guidance(page: Page, server: Running) -> None:
    nets_or_skip()
    opened(page, server.url + "/setup")
    page.check("input[value=phone]")
    page.click("#learn-deck")
    gap = faces_grid(without=["Y5"], tilt=4.0).picture
    look_at(server, gap, has(".guide", "Row 2: yellow 5 is missing."), page)
    assert page.is_disabled("#take")
    assert page.locator(".grid-row.yellow i.missing").count() == 1
    look_at(server, faces_grid(tilt=4.0).picture, "!document.querySelector('#take').disabled", page)
    page.click("#take")
    page.wait_for_selector("text=backs up")
    look_at(server, backs_row().picture, "!document.querySelector('#take').disabled", page)
    page.click("#take")
    page.wait_for_selector("#deck-name")
    page.fill("#deck-name", "kitchen")
    for number, name in enumerate(BACKS, start=1):
        page.get_by_label(f"Back {number}", exact=True).first.fill(name)
    page.click("#learn")
    page.wait_for_selector("#learnt")
    assert "kitchen is learnt: 36 faces and 3 backs." in page.inner_text("#learnt")
    assert page.input_value("#deck") == "kitchen"
    assert DeckLibrary.of_user().names == ["kitchen"]
    assert page.locator(".player").count() == 3
    assert page.locator(".player select.back").first.input_value() == BACKS[0]


def test_cards_are_counted_live_while_they_are_turned_over(page: Page, server: Running) -> None:
    nets_or_skip()
    server.host.open(Wish(players=3, pace=100))
    until_true(page, lambda: server.host.table.status["state"] == "over")
    backs = list(server.host.round.suggestion())
    lying = [back for back, cards in server.host.round.suggestion().items() for _ in range(cards)]
    opened(page, server.url + "/count")
    first = spread(lying[:7]).picture
    counted = {back: lying[:7].count(back) for back in backs}
    look_at(
        server, first, f"document.querySelector('#cards-{backs[0]}').value === '{counted[backs[0]]}'", page
    )
    until(page, has("#sum", f"7 of {len(lying)}"))
    until(page, has("#questions", "7 cards are seen"))
    fewer = spread(lying[:10]).picture
    look_at(server, fewer, has("#sum", f"10 of {len(lying)}"), page)
    page.get_by_label("+1").first.click()  # from now on a person counts
    assert page.is_visible("#follow")
    page.click("#accept")
    page.wait_for_selector(".chart")
    assert sum(server.host.round.counted.values()) == 11
