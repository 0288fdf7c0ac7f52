"""`finito enroll` as a user meets it: two photos teach a deck; an incomplete one is refused by name."""

from __future__ import annotations

import json
import subprocess
from pathlib import Path

import pytest

from finito.cli.enroll import _each_with_its_option, back_names
from finito.errors import BadInput
from tests.command import finito
from tests.vision.rendered_photos import BACKS, backs_row, faces_grid, open_cards, saved
from tests.vision.shipped import nets_or_skip

NAMES = ",".join(BACKS)


@pytest.fixture(scope="module")
def photos(tmp_path_factory: pytest.TempPathFactory) -> Path:
    nets_or_skip()
    folder = tmp_path_factory.mktemp("enrol")
    saved(faces_grid(), folder / "faces.jpg")
    saved(backs_row(), folder / "backs.jpg")
    return folder


def enroll(
    photos: Path, faces: str = "faces.jpg", backs: str = "backs.jpg", names: str = NAMES, *more: str
) -> subprocess.CompletedProcess[str]:
    given = ["--faces", str(photos / faces), "--backs", str(photos / backs), "--names", names]
    return finito("enroll", "kitchen", *given, *more, data=photos / "data")


def assert_refused(done: subprocess.CompletedProcess[str], *says: str) -> None:
    assert done.returncode == 1, done.stdout + done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    for each in says:
        assert each in done.stderr, done.stderr


def test_the_house_deck_is_learnt_from_two_photos_and_read_with(photos: Path) -> None:
    done = enroll(photos, "faces.jpg", "backs.jpg", NAMES, "--json")
    assert done.returncode == 0, done.stderr
    learnt = json.loads(done.stdout)
    assert len(learnt["faces"]) == 36
    assert learnt["backs"] == list(BACKS)
    assert len(learnt["confusion"]["backs"]) == len(BACKS)
    assert len(learnt["confusion"]["faces"]) == 36
    assert Path(learnt["folder"]).name == "kitchen"
    assert isinstance(learnt["risky"], list)
    table = saved(open_cards(["R5", "Y6", "B8", "G0"]), photos / "table.jpg")
    answer = json.loads(
        finito("read", str(table), "--deck", "kitchen", "--json", data=photos / "data").stdout
    )
    assert answer["deck"] == "kitchen"
    faces = [card["face"] for card in answer["cards"]]
    assert {face for face in faces if "?" not in face} <= {"R5", "Y6", "B8", "G0"}
    assert sum("?" not in face for face in faces) >= 3


def test_without_json_a_person_sees_what_was_learnt_and_how_sure_it_is(photos: Path) -> None:
    out = photos / "elsewhere"
    done = enroll(photos, "faces.jpg", "backs.jpg", NAMES, "--out", str(out))
    assert done.returncode == 0, done.stderr
    assert "36 faces and 3 backs" in done.stdout
    assert "isky" in done.stdout or "No two cards" in done.stdout
    assert (out / "deck.json").exists()


def test_a_photo_of_35_cards_is_refused_by_the_missing_card(photos: Path) -> None:
    saved(faces_grid(without=["Y5"]), photos / "35.jpg")
    assert_refused(enroll(photos, "35.jpg"), "35.jpg", "row 2: yellow 5 is missing")


def test_a_backs_photo_with_fewer_cards_than_names_is_refused(photos: Path) -> None:
    done = enroll(photos, names=f"{NAMES},sushi")
    assert_refused(done, "backs.jpg", "3 cards", "--names has 4")


def test_a_photo_without_cards_is_refused(photos: Path) -> None:
    from PIL import Image

    Image.new("RGB", (640, 480), (120, 90, 60)).save(photos / "plain.png")
    assert_refused(enroll(photos, "plain.png"), "plain.png", "no card")


def test_a_bad_photo_is_refused(photos: Path) -> None:
    (photos / "empty.jpg").write_bytes(b"")
    assert_refused(enroll(photos, "empty.jpg"), "empty.jpg")


def test_an_unknown_game_is_refused(photos: Path) -> None:
    done = enroll(photos, "faces.jpg", "backs.jpg", NAMES, "--game", "canasta")
    assert_refused(done, "canasta", "espresso")


def test_a_folder_with_other_things_is_not_written_into(photos: Path) -> None:
    other = photos / "mine"
    other.mkdir()
    (other / "diary.txt").write_text("dear")
    done = enroll(photos, "faces.jpg", "backs.jpg", NAMES, "--out", str(other))
    assert_refused(done, "mine", "other things")
    assert [path.name for path in other.iterdir()] == ["diary.txt"]


def test_options_take_all_photos_that_follow_them() -> None:
    given = ["kitchen", "--faces", "a.jpg", "b.jpg", "--backs", "c.jpg", "--names", "x,y", "--json"]
    assert _each_with_its_option(given) == [
        *("kitchen", "--faces", "a.jpg", "--faces", "b.jpg", "--backs", "c.jpg", "--names", "x,y", "--json")
    ]


@pytest.mark.parametrize(("names", "says"), [("a,,b", "empty"), ("a,b,a", "twice")])
def test_names_must_be_given_once_each(names: str, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        back_names(names)


@pytest.mark.parametrize("name", ["../up", "a/b", "", ".hidden", "x" * 61])
def test_a_deck_gets_a_name_that_is_a_folder_name_everywhere(name: str) -> None:
    from finito.deck_library import checked_name

    with pytest.raises(BadInput, match="no name for a deck"):
        checked_name(name)
