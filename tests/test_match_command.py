"""Keeping score by hand with `finito match`."""

from __future__ import annotations

import csv
import io
import json
from pathlib import Path
from typing import Any

import pytest
import typer
from typer.testing import CliRunner, Result

from finito.cli import match
from finito.errors import BadInput
from referee.errors import RefereeError


@pytest.fixture(autouse=True)
def data_folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.delenv("FINITO_DB", raising=False)
    monkeypatch.setenv("FINITO_DATA", str(tmp_path / "data"))
    monkeypatch.setenv("COLUMNS", "120")
    return tmp_path / "data"


def run(*words: str) -> Result:
    app = typer.Typer()
    app.callback()(lambda: None)
    match.register(app)
    return CliRunner().invoke(app, ["match", *words])


def done(*words: str) -> str:
    """What a command that must succeed prints."""
    result = run(*words)
    assert result.exception is None, result.exception
    assert (result.exit_code, result.stderr) == (0, "")
    return result.stdout


def told(*words: str) -> dict[str, Any]:
    """The one JSON object that a command prints."""
    document: dict[str, Any] = json.loads(done(*words, "--json"))
    return document


def refused(*words: str) -> str:
    """The sentence with which a command refuses; nothing is on standard output."""
    result = run(*words)
    assert isinstance(result.exception, BadInput | RefereeError), result.output
    assert result.stdout == ""
    sentence = str(result.exception)
    assert "\n" not in sentence
    return sentence


@pytest.fixture
def friday() -> None:
    done("new", "--players", "Anna:pizza,Ben:gelato", "--name", "Friday")


@pytest.mark.usefixtures("friday")
def test_a_round_is_counted_by_back_and_the_caller_gets_the_bonus() -> None:
    assert told("add", "pizza=12", "gelato=9", "--finito", "pizza")["totals"] == {"pizza": 17, "gelato": 9}


@pytest.mark.usefixtures("friday")
def test_points_are_entered_as_written_down() -> None:
    after = told("add", "Anna=17", "ben=9", "--points", "--finito", "Anna")
    assert after["totals"] == {"pizza": 17, "gelato": 9}
    assert after["statistics"]["pizza"]["finitos"] == 1


def test_a_ligretto_match_for_seven_to_its_own_target() -> None:
    done("new", "--players", "a,b,c,d,e,f,g", "--game", "ligretto", "--target", "150")
    zeros = [f"{back}=0" for back in "cdefg"]
    after = told("add", "a=10", "b=5", *zeros, "--finito", "a", "--left", "b=4", "--illegal", "b=2")
    assert (after["totals"]["a"], after["totals"]["b"], after["target"]) == (10, -3, 150)
    assert after["statistics"]["b"]["illegal"] == 2


@pytest.mark.parametrize(
    ("typed", "players"),
    [
        ("Anna:pizza,Ben:gelato", [("pizza", "Anna", None), ("gelato", "Ben", None)]),
        ("pizza,gelato", [("pizza", "pizza", None), ("gelato", "gelato", None)]),
        ("pizza:south, gelato:north-east", [("pizza", "pizza", "south"), ("gelato", "gelato", "north-east")]),
        ("Anna:pizza:south,gelato", [("pizza", "Anna", "south"), ("gelato", "gelato", None)]),
    ],
)
def test_players_are_typed_with_name_back_and_seat(typed: str, players: list[tuple[str, ...]]) -> None:
    made = told("new", "--players", typed)["players"]
    assert [(player["back"], player["name"], player["seat"]) for player in made] == players


def test_variant_edition_and_target_are_kept() -> None:
    made = told("new", "--players", "a,b", "--variant", "zero+chaos", "--edition", "escale", "--target", "50")
    assert (made["variant"], made["edition"], made["target"]) == (["zero", "chaos"], "escale", 50)


