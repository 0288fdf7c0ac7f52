"""Cards compared with enrolled designs cell by cell: moved, turned, half hidden, in other light."""

from __future__ import annotations

import cv2
import numpy as np
import pytest
from numpy.typing import NDArray

from vision.reading.answers import CROP_HEIGHT, CROP_WIDTH
from vision.reading.cell_evidence import CellWeights
from vision.reading.cell_match import CLUES, Comparison
from vision.reading.cell_shares import compared, together
from vision.reading.cells import cells_of
from vision.reading.deck_cells import Designs
from vision.reading.shared_light import SharedLight

Crop = NDArray[np.uint8]
LIGHT = SharedLight(spread=0.08, strength=0.3, others=1.0, own=1.0, stray=0.02)
EITHER_WAY = 0.5


def design(seed: int) -> Crop:
    coarse = np.random.default_rng(seed).integers(40, 200, (13, 9, 3), dtype=np.uint8)
    return np.asarray(cv2.resize(coarse, (CROP_WIDTH, CROP_HEIGHT), interpolation=cv2.INTER_CUBIC), np.uint8)


DESIGNS = np.stack([design(seed) for seed in range(5)])
KNOWN = Designs.of(DESIGNS)


def moved(crop: Crop, x: float, y: float) -> Crop:
    matrix = np.array([(1, 0, x), (0, 1, y)], np.float64)
    there = cv2.warpAffine(crop, matrix, (CROP_WIDTH, CROP_HEIGHT), borderMode=cv2.BORDER_REPLICATE)
    return np.asarray(there, np.uint8)


def lit(crop: Crop, blue: float, green: float, red: float) -> Crop:
    return np.asarray(np.clip(crop * np.array([blue, green, red]), 0, 255), np.uint8)


def half_hidden(crop: Crop) -> Crop:
    covered = crop.copy()
    covered[:, : CROP_WIDTH // 2] = (240, 240, 240)
    return covered


def only(clue: str, heads: float = 0.0) -> CellWeights:
    """Weights by which one clue counts, and the only head."""
    clues = np.array([float(name == clue) for name in CLUES])
    return CellWeights(clues, np.array([heads]), LIGHT)


def best(seen: Comparison) -> int:
    return int((seen.clues[:, CLUES.index("fit")] + seen.clues[:, CLUES.index("rest")]).argmax())


def test_a_design_fits_itself_in_its_own_light_and_no_other_does() -> None:
    seen = compared(DESIGNS[3], KNOWN, EITHER_WAY)
    assert seen.clues.shape == (5, len(CLUES))
    assert seen.clues[3, CLUES.index("fit")] == pytest.approx(0, abs=0.5)
    assert np.delete(seen.clues[:, CLUES.index("fit")], 3).max() < -10
    assert np.abs(seen.light[3]).max() < 0.02


@pytest.mark.parametrize("turned", [False, True])
@pytest.mark.parametrize(
    "shown",
    [
        moved(DESIGNS[2], 3, -4),
        half_hidden(DESIGNS[2]),
        lit(DESIGNS[2], 0.45, 0.6, 0.8),
        lit(half_hidden(moved(DESIGNS[2], -2, 3)), 1.1, 0.9, 0.7),
    ],
    ids=["moved", "half hidden", "warm and dim", "all of it"],
)
def test_a_design_is_known_again(shown: Crop, turned: bool) -> None:
    crop = np.ascontiguousarray(shown[::-1, ::-1]) if turned else shown
    assert best(compared(crop, KNOWN, EITHER_WAY)) == 2


def test_a_card_that_stands_is_taken_upside_down_at_a_price_only() -> None:
    """A 9 is a 6 upside down: which of them depends on where the card's top is."""
    upside_down = compared(np.ascontiguousarray(DESIGNS[1][::-1, ::-1]), KNOWN, upright=0.98)
    assert upside_down.clues[1, CLUES.index("upright")] < 0
    assert compared(DESIGNS[1], KNOWN, upright=0.98).clues[1, CLUES.index("upright")] > 0


def test_the_light_is_told_although_half_of_the_card_is_hidden() -> None:
    open_to_view = compared(lit(DESIGNS[1], 0.6, 0.8, 1.0), KNOWN, EITHER_WAY).light[1]
    hidden = compared(half_hidden(lit(DESIGNS[1], 0.6, 0.8, 1.0)), KNOWN, EITHER_WAY).light[1]
    assert np.abs(hidden - open_to_view).max() < 0.1
    assert open_to_view[1] == pytest.approx(np.log(1.0 / 0.6) / np.sqrt(2), abs=0.08)


def test_what_covers_a_card_speaks_for_no_design() -> None:
    """It fits none, so it tells none from another; what is open to view still does."""
    fit = CLUES.index("fit")
    covered = compared(design(99), KNOWN, EITHER_WAY).clues[:, fit]
    half = compared(half_hidden(DESIGNS[0]), KNOWN, EITHER_WAY).clues[:, fit]
    assert half[0] - half[1:].max() > 2 * np.ptp(covered)


def test_cells_nearby_hold_the_cells_themselves() -> None:
    there = cells_of(DESIGNS)
    middle = KNOWN.cells.drawing[:, :, KNOWN.cells.drawing.shape[2] // 2]
    assert there.drawing.shape[:2] == KNOWN.cells.drawing.shape[:2]
    assert np.allclose(there.drawing, middle, atol=1e-4)


def test_weights_come_back_from_the_manifest_as_they_were() -> None:
    weights = only("fit", heads=3.0)
    again = CellWeights.of(weights.table())
    assert np.array_equal(again.clues, weights.clues)
    assert np.array_equal(again.heads, weights.heads)
    assert again.shared == LIGHT


def test_cells_and_heads_add_up() -> None:
    seen = compared(DESIGNS[4], KNOWN, EITHER_WAY)
    heads = np.eye(5)[:, :1]
    assert only("fit").score(seen, heads).argmax() == 4
    assert only("fit", 10.0).score(seen, heads) - only("fit").score(seen, heads) == pytest.approx(
        10 * heads[:, 0]
    )


# Two designs that differ in hue only: in light of the one colour a card is this, in the other it is that.
TWINS = np.array([[(0.0, 0.0, 0.0), (0.0, 0.4, 0.0)]])


def test_one_card_alone_says_nothing_on_the_light() -> None:
    assert (LIGHT.speaks_for(np.array([[0.5, 0.5]]), TWINS) == 0).all()


def test_a_card_that_is_known_tells_the_twins_beside_it_apart() -> None:
    shares = np.array([[0.5, 0.5], [0.0, 1.0]])
    lights = np.concatenate([TWINS, [[(0.1, -0.3, 0.2), (0.1, 0.4, 0.02)]]])
    after = together(np.log(shares + 1e-9), lights, only("fit"))
    assert after[0, 1] > 0.9
    assert after[1, 1] > 0.99


def test_cards_in_doubt_about_the_same_two_lights_stay_in_doubt() -> None:
    shares = np.full((6, 2), 0.5)
    after = LIGHT.speaks_for(shares, np.repeat(TWINS, 6, axis=0))
    assert after[:, 0] == pytest.approx(after[:, 1])
