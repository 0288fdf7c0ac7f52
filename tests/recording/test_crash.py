"""Kill −9 at random moments of a quiet game costs at most a second of video and no acknowledged action."""

from __future__ import annotations

from pathlib import Path

import pytest

from finito.recording.lines import LineFile, read_lines
from finito.recording.session import Session
from finito.recording.writer import SessionWriter
from tests.recording.kills import RUNS_PER_SESSION, kill_often
from tests.recording.made import ABOUT, UNLIMITED, film, golden_session

KILLS = 20


@pytest.mark.slow
def test_twenty_kills_of_a_quiet_recording_cost_at_most_a_second_each(tmp_path: Path) -> None:
    losses = list(kill_often(KILLS, 1995, tmp_path))
    assert len(losses) == KILLS
    assert any(loss.lived > 1.5 for loss in losses)
    assert max(loss.parts for loss in losses) >= 3  # a run that lived long enough left a file of its own
    for loss in losses:
        assert loss.actions == 0, loss
        assert loss.video <= 1.0 + loss.stalled, loss


@pytest.mark.slow
def test_a_session_killed_again_and_again_is_one_session_with_one_clock(tmp_path: Path) -> None:
    losses = list(kill_often(RUNS_PER_SESSION, 7, tmp_path))
    session = Session(tmp_path / "session0")
    times = session.frame_times()
    assert times == sorted(times)
    told = [action.entry["t"] for action in session.actions()]
    assert told == sorted(told)
    assert [action.line for action in session.actions()] == list(range(1, len(told) + 1))
    starts = [notice["offset"] for notice in session.notices() if notice["what"] == "resumed"]
    assert len(starts) == RUNS_PER_SESSION - 1
    assert starts == sorted(starts)
    numbers = [frame.number for frame in session.frames()]
    assert len(set(numbers)) == len(numbers)
    assert not session.closed
    assert all(loss.actions == 0 for loss in losses)


@pytest.mark.parametrize("cut", range(1, 60, 7))
def test_a_last_line_that_was_cut_off_is_removed_when_the_session_goes_on(tmp_path: Path, cut: int) -> None:
    lines = golden_session(tmp_path / "s")
    path = tmp_path / "s" / "actions.jsonl"
    whole = path.read_bytes()
    path.write_bytes(whole[:-cut])
    kept = whole[:-cut].count(b"\n") + (cut == 1)  # without its line end alone the line is still whole
    assert len(Session(tmp_path / "s").actions()) == kept
    with SessionWriter.resume(tmp_path / "s", limits=UNLIMITED) as writer:
        receipt = writer.act({"type": "finito", "player": "pizza"})
    assert receipt.line == kept + 1
    entries = [action.entry for action in Session(tmp_path / "s").actions()]
    assert entries == [*lines[:kept], {"type": "finito", "player": "pizza"}]


def test_a_resumed_session_goes_on_in_a_second_video_with_its_offset_told(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    with SessionWriter.create(folder, ABOUT, limits=UNLIMITED) as writer:
        film(writer, 1.0)
    with SessionWriter.resume(folder, limits=UNLIMITED) as writer:
        begins = writer.begins
        assert begins.t > 0.95
        assert begins.frame == 20
        film(writer, 1.0, start=begins.t)
    session = Session(folder)
    assert [part.path.name for part in session.parts] == ["video.mp4", "video-2.mp4"]
    assert session.parts[1].starts == pytest.approx(begins.t, abs=1e-4)
    assert session.frame_times() == pytest.approx(
        [n / 20 for n in range(20)] + [begins.t + n / 20 for n in range(20)], abs=1e-4
    )
    assert session.closed


def test_two_programs_cannot_record_into_one_session(tmp_path: Path) -> None:
    from finito.errors import BadInput

    with (
        SessionWriter.create(tmp_path / "s", ABOUT, limits=UNLIMITED),
        pytest.raises(BadInput, match="another program"),
    ):
        SessionWriter.resume(tmp_path / "s")


def test_lines_written_by_hand_without_a_last_line_end_are_kept(tmp_path: Path) -> None:
    path = tmp_path / "lines.jsonl"
    path.write_text('{"a": 1}\n{"a": 2}')
    lines = LineFile(path)
    assert lines.append('{"a": 3}').line == 3
    lines.close()
    assert [line.value for line in read_lines(path)] == [{"a": 1}, {"a": 2}, {"a": 3}]
