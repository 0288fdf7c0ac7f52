"""`finito read` as a user meets it: the real command on good photos and on all kinds of bad files."""

from __future__ import annotations

import json
import os
import shutil
import struct
import subprocess
import sys
import zlib
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from tests.command import ROOT, finito
from tests.vision.rendered_photos import open_cards, saved
from tests.vision.shipped import nets_or_skip

FACES = ["R5", "Y0", "B8", "G6", "R1", "Y7", "B2"]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Path]:
    nets_or_skip()
    path = tmp_path_factory.mktemp("photos")
    saved(open_cards(FACES), path / "good.jpg")
    yield path
    shutil.rmtree(path)


def read(*arguments: str | Path) -> subprocess.CompletedProcess[str]:
    return finito("read", *(str(argument) for argument in arguments))


def lines(done: subprocess.CompletedProcess[str]) -> list[dict[str, Any]]:
    return [json.loads(line) for line in done.stdout.splitlines()]


def assert_sentence(done: subprocess.CompletedProcess[str], *says: str) -> None:
    assert done.returncode == 1, done.stderr
    assert "Traceback" not in done.stderr
    assert len(done.stderr.strip().splitlines()) == 1, done.stderr
    assert done.stderr.startswith("finito: ")
    for each in says:
        assert each in done.stderr


def test_every_card_of_a_photo_is_found_and_nothing_is_read_wrong(folder: Path) -> None:
    done = read(folder / "good.jpg", "--json")
    assert done.returncode == 0, done.stderr
    assert not done.stderr
    (answer,) = lines(done)
    assert answer["image"] == str(folder / "good.jpg")
    assert (answer["size"], answer["deck"]) == ([1280, 720], None)
    assert len(answer["cards"]) == len(FACES)
    sure = [card["face"] for card in answer["cards"] if "?" not in card["face"]]
    assert set(sure) <= set(FACES)
    assert len(sure) >= len(FACES) - 2


def test_the_house_deck_is_known_without_being_enrolled(folder: Path) -> None:
    (answer,) = lines(read(folder / "good.jpg", "--json", "--deck", "house"))
    assert answer["deck"] == "house"
    sure = [card["face"] for card in answer["cards"] if "?" not in card["face"]]
    assert set(sure) <= set(FACES)
    assert len(sure) >= len(FACES) - 1


def test_without_json_a_person_gets_a_table(folder: Path) -> None:
    done = read(folder / "good.jpg")
    assert done.returncode == 0
    assert f"{len(FACES)} cards" in done.stdout
    assert "\x1b[" not in done.stdout


def test_annotated_pictures_are_written_and_the_photo_stays_as_it_is(folder: Path) -> None:
    before = (folder / "good.jpg").read_bytes()
    done = read(folder / "good.jpg", folder / "good.jpg", "--annotate", folder, "--json")
    assert done.returncode == 0, done.stderr
    assert (folder / "good.jpg").read_bytes() == before
    for name in ("good-2.jpg", "good-3.jpg"):
        with Image.open(folder / name) as drawn:
            assert drawn.size == (1280, 720)


def test_a_photo_turned_by_its_exif_tag_is_read_upright(folder: Path) -> None:
    with Image.open(folder / "good.jpg") as upright:
        tags = Image.Exif()
        tags[0x0112] = 6
        upright.transpose(Image.Transpose.ROTATE_90).save(folder / "turned.jpg", exif=tags, quality=92)
    good, turned = lines(read(folder / "good.jpg", folder / "turned.jpg", "--json"))
    assert turned["size"] == [1280, 720]
    assert len(turned["cards"]) == len(good["cards"])
    here, there = (
        sorted([x for card in answer["cards"] for x, _ in card["corners"]]) for answer in (good, turned)
    )
    assert np.abs(np.array(here) - there).max() < 25


def huge_png(path: Path) -> None:
    """A header of 20,000 × 20,000 pixels with next to nothing behind it."""

    def chunk(kind: bytes, content: bytes) -> bytes:
        return (
            struct.pack(">I", len(content)) + kind + content + struct.pack(">I", zlib.crc32(kind + content))
        )

    header = struct.pack(">IIBBBBB", 20_000, 20_000, 8, 2, 0, 0, 0)
    path.write_bytes(
        b"\x89PNG\r\n\x1a\n"
        + chunk(b"IHDR", header)
        + chunk(b"IDAT", zlib.compress(b"\0" * 100))
        + chunk(b"IEND", b"")
    )


BAD_FILES = {
    "missing": (None, "does not exist"),
    "empty": (b"", "empty"),
    "PDF named .jpg": (b"%PDF-1.7 ...", "PDF"),
    "text": (b"not a picture at all", "not a picture"),
    "HEIC": (b"\0\0\0\x18ftypheic\0\0\0\0mif1heic", "HEIC"),
}


