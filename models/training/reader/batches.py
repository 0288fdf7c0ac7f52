"""Batches of crops, made by one worker process ahead of the training."""

from __future__ import annotations

import itertools
import multiprocessing
import queue
import sys
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

import cv2
import numpy as np
from numpy.typing import NDArray

from models.training.reader.card_bank import CardBank, Split, card_bank
from models.training.reader.false_finds import false_finds
from models.training.reader.samples import Sample, Sampler
from models.training.reader.still_bank import StillBank, still_bank
from vision.reading.answers import SIDES

_DECKS, _FACES, _BACKS, _VIEWS = 2, 4, 4, 2
_CUT_DECKS, _CUT_OF_DECK, _CUT, _NOTHING = 2, 6, 40, 10


@dataclass(frozen=True)
class Banks:
    """Which banks to learn from: the folder they are kept in, their split, seed and sizes."""

    folder: Path
    split: Split
    seed: int
    decks: int
    stills: int
    false_finds: int = 0  # stills searched for what the finder takes for cards

    def open(self) -> tuple[CardBank, StillBank]:
        return (
            card_bank(self.folder, self.split, self.seed, self.decks),
            still_bank(self.folder, self.split, self.seed, self.stills, self._false()),
        )

    def _false(self) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
        if not self.false_finds:
            return np.zeros((0, 1, 1, 3), np.uint8), np.zeros((0, 1), np.float32)
        return false_finds(self.folder, self.split, self.seed, self.false_finds)


@dataclass(frozen=True)
class Batch:
    crops: NDArray[np.uint8]  # n × height × width × 3
    light: NDArray[np.float32]
    labels: NDArray[np.int32]

    @classmethod
    def of(cls, samples: list[Sample]) -> Batch:
        return cls(
            np.stack([s.crop for s in samples]),
            np.stack([s.light for s in samples]),
            np.stack([s.label for s in samples]),
        )


class BatchMaker:
    """Cards of a few decks, drawn or cut from stills, each twice; more cut ones; no cards."""

    def __init__(self, cards: CardBank, stills: StillBank) -> None:
        self._sampler = Sampler(cards, stills)
        self._decks = cards.by_deck
        shown = stills.labels[:, 0] >= 0
        self._cut = np.flatnonzero(shown)
        decks = stills.labels[self._cut, 0]
        self._cut_by_deck = [self._cut[decks == deck] for deck in np.unique(decks)]

    def batch(self, rng: np.random.Generator) -> Batch:
        samples = []
        for deck in rng.choice(len(self._decks), _DECKS, replace=False):
            for card in self._some_of(self._decks[int(deck)], rng):
                samples += [self._sampler.drawn(int(card), rng) for _ in range(_VIEWS)]
        for deck in rng.integers(len(self._cut_by_deck), size=_CUT_DECKS):
            for index in rng.choice(self._cut_by_deck[int(deck)], _CUT_OF_DECK):
                samples += [self._sampler.cut(int(index), rng, lightly=bool(view)) for view in range(_VIEWS)]
        samples += [self._sampler.cut(int(index), rng) for index in rng.choice(self._cut, _CUT)]
        samples += [self._sampler.nothing(rng) for _ in range(_NOTHING)]
        return Batch.of(samples)

    def _some_of(self, cards: NDArray[np.intp], rng: np.random.Generator) -> NDArray[np.intp]:
        """Faces and backs of one deck."""
        is_back = self._sampler.cards.labels[cards, 2] == SIDES.index("back")
        faces = rng.choice(cards[~is_back], _FACES, replace=False)
        backs = rng.choice(cards[is_back], min(_BACKS, int(is_back.sum())), replace=False)
        return np.concatenate([faces, backs])


def _work(banks: Banks, seed: int, first: int, filled: multiprocessing.Queue[Batch]) -> None:
    cv2.setNumThreads(1)
    maker = BatchMaker(*banks.open())
    for number in itertools.count(first):
        _hand_over(maker.batch(np.random.default_rng([seed, number])), filled)


def _hand_over(batch: Batch, filled: multiprocessing.Queue[Batch]) -> None:
    """Waits for room, but not for a trainer that was killed."""
    while True:
        try:
            return filled.put(batch, timeout=5)
        except queue.Full:
            trainer = multiprocessing.parent_process()
            if trainer is None or not trainer.is_alive():
                sys.exit(0)


def batches(banks: Banks, seed: int, first: int, ahead: int = 12) -> Generator[Batch, None, None]:
    """Endless batches from the one with that number on; close it when done."""
    context = multiprocessing.get_context("spawn")
    filled: multiprocessing.Queue[Batch] = context.Queue(ahead)
    worker = context.Process(target=_work, args=(banks, seed, first, filled), daemon=True)
    worker.start()
    try:
        while True:
            yield filled.get()
    finally:
        worker.terminate()
