"""Learning which of the designs of its deck a card is: the right one must have the best odds."""

from __future__ import annotations

import copy
import math
import sys
import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits, cross_entropy

from models.training.kept_run import keep, resume
from models.training.muon import Both
from models.training.second_look.learning import follow
from models.training.twin.groups import Crops, Group, GroupMaker
from models.training.twin.net import TwinNet

_RATE, _DECAY, _GROUPS = 2.5e-3, 0.05, 4
_WARM_UP, _SMOOTHED = 0.03, 0.998
_TOLD_SECONDS = 90.0
_ONE_BY_ONE = 0.3  # what odds by themselves count for, beside the choice among a deck's designs

Odds = Callable[[Crops, Crops], NDArray[Any]]


@dataclass(frozen=True)
class Plan:
    folder: Path
    minutes: float
    seed: int


def train(plan: Plan, maker: GroupMaker, checked_on: Sequence[Group]) -> TwinNet:
    """Learns for a fixed time; a stopped run goes on."""
    torch.manual_seed(plan.seed)
    torch.set_num_threads(1)
    net = TwinNet().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    smooth = copy.deepcopy(net).eval()
    optimiser = Both(net, _RATE, _DECAY)
    parts = {"net": net, "smooth": smooth, "optimiser": optimiser}
    step, seconds = resume(plan.folder / "twin.pt", parts)
    rng = np.random.default_rng([plan.seed, step])
    clock = told = time.process_time()
    while seconds < 60 * plan.minutes:
        done = seconds / (60 * plan.minutes)
        groups = [maker.group(rng) for _ in range(_GROUPS)]
        net.train()
        cards, designs = pairs_of(groups)
        with torch.autocast("cpu", torch.bfloat16):
            odds = net(torch.from_numpy(cards), torch.from_numpy(designs))
        _loss(odds, groups).backward()  # type: ignore[no-untyped-call]
        optimiser.step(_RATE * min(1.0, done / _WARM_UP + 0.01) * (1 + math.cos(math.pi * done)) / 2)
        step += 1
        follow(smooth, net, min(_SMOOTHED, step / (step + 20)))
        now = time.process_time()
        seconds, clock = seconds + now - clock, now
        if now - told > _TOLD_SECONDS:
            sys.stderr.write(f"{done:6.1%}  step {step}  {check(odds_of(smooth), checked_on)}\n")
            keep(plan.folder / "twin.pt", parts, step, seconds)
            told = clock = time.process_time()
    keep(plan.folder / "twin.pt", parts, step, seconds)
    sys.stderr.write(f"done    step {step}  {check(odds_of(smooth), checked_on)}\n")
    return smooth


def pairs_of(groups: Sequence[Group]) -> tuple[Crops, Crops]:
    """Every card of each group beside every design of it, card by card."""
    cards = np.concatenate([np.repeat(group.cards, len(group.designs), axis=0) for group in groups])
    designs = np.concatenate([np.tile(group.designs, (len(group.cards), 1, 1, 1)) for group in groups])
    return cards, designs


def _loss(odds: Tensor, groups: Sequence[Group]) -> Tensor:
    lost, start = [], 0
    for group in groups:
        count = len(group.cards)
        table = odds[start : start + count * count].reshape(count, count).float()
        start += count * count
        right = torch.eye(count)
        each = binary_cross_entropy_with_logits(table, right)
        lost.append(cross_entropy(table, torch.arange(count)) + _ONE_BY_ONE * each)
    return torch.stack(lost).mean()


def odds_of(net: TwinNet) -> Odds:
    @torch.no_grad()
    def odds(cards: Crops, designs: Crops) -> NDArray[Any]:
        net.eval()
        return np.asarray(net(torch.from_numpy(cards), torch.from_numpy(designs)).numpy())

    return odds


def check(odds: Odds, groups: Sequence[Group]) -> str:
    """How often the right one among a deck's designs is the likeliest, and how surprising it is."""
    right, lost, total = 0, 0.0, 0
    for group in groups:
        count = len(group.cards)
        table = odds(*pairs_of([group])).reshape(count, count).astype(np.float64)
        shares = table - np.logaddexp.reduce(table, axis=1, keepdims=True)
        right += int((table.argmax(axis=1) == np.arange(count)).sum())
        lost -= float(np.diag(shares).sum())
        total += count
    return f"right {right / total:.2%} of {total}, surprise {lost / total:.3f}"
