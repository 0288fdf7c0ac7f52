"""`finito calibrate` from photos to a profile, and its refusals."""

from __future__ import annotations

import json
from pathlib import Path

import av
import cv2
import pytest
import typer
from typer.testing import CliRunner, Result

from calibration.profiles import read_profile
from finito.cli import calibrate
from finito.errors import BadInput
from tests.calibration.photos import board_cameras, board_photo, plane_errors, table_scene, without_cards
from vision.sources import read_picture


def run(*words: object) -> Result:
    app = typer.Typer()
    calibrate.register(app)
    app.callback()(lambda: None)
    return CliRunner().invoke(app, ["calibrate", *(str(word) for word in words)], catch_exceptions=True)


def refusal(result: Result) -> str:
    assert isinstance(result.exception, BadInput), result.exception
    return str(result.exception)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("photos")
    for number, camera in enumerate(board_cameras(8)):
        cv2.imwrite(str(folder / f"board{number}.png"), board_photo(camera, number))
    scene = table_scene(0, (1280, 720))
    cv2.imwrite(str(folder / "table.png"), without_cards(scene))
    return folder


def test_a_table_photo_becomes_a_profile_and_a_picture(folder: Path, tmp_path: Path) -> None:
    out, drawn = tmp_path / "table.toml", tmp_path / "found.png"
    result = run("table", folder / "table.png", "--out", out, "--annotate", drawn, "--json")
    answer = json.loads(result.stdout)
    assert answer["markers"] == [0, 1, 2, 3]
    assert answer["found_by"] == "markers"
    plane = read_profile(out).plane
    assert plane is not None
    assert plane_errors(plane, table_scene(0, (1280, 720)).camera).mean() < 1.0
    assert (read_picture(drawn) != read_picture(folder / "table.png")).any()


def test_lens_photos_become_a_profile_that_the_table_adds_to(folder: Path, tmp_path: Path) -> None:
    out = tmp_path / "table.toml"
    result = run("lens", *sorted(folder.glob("board*.png")), "--out", out, "--annotate", tmp_path / "b.jpg")
    assert result.exit_code == 0, result.exception
    assert "pixels RMS" in result.stdout
    run("table", folder / "table.png", "--out", out)
    profile = read_profile(out)
    assert profile.lens is not None
    assert profile.plane is not None
    assert profile.plane.lens == profile.lens


def test_a_film_is_searched_for_the_moment_in_which_all_markers_show(folder: Path, tmp_path: Path) -> None:
    film, table = tmp_path / "film.mp4", read_picture(folder / "table.png")
    covered = table.copy()
    covered[:, :640] = 60
    with av.open(str(film), "w") as container:
        stream = container.add_stream("mpeg4", rate=30)
        stream.width, stream.height, stream.bit_rate = 1280, 720, 20_000_000
        for picture in (covered, covered, table, covered):
            container.mux(stream.encode(av.VideoFrame.from_ndarray(picture, format="bgr24")))
        container.mux(stream.encode())
    result = run("table", film, "--out", tmp_path / "table.toml", "--json")
    assert json.loads(result.stdout)["markers"] == [0, 1, 2, 3]


def test_refusals_are_one_sentence(folder: Path, tmp_path: Path) -> None:
    assert "0 pictures" in refusal(run("lens", folder / "table.png", "--out", tmp_path / "x.toml"))
    assert "does not exist" in refusal(run("table", tmp_path / "none.jpg"))
    assert "camera 87" in refusal(run("table", "87"))
    (tmp_path / "bad.toml").write_text("version = 9")
    assert "version 9" in refusal(run("table", folder / "table.png", "--out", tmp_path / "bad.toml"))
    assert ".jpg or .png" in refusal(
        run("table", folder / "table.png", "--out", tmp_path / "o.toml", "--annotate", "x.bmp")
    )
    assert not (tmp_path / "o.toml").exists()


def test_a_table_without_markers_and_cards_is_refused_with_what_helps(folder: Path, tmp_path: Path) -> None:
    sentence = refusal(run("table", folder / "board0.png", "--out", tmp_path / "x.toml"))
    assert "markers 0, 1, 2, 3 cannot be seen" in sentence or "cards" in sentence
