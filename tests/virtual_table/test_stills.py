"""Stills for learning: endless, varied, repeatable, with their truth."""

from itertools import islice

import numpy as np
import pytest

from finito.virtual_table.scene import Rendered
from finito.virtual_table.stills import RECIPES, process_seeds, still, stills, stream

SIZE = (320, 180)


@pytest.fixture(scope="module")
def many() -> list[Rendered]:
    return list(islice(stills(5, "train", SIZE), 40))


def test_a_seed_gives_the_same_pictures(many: list[Rendered]) -> None:
    for index in (0, 7, 39):
        again = still(5, "train", SIZE, index)
        assert np.array_equal(again.picture, many[index].picture)
        assert np.array_equal(again.ids, many[index].ids)


def test_seeds_and_splits_give_other_pictures_and_decks(many: list[Rendered]) -> None:
    others = [still(6, "train", SIZE), still(5, "validation", SIZE), still(5, "test", SIZE)]
    assert all(not np.array_equal(other.picture, many[0].picture) for other in others)
    decks = {shown.deck for shown in many}
    assert len(decks) >= 4
    unseen = {still(5, split, SIZE, index).deck for split in ("validation", "test") for index in range(6)}
    assert not decks & unseen


def test_stills_vary_in_cards_cameras_and_light(many: list[Rendered]) -> None:
    counts = [len(shown.cards) for shown in many]
    assert min(counts) <= 1
    assert max(counts) >= 20
    largest = [max((float(np.ptp(t.corners, axis=0).max()) for t in s.cards), default=0) for s in many]
    assert max(largest) > 0.7 * SIZE[1]
    tilts = [shown.scene.camera.tilt for shown in many]
    assert min(tilts) < 5
    assert max(tilts) > 25
    brightness = [float(shown.picture.mean()) for shown in many]
    assert np.std(brightness) > 15
    assert any(shown.occluders.any() for shown in many)
    sides = {truth.side for shown in many for truth in shown.cards}
    assert sides == {"face", "back"}


def test_every_visible_card_is_in_the_ids_and_no_other(many: list[Rendered]) -> None:
    for shown in many:
        present = set(np.unique(shown.ids[shown.ids > 0]).tolist())
        assert present == {truth.number for truth in shown.cards if truth.visible > 0}


@pytest.mark.parametrize("recipe", RECIPES)
def test_every_recipe_gives_a_picture_of_the_asked_size(recipe: str) -> None:
    shown = still(1, "train", (400, 240), 3, recipe)
    assert shown.picture.shape == (240, 400, 3)
    assert shown.picture.dtype == np.uint8
    assert (len(shown.cards) == 0) == (recipe == "nothing")


def test_a_game_names_its_places() -> None:
    shown = still(2, "train", SIZE, 0, "game")
    places = {name.split(" ")[-1] for name in shown.zones}
    assert {"espresso", "help1", "help2", "help3", "waste"} <= places
    assert any(name.startswith("pile ") for name in shown.zones)


def test_processes_take_turns_in_a_fixed_order() -> None:
    row = stream(9, "train", SIZE, processes=2, ahead=2)
    pictures = [next(row).picture for _ in range(4)]
    row.close()
    first, second = process_seeds(9, 2)
    expected = [still(seed, "train", SIZE, index) for index in (0, 1) for seed in (first, second)]
    assert all(np.array_equal(a, b.picture) for a, b in zip(pictures, expected, strict=True))
