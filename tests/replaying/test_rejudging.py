"""Recorded actions judged anew: the same verdicts, and whatever differs is listed."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from typer.testing import CliRunner, Result

from finito.cli import build_app
from finito.errors import BadInput
from finito.recording.session import Session
from finito.recording.writer import SessionWriter
from finito.replaying.replay import replay
from finito.replaying.stages import rejudge
from finito.replaying.wish import Stage, Wish
from tests.command import finito
from tests.recording.made import ABOUT, UNLIMITED, golden_session
from tests.rules.golden import golden_rounds

Json = dict[str, Any]


def change_lines(folder: Path, change: Callable[[list[Json]], None]) -> None:
    path = folder / "actions.jsonl"
    lines = [json.loads(line) for line in path.read_text(encoding="utf-8").splitlines()]
    change(lines)
    path.write_text("".join(json.dumps(line) + "\n" for line in lines), encoding="utf-8")


def run(data: Path, *arguments: str) -> Result:
    return CliRunner().invoke(build_app(), ["replay", *arguments], env={"FINITO_DATA": str(data)})


def test_every_golden_round_replayed_from_its_actions_shows_no_difference(tmp_path: Path) -> None:
    rounds = golden_rounds()
    assert len(rounds) > 80
    for golden in rounds:
        folder = tmp_path / golden.name
        with SessionWriter.create(folder, ABOUT, limits=UNLIMITED, video=False) as writer:
            for line in golden.objects:
                assert writer.act(line).kept
        done = replay(Wish(str(folder), Stage.ACTIONS))
        assert done.problem is None, done.problem
        assert done.differences == [], golden.name
        assert done.actions > 0


def test_a_verdict_that_was_tampered_with_is_listed(tmp_path: Path) -> None:
    golden_session(tmp_path / "s")
    change_lines(tmp_path / "s", lambda lines: lines[6].update(verdict="legal", rule=None))
    done = replay(Wish(str(tmp_path / "s")))
    assert done.stage == "actions"
    assert done.differences == [
        {
            "what": "verdict",
            "line": 7,
            "recorded": {"verdict": "legal", "rule": None},
            "replayed": {"verdict": "illegal", "rule": "wrong-colour"},
        }
    ]


def test_a_card_that_was_tampered_with_shows_in_the_verdicts(tmp_path: Path) -> None:
    golden_session(tmp_path / "s")
    change_lines(tmp_path / "s", lambda lines: lines[4].update(face="G0"))
    lines = [difference["line"] for difference in replay(Wish(str(tmp_path / "s"))).differences]
    assert lines[0] == 5  # pizza has no green 0 there
    assert 9 in lines  # and the red 1 no longer fits


def test_a_score_that_was_tampered_with_is_listed(tmp_path: Path) -> None:
    lines = golden_session(tmp_path / "s", "full-round-to-finito")
    assert replay(Wish(str(tmp_path / "s"))).differences == []
    result = next(number for number, line in enumerate(lines) if line["type"] == "result")
    change_lines(tmp_path / "s", lambda lines: lines[result]["points"].update(pizza=99))
    (difference,) = replay(Wish(str(tmp_path / "s"))).differences
    assert difference["what"] == "result"
    assert difference["line"] == result + 1
    assert difference["recorded"]["points"]["pizza"] == 99


def test_corrections_count_and_so_do_second_thoughts(tmp_path: Path) -> None:
    golden_session(tmp_path / "s", "amend-a-misread-card")
    assert replay(Wish(str(tmp_path / "s"))).differences == []
    with SessionWriter.resume(tmp_path / "s", limits=UNLIMITED, video=False) as writer:
        writer.act({"type": "settled", "line": 9, "verdict": "illegal", "rule": "wrong-number"})
    (difference,) = replay(Wish(str(tmp_path / "s"))).differences
    assert difference["line"] == 9
    assert difference["replayed"] == {"verdict": "legal", "rule": None}


def watched(tmp_path: Path, *lines: Json) -> Path:
    folder = tmp_path / "watched"
    with SessionWriter.create(folder, ABOUT, limits=UNLIMITED, video=False) as writer:
        writer.act(
            {"type": "deal", "player": "pizza", "espresso": 9, "top": "B4", "helps": ["R0", "R2", "Y0"]}
        )
        writer.act(
            {"type": "deal", "player": "gelato", "espresso": 9, "top": "R3", "helps": ["R1", "B1", "Y7"]}
        )
        for line in lines:
            writer.act(line)
    return folder


def laid(source: str, pile: int | str) -> Json:
    return {"from": source, "to": pile}


def told(line: int, t: float, verdict: str = "legal", rule: str | None = None, **more: Any) -> Json:
    return {
        "t": t,
        "verdict": verdict,
        "rule": rule,
        "confidence": 0.97,
        "seen": [1, 2],
        "line": line,
        **more,
    }


START = told(1, 0.0, type="start")
RED = told(2, 1.0, type="play", player="pizza", face="R0", **laid("help1", "new"))
REFILL = told(4, 1.5, type="refill", player="pizza", slot="help1", face="B4")
YELLOW = told(3, 2.0, type="play", player="pizza", face="Y0", **laid("help3", "new"))
ONE = told(5, 3.0, type="play", player="gelato", face="R1", **laid("help1", 1))


def test_live_lines_are_judged_in_the_order_of_their_times_and_as_they_were_told_last(tmp_path: Path) -> None:
    wrong = {**REFILL, "verdict": "unsure", "rule": "refill-source", "face": "??"}
    ghost = told(6, 2.5, type="play", player="gelato", face="B1", **laid("help2", 1))
    lines = [
        START,
        RED,
        YELLOW,
        wrong,
        ghost,
        {**REFILL, "said": "changed"},
        {**ghost, "said": "withdrawn"},
        ONE,
    ]
    folder = watched(tmp_path, *lines)
    done = replay(Wish(str(folder), told=True))
    assert done.problem is None, done.problem
    assert done.differences == []
    assert done.actions == 5
    assert [entry["type"] for entry in done.told] == ["start", "play", "refill", "play", "play"]


def test_a_pile_keeps_its_meaning_when_an_earlier_one_is_told_late(tmp_path: Path) -> None:
    late = {**YELLOW, "t": 0.5, "line": 7, "from": "help3"}
    filled = told(8, 0.8, type="refill", player="pizza", slot="help3", face="B4")
    red = {**RED, "t": 1.0}
    done = replay(Wish(str(watched(tmp_path, START, red, ONE, late, filled)), told=True))
    assert done.problem is None, done.problem
    assert [entry["verdict"] for entry in done.told] == ["legal"] * 5  # the red 1 still lies on the red 0


def test_of_live_lines_only_contradictions_are_differences(tmp_path: Path) -> None:
    doubted = {**ONE, "verdict": "unsure", "rule": "wrong-number"}
    assert replay(Wish(str(watched(tmp_path / "a", START, RED, REFILL, doubted)))).differences == []
    accused = {**ONE, "verdict": "illegal", "rule": "wrong-number"}
    (difference,) = replay(Wish(str(watched(tmp_path / "b", START, RED, REFILL, accused)))).differences
    assert difference["recorded"] == {"verdict": "illegal", "rule": "wrong-number"}


def test_replay_prints_actions_with_answers_and_then_what_differs(tmp_path: Path) -> None:
    golden_session(tmp_path / "sessions" / "friday")
    done = run(tmp_path, "friday", "--json", "--lang", "de")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert lines[-1] == {
        "type": "replay",
        "session": "friday",
        "from": "actions",
        "actions": 12,
        "differences": [],
    }
    assert lines[3]["rule"] == "wrong-colour"
    assert lines[3]["face"] == "B1"
    assert lines[3]["why"].startswith("Stapel 1 ist rot")


def test_differences_are_told_to_people_in_a_line_each(tmp_path: Path) -> None:
    golden_session(tmp_path / "sessions" / "friday")
    change_lines(tmp_path / "sessions" / "friday", lambda lines: lines[6].update(verdict="legal", rule=None))
    assert "verdict: line 7: then legal, now illegal wrong-colour" in run(tmp_path, "friday").stdout


def test_a_damaged_session_does_not_keep_the_others_from_being_replayed(tmp_path: Path) -> None:
    for name in ("a", "b", "c"):
        golden_session(tmp_path / "sessions" / name)
    change_lines(tmp_path / "sessions" / "b", lambda lines: lines[5].update(type="dance"))
    done = run(tmp_path, "--all", "--json")
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [line["session"] for line in lines] == ["a", "b", "c"]
    assert "line 6" in lines[1]["problem"]
    assert isinstance(done.exception, BadInput)
    assert "line 6" in str(done.exception)


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        (["nowhere"], "there is no session 'nowhere'"),
        (["--all"], "no session is recorded"),
    ],
)
def test_what_cannot_be_replayed_is_said_in_one_sentence(
    tmp_path: Path, arguments: list[str], sentence: str
) -> None:
    problem = run(tmp_path, *arguments).exception
    assert isinstance(problem, BadInput)
    assert sentence in str(problem)


def test_an_empty_session_says_that_nothing_was_recorded(tmp_path: Path) -> None:
    SessionWriter.create(tmp_path / "s", ABOUT, video=False).close()
    done = replay(Wish(str(tmp_path / "s")))
    assert done.problem is not None
    assert "nothing was recorded in it" in done.problem


def test_two_processes_replay_many_sessions_in_their_order(tmp_path: Path) -> None:
    for number in range(4):
        golden_session(tmp_path / "sessions" / f"s{number}")
    change_lines(tmp_path / "sessions" / "s2", lambda lines: lines[6].update(verdict="legal", rule=None))
    done = finito("replay", "--all", "--processes", "2", "--json", data=tmp_path)
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    assert [(line["session"], len(line["differences"])) for line in lines] == [
        ("s0", 0),
        ("s1", 0),
        ("s2", 1),
        ("s3", 0),
    ]


def test_rejudging_names_the_line_that_cannot_be_judged(tmp_path: Path) -> None:
    golden_session(tmp_path / "s")
    change_lines(tmp_path / "s", lambda lines: lines[6].update(to=7))
    with pytest.raises(BadInput, match="line 7: pile 7 does not exist"):
        list(rejudge(Session(tmp_path / "s").actions()))
