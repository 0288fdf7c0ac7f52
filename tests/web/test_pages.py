"""The page at the table in a real browser, as players use it."""

from __future__ import annotations

import signal
from pathlib import Path
from typing import TYPE_CHECKING

import cv2
import numpy as np

from finito.web.access import Keys
from finito.web.app import Places
from finito.web.host import Wish
from finito.web.links import Links
from finito.web.stories import pressed
from tests.free_port import free_port
from tests.web.conftest import opened
from tests.web.running import Running, running
from tests.web.told_server import CALLED, LATER, told_server, wait_for_video
from tests.web.until import has, until, until_true
from tests.web.written import lay

if TYPE_CHECKING:
    from playwright.sync_api import Browser, Page, Route

KEYS = Keys("t" * 24, "r" * 24)
HEAVIEST = 300_000


def stands(column: str, value: str) -> str:
    """An expression: that the score says so of pizza; the board is told after the call."""
    return f"document.querySelector('tr[data-back=pizza] .{column}').textContent === '{value}'"


def test_a_new_user_comes_from_the_first_visit_to_a_refereed_round(page: Page, server: Running) -> None:
    weight = 0

    def weigh(response: object) -> None:
        nonlocal weight
        weight += int(response.headers.get("content-length", 0))  # type: ignore[attr-defined]

    page.on("response", weigh)
    opened(page, server.url)
    assert 20_000 < weight < HEAVIEST
    page.click("#trouble a")
    page.wait_for_selector("#begin")
    page.select_option("#players", "2")
    for label, name in (("Name 1", "Anna"), ("Name 2", "Ben")):
        page.get_by_label(label).fill(name)
    page.click("#begin")
    page.wait_for_selector("#calls li")
    until(page, has("#score", "Anna"))
    page.wait_for_selector(".card.red, .card.yellow, .card.green, .card.blue")


def test_a_violation_is_overruled_the_score_changes_and_is_undone(page: Page, server: Running) -> None:
    opened(page, server.url)
    lay(server.host)
    page.wait_for_selector(".violation.illegal")
    assert "yellow 2 is next, not green 2" in page.inner_text(".violation .why")
    assert "one colour" in page.inner_text(".violation .says")
    until(page, stands("points", "1"))
    page.click(".violation .wrong")
    page.wait_for_selector(".violation", state="detached")
    until(page, stands("points", "2"))
    page.click("#undo")
    page.wait_for_selector(".violation.illegal")
    until(page, stands("points", "1"))
    page.keyboard.press("p")
    until(page, stands("faults", "0"))
    page.keyboard.press("u")
    page.wait_for_selector(".violation.illegal")
    said = page.evaluate("window.said.map(([, text]) => text)")
    assert sum("yellow 2 is next" in text for text in said) == 2  # when it was called, and when it came back
    assert not any("opens pile" in text for text in said)


def test_any_line_is_taken_out_and_brought_back(page: Page, server: Running) -> None:
    lay(server.host)
    opened(page, server.url)
    page.wait_for_selector(".violation")
    line = page.locator("#calls li", has_text="yellow 0 opens pile 1")
    line.locator("button").click()
    page.wait_for_selector("#calls li.withdrawn")
    page.locator("#calls li.withdrawn button").click()
    page.wait_for_selector("#calls li.withdrawn", state="detached")


def test_finito_is_shown_large_and_spoken_and_the_count_ends_the_round(page: Page, server: Running) -> None:
    opened(page, server.url)
    server.host.open(Wish(players=2, pace=40, guests=("Anna", "Ben")))
    until(page, "document.querySelector('#banner').textContent.startsWith('Finito!')")
    height = page.evaluate("parseFloat(getComputedStyle(document.querySelector('#banner')).fontSize)")
    assert height > 60
    until(page, "window.said.some(([lang, text]) => lang === 'en-GB' && text.startsWith('Finito!'))")
    opened(page, server.url + "/count")
    assert page.inner_text("#question") == ""
    page.locator("button", has_text="+").first.click()
    assert "1 more than were seen" in page.inner_text("#question")
    page.locator("button", has_text="−").first.click()
    page.click("#accept")
    page.wait_for_selector(".chart")
    match = server.host.match()
    assert match is not None
    totals = page.locator(".score .total").all_inner_texts()
    assert sum(int(text) for text in totals) == sum(server.host.round.counted.values()) + 5
    page.click("#next")
    until(page, "document.querySelector('#banner').hidden")


