"""Decks: what a camera must be able to tell apart is apart, and a seed gives a deck."""

from __future__ import annotations

import itertools
from pathlib import Path
from random import Random
from typing import Any

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from finito.virtual_table.decks import PX_PER_MM, Deck, Split, house_deck, random_deck
from finito.virtual_table.decks.house_faces import INKS
from finito.virtual_table.decks.invented import fonts, motifs, words
from finito.virtual_table.decks.invented.alike import apart, glance
from finito.virtual_table.decks.invented.face_style import random_face_style

SPLITS: tuple[Split, ...] = ("train", "validation", "test")
Picture = NDArray[np.uint8]
# Warm bulb and dim evening, as factors on blue, green, red.
LIGHTS = {"daylight": (1.0, 1.0, 1.0), "warm": (0.55, 0.82, 1.0), "dim": (0.3, 0.38, 0.42)}
# What a person without red, or green, receptors sees (Viénot 1999), on linear BGR.
DICHROMATS = {
    "protan": ((1.0, 0.0, 0.0), (0.0, 0.8888, 0.1112), (0.0, 0.8888, 0.1112)),
    "deutan": ((1.0, -0.0447, 0.0447), (0.0, 0.7078, 0.2922), (0.0, 0.7078, 0.2922)),
}


def lab(colours: NDArray[Any]) -> NDArray[np.float32]:
    pixels = np.clip(colours, 0, 1).astype(np.float32).reshape(1, -1, 3)
    return np.asarray(cv2.cvtColor(pixels, cv2.COLOR_LBGR2LAB), np.float32).reshape(-1, 3)


def linear_inks() -> NDArray[np.float64]:
    return (np.array([ink[::-1] for ink in INKS.values()]) / 255.0) ** 2.2


def nearest_pair(colours: NDArray[np.float32]) -> float:
    return min(float(np.linalg.norm(a - b)) for a, b in itertools.combinations(colours, 2))


def test_house_cards_are_59_by_91_mm_and_cannot_be_painted_over() -> None:
    deck = house_deck()
    assert deck.card_mm == (59.0, 91.0)
    for picture in (deck.face("G6"), deck.back("pizza")):
        assert picture.shape == (91 * PX_PER_MM, 59 * PX_PER_MM, 3)
        with pytest.raises(ValueError, match="read-only"):
            picture[0, 0] = 0
    assert deck.face("G6") is deck.face("G6")


def test_house_deck_has_36_faces_and_six_dishes() -> None:
    deck = house_deck()
    assert len(deck.faces) == 36
    assert deck.backs == ("pizza", "spaghetti", "gelato", "cappuccino", "insalata", "tiramisu")


@pytest.mark.parametrize("light", list(LIGHTS))
def test_house_colours_stay_apart_in_every_light(light: str) -> None:
    assert nearest_pair(lab(linear_inks() * np.array(LIGHTS[light]))) > 25


@pytest.mark.parametrize("sight", list(DICHROMATS))
def test_house_colours_stay_apart_for_the_colour_blind(sight: str) -> None:
    assert nearest_pair(lab(linear_inks() @ np.array(DICHROMATS[sight]).T)) > 20


def test_each_house_colour_has_its_own_sign() -> None:
    """In grey the colours' signs alone must differ: the patch in the upper right corner."""
    patches = []
    for colour in house_deck().colours:
        grey = cv2.cvtColor(house_deck().face(f"{colour}3"), cv2.COLOR_BGR2GRAY)
        patch = grey[5 * PX_PER_MM : 17 * PX_PER_MM, 42 * PX_PER_MM : 54 * PX_PER_MM]
        patches.append((np.abs(patch.astype(int) - int(patch[0, -1])) > 60).ravel())
    for one, other in itertools.combinations(patches, 2):
        assert (one ^ other).sum() > 0.15 * max(one.sum(), other.sum())


def test_house_numbers_differ_in_shape_even_upside_down() -> None:
    deck = house_deck()
    shapes = {n: cv2.cvtColor(deck.face(f"R{n}"), cv2.COLOR_BGR2GRAY).astype(int) for n in deck.numbers}
    for one, other in itertools.permutations(deck.numbers, 2):
        assert np.abs(shapes[one] - shapes[other]).mean() > 3
        assert np.abs(shapes[one] - shapes[other][::-1, ::-1]).mean() > 3


def strips(back: Picture) -> list[Picture]:
    """Every 12 mm strip along the four edges, and quarter lengths of them."""
    wide = 12 * PX_PER_MM
    edges = (back[:wide], back[-wide:], back[:, :wide].swapaxes(0, 1), back[:, -wide:].swapaxes(0, 1))
    return [part for edge in edges for part in np.array_split(edge, 2, axis=1)]


def histogram(picture: Picture) -> NDArray[np.float64]:
    counts = np.histogramdd(picture.reshape(-1, 3).astype(float), bins=(6, 6, 6), range=((0, 256),) * 3)[0]
    return np.asarray(counts / counts.sum())


@pytest.mark.parametrize("light", list(LIGHTS))
def test_house_backs_are_told_apart_from_half_a_12_mm_strip(light: str) -> None:
    deck = house_deck()
    lit = {b: np.asarray(deck.back(b) * np.array(LIGHTS[light]) ** (1 / 2.2), np.uint8) for b in deck.backs}
    whole = {back: histogram(picture) for back, picture in lit.items()}
    for back, picture in lit.items():
        for strip in strips(picture):
            overlap = {
                other: float(np.minimum(histogram(strip), known).sum()) for other, known in whole.items()
            }
            rival = max(value for other, value in overlap.items() if other != back)
            assert overlap[back] > rival + 0.2, (back, overlap)