@pytest.mark.usefixtures("friday")
def test_an_edit_changes_what_is_given_and_keeps_the_rest() -> None:
    done("add", "pizza=12", "gelato=9", "--finito", "pizza", "--illegal", "gelato=1")
    after = told("edit", "Friday", "1", "gelato=10")
    assert after["totals"] == {"pizza": 17, "gelato": 10}
    after = told("edit", "1", "1", "--finito", "none")
    assert after["totals"] == {"pizza": 12, "gelato": 10}
    assert after["statistics"]["gelato"]["illegal"] == 1


@pytest.mark.usefixtures("friday")
def test_an_edit_of_points_stays_with_points() -> None:
    done("add", "pizza=17", "gelato=9", "--points", "--finito", "pizza")
    assert told("edit", "1", "pizza=18")["totals"] == {"pizza": 18, "gelato": 9}


@pytest.mark.usefixtures("friday")
def test_undo_and_redo_of_the_latest_and_of_any_round() -> None:
    for cards in (1, 2, 4):
        done("add", f"pizza={cards}", "gelato=0")
    assert told("undo")["totals"]["pizza"] == 3
    assert told("undo", "Friday", "--round", "1")["totals"]["pizza"] == 2
    assert told("redo")["totals"]["pizza"] == 3
    assert told("redo", "1", "--round", "3")["totals"]["pizza"] == 7
    assert "nothing to restore" in refused("redo")


@pytest.mark.usefixtures("friday")
def test_a_mistaken_last_round_is_undone_in_the_match_it_ended() -> None:
    done("new", "--players", "a,b", "--target", "10")
    assert told("add", "a=30", "b=1")["winner"] == "a"
    assert told("undo")["match"] == "2"


@pytest.mark.usefixtures("friday")
def test_without_a_name_the_latest_match_that_is_not_over_is_meant() -> None:
    done("new", "--players", "a,b", "--target", "10")
    done("add", "a=30", "b=1")
    assert told("add", "pizza=1", "gelato=2")["match"] == "1"


@pytest.mark.usefixtures("friday")
def test_the_score_sheet_names_leader_finito_and_undone_rounds() -> None:
    done("add", "pizza=12", "gelato=9", "--finito", "pizza")
    done("add", "pizza=1", "gelato=9")
    sheet = done("undo", "--round", "2") + done("show")
    assert "round 2 is undone" in sheet
    assert "Anna (pizza) leads with 17 points" in sheet
    assert "Finito 17" in sheet
    assert "Statistics" in sheet
    assert "\x1b" not in sheet  # colours only on a terminal


@pytest.mark.usefixtures("friday")
def test_the_winner_is_named() -> None:
    assert "Ben (gelato) wins with 101 points" in done("add", "pizza=1", "gelato=101", "--points")


@pytest.mark.usefixtures("friday")
def test_names_that_look_like_markup_are_shown_as_they_are() -> None:
    done("rename", "Friday", "Cup [red] 2")
    assert "Cup [red] 2" in done("show")
    assert "Cup [red] 2" in done("list")


@pytest.mark.usefixtures("friday")
def test_the_history_keeps_what_was_corrected() -> None:
    done("add", "pizza=12", "gelato=9")
    done("edit", "1", "pizza=13")
    lines = [json.loads(line) for line in done("show", "--history", "--json").splitlines()]
    assert [line["type"] for line in lines] == ["match-created", "round-added", "round-edited"]
    assert lines[1]["sheet"]["tallies"][0]["cards"] == 12
    assert "round 1 is corrected" in done("show", "--history")


@pytest.mark.usefixtures("friday")
def test_matches_are_listed_newest_first() -> None:
    done("new", "--players", "a,b", "--name", "Saturday")
    lines = [json.loads(line) for line in done("list", "--json").splitlines()]
    assert [(line["match"], line["name"]) for line in lines] == [("2", "Saturday"), ("1", "Friday")]
    assert "Saturday" in done("list")


def test_an_empty_list_says_how_to_begin() -> None:
    assert "finito match new" in done("list")
    assert done("list", "--json") == ""
    assert "finito match new" in refused("show")
    assert "finito match new" in refused("add", "a=1")


