"""The training itself: a fixed time, a learning rate that follows it, a state that survives a stop."""

from __future__ import annotations

import copy
import json
import math
import sys
import time
from dataclasses import dataclass
from pathlib import Path

import torch
from torch import Tensor

from models.training.muon import Both
from models.training.reader.batches import Banks, Batch, batches
from models.training.reader.checking import Check, check
from models.training.reader.losses import losses
from models.training.reader.net import ReaderNet

_RATE, _DECAY = 2.5e-3, 0.05
_WARM_UP = 0.03
_SMOOTHED = 0.998
_REPORT_SECONDS, _SAVE_SECONDS, _CHECK_SECONDS = 20.0, 60.0, 400.0


@dataclass(frozen=True)
class Plan:
    folder: Path
    minutes: float
    seed: int
    banks: Banks
    checked_on: Banks


class Learner:
    """The net, its smoothed copy, the optimiser and the clock."""

    def __init__(self, plan: Plan) -> None:
        torch.manual_seed(plan.seed)
        torch.set_num_threads(1)
        self.plan = plan
        self.net: ReaderNet = ReaderNet().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
        self.smooth: ReaderNet = copy.deepcopy(self.net).eval()
        self.optimiser = Both(self.net, _RATE, _DECAY)
        self.step, self.seconds = 0, 0.0
        self._file = plan.folder / "state.pt"
        if self._file.exists():
            self._resume()

    def _resume(self) -> None:
        state = torch.load(self._file, weights_only=True)
        self.net.load_state_dict(state["net"])
        self.smooth.load_state_dict(state["smooth"])
        self.optimiser.load_state_dict(state["optimiser"])
        self.step, self.seconds = state["step"], state["seconds"]

    def save(self) -> None:
        state = {
            "net": self.net.state_dict(),
            "smooth": self.smooth.state_dict(),
            "optimiser": self.optimiser.state_dict(),
            "step": self.step,
            "seconds": self.seconds,
        }
        beside = self._file.with_suffix(".new")
        torch.save(state, beside)
        beside.replace(self._file)

    @property
    def done(self) -> float:
        return min(1.0, self.seconds / (60 * self.plan.minutes))

    def learn(self, batch: Batch) -> dict[str, float]:
        rate = _RATE * (self.done / _WARM_UP if self.done < _WARM_UP else _falling(self.done))
        self.net.train()
        with torch.autocast("cpu", torch.bfloat16):
            answers = self.net(*tensors(batch))
        parts = losses(answers, torch.from_numpy(batch.labels))
        torch.stack(list(parts.values())).sum().backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step(max(rate, 1e-6))
        self.step += 1
        self._smooth()
        return {name: float(part.detach()) for name, part in parts.items()}

    @torch.no_grad()
    def _smooth(self) -> None:
        keep = min(_SMOOTHED, self.step / (self.step + 20))
        for kept, new in zip(self.smooth.state_dict().values(), self.net.state_dict().values(), strict=True):
            if kept.dtype.is_floating_point:
                kept.lerp_(new, 1 - keep)
            else:
                kept.copy_(new)


def _falling(done: float) -> float:
    return 0.5 * (1 + math.cos(math.pi * (done - _WARM_UP) / (1 - _WARM_UP)))


def tensors(batch: Batch) -> tuple[Tensor, Tensor]:
    crops = torch.from_numpy(batch.crops).permute(0, 3, 1, 2).float()
    return crops.contiguous(memory_format=torch.channels_last), torch.from_numpy(batch.light)


def train(plan: Plan) -> ReaderNet:
    """Learns until the time is used up; goes on where an earlier run stopped."""
    plan.folder.mkdir(parents=True, exist_ok=True)
    learner = Learner(plan)
    for banks in (plan.banks, plan.checked_on):
        banks.open()  # drawing them is no time to learn
    stream = batches(plan.banks, plan.seed, learner.step)
    clock = saved = reported = time.monotonic()
    checked = clock - _CHECK_SECONDS / 2
    try:
        while learner.done < 1:
            parts = learner.learn(next(stream))
            now = time.monotonic()
            learner.seconds, clock = learner.seconds + now - clock, now
            if now - reported > _REPORT_SECONDS:
                reported = now
                _report(learner, parts)
            if now - saved > _SAVE_SECONDS:
                learner.save()
                saved = now
            if now - checked > _CHECK_SECONDS:
                _log(plan, learner, check(learner.smooth, plan.checked_on))
                checked = clock = time.monotonic()
    finally:
        stream.close()
    learner.save()
    _log(plan, learner, check(learner.smooth, plan.checked_on))
    return learner.smooth


def _report(learner: Learner, parts: dict[str, float]) -> None:
    text = "  ".join(f"{name} {value:.3f}" for name, value in parts.items())
    sys.stderr.write(f"{learner.done:6.1%}  step {learner.step}  {text}\n")


def _log(plan: Plan, learner: Learner, result: Check) -> None:
    sys.stderr.write(f"{learner.done:6.1%}  {result}\n")
    with (plan.folder / "progress.jsonl").open("a") as log:
        row = {"step": learner.step, "minutes": round(learner.seconds / 60, 1), **result.as_row()}
        log.write(json.dumps(row) + "\n")
