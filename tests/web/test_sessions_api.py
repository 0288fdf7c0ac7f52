"""Recorded sessions over HTTP."""

from __future__ import annotations

import io
import zipfile
from pathlib import Path

import pytest

from finito.store.memory import MemoryStore
from finito.web.app import Places, create_app
from tests.recording.made import golden_session
from tests.web.client import Client


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    place = tmp_path_factory.mktemp("sessions")
    golden_session(place / "friday", seconds=2.0)
    (place / "outside").mkdir()
    (place.parent / "secret.txt").write_text("secret")
    return place


@pytest.fixture
def api(folder: Path) -> Client:
    return Client(create_app(MemoryStore(), places=Places(None, folder)))


def test_a_session_is_told_again_with_the_board_at_every_moment(api: Client) -> None:
    listed = api.get("/api/sessions").json()
    assert [each["session"] for each in listed] == ["friday"]
    told = api.get("/api/sessions/friday").json()
    called = [line for line in told["lines"] if line.get("verdict") == "illegal"]
    assert called[0]["rule"] == "wrong-colour"
    times = [board["t"] for board in told["boards"]]
    assert times == sorted(times)
    assert told["boards"][0]["piles"] == []
    dealt = next(board for board in told["boards"] if board["started"])
    assert not any("??" in side["helps"] for side in dealt["sides"].values())
    assert told["boards"][-1]["piles"]
    german = api.get("/api/sessions/friday?lang=de").json()
    assert "Stapel" in next(line["why"] for line in german["lines"] if line.get("rule") == "wrong-colour")


def test_the_video_can_be_sought_in(api: Client) -> None:
    part = api.get("/api/sessions/friday").json()["parts"][0]["file"]
    answer = api.get(f"/api/sessions/friday/video/{part}", headers={"Range": "bytes=4-11"})
    assert (answer.status_code, len(answer.content)) == (206, 8)
    assert answer.content.startswith(b"ftyp")


def test_a_clip_and_the_whole_are_files(api: Client) -> None:
    clip = api.get("/api/sessions/friday/clip.mp4?start=0.5&end=1.5")
    assert clip.content[4:8] == b"ftyp"
    whole = zipfile.ZipFile(io.BytesIO(api.get("/api/sessions/friday/export.zip").content))
    assert "friday/session.json" in whole.namelist()


@pytest.mark.parametrize(
    "stretch", ["start=2&end=1", "start=0&end=31", "start=-1&end=1", "start=x&end=1", ""]
)
def test_a_clip_that_cannot_be_is_refused(api: Client, stretch: str) -> None:
    assert api.get(f"/api/sessions/friday/clip.mp4?{stretch}").status_code == 422


@pytest.mark.parametrize(
    "path",
    [
        "/api/sessions/..",
        "/api/sessions/%2e%2e",
        "/api/sessions/..%2f..%2fetc",
        "/api/sessions/outside",
        "/api/sessions/%00",
        "/api/sessions/friday/video/..%2f..%2fsecret.txt",
        "/api/sessions/friday/video/session.json",
        "/api/sessions/friday/video/%2fetc%2fpasswd",
        "/api/sessions/friday/video/../../secret.txt",
        "/assets/..%2f..%2fapp.py",
        "/assets/%2e%2e/app.py",
        "/assets/page.html",
    ],
)
def test_no_path_leads_out_of_the_sessions(api: Client, path: str) -> None:
    answer = api.get(path)
    assert answer.status_code in (404, 422), answer.text
    assert "secret" not in answer.text.replace("secret.txt", "")


def test_a_session_is_deleted_by_name(api: Client, folder: Path) -> None:
    golden_session(folder / "old")
    assert api("DELETE", "/api/sessions/old").status_code == 204
    assert not (folder / "old").exists()
    assert api("DELETE", "/api/sessions/old").status_code == 404