@pytest.mark.parametrize(("content", "says"), BAD_FILES.values(), ids=BAD_FILES)
def test_a_bad_file_is_a_sentence(folder: Path, content: bytes | None, says: str) -> None:
    path = folder / "bad.jpg"
    path.unlink(missing_ok=True)
    if content is not None:
        path.write_bytes(content)
    done = read(path, "--json")
    assert_sentence(done, str(path), says)
    assert not done.stdout


def test_a_truncated_photo_is_a_sentence_and_no_empty_table(folder: Path) -> None:
    path = folder / "short.jpg"
    path.write_bytes((folder / "good.jpg").read_bytes()[:20_000])
    done = read(path, "--json")
    assert_sentence(done, "short.jpg", "damaged")
    assert not done.stdout


def test_a_picture_of_20000_by_20000_is_refused_before_it_is_decoded(folder: Path) -> None:
    huge_png(folder / "huge.png")
    assert_sentence(read(folder / "huge.png"), "huge.png is too large", "limit is 80 million")


def test_the_others_are_answered_when_one_is_bad(folder: Path) -> None:
    (folder / "empty.jpg").write_bytes(b"")
    done = read(folder / "empty.jpg", folder / "good.jpg", folder / "none.jpg", "--json")
    assert done.returncode == 1
    assert [answer["image"] for answer in lines(done)] == [str(folder / "good.jpg")]
    first, second = done.stderr.strip().splitlines()
    assert "empty.jpg" in first
    assert "none.jpg" in second


def other_kinds(folder: Path) -> list[Path]:
    with Image.open(folder / "good.jpg") as opened:
        good = opened.convert("RGB")
    grey = np.asarray(good.convert("L")).astype(np.uint16) * 257
    kinds = {
        "grey.png": good.convert("L"),
        "cmyk.jpg": good.convert("CMYK"),
        "alpha.png": good.convert("RGBA"),
        "palette.gif": good.convert("P"),
        "deep.png": Image.fromarray(grey),
    }
    for name, picture in kinds.items():
        picture.save(folder / name)
    return [folder / name for name in kinds]


def test_grey_16_bit_cmyk_alpha_and_palette_pictures_are_read(folder: Path) -> None:
    paths = other_kinds(folder)
    done = read(*paths, "--json")
    assert done.returncode == 0, done.stderr
    answers = lines(done)
    assert [answer["image"] for answer in answers] == [str(path) for path in paths]
    for answer in answers:
        assert len(answer["cards"]) >= len(FACES) - 1, answer["image"]


def test_a_plain_table_has_no_cards_and_says_so(folder: Path) -> None:
    Image.new("RGB", (640, 480), (120, 90, 60)).save(folder / "plain.png")
    done = read(folder / "plain.png")
    assert done.returncode == 0
    assert "no card found" in done.stdout
    assert lines(read(folder / "plain.png", "--json"))[0]["cards"] == []


def test_an_unknown_deck_is_a_sentence(folder: Path, tmp_path: Path) -> None:
    done = finito("read", str(folder / "good.jpg"), "--deck", "nobody", data=tmp_path)
    assert_sentence(done, "'nobody'", "finito enroll")


def test_a_deck_folder_of_another_version_is_a_sentence(folder: Path, tmp_path: Path) -> None:
    old = {"version": 0, "name": "old", "game": "espresso", "model": "", "faces": [], "backs": []}
    (tmp_path / "deck.json").write_text(json.dumps(old))
    assert_sentence(read(folder / "good.jpg", "--deck", tmp_path), "deck.json", "version 0", "enrol")


def test_a_model_with_a_wrong_hash_is_a_sentence(folder: Path, tmp_path: Path) -> None:
    models = tmp_path / "models"
    models.mkdir()
    (models / "__init__.py").touch()
    tables = [f'[{name}]\nfile = "{name}.onnx"\nsha256 = "{"0" * 64}"\n' for name in ("finder", "reader")]
    (models / "manifest.toml").write_text("".join(tables))
    for name in ("finder", "reader"):
        (models / f"{name}.onnx").write_bytes(b"tampered")
    # The folder a command is run from comes first: its models are taken for those that ship.
    done = subprocess.run(
        [sys.executable, "-m", "finito", "read", str(folder / "good.jpg"), "--json"],
        capture_output=True,
        text=True,
        cwd=tmp_path,
        env={**os.environ, "PYTHONPATH": str(ROOT)},
        timeout=120,
        check=False,
    )
    assert_sentence(done, "models/finder.onnx", "sha256")
    assert not done.stdout


def test_an_annotation_folder_that_is_a_file_is_a_sentence(folder: Path) -> None:
    done = read(folder / "good.jpg", "--annotate", folder / "good.jpg")
    assert_sentence(done, "good.jpg")
