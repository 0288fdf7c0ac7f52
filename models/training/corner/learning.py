"""Learning from the bank of corners: cut a little beside, relit and photographed each time anew."""

from __future__ import annotations

import copy
import math
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
import torch
from numpy.typing import NDArray
from torch.nn.functional import cross_entropy

from models.training.corner.bank import FINER, KEPT, NONE, RIM, Bank
from models.training.corner.net import CornerNet
from models.training.kept_run import keep, resume
from models.training.muon import Both
from models.training.reader.light import lit, photographed
from models.training.second_look.learning import follow
from vision.reading.corner_windows import HEIGHT, WIDTH

_RATE, _DECAY, _BATCH = 2.5e-3, 0.05, 160
_WARM_UP, _SMOOTHED = 0.03, 0.998
_TOLD_SECONDS = 60.0
_OFF, _TURN, _SCALE = 0.045, 3.0, 0.05  # of the window, in degrees, and of the size: as outlines are off
_SQUARE = np.array([(0, 0), (1, 0), (0, 1)], np.float32)


@dataclass(frozen=True)
class Plan:
    folder: Path
    minutes: float
    seed: int


def train(plan: Plan, bank: Bank, checked_on: Bank) -> CornerNet:
    """Learns for a fixed time; a stopped run goes on."""
    torch.manual_seed(plan.seed)
    torch.set_num_threads(1)
    net = CornerNet().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    smooth = copy.deepcopy(net).eval()
    optimiser = Both(net, _RATE, _DECAY)
    parts = {"net": net, "smooth": smooth, "optimiser": optimiser}
    step, seconds = resume(plan.folder / "corner.pt", parts)
    rng = np.random.default_rng([plan.seed, step])
    clock = told = time.monotonic()
    while seconds < 60 * plan.minutes:
        done = seconds / (60 * plan.minutes)
        windows, figures = batch_of(bank, rng.integers(len(bank.figure), size=_BATCH), rng)
        net.train()
        with torch.autocast("cpu", torch.bfloat16):
            said = net(torch.from_numpy(windows))
        cross_entropy(said, torch.from_numpy(figures)).backward()  # type: ignore[no-untyped-call]
        optimiser.step(_RATE * min(1.0, done / _WARM_UP + 0.01) * (1 + math.cos(math.pi * done)) / 2)
        step += 1
        follow(smooth, net, min(_SMOOTHED, step / (step + 20)))
        now = time.monotonic()
        seconds, clock = seconds + now - clock, now
        if now - told > _TOLD_SECONDS:
            sys.stderr.write(f"{done:6.1%}  step {step}  {check(smooth, checked_on)}\n")
            keep(plan.folder / "corner.pt", parts, step, seconds)
            told = clock = time.monotonic()
    keep(plan.folder / "corner.pt", parts, step, seconds)
    sys.stderr.write(f"done    step {step}  {check(smooth, checked_on)}\n")
    return smooth


def batch_of(
    bank: Bank, rows: NDArray[np.integer], rng: np.random.Generator | None
) -> tuple[NDArray[np.uint8], NDArray[np.int64]]:
    """Some corners; with a generator, as they might have been."""
    return np.stack([_cut(bank.pictures[row], rng) for row in rows]), bank.figure[rows]


def _cut(kept: NDArray[np.uint8], rng: np.random.Generator | None) -> NDArray[np.uint8]:
    size = np.array([WIDTH, HEIGHT], np.float32)
    box = _SQUARE * size * FINER + np.array(KEPT) * RIM / (1 + 2 * RIM)
    if rng is not None:
        middle, turn = box[1:].mean(axis=0), np.radians(rng.normal(0, _TURN))
        spin = np.array([[np.cos(turn), -np.sin(turn)], [np.sin(turn), np.cos(turn)]])
        scale = np.exp(rng.normal(0, _SCALE, 2))
        box = (box - middle) * scale @ spin.T + middle + rng.normal(0, _OFF, 2) * size * FINER
    matrix = cv2.getAffineTransform(box.astype(np.float32), (_SQUARE * size).astype(np.float32))
    cut = np.asarray(cv2.warpAffine(kept, matrix, (WIDTH, HEIGHT), borderMode=cv2.BORDER_REPLICATE), np.uint8)
    if rng is None or rng.random() < 0.3:
        return cut
    crop = cut.astype(np.float32)
    if rng.random() < 0.5:
        crop, _ = lit(crop, rng)
    if rng.random() < 0.6:
        return photographed(crop, rng, (WIDTH, HEIGHT))
    gains = np.float32(np.exp(rng.normal(0, 0.1, 3)) * np.exp(rng.normal(0, 0.15)))
    return np.clip(crop * gains, 0, 255).astype(np.uint8)


def answers(net: Callable[[NDArray[np.uint8]], list[NDArray[Any]]], bank: Bank) -> NDArray[np.float64]:
    """The logits of a whole bank."""
    parts = []
    for start in range(0, len(bank.figure), 256):
        windows, _ = batch_of(bank, np.arange(start, min(start + 256, len(bank.figure))), None)
        parts.append(np.asarray(net(windows)[0], np.float64))
    return np.concatenate(parts)


@torch.no_grad()
def check(net: CornerNet, bank: Bank) -> str:
    """How often figures of unseen decks are right, and how often one is read where there is none."""
    net.eval()
    said = answers(lambda windows: [net(torch.from_numpy(windows)).numpy()], bank)
    chance = np.exp(said - said.max(axis=1, keepdims=True))
    chance /= chance.sum(axis=1, keepdims=True)
    shown, best, sure = bank.figure != NONE, chance.argmax(axis=1), chance.max(axis=1) > 0.9
    read, right = sure & (best != NONE), best == bank.figure
    return (
        f"figures right {right[shown].mean():.1%}, surely {(read & right)[shown].mean():.1%}, "
        f"surely wrong {(read & ~right)[shown].mean():.2%}, read where none is {(read & ~shown).mean():.2%}"
    )
