"""Batches of examples, prepared beside the training in a process of their own."""

from collections.abc import Iterator
from pathlib import Path

import cv2
import numpy as np
import torch
from torch import Tensor
from torch.utils.data import DataLoader, IterableDataset

from models.training.finder.augment import Example, examples
from models.training.finder.stills_cache import cards_in, unpacked

# Opening a still costs as much as cutting a window out of it.
_WINDOWS = 2
# Heaps, fans and rows have more to teach than a single card: a still counts by this power of its cards.
_CROWDED = 0.4


class Examples(IterableDataset[dict[str, Tensor]]):
    """Endless batches from the stills in a folder; new stills count as soon as they lie there."""

    def __init__(self, folder: Path, split: str, side: int, size: int, seed: int) -> None:
        self._folder, self._split = folder, split
        self._side, self._size, self._seed = side, size, seed

    def __iter__(self) -> Iterator[dict[str, Tensor]]:
        cv2.setNumThreads(1)
        torch.set_num_threads(1)
        rng = np.random.default_rng(self._seed)
        kept: dict[Path, bytes] = {}
        worth: list[float] = []
        served = 0
        while True:
            if served % 200 == 0:
                for path in sorted(self._folder.glob(f"{self._split}-*.still")):
                    if path not in kept:
                        kept[path] = path.read_bytes()
                        worth.append((1 + cards_in(kept[path])) ** _CROWDED)
                stored = list(kept.values())
                shares = np.array(worth) / sum(worth)
            chosen = rng.choice(len(stored), self._size // _WINDOWS, p=shares)
            windows = [examples(unpacked(stored[i]), self._side, _WINDOWS, rng) for i in chosen]
            yield batch_of([one for still in windows for one in still])
            served += 1


def batch_of(examples: list[Example]) -> dict[str, Tensor]:
    """Examples side by side; the cards of all pictures in one table, each picture knows its first row."""
    counts = [len(one.cells.weight) for one in examples]
    batch = {
        "picture": np.stack([one.picture for one in examples]),
        "first": np.concatenate([[0], np.cumsum(counts)[:-1]]).astype(np.int64),
    }
    for name in ("which", "border", "occluder", "ignored"):
        batch[name] = np.stack([getattr(one.cells, name) for one in examples])
    for name in ("charts", "lean", "weight"):
        batch[name] = np.concatenate([getattr(one.cells, name) for one in examples])
    return {name: torch.from_numpy(value) for name, value in batch.items()}


def batches(folder: Path, split: str, side: int, size: int, seed: int) -> Iterator[dict[str, Tensor]]:
    loader = DataLoader(
        Examples(folder, split, side, size, seed), batch_size=None, num_workers=1, prefetch_factor=4
    )
    yield from loader
