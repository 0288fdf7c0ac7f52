"""The one command that says how good the eyes are."""

from __future__ import annotations

import csv
import sys
from pathlib import Path

import pytest

from models import evaluate
from models.evaluation.eyes import Eyes
from models.evaluation.game_stills import STILLS_OF_A_GAME, game_stills
from models.evaluation.rendered_set import is_asked, rendered_stills
from tests.evaluation.known_finder import eyes_that_know

SEED = 77


def rows_of(path: Path) -> list[dict[str, str]]:
    with path.open(encoding="utf-8") as file:
        return list(csv.DictReader(file))


def test_four_stills_give_a_row_for_each_picture_and_each_card(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    stills = dict(rendered_stills(4, SEED))
    monkeypatch.setattr(Eyes, "opened", lambda _folders: eyes_that_know(stills.values()))
    words = ["--sets", "renders", "--stills", "4", "--seed", str(SEED), "--results", str(tmp_path)]
    assert evaluate.main([*words, "--sheets", str(tmp_path)]) == 0

    for name in ("renders", "renders_enrolled"):
        pictures = rows_of(tmp_path / f"{name}_pictures.csv")
        asked = {key: [card for card in still.cards if is_asked(card)] for key, still in stills.items()}
        assert {row["picture"]: int(row["cards"]) for row in pictures} == {
            k: len(v) for k, v in asked.items()
        }
        assert all(row["finder_met"] == row["cards"] and row["finder_false"] == "0" for row in pictures)
        read = [c for cards in asked.values() for c in cards if c.side == "back" or c.face[0] in "RYGB"]
        for quads in ("found", "labelled"):
            own = [row for row in rows_of(tmp_path / f"{name}_cards.csv") if row["quads"] == quads]
            assert len(own) == len(read) > 10
    told = capsys.readouterr()
    assert "cards found" in told.out
    assert "4 of 4" in told.err
    kept = (tmp_path / "summary_renders.txt").read_text(encoding="utf-8")
    assert kept.startswith("python models/evaluate.py --sets renders --stills 4 ")
    assert kept.endswith("\n\n" + told.out)
    assert (tmp_path / "reliability.png").stat().st_size > 1000


def test_stills_of_games_show_decks_no_training_saw_before_their_cards_are_counted() -> None:
    made = dict(game_stills(STILLS_OF_A_GAME + 1, SEED))
    again = dict(game_stills(STILLS_OF_A_GAME + 1, SEED))
    assert [f"game-{SEED}-0-{i}" for i in range(STILLS_OF_A_GAME)] + [f"game-{SEED}-1-0"] == list(made)
    assert all((made[name].picture == again[name].picture).all() for name in made)
    decks = [still.deck for still in made.values()]
    assert len(set(decks[:-1])) == 1
    assert decks[-1] != decks[0]
    assert all(deck.startswith("test-") for deck in decks)
    faces = [sum(is_asked(card) and card.side == "face" for card in still.cards) for still in made.values()]
    assert max(faces) >= 8  # the rows of two players at least


def test_photos_that_are_not_there_are_skipped_with_a_word(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setattr(Eyes, "opened", lambda _folders: eyes_that_know([]))
    none = tmp_path / "photos"
    words = ["--sets", "photos", "--photos", str(none), "--results", str(tmp_path / "results")]
    assert evaluate.main([*words, "--sheets", str(tmp_path)]) == 0
    assert "photos skipped" in capsys.readouterr().err
    assert not (tmp_path / "results" / "photos_cards.csv").exists()


def test_sheets_of_real_photos_are_refused_inside_the_project(capsys: pytest.CaptureFixture[str]) -> None:
    assert evaluate.main(["--sheets", str(evaluate.ROOT / "models" / "results")]) == 1
    assert "inside the project" in capsys.readouterr().err


def test_the_baseline_names_the_missing_package_before_anything_is_measured(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setitem(sys.modules, "rapidocr_onnxruntime", None)
    assert evaluate.main(["--baseline", "--results", str(tmp_path), "--sheets", str(tmp_path)]) == 1
    told = capsys.readouterr()
    assert told.err.count("\n") == 1
    assert "rapidocr-onnxruntime, which is not installed" in told.err
    assert list(tmp_path.iterdir()) == []


def test_a_finder_that_is_not_there_is_a_sentence(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words = ["--finder", str(tmp_path), "--results", str(tmp_path), "--sheets", str(tmp_path)]
    assert evaluate.main(words) == 1
    assert "manifest.toml" in capsys.readouterr().err
