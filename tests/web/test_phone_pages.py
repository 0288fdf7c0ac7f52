"""A phone as camera in a real browser: Chromium's fake camera is fed from a rendered game."""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING, Any

import cv2
import numpy as np
import pytest

from tests.free_port import free_port
from tests.vision.shipped import nets_or_skip
from tests.web.conftest import launched, opened, tablet
from tests.web.running import Running, running
from tests.web.until import has, until, until_true
from vision.frame import Picture

if TYPE_CHECKING:
    from playwright.sync_api import Browser

FILMED = (5.2, 11.5)  # seconds of the simulated game: dealt, then the first plays
FPS = 10
GUESTS = (("Anna", "pizza", "south"), ("Ben", "spaghetti", "north"))
SLOWER = 6  # Chromium shows 30 frames a second: each is shown so often, and the game goes at half its speed


@pytest.fixture(scope="module")
def rendered_game(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, list[Picture]]:
    """The beginning of a simulated game as a film for Chromium's fake camera, and its frames."""
    from finito.virtual_table.choreography.filming import draw
    from finito.virtual_table.choreography.session import Wish as Simulation
    from finito.virtual_table.choreography.session import plan_session

    planned = plan_session(Simulation(2, 12, 3, size=(1280, 720), fps=FPS, roughness=0.4))
    numbers = range(int(FILMED[0] * FPS), int(FILMED[1] * FPS))
    frames = [np.asarray(frame.picture, np.uint8) for frame in draw(planned.shot, numbers)]
    path = tmp_path_factory.mktemp("camera") / "game.mjpeg"
    with path.open("wb") as film:
        for frame in frames:
            _, jpeg = cv2.imencode(".jpg", frame, [cv2.IMWRITE_JPEG_QUALITY, 88])
            film.write(jpeg.tobytes() * SLOWER)
    return path, frames


@pytest.fixture(scope="module")
def with_game(rendered_game: tuple[Path, list[Picture]]) -> Iterator[Browser]:
    nets_or_skip()
    with launched(f"--use-file-for-fake-video-capture={rendered_game[0]}") as browser:
        yield browser


def test_a_new_user_comes_from_the_first_visit_to_a_round_refereed_under_a_phone(
    with_game: Browser, server: Running, rendered_game: tuple[Path, list[Picture]]
) -> None:
    with tablet(with_game) as page, tablet(with_game) as phone:
        opened(page, server.url)
        page.click("#trouble a")
        page.wait_for_selector("#begin")
        page.check("input[value=phone]")
        assert page.is_visible("#phone-code img")
        opened(phone, server.url + "/camera")
        phone.click("#camera-start")
        until(phone, "Number(document.documentElement.dataset.frames) > 3")
        assert re.fullmatch(r"[\d.]+ pictures/s · \d+ ms", phone.inner_text("#camera-rate"))
        assert_shows_the_game(server, rendered_game[1])
        until(page, has("#found", "The table is measured by its markers."), 200)
        page.select_option("#players", "2")
        for number, (name, back, seat) in enumerate(
            (("Anna", "pizza", "south"), ("Ben", "spaghetti", "north")), 1
        ):
            page.get_by_label(f"Name {number}").fill(name)
            page.get_by_label(f"Back {number}", exact=True).select_option(back)
            page.get_by_label(f"Seat {number}", exact=True).select_option(seat)
        page.click("#begin")
        page.wait_for_selector("#calls", state="attached")
        page.wait_for_selector("canvas.camera:not([hidden])")
        until(page, "document.querySelector('.rate').textContent.includes('recording')", 300)
        page.wait_for_selector("#calls li", timeout=300_000)
        until(page, has("#score", "Anna"))
        until_true(page, lambda: server.host.table.status["waiting"] is None)


def assert_shows_the_game(server: Running, frames: list[Picture]) -> None:
    """What the referee gets is a picture of the rendered game, not Chromium's own test film."""
    shown = server.host.table.picture
    assert shown is not None
    assert shown.size == (1280, 720)
    got = _small(cv2.imdecode(np.frombuffer(shown.jpeg, np.uint8), cv2.IMREAD_COLOR))
    assert max(float(np.corrcoef(got, _small(frame))[0, 1]) for frame in frames) > 0.97


def _small(picture: Any) -> Any:
    """Grey cells in a row; a camera's colours and sharpness are its own."""
    return cv2.resize(
        cv2.cvtColor(picture, cv2.COLOR_BGR2GRAY), (160, 90), interpolation=cv2.INTER_AREA
    ).ravel()


def test_a_phone_is_told_what_is_wrong_and_comes_back_by_itself(
    with_game: Browser, monkeypatch: pytest.MonkeyPatch
) -> None:
    port = free_port()
    with tablet(with_game) as phone:
        with running(port=port) as server:
            monkeypatch.setattr("finito.web.camera_socket.LARGEST", 10)
            opened(phone, server.url + "/camera")
            phone.click("#camera-start")
            until(phone, has("#camera-state", "only JPEG frames"))
            monkeypatch.setattr("finito.web.camera_socket.LARGEST", 4 * 1024 * 1024)
            until(phone, "Number(document.documentElement.dataset.frames) > 1")
        until(phone, has("#camera-state", "trying again"))
        with running(port=port) as server:
            until(phone, has("#camera-state", "The referee sees this picture"))
            until_true(phone, lambda: server.host.table.picture is not None)
