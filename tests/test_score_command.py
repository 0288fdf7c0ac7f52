"""`finito score` as a user meets it: photos of backs become points, and doubts become questions."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path
from typing import Any

import pytest
from PIL import Image

from tests.command import finito
from tests.vision.rendered_photos import filmed_slowly, nine_backs, saved, spread
from tests.vision.shipped import nets_or_skip


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    nets_or_skip()
    folder = tmp_path_factory.mktemp("score")
    saved(nine_backs(), folder / "nine.jpg")
    return folder


def score(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return finito("score", *(str(argument) for argument in arguments), "--deck", "house")


def answer(*arguments: str | Path) -> dict[str, Any]:
    done = score(*arguments, "--json")
    assert done.returncode == 0, done.stderr
    made: dict[str, Any] = json.loads(done.stdout)
    return made


def assert_refused(done: subprocess.CompletedProcess[str], *says: str) -> None:
    assert done.returncode == 1, done.stdout + done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    for each in says:
        assert each in done.stderr, done.stderr


def test_backs_are_counted_and_the_caller_gets_the_bonus(photos: Path) -> None:
    assert answer(photos / "nine.jpg", "--finito", "gelato", "--expect", "9") == {
        "counts": {"pizza": 4, "gelato": 3, "tiramisu": 2},
        "total": 9,
        "finito": "gelato",
        "points": {"pizza": 4, "gelato": 8, "tiramisu": 2},
        "expected": 9,
        "unsure": [],
    }


def test_a_caller_without_a_card_gets_the_bonus_all_the_same(photos: Path) -> None:
    made = answer(photos / "nine.jpg", "--finito", "insalata")
    assert (made["counts"]["insalata"], made["points"]["insalata"]) == (0, 5)
    assert made["expected"] is None


def test_a_card_that_is_missing_becomes_a_question(photos: Path) -> None:
    made = answer(photos / "nine.jpg", "--expect", "11")
    assert made["total"] == 9
    assert any("2 missing" in doubt["why"] for doubt in made["unsure"])


def test_several_photos_are_added_up(photos: Path) -> None:
    more = saved(spread(["insalata"] * 3 + ["pizza"], across=480), photos / "more.jpg")
    made = answer(photos / "nine.jpg", more)
    assert made["counts"] == {"pizza": 5, "gelato": 3, "insalata": 3, "tiramisu": 2}
    assert not [doubt for doubt in made["unsure"] if doubt["what"] == "photos"]


def test_cards_that_are_in_two_photos_are_asked_about(photos: Path) -> None:
    again = saved(spread(["pizza"] * 4 + ["gelato"] * 3 + ["tiramisu"] * 2, across=640), photos / "again.jpg")
    made = answer(photos / "nine.jpg", again)
    assert any(doubt["what"] == "photos" and "both" in doubt["why"] for doubt in made["unsure"])


def test_the_same_photo_twice_is_refused(photos: Path) -> None:
    assert_refused(score(photos / "nine.jpg", photos / "nine.jpg"), "same photo")


def test_a_person_gets_a_table_and_a_picture(photos: Path) -> None:
    done = score(photos / "nine.jpg", "--finito", "pizza", "--annotate", photos / "seen")
    assert done.returncode == 0, done.stderr
    assert "pizza (Finito)" in done.stdout
    assert "9 cards" in done.stdout
    with Image.open(photos / "seen" / "nine.jpg") as drawn:
        assert drawn.size == (1280, 720)


def test_a_photo_without_cards_is_refused_and_no_round_of_zero_points(photos: Path) -> None:
    Image.new("RGB", (640, 480), (120, 90, 60)).save(photos / "plain.png")
    done = score(photos / "plain.png", "--json")
    assert_refused(done, "plain.png", "no face-down card")
    assert not done.stdout


def test_a_caller_who_does_not_play_is_refused(photos: Path) -> None:
    assert_refused(score(photos / "nine.jpg", "--finito", "sushi"), "'sushi'", "pizza")


def test_a_bad_photo_is_refused(photos: Path) -> None:
    assert_refused(score(photos / "none.jpg"), "none.jpg", "does not exist")


def test_cards_dealt_one_by_one_past_the_camera_are_counted_from_a_video(tmp_path: Path) -> None:
    nets_or_skip()
    backs = ["pizza", "gelato", "pizza"]
    pictures = [spread(backs[:dealt], across=480) for dealt in range(1, len(backs) + 1)]
    video = filmed_slowly([picture for picture in pictures for _ in range(6)], tmp_path / "dealt.mp4")
    made = answer(video, "--dealt", "--finito", "pizza", "--expect", "3")
    assert made["counts"] == {"pizza": 2, "gelato": 1}
    assert made["points"] == {"pizza": 7, "gelato": 1}
    assert made["unsure"] == []


def test_a_video_in_which_nothing_is_dealt_is_refused(tmp_path: Path) -> None:
    nets_or_skip()
    video = filmed_slowly([spread([], across=480)] * 6, tmp_path / "bare.mp4")
    assert_refused(score(video, "--dealt"), "bare.mp4", "no card dealt face down")
