"""What the finder takes for cards on rendered stills, and what each of them truly is.

`python -m models.training.second_look.bank FOLDER --first 0 --parts 4` draws some parts ahead of a training.
"""

from __future__ import annotations

import argparse
from dataclasses import dataclass, fields
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from finito.virtual_table.played_stills import STILLS_OF_A_GAME, played_still
from finito.virtual_table.scene import Rendered
from finito.virtual_table.stills import still
from models.evaluation.finding_truth import MET, SEEN_ENOUGH, overlap
from models.training.finder.augment import another_background, another_light
from models.training.finder.stills_cache import Sample, sample_of
from vision.card_finder import CardFinder
from vision.finding.clusters import Cluster
from vision.finding.second_look import LEAST_FIRST_SCORE, shifts_to, views
from vision.finding.selection import features, scores
from vision.onnx_model import load

STILLS = 120  # of one part
_SIZES = ((1920, 1080), (1280, 720), (1280, 720), (960, 540), (1024, 768), (768, 1024), (640, 360))
_PLAYED_SIZES = ((1920, 1080), (1280, 720), (1280, 720), (960, 540))
_PLAYED_EVERY = 4  # one run of stills in so many is of a game
_MOST_A_STILL = 48
_FRESH = 12  # after so many stills all decks are new
_RELIT = 0.4
_HARDLY = 0.15
# A candidate whose rival fits the same card better by this much says the card twice.
_BETTER = 0.08


@dataclass(frozen=True)
class Bank:
    """One row per candidate."""

    views: NDArray[np.uint8]
    features: NDArray[np.float32]
    right: NDArray[np.float32]  # is it the card, and the best candidate for it
    weight: NDArray[np.float32]
    shifts: NDArray[np.float32]  # onto the card it overlaps most, in its own width and height
    overlap: NDArray[np.float32]

    @classmethod
    def joined(cls, parts: list[Bank]) -> Bank:
        return cls(*(np.concatenate([getattr(one, f.name) for one in parts]) for f in fields(cls)))


def bank(folder: Path, split: str, seed: int, parts: int, finder: CardFinder | None = None) -> Bank:
    """Opens the parts of a bank; draws those that are missing."""
    folder.mkdir(parents=True, exist_ok=True)
    finder = finder or CardFinder(load("finder"))
    return Bank.joined([_part(folder, split, seed, number, finder) for number in range(parts)])


def _part(folder: Path, split: str, seed: int, number: int, finder: CardFinder) -> Bank:
    path = folder / f"second-{split}-{seed}-{number:03d}.npz"
    if not path.exists():
        stills = range(number * STILLS, (number + 1) * STILLS)
        made = Bank.joined([_candidates(split, seed, index, finder) for index in stills])
        beside = path.with_name(f"part-{path.name}")
        np.savez(beside, **{f.name: getattr(made, f.name) for f in fields(Bank)})
        beside.rename(path)
    kept = np.load(path)
    return Bank(**{f.name: kept[f.name] for f in fields(Bank)})


def _candidates(split: str, seed: int, index: int, finder: CardFinder) -> Bank:
    rng = np.random.default_rng([seed, index, 79])
    sample = sample_of(_drawn(split, seed, index, rng))
    picture = another_background(sample, rng)
    if rng.random() < _RELIT:
        picture = another_light(picture, rng)
    return labelled(finder, picture, sample, rng)


def _drawn(split: str, seed: int, index: int, rng: np.random.Generator) -> Rendered:
    own = seed * 10_000 + 3_000
    if index // STILLS_OF_A_GAME % _PLAYED_EVERY == 0:
        return played_still(own, split, _PLAYED_SIZES, index)
    size = _SIZES[int(rng.integers(len(_SIZES)))]
    return still(own + index // _FRESH, split, size, index % _FRESH)


def labelled(
    finder: CardFinder, picture: NDArray[np.uint8], sample: Sample, rng: np.random.Generator
) -> Bank:
    """The candidates of a picture with the truth about them."""
    clusters, sheets, _ = finder.clusters(picture)
    rows = features(clusters)
    chances = scores(rows, finder.weights)
    table = _overlaps(clusters, sample)
    chosen = _worth_learning(chances, table.max(axis=1, initial=0.0), rng)
    clusters, rows, table = [clusters[int(i)] for i in chosen], rows[chosen], table[chosen]
    right, weight = _labels(table, sample)
    shifts = [
        shifts_to(one.corners, sample.corners[int(np.argmax(shared))])
        if shared.max(initial=0.0) > 0
        else np.zeros((4, 2), np.float32)
        for one, shared in zip(clusters, table, strict=True)
    ]
    return Bank(
        views(picture, clusters, sheets),
        rows.astype(np.float32),
        right,
        weight,
        np.array(shifts, np.float32).reshape(-1, 4, 2),
        table.max(axis=1, initial=0.0).astype(np.float32),
    )


def _overlaps(clusters: list[Cluster], sample: Sample) -> NDArray[np.float64]:
    pairs = [[overlap(one.corners.astype(np.float32), card) for card in sample.corners] for one in clusters]
    return np.array(pairs, np.float64).reshape(len(clusters), len(sample.corners))


def _worth_learning(
    chances: NDArray[np.float64], best: NDArray[np.float64], rng: np.random.Generator
) -> NDArray[np.intp]:
    """All that may be cards; of what the first score rejects, some."""
    worth = np.flatnonzero(chances >= LEAST_FIRST_SCORE)
    if len(worth) <= _MOST_A_STILL:
        return worth
    cards = worth[best[worth] >= MET]
    others = rng.permutation(worth[best[worth] < MET])
    return np.sort(np.concatenate([cards, others])[:_MOST_A_STILL])


def _labels(table: NDArray[np.float64], sample: Sample) -> tuple[NDArray[np.float32], NDArray[np.float32]]:
    right, weight = np.zeros(len(table), np.float32), np.ones(len(table), np.float32)
    if not table.size:
        return right, weight
    best_of_card = table.max(axis=0)
    for i, shared in enumerate(table):
        card = int(np.argmax(shared))
        if shared[card] >= MET:
            right[i] = shared[card] >= best_of_card[card] - _BETTER
            # Nobody asks for a card of which little shows; finding it is right all the same.
            weight[i] = 1.0 if sample.visible[card] >= SEEN_ENOUGH else _HARDLY
    return right, weight


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("folder", type=Path)
    parser.add_argument("--split", default="train")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--parts", type=int, default=1)
    given = parser.parse_args()
    cv2.setNumThreads(1)
    given.folder.mkdir(parents=True, exist_ok=True)
    finder = CardFinder(load("finder"))
    for number in range(given.first, given.first + given.parts):
        _part(given.folder, given.split, given.seed, number, finder)


if __name__ == "__main__":
    main()
