"""A whole film through `finito watch`: from the deal to the score in the match, with its evidence kept."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import pytest

from finito.replaying.replay import replay
from finito.replaying.wish import Stage, Wish
from tests.command import ROOT, finito
from tests.vision.shipped import nets_or_skip

FILM = ROOT / "finito" / "demo_film"


@dataclass(frozen=True)
class Watched:
    lines: list[dict[str, Any]]
    session: Path
    data: Path
    said: str


@pytest.fixture(scope="module")
def watched(tmp_path_factory: pytest.TempPathFactory) -> Watched:
    nets_or_skip()
    room = tmp_path_factory.mktemp("watched")
    players = json.loads((FILM / "game.json").read_text(encoding="utf-8"))["players"]
    seated = ",".join(f"{name}:{seat}" for name, seat in players.items())
    command = [sys.executable, "-m", "finito", "watch", str(FILM / "game.mp4"), "--deck", "house", "--json"]
    done = subprocess.run(
        [*command, "--players", seated, "--out", str(room / "session")],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env={**os.environ, "FINITO_DATA": str(room / "data")},
        timeout=560,
    )
    assert done.returncode == 0, done.stderr
    lines = [json.loads(line) for line in done.stdout.splitlines()]
    return Watched(lines, room / "session", room / "data", done.stderr)


@pytest.mark.slow
def test_the_lines_are_a_round_from_its_deal_to_its_result(watched: Watched) -> None:
    kinds = [line["type"] for line in watched.lines]
    assert kinds[:4] == ["round", "deal", "deal", "deal"]
    assert kinds[-2:] == ["count", "result"]
    assert watched.lines[-2]["by_back"] == {"pizza": 10, "spaghetti": 4, "gelato": 10}
    assert watched.lines[-1]["points"] == {"pizza": 15, "spaghetti": 4, "gelato": 10}
    assert watched.lines[-1]["finito"] == "pizza"


@pytest.mark.slow
def test_finito_is_called_within_a_second_and_a_half_of_the_last_card(watched: Watched) -> None:
    (call,) = [line for line in watched.lines if line["type"] == "finito"]
    assert call["player"] == "pizza"
    assert call["t"] - 35.8 <= 1.5


@pytest.mark.slow
def test_the_violation_has_a_clip_and_a_still_with_the_rule_in_words(watched: Watched) -> None:
    (called,) = [line for line in watched.lines if line.get("verdict") == "illegal"]
    stem = watched.session / "evidence" / f"line-{called['line']:06d}"
    assert stem.with_suffix(".mp4").stat().st_size > 10_000
    assert stem.with_suffix(".jpg").stat().st_size > 10_000


@pytest.mark.slow
def test_the_round_is_kept_in_the_match_of_its_players(watched: Watched) -> None:
    assert "kept in the match 1" in watched.said
    shown = json.loads(finito("match", "show", "1", "--json", data=watched.data).stdout)
    assert shown["totals"] == {"pizza": 15, "spaghetti": 4, "gelato": 10}


@pytest.mark.slow
@pytest.mark.parametrize("stage", [Stage.OBSERVATIONS, Stage.ACTIONS])
def test_told_again_from_its_record_the_round_is_the_same(watched: Watched, stage: Stage) -> None:
    done = replay(Wish(str(watched.session), stage))
    assert done.problem is None, done.problem
    assert done.differences == []
