"""A session opens whatever is missing or broken, and finds its pictures by time."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from finito.errors import BadInput
from finito.recording.about import SessionAbout, models_in_use
from finito.recording.resumed import ResumedSource
from finito.recording.session import Session
from finito.recording.writer import SessionWriter
from tests.recording.made import ABOUT, UNLIMITED, film, golden_session, shown_number, table
from vision.frame import Frame
from vision.observations import Look, Tick
from vision.sources.video import VideoFile


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    golden_session(tmp_path / "s", seconds=4.0)
    return tmp_path / "s"


def test_what_was_recorded_is_read_back(folder: Path) -> None:
    session = Session(folder)
    assert session.problems() == []
    assert session.closed
    assert session.about.players == ABOUT.players
    assert session.about.models == models_in_use() != ()
    assert session.frame_times() == pytest.approx([number / 20 for number in range(80)], abs=1e-4)
    observations = list(session.observations())
    assert isinstance(observations[0], Tick)
    assert isinstance(observations[1], Look)
    assert [action.entry["type"] for action in session.actions()][:3] == ["round", "deal", "deal"]


@pytest.mark.parametrize(
    ("t", "number"), [(0.0, 0), (0.049, 0), (0.05, 1), (1.52, 30), (3.95, 79), (99.0, 79)]
)
def test_the_frame_at_a_moment_is_the_last_one_before_it(folder: Path, t: float, number: int) -> None:
    frame = Session(folder).frame_at(t)
    assert frame is not None
    assert frame.number == number
    assert shown_number(frame.picture) == number
    assert frame.t == pytest.approx(number / 20, abs=1e-4)


def test_a_stretch_of_time_gives_its_frames_only(folder: Path) -> None:
    frames = list(Session(folder).frames(1.0, 2.0))
    assert [frame.number for frame in frames] == list(range(20, 41))
    assert [shown_number(frame.picture) for frame in frames] == list(range(20, 41))


def test_frame_numbers_survive_frames_that_were_never_recorded(tmp_path: Path) -> None:
    with SessionWriter.create(tmp_path / "s", ABOUT, limits=UNLIMITED) as writer:
        for number in (3, 4, 9, 11):
            writer.frame(Frame(table(number), number / 20, number), wait=True)
    session = Session(tmp_path / "s")
    assert [frame.number for frame in session.frames()] == [3, 4, 9, 11]
    assert session.frame_times() == pytest.approx([0.15, 0.2, 0.45, 0.55], abs=1e-4)


@pytest.mark.parametrize("share", [0.99, 0.7, 0.4])
def test_a_video_whose_end_is_missing_plays_and_seeks_up_to_there(folder: Path, share: float) -> None:
    video = folder / "video.mp4"
    data = video.read_bytes()
    video.write_bytes(data[: round(len(data) * share)])
    session = Session(folder)
    times = session.frame_times()
    assert 4.0 * share - 1.2 <= times[-1] <= 4.0
    numbers = [shown_number(frame.picture) for frame in session.frames()]
    assert numbers[: len(times) - 1] == list(range(len(times) - 1))
    frame = session.frame_at(times[-2])
    assert frame is not None
    assert shown_number(frame.picture) == len(times) - 2


@pytest.mark.parametrize("size", [0, 20, 300])
def test_a_video_killed_before_its_first_picture_is_told_and_does_no_harm(folder: Path, size: int) -> None:
    video = folder / "video.mp4"
    video.write_bytes(video.read_bytes()[:size])
    session = Session(folder)
    assert session.frame_times() == []
    assert list(session.frames()) == []
    assert session.frame_at(1.0) is None
    assert session.problems() == ["video.mp4 holds no picture that can be decoded"]
    assert len(session.actions()) == 15


@pytest.mark.parametrize("missing", ["video.mp4", "observations.jsonl", "actions.jsonl", "notices.jsonl"])
def test_a_session_without_one_of_its_files_still_opens(folder: Path, missing: str) -> None:
    (folder / missing).unlink()
    session = Session(folder)
    assert bool(session.parts) == (missing != "video.mp4")
    assert session.has_observations == (missing != "observations.jsonl")
    assert bool(session.actions()) == (missing != "actions.jsonl")
    assert session.seconds > 3
    assert len(session.frame_times()) == (0 if missing == "video.mp4" else 80)


def test_damaged_lines_are_named_and_left_out(folder: Path) -> None:
    path = folder / "actions.jsonl"
    lines = path.read_bytes().splitlines(keepends=True)
    lines[4] = b"\x00" * 40 + b"\n"
    path.write_bytes(b"".join(lines) + b'{"t": 9.9, "type": "pl')
    (folder / "observations.jsonl").write_text('{"type": "dream", "t": 1}\n[1]\n')
    session = Session(folder)
    assert [action.line for action in session.actions()] == [1, 2, 3, 4, *range(6, 16)]
    assert list(session.observations()) == []
    assert session.problems() == [
        "actions.jsonl: line 5 is damaged and left out",
        "actions.jsonl: the last line is cut off",
        "observations.jsonl: line 1 is damaged and left out",
        "observations.jsonl: line 2 is damaged and left out",
    ]


def test_a_folder_that_is_no_session_is_refused_with_a_sentence(tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=r"no session: it holds no session\.json"):
        Session(tmp_path)
    (tmp_path / "session.json").write_text('{"players": 3}')
    with pytest.raises(BadInput, match="is damaged"):
        Session(tmp_path)
    (tmp_path / "session.json").write_text('{"format": 99}')
    with pytest.raises(BadInput, match="newer Finito"):
        Session(tmp_path)


def test_deck_and_table_travel_with_the_session_and_a_change_is_noticed(tmp_path: Path) -> None:
    deck, profile = tmp_path / "house", tmp_path / "kitchen.toml"
    deck.mkdir()
    (deck / "deck.json").write_text("{}")
    profile.write_text("version = 1\n")
    SessionWriter.create(tmp_path / "s", SessionAbout(), deck=deck, table=profile, video=False).close()
    session = Session(tmp_path / "s")
    assert session.about.deck is not None
    assert session.about.table is not None
    assert (session.about.deck.name, session.about.table.name) == ("house", "kitchen")
    assert session.problems() == []
    (tmp_path / "s" / "deck" / "deck.json").write_text("{} ")
    (tmp_path / "s" / "table.toml").unlink()
    assert session.problems() == [
        "deck (house) was changed since the session began",
        "table.toml (kitchen) is missing",
    ]


def test_a_camera_that_comes_back_with_another_size_begins_another_video(tmp_path: Path) -> None:
    with SessionWriter.create(tmp_path / "s", ABOUT, limits=UNLIMITED) as writer:
        film(writer, 0.5)
        for number in range(10, 15):
            writer.frame(Frame(table(number, (641, 361)), number / 20, number), wait=True)
    session = Session(tmp_path / "s")
    assert [part.starts for part in session.parts] == [0.0, 0.5]
    assert [frame.picture.shape[:2] for frame in session.frames(0.4, 0.55)] == [(180, 320)] * 2 + [
        (360, 640)
    ] * 2


def test_session_json_is_readable_by_people_and_other_programs(folder: Path) -> None:
    document = json.loads((folder / "session.json").read_text())
    assert document["players"] == [
        {"player": "pizza", "seat": "south"},
        {"player": "gelato", "seat": "north"},
    ]
    assert document["variant"] == ["normalo"]
    assert document["version"]
    assert len(document["models"][0]["sha256"]) == 64


def test_a_source_that_counts_from_zero_is_put_on_the_clock_of_the_session(tmp_path: Path) -> None:
    golden_session(tmp_path / "s", seconds=0.5)
    with (
        SessionWriter.resume(tmp_path / "s", limits=UNLIMITED, video=False) as writer,
        ResumedSource(VideoFile(tmp_path / "s" / "video.mp4"), writer.begins) as source,
    ):
        frames = [event for event in source if isinstance(event, Frame)]
    begins = writer.begins
    assert [frame.number for frame in frames] == list(range(10, 20))
    assert frames[0].t == begins.t
    assert frames[-1].t == pytest.approx(begins.t + 0.45, abs=0.01)
    assert not source.live
