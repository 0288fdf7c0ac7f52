"""A recorded film seen anew: with eyes that know the truth, what is told is what was told live."""

from __future__ import annotations

import json
from pathlib import Path
from typing import cast

import numpy as np
import pytest

from calibration.profiles import TableProfile, write_profile
from finito.live import LiveReferee
from finito.live_setup import LiveTable, RoundSetUp, TableSetUp
from finito.recording.about import SeatedPlayer, SessionAbout
from finito.recording.session import Session
from finito.recording.writer import SessionWriter
from finito.replaying import seeing
from finito.replaying.replay import replay
from finito.replaying.wish import Stage, Wish
from finito.table_eyes import TableEyes
from referee.actions import RoundHeader
from tests.recording.made import UNLIMITED
from tests.vision.pipeline.filmed import Piece, piece
from tests.vision.pipeline.perfect_eye import PerfectEye
from vision.frame import Frame
from vision.table_reader import SeenCard, TableReader


def film() -> Piece:
    return piece(-2.0, 9.0)


def record(folder: Path, table: Path) -> None:
    """Watches the film and records it, as `finito watch` does."""
    shown, eye = film(), film().eye()
    players = tuple(guest.name for guest in shown.guests)
    referee = LiveReferee(RoundHeader("espresso", ("normalo",), "amigo-1995", players))
    ready: list[TableSetUp] = []
    live = LiveTable(RoundSetUp(eye.table(), shown.guests), eye, ready.append)
    writer: SessionWriter | None = None
    for frame in shown.frames:
        eye.now = frame.number
        told = live.see(frame)
        if writer is None and ready:
            setting = ready[0].setting
            write_profile(table, TableProfile(plane=setting.plane, zones=setting.zones))
            seated = tuple(SeatedPlayer(name, str(seat)) for seat, name in setting.players.items())
            writer = SessionWriter.create(folder, SessionAbout(seated), table=table, limits=UNLIMITED)
        if writer is None:
            continue
        writer.frame(frame, wait=True)
        for observation in told:
            writer.observe(observation)
            for event in referee.feed(observation):
                writer.act(event.json())
    assert writer is not None
    writer.close()


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    room = tmp_path_factory.mktemp("film")
    record(room / "s", room / "table.toml")
    return room / "s"


@pytest.fixture
def perfect(monkeypatch: pytest.MonkeyPatch) -> None:
    eye = film().eye()
    monkeypatch.setattr(seeing, "open_table_eyes", lambda _deck: TableEyes(eye, eye.table(), None))


@pytest.mark.slow
@pytest.mark.usefixtures("perfect")
def test_the_recorded_film_tells_the_plays_that_were_told_live(folder: Path) -> None:
    plays = [action for action in Session(folder).actions() if action.entry["type"] == "play"]
    assert plays
    done = replay(Wish(str(folder), Stage.VIDEO, told=True))
    assert done.problem is None, done.problem
    assert done.differences == []
    assert len(done.told) >= len(plays)


@pytest.mark.slow
@pytest.mark.usefixtures("perfect")
def test_a_play_that_was_never_filmed_is_listed_as_missing(folder: Path, tmp_path: Path) -> None:
    import shutil

    copy = Path(shutil.copytree(folder, tmp_path / "s"))
    with SessionWriter.resume(copy, limits=UNLIMITED, video=False) as writer:
        entry = next(a.entry for a in Session(copy).actions() if a.entry["type"] == "play")
        writer.act({**entry, "line": 900, "face": "G8", "t": entry["t"] + 0.1})
    (difference,) = replay(Wish(str(copy), Stage.VIDEO)).differences
    assert difference["what"] == "missing"
    assert difference["recorded"]["face"] == "G8"
    assert json.dumps(difference)


class Blind:
    """Sees nothing, whatever it looks at."""

    def read(self, *_: object) -> list[SeenCard]:
        return []


def test_a_film_on_which_no_table_is_found_is_no_game_without_plays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    blind = cast(TableReader, Blind())
    monkeypatch.setattr(seeing, "open_table_eyes", lambda _: TableEyes(PerfectEye(()), blind, None))
    about = SessionAbout((SeatedPlayer("pizza", "south"), SeatedPlayer("gelato", "north")))
    with SessionWriter.create(tmp_path / "s", about, limits=UNLIMITED) as writer:
        writer.frame(Frame(np.zeros((270, 480, 3), np.uint8), 0.0, 0), wait=True)
    assert "the table was never ready" in (replay(Wish(str(tmp_path / "s"), Stage.VIDEO)).problem or "")
    (tmp_path / "s" / "video.mp4").unlink()
    assert "there is no picture in it" in (replay(Wish(str(tmp_path / "s"), Stage.VIDEO)).problem or "")
