"""Votes are gathered as the rule says, and a picture is not looked at in sizes that nothing asks for."""

from __future__ import annotations

from dataclasses import replace
from typing import Any, cast

import cv2
import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from numpy.typing import NDArray

from finito.virtual_table.stills import still
from tests.vision.truth_net import TruthNet
from vision.card_finder import LONG_SIDE, CardFinder
from vision.finding.clusters import clusters_of
from vision.finding.gathering import Gathering
from vision.finding.maps import Array
from vision.finding.pyramid import levels
from vision.finding.votes import Votes
from vision.onnx_model import OnnxModel

TURNS = ([0, 1, 2, 3], [1, 2, 3, 0], [3, 0, 1, 2])


def card(x: float, y: float, width: float, turn: float) -> Array:
    across, down = np.array([np.cos(turn), np.sin(turn)]), np.array([-np.sin(turn), np.cos(turn)])
    corners = [(-0.5, -0.75), (0.5, -0.75), (0.5, 0.75), (-0.5, 0.75)]
    return np.array([(x, y) + width * (a * across + b * down) for a, b in corners])


def votes_for(cards: list[Array], each: int, shaken: float, seed: int) -> Votes:
    """Votes for cards, some of which begin at a neighbouring corner, the surest first."""
    rng = np.random.default_rng(seed)
    corners = np.concatenate([np.repeat(one[None], each, axis=0) for one in cards])
    corners = corners + rng.normal(0, shaken, corners.shape)
    for i in np.flatnonzero(rng.random(len(corners)) < 0.2):
        corners[i] = np.roll(corners[i], rng.choice([-1, 1]), axis=0)
    order = rng.permutation(len(corners))
    spread = np.sort(rng.uniform(0.5, 2.0, len(corners)))[:, None] * rng.uniform(0.8, 1.2, (len(corners), 4))
    cells = rng.integers(0, 90, (len(corners), 2))
    chance = rng.uniform(0.5, 1, len(corners))
    return Votes(cells, chance, corners[order].astype(np.float32), spread.astype(np.float32))


def as_the_rule_says(votes: Votes) -> list[set[int]]:
    """The surest vote left gathers all that agree with it; their mean gathers once more."""
    left, groups = set(range(len(votes))), list[set[int]]()

    def agreeing(corners: Array, spread: Array) -> dict[int, Array]:
        sides = np.linalg.norm(np.roll(corners, -1, axis=0) - corners, axis=1)
        width = max(4.0, min(sides[0] + sides[2], sides[1] + sides[3]) / 2)
        found = {}
        for i in left:
            own = votes.corners[i].astype(np.float64)
            if np.linalg.norm(own.mean(axis=0) - corners.mean(axis=0)) > 0.3 * width:
                continue
            away = [np.linalg.norm(own[turn] - corners, axis=1) for turn in TURNS]
            turn = TURNS[0] if away[0].mean() < 0.3 * width else TURNS[int(np.argmin(np.sum(away, axis=1)))]
            apart = np.linalg.norm(own[turn] - corners, axis=1)
            relative = (apart / (votes.spread[i][turn] + spread + 0.02 * width)).mean()
            if relative < 2.2 and apart.mean() < 0.3 * width:
                found[i] = own[turn]
        return found

    for seed in range(len(votes)):
        if seed not in left:
            continue
        left.discard(seed)
        close = agreeing(votes.corners[seed].astype(np.float64), votes.spread[seed])
        if len(close) + 1 < 4:
            continue
        left.add(seed)
        weight = 1 / np.maximum(votes.spread[[*close]], 0.5) ** 2
        mean = (np.stack([*close.values()]) * weight[..., None]).sum(axis=0) / weight.sum(axis=0)[:, None]
        group = set(agreeing(mean, (votes.spread[[*close]] * weight).sum(axis=0) / weight.sum(axis=0)))
        left -= group | {seed}
        if len(group) >= 4:
            groups.append(group)
    return groups


@given(st.integers(0, 10_000), st.integers(1, 5), st.floats(0.2, 3.0))
@settings(max_examples=40, deadline=None, derandomize=True)
def test_votes_are_gathered_as_the_rule_says(seed: int, count: int, shaken: float) -> None:
    rng = np.random.default_rng(seed)
    low, high = (40, 40, 15, 0), (160, 160, 40, 6)
    cards = [card(*(float(each) for each in rng.uniform(low, high))) for _ in range(count)]
    votes = votes_for(cards, 12, shaken, seed)
    assert [set(group.rows.tolist()) for group in Gathering(votes).groups()] == as_the_rule_says(votes)


def test_no_votes_make_no_card() -> None:
    nothing = np.zeros((0, 2), np.intp)
    votes = Votes(nothing, np.zeros(0), np.zeros((0, 4, 2), np.float32), np.zeros((0, 4), np.float32))
    assert clusters_of(votes) == []


def test_two_groups_of_one_card_are_one_cluster_with_the_cells_of_both() -> None:
    one = card(100, 100, 40, 0.1)
    votes = votes_for([one, one + 2.5], 10, 0.05, 1)
    votes = replace(votes, spread=np.full_like(votes.spread, 0.3))
    assert [len(group.rows) for group in Gathering(votes).groups()] == [10, 10]
    (cluster,) = clusters_of(votes)
    assert cluster.cells == len(cluster.at) == len(cluster.weight) == 20
    assert np.abs(cluster.corners.mean(axis=0) - one.mean(axis=0)).max() < 3


class CountingNet(TruthNet):
    """A net without a fault that remembers how wide the pictures were that it was shown."""

    def __call__(self, *inputs: NDArray[Any]) -> list[NDArray[Any]]:
        self.shown = [*getattr(self, "shown", []), inputs[0].shape[2]]
        return super().__call__(*inputs)


@pytest.mark.parametrize(
    ("recipe", "size", "shown"),
    [
        ("grid", (1920, 1080), [768, 192]),
        ("nothing", (1920, 1080), [768, 192]),
        ("one", (320, 240), [768, 192, 384]),
    ],
    ids=["small cards", "no cards", "a large card"],
)
def test_the_middle_size_is_looked_at_only_where_another_sees_cards_for_it(
    recipe: str, size: tuple[int, int], shown: list[int]
) -> None:
    photo = still(5, "test", size, 3, recipe)
    net = CountingNet(photo)
    CardFinder(cast(OnnxModel, net)).clusters(np.asarray(photo.picture, np.uint8))
    assert net.shown == shown


@pytest.mark.parametrize("size", [(1920, 1080), (1081, 1921), (4001, 2251), (1280, 720)])
def test_a_picture_shrunk_by_halves_shows_the_same_in_the_same_place(size: tuple[int, int]) -> None:
    rng = np.random.default_rng(2)
    coarse = rng.integers(0, 255, (12, 20, 3), dtype=np.uint8)
    picture = np.asarray(cv2.resize(coarse, size, interpolation=cv2.INTER_CUBIC), np.uint8)
    for level in levels(picture, LONG_SIDE):
        small = tuple(round(side / level.pixel) for side in size)
        means = cv2.resize(picture, small, interpolation=cv2.INTER_AREA).astype(int)
        shrunk = level.shrunk(picture)[: small[1], : small[0]]
        assert np.abs(shrunk - means).mean() < 0.8  # half a pixel beside its place it would be more than 1
