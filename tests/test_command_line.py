"""The commands a new user tries first, through the real program."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from finito import __version__
from tests.command import finito

COMMANDS = ("judge", "match", "rules", "print", "simulate", "serve", "demo")


def test_version_is_printed() -> None:
    assert finito("--version").stdout == f"finito {__version__}\n"


def test_help_names_every_command_and_each_explains_itself_with_an_example() -> None:
    told = finito("--help").stdout
    for command in COMMANDS:
        assert command in told
        assert f"finito {command}" in finito(command, "--help").stdout, command


def test_an_unknown_command_is_wrong_usage() -> None:
    result = finito("jugde")
    assert result.returncode == 2
    assert "Traceback" not in result.stderr


def test_output_that_is_no_terminal_has_no_colours() -> None:
    assert "\x1b" not in finito("demo", "--terminal").stdout


@pytest.mark.parametrize("variant", ["normalo", "zero", "chaos"])
def test_the_demo_ends_in_finito_and_a_score(variant: str) -> None:
    result = finito("demo", "--terminal", "--variant", variant)
    assert result.returncode == 0
    assert "illegal" in result.stdout
    assert "Finito!" in result.stdout
    assert "points" in result.stdout


def test_what_the_demo_tells_as_json_is_a_round_that_judge_takes_and_judges_alike() -> None:
    record = finito("demo", "--terminal", "--json").stdout
    told = [json.loads(line) for line in record.splitlines()]
    again = [json.loads(line) for line in finito("judge", "-", "--json", stdin=record).stdout.splitlines()]
    assert [line["rule"] for line in again if "rule" in line] == [
        line["rule"] for line in told if "rule" in line
    ]
    assert again[-1] == told[-1]
    called = [line["rule"] for line in told if line.get("verdict") == "illegal"]
    assert sorted(called) == ["help-not-refilled", "too-late", "wrong-colour"]
    assert told[-1]["type"] == "result"
    assert told[-1]["finito"] in told[-1]["points"]


def test_the_demo_draws_a_picture_that_fetches_nothing(tmp_path: Path) -> None:
    assert finito("demo", "--picture", str(tmp_path / "board.svg")).returncode == 0
    drawn = (tmp_path / "board.svg").read_text(encoding="utf-8")
    assert drawn.startswith("<svg")
    assert "url(" not in drawn.replace("url(#", "")


def test_a_picture_that_cannot_be_written_is_one_sentence(tmp_path: Path) -> None:
    result = finito("demo", "--picture", str(tmp_path / "no" / "board.svg"))
    assert result.returncode == 1
    assert result.stderr.count("\n") == 1
    assert "cannot be written" in result.stderr


def test_a_match_is_kept_from_one_run_to_the_next(tmp_path: Path) -> None:
    assert finito("match", "new", "--players", "Anna:pizza,Ben:gelato", data=tmp_path).returncode == 0
    added = finito("match", "add", "pizza=12", "gelato=9", "--finito", "pizza", data=tmp_path)
    assert added.returncode == 0, added.stderr
    shown = json.loads(finito("match", "show", "--json", data=tmp_path).stdout)
    assert "17" in json.dumps(shown)
    undone = finito("match", "undo", data=tmp_path)
    assert undone.returncode == 0, undone.stderr


def test_the_rules_are_printed_in_four_languages() -> None:
    texts = {lang: finito("rules", "--lang", lang).stdout for lang in ("en", "de", "fr", "nl")}
    assert len(set(texts.values())) == 4
    assert all("must-start-with-zero" in text for text in texts.values())
