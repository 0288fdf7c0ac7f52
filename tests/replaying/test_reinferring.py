"""Recorded observations inferred anew give the calls of then; what was changed since shows."""

from __future__ import annotations

import json
import shutil
from pathlib import Path

import pytest

from finito.evidence.calls import calls_in
from finito.recording.session import Session
from finito.recording.telling import final_actions, is_watched
from finito.recording.writer import Begins, SessionWriter
from finito.replaying.replay import replay
from finito.replaying.resuming import resumed_referee
from finito.replaying.wish import Stage, Wish
from tests.recording.made import UNLIMITED
from tests.replaying.watched_rounds import record_watched_round


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("watched") / "s"
    assert record_watched_round(folder) > 60
    return folder


@pytest.fixture
def folder(watched: Path, tmp_path: Path) -> Path:
    return Path(shutil.copytree(watched, tmp_path / "s"))


def test_the_same_observations_give_the_same_calls(watched: Path) -> None:
    done = replay(Wish(str(watched), Stage.OBSERVATIONS, told=True))
    assert done.problem is None, done.problem
    assert done.differences == []
    assert len(done.told) == len(Session(watched).actions())


def test_the_fault_of_the_round_was_called_and_is_called_again(watched: Path) -> None:
    assert "wrong-colour" in {call.entry["rule"] for call in calls_in(Session(watched).actions())}


def test_a_changed_reading_shows_in_what_is_told(folder: Path) -> None:
    path = folder / "observations.jsonl"
    lines = path.read_text().splitlines()
    looks = [
        number
        for number, line in enumerate(lines)
        if (entry := json.loads(line))["type"] == "look" and entry["spot"][1] == "pile"
    ]
    del lines[looks[3]]
    path.write_text("\n".join(lines) + "\n")
    done = replay(Wish(str(folder), Stage.OBSERVATIONS))
    assert done.problem is None
    assert done.differences


def test_a_recorded_call_that_was_struck_out_is_new_again(folder: Path) -> None:
    path = folder / "actions.jsonl"
    lines = [json.loads(line) for line in path.read_text().splitlines()]
    last = max(line.get("line", 0) for line in lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines if line.get("line") != last))
    differences = replay(Wish(str(folder), Stage.OBSERVATIONS)).differences
    assert [difference["what"] for difference in differences] == ["new"]


def test_actions_without_the_deal_contradict_no_call(watched: Path) -> None:
    done = replay(Wish(str(watched), Stage.ACTIONS))
    assert done.problem is None, done.problem
    assert done.actions > 50
    assert done.differences == []


def test_who_plays_must_be_known(folder: Path) -> None:
    about = json.loads((folder / "session.json").read_text())
    (folder / "session.json").write_text(json.dumps({**about, "players": []}))
    done = replay(Wish(str(folder), Stage.OBSERVATIONS))
    assert done.problem is not None
    assert "name them with --players" in done.problem
    players = tuple((each["player"], None) for each in about["players"])
    assert replay(Wish(str(folder), Stage.OBSERVATIONS, players=players)).differences == []


def test_a_referee_that_was_cut_off_goes_on_where_it_was(watched: Path, tmp_path: Path) -> None:
    whole = Session(watched)
    seen = list(whole.observations())
    said = [action for action in final_actions(whole.actions()) if is_watched(action.entry)]
    folder = tmp_path / "s"
    half = len(seen) // 2
    with SessionWriter.create(folder, whole.about, limits=UNLIMITED, video=False) as writer:
        for observation in seen[:half]:
            writer.observe(observation)
        writer.act({"t": 0.0, "type": "start", "line": 1, "verdict": "legal", "rule": None})
    referee, gap = resumed_referee(Session(folder), Begins(seen[half].t))
    assert seen[half].t - 1.0 < gap.since <= gap.t == seen[half].t
    events = [event for observation in seen[half:] for event in referee.feed(observation)]
    before = [action.entry["line"] for action in said if action.entry["t"] < seen[half].t - 5]
    assert events[0].line > len(before)  # numbers go on; nothing is told twice
    late = {action.entry["line"]: action.entry for action in said if action.entry["t"] > seen[half].t + 1}
    told = {event.line: event.json() for event in events}
    assert late
    for line, entry in late.items():
        assert (told[line]["type"], told[line]["verdict"]) == (entry["type"], entry["verdict"])
