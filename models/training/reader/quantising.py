"""The reader in whole numbers."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path

import numpy as np

from models.training.quantising import Inputs, quantised
from models.training.reader.batches import Batch
from models.training.reader.net import HEADS

_STEP = 32


def quantise(path: Path, seen: Batch) -> None:
    """Replaces the net by its int8 form; the heads stay in floats, since they cost nothing."""
    kept = [f"/{name}/" for name in (*HEADS, "embed", "light")]
    quantised(path, path, _crops(seen), kept, kinds=("Conv", "Gemm", "MatMul", "Add"))


def _crops(batch: Batch) -> Iterator[Inputs]:
    for start in range(0, len(batch.crops), _STEP):
        tall = batch.crops[start : start + _STEP].transpose(0, 3, 1, 2).astype(np.float32)
        yield {"crops": np.ascontiguousarray(tall), "light": batch.light[start : start + _STEP]}
