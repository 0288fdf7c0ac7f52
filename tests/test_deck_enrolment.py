"""A deck learnt from crops: known again in other light, honest about look-alikes, kept in a folder."""

from __future__ import annotations

import json
from pathlib import Path

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from calibration.deck_enrolment import (
    BadDeck,
    EnrolledDeck,
    Look,
    confusion,
    enrol,
    in_many_lights,
    load_deck,
    risky_pairs,
    save_deck,
)

LIGHT = np.array([0.4, 0.4, 0.4, 0.8, 0.8, 0.8, 1.0], np.float32)
MODEL = "a" * 64


def crop(seed: int) -> NDArray[np.uint8]:
    coarse = np.random.default_rng(seed).integers(30, 220, (5, 4, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(coarse, (72, 104), interpolation=cv2.INTER_CUBIC), np.uint8)


def look(crops: NDArray[np.uint8], light: NDArray[np.float32]) -> Look:
    """A stand-in for the net: a normalised thumbnail, and the same answer of the heads for everything."""
    assert len(crops) == len(light)
    thumbs = np.stack([cv2.resize(c, (4, 5), interpolation=cv2.INTER_AREA) for c in crops])
    flat = thumbs.reshape(len(crops), -1).astype(np.float32)
    flat -= flat.mean(axis=1, keepdims=True)
    embedding = flat / np.linalg.norm(flat, axis=1, keepdims=True)
    return Look(
        embedding, np.full((len(crops), 12), 1 / 12, np.float32), np.full((len(crops), 5), 0.2, np.float32)
    )


@pytest.fixture(scope="module")
def deck() -> EnrolledDeck:
    faces = {f"R{n}": (crop(n), LIGHT) for n in range(5)}
    backs = {"pizza": (crop(20), LIGHT), "gelato": (crop(21), LIGHT)}
    return enrol("kitchen", "espresso", faces, backs, look, MODEL)


def test_every_design_is_kept_in_many_lights_and_both_ways_up(deck: EnrolledDeck) -> None:
    assert [design.name for design in deck.faces] == ["R0", "R1", "R2", "R3", "R4"]
    crops, lights = in_many_lights(crop(3), LIGHT)
    assert len(crops) == len(lights) == len(deck.faces[3].prototypes)
    assert (crops[1] == crops[0][::-1, ::-1]).all()
    assert crops.reshape(len(crops), -1).mean(axis=1).std() > 10


def test_a_warm_lamp_reddens_the_crop_and_the_light_of_its_picture_alike() -> None:
    crops, lights = in_many_lights(crop(3), LIGHT)
    warm = int(np.argmin(lights[:, 0] / lights[:, 2]))
    assert crops[warm][:, :, 0].mean() < 0.8 * crops[0][:, :, 0].mean()
    assert lights[warm, 6] == 1


def test_designs_that_differ_are_not_confused(deck: EnrolledDeck) -> None:
    table = confusion(deck.faces, sharpness=20.0)
    assert np.allclose(table.sum(axis=1), 1)
    assert (table.diagonal() > 0.95).all()
    assert risky_pairs(deck.faces, sharpness=20.0, above=0.05) == []


def test_two_backs_that_look_alike_are_named_as_a_risky_pair() -> None:
    twin = crop(20).copy()
    twin[40:60, 30:40] = 255 - twin[40:60, 30:40]
    backs = {"pizza": (crop(20), LIGHT), "gelato": (crop(21), LIGHT), "pasta": (twin, LIGHT)}
    alike = enrol("kitchen", "espresso", {}, backs, look, MODEL)
    worst = risky_pairs(alike.backs, sharpness=20.0)[0]
    assert {worst.one, worst.other} == {"pizza", "pasta"}
    assert worst.risk > 0.1


def test_a_saved_deck_comes_back_as_it_was(deck: EnrolledDeck, tmp_path: Path) -> None:
    save_deck(deck, tmp_path / "kitchen")
    again = load_deck(tmp_path / "kitchen", MODEL)
    assert (again.name, again.game, again.model) == (deck.name, deck.game, deck.model)
    assert [d.name for d in again.backs] == ["pizza", "gelato"]
    for one, other in zip(deck.faces, again.faces, strict=True):
        assert one.name == other.name
        assert np.array_equal(one.prototypes, other.prototypes)
        assert np.array_equal(one.thumbnail, other.thumbnail)


def test_the_folder_can_be_read_by_a_person(deck: EnrolledDeck, tmp_path: Path) -> None:
    save_deck(deck, tmp_path)
    about = json.loads((tmp_path / "deck.json").read_text())
    assert about["backs"] == ["pizza", "gelato"]
    assert cv2.imread(str(tmp_path / "cards" / "back1.png")) is not None


def test_a_deck_of_another_version_is_refused(deck: EnrolledDeck, tmp_path: Path) -> None:
    save_deck(deck, tmp_path)
    about = json.loads((tmp_path / "deck.json").read_text())
    (tmp_path / "deck.json").write_text(json.dumps(about | {"version": 99}))
    with pytest.raises(BadDeck, match=r"version 99.*enrol the deck again"):
        load_deck(tmp_path)


def test_a_deck_learnt_with_another_net_is_refused(deck: EnrolledDeck, tmp_path: Path) -> None:
    save_deck(deck, tmp_path)
    with pytest.raises(BadDeck, match="another reading net"):
        load_deck(tmp_path, "b" * 64)


@pytest.mark.parametrize(
    "harm",
    [
        lambda folder: (folder / "deck.json").unlink(),
        lambda folder: (folder / "deck.json").write_text("{"),
        lambda folder: (folder / "deck.json").write_text("[]"),
        lambda folder: (folder / "prototypes.npz").write_bytes(b"PK\x03\x04 torn"),
        lambda folder: (folder / "prototypes.npz").write_bytes(b""),
        lambda folder: (folder / "cards" / "face2.png").unlink(),
    ],
)
def test_a_damaged_folder_is_refused_by_name(deck: EnrolledDeck, tmp_path: Path, harm: object) -> None:
    save_deck(deck, tmp_path)
    assert callable(harm)
    harm(tmp_path)
    with pytest.raises(BadDeck, match=tmp_path.name):
        load_deck(tmp_path)