def test_calls_are_spoken_in_the_language_of_the_page_or_not_at_all(page: Page, server: Running) -> None:
    opened(page, server.url + "/?lang=de")
    assert page.evaluate("document.documentElement.lang") == "de"
    assert "Einrichten" in page.inner_text("nav")
    lay(server.host)
    page.wait_for_selector(".violation")
    assert "jetzt kommt die gelbe 2" in page.inner_text(".violation")
    until(page, "window.said.some(([lang, text]) => lang === 'de-DE' && text.includes('gelbe 2'))")
    opened(page, server.url + "/?lang=fr")
    page.wait_for_selector(".violation")
    assert "Laisser passer" in page.inner_text(".violation")
    assert "on attend" in page.inner_text(".violation")
    page.keyboard.press("m")
    page.evaluate("window.said = []")
    lay(server.host)
    until(page, "document.querySelectorAll('#calls li').length >= 6")
    assert page.evaluate("window.said") == []


def test_a_page_comes_back_by_itself_after_the_server_was_killed(page: Page, tmp_path: Path) -> None:
    """With kill -9, in the middle of a round under a camera: calls, rulings and proof are all there."""
    port = free_port()
    with told_server(tmp_path, port, CALLED) as process:
        opened(page, f"http://127.0.0.1:{port}/")
        page.wait_for_selector(".violation.illegal")
        page.keyboard.press("p")
        page.wait_for_selector("#calls li em")
        before = page.locator("#calls li").all_text_contents()
        wait_for_video(tmp_path, CALLED - 1.0)
        process.send_signal(signal.SIGKILL)
        page.wait_for_selector("html[data-online=false]")
        assert "trying again" in page.inner_text("#trouble")
    page.evaluate("window.said = []")
    with told_server(tmp_path, port, LATER):
        page.wait_for_selector("html[data-online=true]")
        until(page, f"document.querySelectorAll('#calls li').length > {len(before)}")
        after = page.locator("#calls li").all_text_contents()
        assert before[0] in after  # the list is as long as the page is high: the oldest calls fall off it
        still = after[after.index(before[0]) :]
        assert still == before[: len(still)]
        assert page.locator("#calls li em").count() == 1
        spoken = page.evaluate("window.said.map(([, text]) => text)")
        assert not any("is next, not" in text for text in spoken)  # what was said is not said again
        page.keyboard.press("u")
        page.wait_for_selector(".violation.illegal .proof:not([hidden])")


def test_names_typed_before_the_deck_is_known_are_kept(page: Page, server: Running) -> None:
    held: list[Route] = []
    page.route("**/api/decks/house*", lambda route: held.append(route))  # a function that can be marked
    page.goto(server.url + "/setup")
    page.get_by_label("Name 1").fill("Anna")
    until(page, "document.querySelector('#deck').value === 'house'")
    until_true(page, lambda: held)
    held[0].continue_()
    page.wait_for_selector("html[data-ready]")
    assert page.get_by_label("Name 1").input_value() == "Anna"
    assert page.locator("select.back").first.input_value() == "pizza"


def test_an_accusation_is_not_hidden_by_a_question_that_comes_after_it(page: Page, server: Running) -> None:
    opened(page, server.url)
    lay(server.host)
    page.wait_for_selector(".violation.illegal")
    doubt = {"line": 99, "type": "play", "player": "gelato", "verdict": "unsure", "rule": "too-late"}
    server.host.table.push({**doubt, "why": "who was first?"})
    page.wait_for_selector("#calls li.unsure")
    assert page.locator(".violation.illegal").count() == 1
    page.keyboard.press("p")
    page.wait_for_selector(".violation.unsure")
    page.keyboard.press("u")
    page.wait_for_selector(".violation.illegal")


def test_the_call_that_was_spoken_of_last_is_shown(page: Page, server: Running) -> None:
    """Taking back a ruling brings up the call that it was about, however many came after it."""
    opened(page, server.url)
    lay(server.host)
    page.wait_for_selector(".violation.illegal")
    page.keyboard.press("p")
    page.wait_for_selector("#calls li em")
    fault = {"line": 99, "type": "play", "player": "gelato", "verdict": "illegal", "rule": "wrong-number"}
    server.host.table.push({**fault, "why": "blue 3 is next"})
    page.wait_for_selector(".violation >> text=blue 3 is next")
    page.keyboard.press("u")
    page.wait_for_selector(".violation >> text=yellow 2 is next")


