"""What is brought back of a round under a camera after the server was killed."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from finito.recording.session import Session
from finito.recording.writer import SessionWriter
from finito.web.cut_off import bring_back_clips
from finito.web.tables import Table
from finito.web.watched_round import WatchedRound
from tests.recording.made import ABOUT, UNLIMITED, film
from tests.web.test_watched_round import ScriptedReferee
from vision.observations import Tick


def called(line: int, t: float, **more: Any) -> dict[str, Any]:
    return {"line": line, "t": t, "type": "play", "verdict": "unsure", "why": "?", **more}


def test_calls_that_wait_have_their_pictures_again_before_settled_ones(tmp_path: Path) -> None:
    with SessionWriter.create(tmp_path / "s", ABOUT, limits=UNLIMITED) as writer:
        film(writer, 4.0)
    table = Table()
    round_ = WatchedRound(table, ScriptedReferee())
    round_.feed(Tick(4.0, 80))
    table.push(called(1, 1.0))
    table.push(called(2, 1.5, verdict="illegal"))
    table.push(called(3, 60.0))  # when there was no video any more
    for line in range(4, 24):
        table.push(called(line, 2.0, settled_by=5_000_000 + line))
    bring_back_clips(table, Session(tmp_path / "s"), round_)
    assert table.clip(1)
    assert [shown.t for shown in table.clip(2)][-1] <= 2.5
    assert table.clip(3) == []
    assert sum(bool(table.clip(line)) for line in range(4, 24)) == 5
