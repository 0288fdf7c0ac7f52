"""Without room on the disk the video stops, the lines go on, and it is said."""

from __future__ import annotations

import os
import subprocess
import sys
import threading
from pathlib import Path

import pytest

from finito.recording import video_thread
from finito.recording.limits import Limits
from finito.recording.lines import LineFile, read_lines
from finito.recording.session import Session
from finito.recording.video import VideoPart
from finito.recording.writer import RESERVE, SessionWriter
from tests.recording.made import ABOUT, UNLIMITED, film, table
from vision.frame import Frame, Picture

ROOT = Path(__file__).parents[2]
# The system refuses to let any file of this process grow beyond the limit, as a full disk does.
PROGRAM = """
import resource, sys
from pathlib import Path
from finito.recording.writer import SessionWriter
from tests.recording.made import ABOUT, UNLIMITED, film
heard = []
folder = Path(sys.argv[1])
writer = SessionWriter.create(folder, ABOUT, limits=UNLIMITED, on_notice=heard.append)
resource.setrlimit(resource.RLIMIT_FSIZE, (30_000, 30_000))
with writer:
    film(writer, 60.0)
    kept = [writer.act({"t": n / 10, "type": "turn", "player": "pizza", "count": 3}).kept for n in range(200)]
stops = [notice["what"] for notice in heard].count("video-stopped")
print(all(kept), writer.video_stopped is not None, stops)
"""


@pytest.mark.skipif(sys.platform == "win32", reason="Windows has no limit on the size of files")
def test_a_full_disk_stops_the_video_and_keeps_the_actions(tmp_path: Path) -> None:
    folder = tmp_path / "s"
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM, str(folder)], cwd=ROOT, capture_output=True, text=True, timeout=300
    )
    assert done.stdout.split() == ["True", "True", "1"], done.stderr
    session = Session(folder)
    assert len(session.actions()) == 200
    stopped = next(notice for notice in session.notices() if notice["what"] == "video-stopped")
    assert "too large" in stopped["why"]
    assert "actions and observations are still kept" in stopped["why"]
    assert (folder / "video.mp4").stat().st_size <= 30_000
    times = session.frame_times()
    assert stopped["t"] - times[-1] <= 1.0  # what was filmed before still plays to its end
    assert len(list(session.frames())) == len(times)
    assert any("cannot be written" in problem for problem in session.problems())


def test_the_video_stops_at_its_own_limit(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("finito.recording.video_thread.CHECK_ROOM_EVERY", 0.0)
    with SessionWriter.create(tmp_path / "s", ABOUT, limits=Limits(video=20_000, keep_free=0)) as writer:
        film(writer, 60.0)
        assert writer.video_stopped is not None
        assert "its limit of 20.0 kB" in writer.video_stopped
        assert writer.act({"type": "start", "t": 1.0}).kept
    assert 20_000 <= (tmp_path / "s" / "video.mp4").stat().st_size < 40_000


def test_no_video_is_begun_on_a_disk_that_is_nearly_full(tmp_path: Path) -> None:
    heard: list[str] = []
    nearly = Limits(keep_free=10**18)
    with SessionWriter.create(
        tmp_path / "s", ABOUT, limits=nearly, on_notice=lambda notice: heard.append(notice["why"])
    ) as writer:
        film(writer, 1.0)
        assert writer.act({"type": "start", "t": 1.0}).kept
    assert any("are free on the disk" in why for why in heard)
    assert not list((tmp_path / "s").glob("*.mp4"))
    assert [action.entry["type"] for action in Session(tmp_path / "s").actions()] == ["start"]


def test_lines_that_find_no_room_wait_and_are_written_in_order_once_there_is(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    full = [True]
    write = os.write

    def on_a_full_disk(file: int, data: bytes) -> int:
        if full[0]:
            if len(data) > 4:
                return write(file, data[:4])  # a disk that fills up takes a part first
            raise OSError(28, "No space left on device")
        return write(file, data)

    path = tmp_path / "lines.jsonl"
    lines = LineFile(path)
    monkeypatch.setattr(os, "write", on_a_full_disk)
    receipts = [lines.append(f'{{"n": {n}}}') for n in range(3)]
    assert [(receipt.line, receipt.kept) for receipt in receipts] == [(1, False), (2, False), (3, False)]
    assert path.read_bytes() == b""
    full[0] = False
    assert lines.append('{"n": 3}').kept
    lines.close()
    assert [line.value["n"] for line in read_lines(path)] == [0, 1, 2, 3]


def test_what_was_set_aside_is_given_up_for_the_first_action_that_finds_no_room(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    writer = SessionWriter.create(tmp_path / "s", ABOUT, limits=UNLIMITED, video=False)
    reserve, write = tmp_path / "s" / RESERVE, os.write
    assert reserve.stat().st_size > 1_000_000

    def while_reserved(file: int, data: bytes) -> int:
        if reserve.exists():
            raise OSError(28, "No space left on device")
        return write(file, data)

    monkeypatch.setattr(os, "write", while_reserved)
    assert writer.act({"type": "start", "t": 0.0}).kept
    writer.close()
    assert len(Session(tmp_path / "s").actions()) == 1


def test_a_slow_encoder_drops_frames_and_says_how_many(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    goes_on = threading.Event()

    class Slow(VideoPart):
        def add(self, picture: Picture, t: float) -> bool:
            goes_on.wait()
            return super().add(picture, t)

    monkeypatch.setattr(video_thread, "VideoPart", Slow)
    with SessionWriter.create(tmp_path / "s", ABOUT, limits=UNLIMITED) as writer:
        taken = sum(writer.frame(Frame(table(n), n / 100, n)) for n in range(100))
        dropped = writer.dropped
        goes_on.set()
        assert dropped == 100 - taken > 50
    session = Session(tmp_path / "s")
    assert len(session.frame_times()) == taken
    assert any(notice["what"] == "frames-dropped" for notice in session.notices())
    closed = session.notices()[-1]
    assert (closed["frames"], closed["dropped"]) == (taken, 100 - taken)
