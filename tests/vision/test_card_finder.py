"""Votes become cards: whole ones, each once, and nothing else does."""

from pathlib import Path

import cv2
import numpy as np
import pytest

from finito.virtual_table.stills import still
from models.evaluation.eyes import Eyes
from models.evaluation.finding_photos import labelled_photos, matched
from models.evaluation.finding_truth import SEEN_ENOUGH, corner_error, met
from models.training.finder.stills_cache import Sample, sample_of
from models.training.finder.targets import cells_of
from tests.vision.shipped import nets_or_skip
from vision.card_finder import CardFinder, FoundCard
from vision.errors import BadPicture
from vision.finding.clusters import clusters_of
from vision.finding.maps import (
    CARD,
    CHANNELS,
    LEAN,
    OFFSET_UNIT,
    OFFSETS,
    SPREADS,
    STRIDE,
    Array,
    cell_centres,
)
from vision.finding.selection import chosen, features, is_card_shaped, scores
from vision.finding.votes import votes_in
from vision.onnx_model import load

PHOTOS = Path(__file__).parents[3] / "shared" / "photos"


def perfect_maps(sample: Sample, noise: float = 0.0) -> Array:
    """What a net without a fault would say of a still; `noise` shakes its votes, in pixels."""
    ids = np.ascontiguousarray(sample.ids[2::STRIDE, 2::STRIDE])
    cells = cells_of(ids, sample.numbers, sample.corners, padding=-99)
    maps = np.zeros((CHANNELS, *ids.shape))
    card = cells.which >= 0
    maps[CARD] = np.where(card, 6.0, -6.0)
    maps[LEAN][card] = np.where(cells.lean[cells.which[card]] > 0, 5.0, -5.0)
    offsets = cells.charts[cells.which[card]] - cell_centres(*ids.shape)[card][:, None, None]
    offsets += np.random.default_rng(0).normal(0, noise, offsets.shape)
    maps[OFFSETS:SPREADS, card] = (offsets / OFFSET_UNIT).reshape(-1, 16).T
    maps[SPREADS:] = np.log((noise + 0.4) / OFFSET_UNIT)
    return maps


def cards_in(maps: Array) -> list[FoundCard]:
    clusters = [one for one in clusters_of(votes_in(maps)) if is_card_shaped(one)]
    nets_or_skip()
    weights = np.array(load("finder").about["score_weights"])
    return [
        FoundCard(cluster.corners.astype(np.float32), score, cluster.visible)
        for cluster, score in chosen(clusters, scores(features(clusters), weights), least=0.5)
    ]


def well_seen(sample: Sample) -> list[Array]:
    return [c for c, v in zip(sample.corners, sample.visible, strict=True) if v >= SEEN_ENOUGH]


@pytest.mark.parametrize("recipe", ["one", "grid", "scattered", "fans", "ladders", "counting"])
@pytest.mark.parametrize("noise", [0.0, 1.0])
def test_true_votes_give_every_card_whole_and_once(recipe: str, noise: float) -> None:
    sample = sample_of(still(5, "test", (640, 360), 3, recipe))
    found = cards_in(perfect_maps(sample, noise))
    wanted = [c for c in well_seen(sample) if cv2.contourArea(c) > 300]
    result = met(wanted, found)
    assert len(result.pairs) == len(wanted) > 0
    assert max(corner_error(wanted[t], found[f].corners) for t, f, _ in result.pairs) < 0.12
    assert met(list(sample.corners), found).false == 0


def test_a_table_without_cards_has_none() -> None:
    assert cards_in(perfect_maps(sample_of(still(5, "test", (640, 360), 1, "nothing")))) == []


@pytest.fixture(scope="module")
def finder() -> CardFinder:
    nets_or_skip()
    return CardFinder()


def test_cards_of_unseen_decks_are_found(finder: CardFinder) -> None:
    wanted = seen = false = 0
    for index in range(16):
        rendered = still(77, "test", (960, 540), index, ("one", "scattered", "grid", "game")[index % 4])
        found = finder.find(rendered.picture)
        truths = [c for c in rendered.cards if c.visible >= SEEN_ENOUGH and c.cut_off <= 0.5]
        wanted += len(truths)
        seen += len(met([c.corners.astype(np.float32) for c in truths], found).pairs)
        false += met([c.corners.astype(np.float32) for c in rendered.cards if c.visible > 0], found).false
    # The second look names more cards and more that are none; the reader has the last word on those.
    assert seen >= 0.95 * wanted
    assert false <= 0.05 * wanted


@pytest.mark.parametrize("size", [(1920, 1080), (1080, 1920), (700, 701), (333, 250)])
def test_pictures_of_any_size_are_searched(finder: CardFinder, size: tuple[int, int]) -> None:
    rendered = still(78, "test", (640, 360), 4, "one")
    scale = min(size[0] / 640, size[1] / 360)
    scaled = cv2.resize(rendered.picture, None, fx=scale, fy=scale)
    below, right = size[1] - scaled.shape[0], size[0] - scaled.shape[1]
    picture = cv2.copyMakeBorder(scaled, 0, below, 0, right, cv2.BORDER_REPLICATE).astype(np.uint8)
    truth = rendered.cards[-1].corners * scale
    found = finder.find(picture)
    assert met([truth.astype(np.float32)], found).pairs
    assert all(cv2.contourArea(card.corners, oriented=True) > 0 for card in found), "corners run clockwise"


def test_found_cards_are_where_they_were_when_the_picture_is_larger(finder: CardFinder) -> None:
    picture = still(79, "test", (640, 360), 2, "one").picture
    small = finder.find(picture)
    large = finder.find(cv2.resize(picture, None, fx=3, fy=3, interpolation=cv2.INTER_CUBIC).astype(np.uint8))
    assert len(small) == len(large) >= 1
    assert corner_error((small[0].corners + 0.5) * 3 - 0.5, large[0].corners) < 0.03


def test_the_same_picture_gives_the_same_cards(finder: CardFinder) -> None:
    picture = still(80, "test", (640, 360), 0).picture
    first, second = finder.find(picture), finder.find(picture)
    assert [c.corners.tolist() for c in first] == [c.corners.tolist() for c in second]


@pytest.mark.parametrize("fill", [0, 114, 255])
def test_a_blank_picture_has_no_cards(finder: CardFinder, fill: int) -> None:
    assert finder.find(np.full((720, 1280, 3), fill, np.uint8)) == []


@pytest.mark.parametrize("shape", [(480, 640), (480, 640, 4), (3, 3, 3)])
def test_what_is_no_bgr_picture_is_refused_in_a_sentence(finder: CardFinder, shape: tuple[int, ...]) -> None:
    with pytest.raises(BadPicture, match="cannot be searched"):
        finder.find(np.zeros(shape, np.uint8))


@pytest.mark.slow
@pytest.mark.skipif(not PHOTOS.exists(), reason="the real photos are not beside the project")
def test_cards_in_strangers_photos_are_found() -> None:
    eyes = Eyes.opened({})
    asked = hit = false = photos = 0
    for photo in labelled_photos(PHOTOS):
        if not all(card.get("quad") for card in photo.cards):
            continue
        seen, _ = eyes.read(photo.picture, eyes.find(photo.picture)[0])
        match = matched(photo.cards, seen)
        asked, hit, false = asked + len(photo.cards), hit + match.met, false + match.false
        photos += 1
    assert hit >= 0.97 * asked > 0
    assert false <= 0.2 * photos
