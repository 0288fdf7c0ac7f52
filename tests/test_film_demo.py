"""`finito demo` with no browser and no terminal: the bundled film is refereed to its end all the same."""

from __future__ import annotations

import json
import os
import subprocess
import sys
from pathlib import Path

import pytest

from tests.command import ROOT
from tests.vision.shipped import nets_or_skip


@pytest.fixture(scope="module")
def lines(tmp_path_factory: pytest.TempPathFactory) -> list[dict[str, object]]:
    nets_or_skip()
    done = subprocess.run(
        [sys.executable, "-m", "finito", "demo", "--json"],
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        encoding="utf-8",
        cwd=ROOT,
        env={**os.environ, "FINITO_DATA": str(tmp_path_factory.mktemp("data"))},
        timeout=560,
    )
    assert done.returncode == 0, done.stderr
    assert "http://127.0.0.1:" in done.stderr
    return [json.loads(line) for line in done.stdout.splitlines()]


def test_every_play_of_the_film_is_seen_and_the_only_fault_is_called(lines: list[dict[str, object]]) -> None:
    assert sum(line["type"] == "play" for line in lines) == 25
    called = [(line["player"], line["rule"]) for line in lines if line.get("verdict") == "illegal"]
    assert called == [("spaghetti", "wrong-colour")]


def test_finito_is_called_and_the_score_is_that_of_the_cards_on_the_table(
    lines: list[dict[str, object]],
) -> None:
    assert [line["player"] for line in lines if line["type"] == "finito"] == ["pizza"]
    result = lines[-1]
    assert result["type"] == "result"
    assert result["points"] == {"pizza": 15, "spaghetti": 4, "gelato": 10}
    assert "question" not in result


def test_the_film_comes_with_the_package() -> None:
    folder = Path("finito/demo_film")
    about = json.loads((ROOT / folder / "game.json").read_text(encoding="utf-8"))
    assert (ROOT / folder / "game.mp4").stat().st_size < 4_000_000
    assert set(about["players"]) == {"pizza", "spaghetti", "gelato"}
