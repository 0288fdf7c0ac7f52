"""How well the net reads decks it does not learn from."""

from __future__ import annotations

from dataclasses import asdict, dataclass
from functools import lru_cache

import numpy as np
import torch
from numpy.typing import NDArray

from models.training.reader.batches import Banks, Batch
from models.training.reader.net import ReaderNet
from models.training.reader.samples import Sampler
from vision.reading.answers import SIDES

Answers = dict[str, NDArray[np.float32]]
_DRAWN, _CUT, _NOTHING = 1200, 1500, 150
_SEED = 4242


@dataclass(frozen=True)
class Check:
    """Shares of right answers; faces need number and colour right."""

    side: float
    number: float
    colour: float
    upright: float
    face_drawn: float
    face_cut: float

    def __str__(self) -> str:
        return "  ".join(f"{name} {value:.1%}" for name, value in self.as_row().items())

    def as_row(self) -> dict[str, float]:
        return {name: round(value, 4) for name, value in asdict(self).items()}


@lru_cache(maxsize=1)
def checked_batch(banks: Banks) -> Batch:
    """The same crops at every check: drawn ones, then ones cut from stills, then no cards."""
    sampler = Sampler(*banks.open())
    rng = np.random.default_rng(_SEED)
    samples = [sampler.drawn(int(i), rng) for i in rng.integers(0, len(sampler.cards.labels), _DRAWN)]
    samples += [sampler.cut(int(i), rng) for i in rng.integers(0, len(sampler.stills.labels), _CUT)]
    samples += [sampler.nothing(rng) for _ in range(_NOTHING)]
    return Batch.of(samples)


@torch.no_grad()
def answers_of(net: ReaderNet, batch: Batch) -> Answers:
    """The logits of every head, as numpy arrays."""
    net.eval()
    parts: list[dict[str, NDArray[np.float32]]] = []
    for start in range(0, len(batch.labels), 256):
        crops = torch.from_numpy(batch.crops[start : start + 256]).permute(0, 3, 1, 2).float()
        answers = net(
            crops.contiguous(memory_format=torch.channels_last),
            torch.from_numpy(batch.light[start : start + 256]),
        )
        parts.append({name: value.float().numpy() for name, value in answers.items()})
    return {name: np.concatenate([part[name] for part in parts]) for name in parts[0]}


def check(net: ReaderNet, banks: Banks) -> Check:
    batch = checked_batch(banks)
    answers = answers_of(net, batch)
    right = {
        head: answers[head].argmax(axis=1) == batch.labels[:, column]
        for head, column in (("side", 2), ("colour", 3), ("number", 4), ("upright", 5))
    }
    faces = batch.labels[:, 2] == SIDES.index("face")
    drawn = np.arange(len(faces)) < _DRAWN
    whole = right["number"] & right["colour"]
    return Check(
        side=float(right["side"].mean()),
        number=float(right["number"][faces].mean()),
        colour=float(right["colour"][faces].mean()),
        upright=float(right["upright"][batch.labels[:, 5] >= 0].mean()),
        face_drawn=float(whole[faces & drawn].mean()),
        face_cut=float(whole[faces & ~drawn].mean()),
    )
