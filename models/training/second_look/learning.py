"""Learning from the bank of candidates: mirrored, turned and relit each time anew."""

from __future__ import annotations

import copy
import math
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import torch
from numpy.typing import NDArray
from torch import Tensor
from torch.nn.functional import binary_cross_entropy_with_logits as cross_entropy

from models.evaluation.finding_truth import MET
from models.training.muon import Both
from models.training.second_look.bank import Bank
from models.training.second_look.net import SecondLookNet

_RATE, _DECAY, _BATCH = 2.0e-3, 0.05, 128
_WARM_UP, _SMOOTHED = 0.03, 0.998
_SHIFTS, _SHARP = 6.0, 0.05
# A view mirrored left to right (or up and down) has its corners in another order.
_MIRRORED = {0: [1, 0, 3, 2], 1: [3, 2, 1, 0]}


@dataclass(frozen=True)
class Plan:
    folder: Path
    minutes: float
    seed: int


def train(plan: Plan, bank: Bank, checked_on: Bank) -> SecondLookNet:
    """Learns for a fixed time; a stopped run goes on."""
    torch.manual_seed(plan.seed)
    torch.set_num_threads(1)
    net = SecondLookNet().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    smooth = copy.deepcopy(net).eval()
    optimiser = Both(net, _RATE, _DECAY)
    step, seconds = _resume(plan, net, smooth, optimiser)
    rng = np.random.default_rng([plan.seed, step])
    clock = saved = time.monotonic()
    while seconds < 60 * plan.minutes:
        done = seconds / (60 * plan.minutes)
        views, features, labels = batch_of(bank, rng.integers(len(bank.right), size=_BATCH), rng)
        net.train()
        with torch.autocast("cpu", torch.bfloat16):
            said = net(views, features)
        loss = _loss(said, labels)
        loss.backward()  # type: ignore[no-untyped-call]
        optimiser.step(_RATE * min(1.0, done / _WARM_UP + 0.01) * (1 + math.cos(math.pi * done)) / 2)
        step += 1
        follow(smooth, net, min(_SMOOTHED, step / (step + 20)))
        now = time.monotonic()
        seconds, clock = seconds + now - clock, now
        if now - saved > 90:
            sys.stderr.write(f"{done:6.1%}  step {step}  {check(smooth, checked_on)}\n")
            _save(plan, net, smooth, optimiser, step, seconds)
            saved = clock = time.monotonic()
    _save(plan, net, smooth, optimiser, step, seconds)
    sys.stderr.write(f"done    step {step}  {check(smooth, checked_on)}\n")
    return smooth


def _loss(said: Tensor, labels: dict[str, Tensor]) -> Tensor:
    card = cross_entropy(said[:, 0], labels["right"], reduction="none") * labels["weight"]
    apart = (said[:, 1:].reshape(-1, 4, 2) - labels["shifts"]).abs()
    # Straight beyond a twentieth of the card: a few wild candidates must not decide.
    smooth = torch.where(apart < _SHARP, apart**2 / (2 * _SHARP), apart - _SHARP / 2).mean(dim=(1, 2))
    return card.mean() + _SHIFTS * (smooth * labels["movable"]).mean()


def batch_of(
    bank: Bank, rows: NDArray[np.integer], rng: np.random.Generator | None
) -> tuple[Tensor, Tensor, dict[str, Tensor]]:
    """Some candidates; with a generator, in another light and mirrored."""
    views, shifts = bank.views[rows], bank.shifts[rows].copy()
    if rng is not None:
        views = np.stack([_varied(view, shift, rng) for view, shift in zip(views, shifts, strict=True)])
    labels = {
        "right": bank.right[rows],
        "weight": bank.weight[rows],
        "shifts": np.clip(shifts, -0.6, 0.6),
        "movable": (bank.overlap[rows] >= MET - 0.1).astype(np.float32) * bank.weight[rows],
    }
    return (
        torch.from_numpy(np.ascontiguousarray(views)),
        torch.from_numpy(bank.features[rows]),
        {name: torch.from_numpy(value) for name, value in labels.items()},
    )


def _varied(
    view: NDArray[np.uint8], shifts: NDArray[np.float32], rng: np.random.Generator
) -> NDArray[np.uint8]:
    """The view as it might have been; its shifts are changed in place."""
    for axis, order in _MIRRORED.items():
        if rng.random() < 0.5:
            view = view[:, ::-1] if axis == 0 else view[::-1]
            shifts[:] = shifts[order]
            shifts[:, axis] *= -1
    if rng.random() < 0.7:
        ramp = (np.arange(256) / 255) ** np.exp(rng.normal(0, 0.15))
        gains = np.exp(rng.normal(0, 0.15)) * np.exp(rng.normal(0, 0.08, 3))
        tables = np.clip(255 * ramp[:, None] * gains + rng.normal(0, 5), 0, 255).astype(np.uint8)
        view = view.copy()
        for channel in range(3):
            view[..., channel] = tables[view[..., channel], channel]
    return view


@torch.no_grad()
def follow(smooth: torch.nn.Module, net: torch.nn.Module, keep: float) -> None:
    for kept, new in zip(smooth.state_dict().values(), net.state_dict().values(), strict=True):
        if kept.dtype.is_floating_point:
            kept.lerp_(new, 1 - keep)
        else:
            kept.copy_(new)


@torch.no_grad()
def answers(net: SecondLookNet, bank: Bank) -> NDArray[np.float32]:
    net.eval()
    parts = []
    for start in range(0, len(bank.right), 512):
        views, features, _ = batch_of(bank, np.arange(start, min(start + 512, len(bank.right))), None)
        parts.append(net(views, features).numpy())
    return np.concatenate(parts)


def check(net: SecondLookNet, bank: Bank) -> str:
    """How well candidates of unseen decks are told apart, and corners moved."""
    said = answers(net, bank)
    counted = bank.weight == 1
    right, odds = bank.right[counted] > 0, said[counted, 0]
    order = np.argsort(-odds)
    found, false = np.cumsum(right[order]), np.cumsum(~right[order])
    at = [int(np.searchsorted(false, share * len(right))) for share in (0.005, 0.01, 0.02)]
    recalls = " ".join(f"{found[min(i, len(found) - 1)] / right.sum():.1%}" for i in at)
    moving = (bank.right > 0) & counted
    before = np.abs(bank.shifts[moving]).mean()
    after = np.abs(bank.shifts[moving] - said[moving, 1:].reshape(-1, 4, 2)).mean()
    return f"found at 0.5/1/2% false: {recalls}  corners {before:.4f} to {after:.4f}"


def _resume(plan: Plan, net: SecondLookNet, smooth: SecondLookNet, optimiser: Both) -> tuple[int, float]:
    path = plan.folder / "second_look.pt"
    if not path.exists():
        return 0, 0.0
    state = torch.load(path, weights_only=True)
    net.load_state_dict(state["net"])
    smooth.load_state_dict(state["smooth"])
    optimiser.load_state_dict(state["optimiser"])
    return int(state["step"]), float(state["seconds"])


def _save(
    plan: Plan, net: SecondLookNet, smooth: SecondLookNet, optimiser: Both, step: int, seconds: float
) -> None:
    plan.folder.mkdir(parents=True, exist_ok=True)
    state = {
        "net": net.state_dict(),
        "smooth": smooth.state_dict(),
        "optimiser": optimiser.state_dict(),
        "step": step,
        "seconds": seconds,
    }
    part = plan.folder / "second_look.pt.part"
    torch.save(state, part)
    part.rename(plan.folder / "second_look.pt")