def test_proof_that_comes_late_is_shown_and_changes_with_the_call(page: Page, server: Running) -> None:
    """The pictures are not there yet when the call is shown, and the first question for them fails."""
    asked: list[str] = []

    def fail_once(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) == 1:
            route.abort()
        else:
            route.continue_()

    page.route("**/api/table/evidence/*?lang=en", fail_once)
    opened(page, server.url)
    lay(server.host)
    page.wait_for_selector(".violation.illegal")
    line = int(page.get_attribute(".violation", "data-line") or 0)
    until(page, "document.querySelector('.violation .proof').hidden")
    until_true(page, lambda: len(asked) > 1)
    picture = pressed(np.full((90, 160, 3), 90, np.uint8))
    server.host.table.keep_clip(line, [(picture[0], 1.0, picture[1]), (picture[0], 1.2, picture[1])])
    page.wait_for_selector(".violation .proof:not([hidden])")
    assert f"/evidence/{line}/" in (page.get_attribute(".violation .proof", "src") or "")


def code_on(page: Page) -> str:
    """What a phone reads in the first code of the page."""
    until(page, "document.querySelector('.code img').complete")
    shot = cv2.imdecode(
        np.frombuffer(page.locator(".code img").first.screenshot(), np.uint8), cv2.IMREAD_COLOR
    )
    assert shot is not None
    return str(cv2.QRCodeDetector().detectAndDecode(cv2.resize(shot, None, fx=2, fy=2))[0])


def test_two_spectators_join_by_the_code_and_cannot_write(browser: Browser, places: Places) -> None:
    with running(places, Links("http://table", KEYS)) as server:
        lay(server.host)
        contexts = [browser.new_context() for _ in range(4)]
        table, *pages, stranger = [context.new_page() for context in contexts]
        opened(table, f"{server.url}/join?key={KEYS.table}")
        assert table.locator(".code").count() == 3
        link = code_on(table)
        assert link == f"http://table/?key={KEYS.read}"
        for page in pages:
            opened(page, link.replace("http://table", server.url))
            assert "key" not in page.url
            page.wait_for_selector(".violation")
            assert page.locator(".violation button, #buttons, #calls button").count() == 0
            refused = page.evaluate(
                "fetch('/api/table/undo', {method: 'POST'}).then((answer) => answer.status)"
            )
            assert refused == 403
            assert page.evaluate("document.cookie") == ""
        called = next(line["line"] for line in server.host.table.snapshot("en")["lines"] if line["rule"])
        server.host.rule(called, "pass")
        for page in pages:
            page.wait_for_selector(".violation", state="detached")
        opened(pages[0], f"{server.url}/join")
        assert pages[0].locator(".code").count() == 1
        stranger.goto(server.url)
        stranger.wait_for_selector("text=/key/")
        for context in contexts:
            context.close()


def test_a_table_is_set_up_and_refereed_with_the_keyboard_alone(page: Page, server: Running) -> None:
    opened(page, server.url + "/setup")
    for _ in range(60):
        page.keyboard.press("Tab")
        if page.evaluate("document.activeElement.id") == "begin":
            break
    outline = page.evaluate("getComputedStyle(document.activeElement).outlineStyle")
    assert (page.evaluate("document.activeElement.id"), outline) == ("begin", "solid")
    page.keyboard.press("Enter")
    page.wait_for_selector("#calls li")
    lay(server.host)
    page.wait_for_selector(".violation >> text=yellow 2 is next")  # and not a fault of the bots before it
    assert page.get_attribute(".violation", "role") == "alert"
    assert page.get_attribute("#last", "aria-live") == "polite"
    page.focus(".violation .wrong")
    page.keyboard.press("Enter")
    page.wait_for_selector(".violation", state="detached")
    page.keyboard.press("u")
    page.wait_for_selector(".violation")
    page.keyboard.press("f")
    assert "Finito!" in page.evaluate("document.activeElement.textContent")


def test_the_voice_has_a_volume(page: Page, server: Running) -> None:
    opened(page, server.url)
    page.click("#choices summary")
    page.locator("#choose-volume").fill("0.3")
    lay(server.host)
    page.wait_for_selector(".violation")
    assert {round(volume, 2) for _, _, volume in page.evaluate("window.said")} == {0.3}
