"""What `finito watch` keeps of a table: evidence of its calls, and enough to go on after it was cut off."""

from __future__ import annotations

from pathlib import Path

import cv2
import pytest

from finito.cli.watch_keeping import Keeper, Order
from finito.live_setup import LiveTable, RoundSetUp, TableSetUp
from finito.recording.session import Session
from referee.actions import RoundHeader
from tests.vision.pipeline.filmed import Piece, looks, piece, watched
from vision.observations import Look, Observation
from vision.pipelining.watching import Told


@pytest.fixture
def film() -> Piece:
    return piece(-1.0, 4.2)


def order_of(film: Piece, out: Path) -> Order:
    names = tuple(guest.name for guest in film.guests)
    header = RoundHeader("espresso", ("normalo",), "amigo-1995", names)
    return Order("film", tuple(film.guests), header, "house", "en", out)


def test_a_call_leaves_a_clip_and_a_still_in_the_session(film: Piece, tmp_path: Path) -> None:
    keeper = Keeper(order_of(film, tmp_path / "s"))
    ready: list[TableSetUp] = []
    called = False
    for frame, told in watched(film, film.eye(), ready):
        if ready and keeper.folder is None:
            keeper.begin(ready[0])
        keeper.frame(frame, wait=True)
        keeper.keep(Told(frame.t, frame.number, tuple(told), 15.0, 0.0, 0, 0.0))
        if not called and any(look.spot.is_centre for look in looks(told)):
            called = True
            pile = next(look.spot.stack for look in looks(told) if look.spot.is_centre)
            line = {"t": frame.t, "type": "play", "player": film.guests[0].name, "to": pile, "line": 7}
            keeper.act([{**line, "verdict": "illegal", "rule": "wrong-colour", "why": "red, not blue"}])
    keeper.close()
    assert called
    evidence = tmp_path / "s" / "evidence"
    assert {path.name for path in evidence.iterdir()} == {"line-000007.mp4", "line-000007.jpg"}
    still = cv2.imread(str(evidence / "line-000007.jpg"))
    assert still is not None
    assert still.shape[0] > film.frames[0].picture.shape[0]  # the rule is written below the picture
    assert [action.entry["rule"] for action in Session(tmp_path / "s").actions()] == ["wrong-colour"]


def test_eyes_opened_anew_know_the_stacks_by_their_numbers(film: Piece) -> None:
    """Opened in the middle of the round with what was told before, they number nothing anew."""
    ready: list[TableSetUp] = []
    before: list[Observation] = []
    half = len(film.frames) * 3 // 4
    whole = list(watched(film, film.eye(), ready))
    for _, told in whole[:half]:
        before += told
    known = {look.spot.stack: look.at for look in looks(before) if look.spot.is_centre}
    assert known
    eye = film.eye()
    set_up = RoundSetUp(eye.table(), film.guests)
    live = LiveTable(set_up, eye, ready.append, known=ready[0].setting, before=before)
    again: list[Observation] = []
    for frame in film.frames[half:]:
        eye.now = frame.number
        again += live.see(frame)
    seen = {look.spot.stack: look for look in again if isinstance(look, Look) and look.spot.is_centre}
    late = {look.spot.stack for _, told in whole[half:] for look in looks(told) if look.spot.is_centre}
    assert set(seen) <= set(known) | late
    for stack, look in seen.items():
        if stack in known:
            assert abs(look.at[0] - known[stack][0]) + abs(look.at[1] - known[stack][1]) < 40