def test_shape_mask_is_full_inside_and_empty_outside_the_rounded_corner() -> None:
    mask = house_deck().shape_mask()
    assert mask.shape == (91 * PX_PER_MM, 59 * PX_PER_MM)
    assert mask[0, 0] == mask[-1, -1] == 0
    assert mask[0, 100] == mask[150, 0] == mask[150, 100] == 255
    missing = (mask.size - mask.sum() / 255) / PX_PER_MM**2
    assert missing == pytest.approx((4 - np.pi) * house_deck().corner_radius_mm ** 2, rel=0.15)


def sample(deck: Deck) -> list[Picture]:
    return [deck.face(face) for face in deck.faces[::7]] + [deck.back(back) for back in deck.backs]


@pytest.mark.parametrize("split", SPLITS)
def test_a_seed_gives_a_deck(split: Split) -> None:
    for seed in range(5):
        one, again = random_deck(seed, split), random_deck(seed, split)
        assert one == again
        for first, second in zip(sample(one), sample(again), strict=True):
            assert np.array_equal(first, second)


def test_drawing_order_does_not_change_a_card() -> None:
    one, other = random_deck(3, "train"), random_deck(3, "train")
    forward = {face: one.face(face) for face in one.faces}
    backward = {face: other.face(face) for face in reversed(other.faces)}
    assert all(np.array_equal(forward[face], backward[face]) for face in one.faces)


def test_decks_of_two_seeds_or_two_splits_differ() -> None:
    decks = [random_deck(seed, split) for split in SPLITS for seed in range(6)]
    seen = {deck.face("R5").tobytes() for deck in decks}
    assert len(seen) == len(decks)


def test_splits_share_no_font_motif_or_word() -> None:
    for one, other in itertools.combinations(SPLITS, 2):
        assert not set(fonts.families(one)) & set(fonts.families(other))
        assert not set(motifs.SYMMETRIES[one]) & set(motifs.SYMMETRIES[other])
        assert not set(motifs.DRAWN[one]) & set(motifs.DRAWN[other])
        assert not any(
            a.startswith(b) or b.startswith(a) for a in words.OPENINGS[one] for b in words.OPENINGS[other]
        )


@pytest.mark.parametrize("split", SPLITS)
def test_every_number_of_an_invented_deck_can_be_told_from_the_others(split: Split) -> None:
    """What differs between two numbers of a colour must be more than specks."""
    for seed in range(20):
        deck = random_deck(seed, split)
        colour = deck.colours[seed % len(deck.colours)]
        pictures = [deck.face(f"{colour}{number}")[::2, ::2] for number in deck.numbers]
        for one, other in itertools.combinations(pictures, 2):
            changed_mm2 = (cv2.absdiff(one, other).max(axis=2) > 25).sum() * 4 / PX_PER_MM**2
            assert changed_mm2 > 12, (deck.name, colour)


@pytest.mark.parametrize("split", SPLITS)
def test_every_colour_of_an_invented_deck_shows(split: Split) -> None:
    for seed in range(30):
        deck = random_deck(seed, split)
        for one, other in itertools.combinations("RYGB", 2):
            apart = cv2.absdiff(deck.face(f"{one}8"), deck.face(f"{other}8")).max(axis=2) > 40
            assert apart.sum() / PX_PER_MM**2 > 25, (deck.name, one, other)


@pytest.mark.parametrize("split", SPLITS)
def test_the_backs_of_an_invented_deck_differ(split: Split) -> None:
    for seed in range(30):
        deck = random_deck(seed, split)
        assert 2 <= len(deck.backs) <= 12
        for one, other in itertools.combinations(deck.backs, 2):
            apart = cv2.absdiff(deck.back(one), deck.back(other)).max(axis=2) > 20
            assert apart.mean() > 0.005, (deck.name, one, other)


def test_invented_decks_are_drawn_without_any_installed_font(monkeypatch: pytest.MonkeyPatch) -> None:
    def none(_split: str) -> dict[str, tuple[Path, ...]]:
        return {}

    monkeypatch.setattr("finito.virtual_table.decks.invented.figures.families", none)
    for seed in range(10):
        deck = random_deck(seed, "train")
        changed = np.abs(deck.face("R2").astype(int) - deck.face("R7")).max(axis=2) > 25
        assert changed.sum() > 200


def test_asking_for_a_card_the_deck_lacks_names_the_deck() -> None:
    with pytest.raises(KeyError, match="house has no face R9"):
        house_deck().face("R9")
    with pytest.raises(KeyError, match="it has pizza"):
        house_deck().back("sushi")


def test_specials_carry_a_sign_instead_of_a_number() -> None:
    deck = next(deck for deck in (random_deck(seed, "train") for seed in range(20)) if deck.specials)
    assert not any(name[1:].isdigit() for name in deck.specials)
    assert deck.special(deck.specials[0]).shape == deck.face("R5").shape


@pytest.mark.parametrize("seed", range(20))
def test_backs_of_a_deck_can_be_told_apart_across_the_table(seed: int) -> None:
    deck = random_deck(seed, "test")
    views = [glance(deck.back(name)) for name in deck.backs]
    nearest = min(apart(one, other) for i, one in enumerate(views) for other in views[:i])
    assert nearest > 9  # wear takes a little of the difference


@pytest.mark.parametrize("seed", range(120))
def test_no_face_has_an_empty_middle(seed: int) -> None:
    style = random_face_style(Random(seed), "test", 4)
    assert style.figure_mm or style.pips or style.scene