@pytest.mark.usefixtures("friday")
def test_a_match_is_exported_to_the_screen_and_to_a_file(tmp_path: Path) -> None:
    done("add", "pizza=12", "gelato=9", "--finito", "pizza")
    rows = list(csv.DictReader(io.StringIO(done("export"))))
    assert [(row["back"], row["points"]) for row in rows] == [("pizza", "17"), ("gelato", "9")]
    assert json.loads(done("export", "Friday", "--format", "json"))["totals"] == {"pizza": 17, "gelato": 9}
    assert told("export")["rounds"][0]["finito"] == "pizza"
    out = tmp_path / "friday.csv"
    assert told("export", "--out", str(out)) == {"match": "1", "format": "csv", "out": str(out)}
    assert out.read_bytes().decode().splitlines()[1].startswith("1,1,counts,Anna,pizza")
    assert "cannot be written" in refused("export", "--out", str(tmp_path / "nowhere" / "x.csv"))


@pytest.mark.usefixtures("friday")
@pytest.mark.parametrize(
    ("words", "sentence"),
    [
        (
            ["add", "sushi=1", "gelato=2"],
            "'sushi' does not play in this match; the players are Anna (pizza), Ben",
        ),
        (["add", "pizza=1"], "lacks Ben (gelato)"),
        (["add", "pizza=many", "gelato=2"], "'pizza=many' cannot be read"),
        (["add", "pizza=1", "gelato=2", "Anna=3"], "second number for Anna"),
        (["add", "pizza=1", "gelato=2", "--finito", "sushi"], "'sushi' does not play"),
        (["add", "pizza=1", "gelato=2", "--left", "sushi=1"], "'sushi' does not play"),
        (["add", "Sunday", "pizza=1", "gelato=2"], "no match 'Sunday'; the latest are 1 (Friday)"),
        (["edit", "Friday", "1", "pizza=1"], "round 1 does not exist"),
        (["show", "7"], "no match '7'; the latest are 1 (Friday)"),
        (["undo"], "no round to undo"),
        (["new", "--players", "Anna"], "for 2 to 6 players"),
        (["new", "--players", "a:b:c:d,e"], "'a:b:c:d' cannot be read"),
        (["new", "--players", "a,,b"], "'' cannot be read"),
        (["new", "--players", "a,b", "--game", "uno"], "'uno' is not known"),
        (["new", "--players", "a,b", "--variant", "turbo"], "'turbo' is not known"),
        (["rename", "Friday", "=x"], "'=x' will not do"),
    ],
)
def test_bad_input_is_refused_by_one_sentence_and_nothing_changes(words: list[str], sentence: str) -> None:
    before = done("list", "--json")
    assert sentence in refused(*words)
    assert done("list", "--json") == before


@pytest.mark.usefixtures("friday")
@pytest.mark.parametrize(
    "words",
    [
        ["add"],
        ["add", "Friday"],
        ["add", "a", "b", "pizza=1"],
        ["edit", "Friday", "pizza=1"],
        ["edit", "pizza=1"],
        ["undo", "--round", "0"],
        ["export", "--json", "--format", "csv"],
        ["export", "--format", "xml"],
        ["frobnicate"],
    ],
)
def test_wrong_usage_exits_with_two(words: list[str]) -> None:
    assert run(*words).exit_code == 2


def test_another_database_is_used_and_a_mistyped_one_is_not_made(tmp_path: Path) -> None:
    here = str(tmp_path / "club.sqlite")
    done("new", "--players", "a,b", "--db", here)
    assert json.loads(done("list", "--json", "--db", here))["match"] == "1"
    assert done("list", "--json") == ""
    assert "clob.sqlite does not exist" in refused("list", "--db", str(tmp_path / "clob.sqlite"))


def test_every_command_shows_its_help() -> None:
    for command in ("new", "add", "edit", "undo", "redo", "rename", "show", "list", "export"):
        assert "--json" in done(command, "--help")
    assert "finito match add pizza=12 gelato=9 --finito pizza" in done("add", "--help")
