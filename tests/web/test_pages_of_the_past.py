"""Recorded sessions, the history and the count in a real browser."""

from __future__ import annotations

import zipfile
from typing import TYPE_CHECKING

from finito.web.app import Places
from tests.recording.made import golden_session
from tests.web.conftest import opened
from tests.web.running import Running
from tests.web.until import until
from tests.web.written import lay

if TYPE_CHECKING:
    from playwright.sync_api import Page


def test_a_recorded_session_is_scrubbed_stepped_and_searched_for_faults(
    page: Page, server: Running, places: Places
) -> None:
    assert places.sessions is not None
    golden_session(places.sessions / "friday", seconds=4.0)
    opened(page, server.url + "/replay")
    page.click("text=friday")
    page.wait_for_selector("#board .piles")
    until(page, "document.querySelector('#video').readyState >= 2")
    page.click("#next-violation")
    assert page.locator("#at .call.illegal").count() == 1
    at_fault = float(page.input_value("#scrub"))
    page.click("#back")
    assert float(page.input_value("#scrub")) < at_fault
    page.locator("#scrub").fill("0")
    assert page.locator("#board .piles .card").count() == 0
    page.select_option("#speed", "8")
    page.click("#play")
    until(page, "Number(document.querySelector('#scrub').value) > 0.2")
    with page.expect_download() as clip:
        page.click("#clip")
    assert clip.value.path().read_bytes()[4:8] == b"ftyp"
    with page.expect_download() as whole:
        page.click("#export")
    assert zipfile.is_zipfile(whole.value.path())


def test_a_clip_is_handed_to_what_the_phone_shares_with(page: Page, server: Running, places: Places) -> None:
    assert places.sessions is not None
    golden_session(places.sessions / "friday", seconds=2.0)
    page.add_init_script(
        "navigator.canShare = () => true;"
        "navigator.share = async ({files: [file]}) => { window.shared = [file.name, file.type, file.size]; };"
    )
    opened(page, server.url + "/replay?session=friday")
    page.click("#share-clip")
    until(page, "window.shared")
    name, kind, size = page.evaluate("window.shared")
    assert (name, kind) == ("friday.mp4", "video/mp4")
    assert size > 1000


def test_a_round_in_the_history_is_put_right(page: Page, server: Running) -> None:
    lay(server.host)
    opened(page, server.url)
    page.wait_for_selector(
        ".violation.illegal", timeout=90_000
    )  # the round has its fault before it is counted
    page.goto(server.url + "/history")
    with page.expect_response(lambda response: "/api/table/count" in response.url):
        page.evaluate(
            "fetch('/api/table/count', {method: 'POST', headers: {'Content-Type': 'application/json'},"
            " body: JSON.stringify({by_back: {pizza: 3, gelato: 4}})})"
        )
    opened(page, server.url + "/history")
    page.wait_for_selector("tr[data-round='1']")
    page.click(".edit")
    page.fill("#edit-pizza", "9")
    page.click("#edit .save")
    until(page, "document.querySelector('tr[data-round=\"1\"] td').textContent.startsWith('9')")
    assert page.locator("#match .chart polyline").count() == 2
    page.click("tr[data-round='1'] .undo")
    page.wait_for_selector("tr.undone")
    page.click("tr[data-round='1'] .undo")
    page.wait_for_selector("tr.undone", state="detached")
    with page.expect_download() as sheet:
        page.locator("#match a", has_text="CSV").click()
    assert ",pizza,pizza," in sheet.value.path().read_text("utf-8")
    opened(page, server.url + "/history")
    assert "gelato" in page.inner_text("#players tbody")
    with page.expect_download() as everybody:
        page.locator("#players a", has_text="CSV").click()
    rows = everybody.value.path().read_text("utf-8").splitlines()
    assert rows[0] == "player,matches,wins,rounds,finitos,average,best,illegal"
    assert "pizza,1,0,1,0,9.0,9,1" in rows


def test_a_count_is_taken_back_and_made_again(page: Page, server: Running) -> None:
    lay(server.host)
    opened(page, server.url + "/")
    page.wait_for_selector(".violation")
    opened(page, server.url + "/count")
    page.click("#accept")
    page.wait_for_selector(".chart")
    page.click("#undo")
    page.wait_for_selector(".chart .line text >> nth=3", state="detached")
    until(page, "[...document.querySelectorAll('.total')].every((cell) => cell.textContent.startsWith('0'))")
    assert page.locator(".violation").count() == 1  # the count was said last: nothing else is taken back
