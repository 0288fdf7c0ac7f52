"""`finito sessions`: list, show, export, delete; nothing outside the folder can be reached."""

from __future__ import annotations

import json
import zipfile
from pathlib import Path
from typing import Any

import av
import pytest
from typer.testing import CliRunner, Result

from finito.cli import build_app
from finito.errors import BadInput
from finito.recording.library import SessionLibrary
from finito.recording.session import Session
from finito.recording.writer import SessionWriter
from tests.command import finito
from tests.recording.made import ABOUT, UNLIMITED, film, golden_session

FIRST, SECOND = "2026-11-16-200000", "2026-11-17-200000"


@pytest.fixture
def data(tmp_path: Path) -> Path:
    golden_session(tmp_path / "sessions" / FIRST, seconds=4.0)
    golden_session(tmp_path / "sessions" / SECOND, "full-round-to-finito")
    return tmp_path


def run(data: Path, *arguments: str, stdin: str | None = None) -> Result:
    """The command within this process: it starts in no time."""
    return CliRunner().invoke(
        build_app(), ["sessions", *arguments], input=stdin, env={"FINITO_DATA": str(data)}
    )


def answers(data: Path, *arguments: str) -> list[dict[str, Any]]:
    done = run(data, *arguments, "--json")
    assert done.exit_code == 0, done.output
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_sessions_are_listed_newest_first_with_their_sizes(data: Path) -> None:
    rows = answers(data, "list")
    assert [row["session"] for row in rows] == [SECOND, FIRST]
    assert rows[1]["players"] == ["pizza", "gelato"]
    assert rows[1]["bytes"] > (data / "sessions" / FIRST / "video.mp4").stat().st_size
    assert rows[1]["closed"] is True
    assert rows[1]["recording"] is False
    table = run(data, "list").stdout
    assert FIRST in table
    assert "may take 20.0 GB" in table


def test_show_tells_calls_video_and_problems(data: Path) -> None:
    (shown,) = answers(data, "show", FIRST)
    assert [(call["line"], call["rule"]) for call in shown["calls"]] == [
        (7, "wrong-colour"),
        (15, "wrong-colour"),
    ]
    assert shown["video"] == [{"file": "video.mp4", "starts": 0.0, "frames": 80}]
    assert shown["problems"] == []
    assert "line 7: illegal wrong-colour: pile 1 is red" in run(data, "show", FIRST).stdout


def test_a_session_leaves_as_one_zip_that_opens_as_a_session_elsewhere(data: Path, tmp_path: Path) -> None:
    (done,) = answers(data, "export", FIRST, "--out", str(tmp_path / "game.zip"))
    assert done["bytes"] == (tmp_path / "game.zip").stat().st_size
    with zipfile.ZipFile(tmp_path / "game.zip") as archive:
        assert all(name.startswith(f"{FIRST}/") and "/." not in name for name in archive.namelist())
        archive.extractall(tmp_path / "elsewhere")
    again = Session(tmp_path / "elsewhere" / FIRST)
    assert again.problems() == []
    assert len(again.frame_times()) == 80


def test_the_video_leaves_as_one_plain_file_whatever_its_parts(tmp_path: Path) -> None:
    folder = tmp_path / "sessions" / FIRST
    with SessionWriter.create(folder, ABOUT, limits=UNLIMITED) as writer:
        film(writer, 1.0)
    with SessionWriter.resume(folder, limits=UNLIMITED) as writer:
        film(writer, 1.0, start=writer.begins.t + 500)
    answers(tmp_path, "export", FIRST, "--out", str(tmp_path / "game.mp4"))
    with av.open(str(tmp_path / "game.mp4")) as video:
        times = [frame.time for frame in video.decode(video=0)]
    assert len(times) == 40
    assert times[-1] == pytest.approx(0.95 + 1.0 + 0.95, abs=0.01)  # nobody waits 500 seconds


def test_a_stretch_and_the_evidence_of_a_call_leave_as_clip_and_still(data: Path, tmp_path: Path) -> None:
    clip, call, still = (tmp_path / name for name in ("clip.mp4", "call.mp4", "call.jpg"))
    answers(data, "export", FIRST, "--out", str(clip), "--from", "1", "--to", "2")
    answers(data, "export", FIRST, "--out", str(call), "--call", "7")
    answers(data, "export", FIRST, "--out", str(still), "--call", "7", "--lang", "de")
    for path, frames in ((clip, 21), (call, 61)):
        with av.open(str(path)) as video:
            assert len(list(video.decode(video=0))) == frames
    assert still.stat().st_size > 5000


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["show", "2020-01-01-000000"], "there is no session"),
        (["export", FIRST, "--out", "game.avi"], "name a .zip or .mp4"),
        (["export", FIRST, "--call", "5", "--out", "a.jpg"], "lines that do: 7, 15"),
        (["export", SECOND, "--out", "a.mp4"], "has no video"),
        (["export", FIRST, "--out", "a.mp4", "--from", "90"], "there is no video of that time"),
        (["export", FIRST, "--out", "no/such/folder/a.zip"], "cannot be written"),
    ],
)
def test_what_cannot_be_done_is_said_in_one_sentence(data: Path, arguments: list[str], sentence: str) -> None:
    problem = run(data, *arguments).exception
    assert isinstance(problem, BadInput)
    assert sentence in str(problem)


def test_delete_asks_first(data: Path) -> None:
    path = data / "sessions" / FIRST
    assert run(data, "delete", FIRST, stdin="n\n").exit_code == 1
    assert path.is_dir()
    assert run(data, "delete", FIRST, "--json").exit_code == 2
    assert path.is_dir()
    assert run(data, "delete", FIRST, stdin="y\n").exit_code == 0
    assert not path.exists()
    assert answers(data, "delete", SECOND, "--yes")[0]["deleted"] is True
    assert SessionLibrary(data / "sessions").names == []


@pytest.mark.parametrize("command", ["show", "export", "delete"])
@pytest.mark.parametrize(
    "name", ["..", "../outside", "a/../../outside", ".", "", "/", "%ABS%", "link", ".hidden"]
)
def test_no_name_leads_out_of_the_sessions_folder(data: Path, command: str, name: str) -> None:
    outside = data / "outside"
    golden_session(outside)
    (data / "sessions" / "link").symlink_to(outside)
    golden_session(data / "sessions" / ".hidden")
    yes = ["--yes"] if command == "delete" else []
    done = run(data, command, name.replace("%ABS%", str(outside)), *yes)
    assert isinstance(done.exception, BadInput)
    assert (outside / "actions.jsonl").is_file()
    assert (data / "sessions" / ".hidden").is_dir()


def test_links_within_a_session_are_not_exported(data: Path, tmp_path: Path) -> None:
    (tmp_path / "secret.txt").write_text("secret")
    (data / "sessions" / SECOND / "deck").symlink_to(tmp_path)
    (data / "sessions" / SECOND / "notes.txt").symlink_to(tmp_path / "secret.txt")
    answers(data, "export", SECOND, "--out", str(tmp_path / "game.zip"))
    with zipfile.ZipFile(tmp_path / "game.zip") as archive:
        assert not [name for name in archive.namelist() if "secret" in name or "notes" in name]


def test_a_session_that_is_being_recorded_is_not_deleted(data: Path) -> None:
    with SessionWriter.resume(data / "sessions" / FIRST, limits=UNLIMITED, video=False):
        assert answers(data, "list")[1]["recording"] is True
        done = run(data, "delete", FIRST, "--yes")
        assert "is being recorded" in str(done.exception)
    assert (data / "sessions" / FIRST / "video.mp4").is_file()


def test_the_real_command_answers_with_an_exit_code_and_no_traceback(data: Path) -> None:
    done = finito("sessions", "delete", "../outside", "--yes", data=data)
    assert done.returncode == 1
    assert done.stderr.startswith("finito: '../outside' is no name of a session")
    assert "Traceback" not in done.stderr
