"""Train the card finder: python -m models.training.finder --minutes 75 --out FOLDER.

Draws stills into FOLDER/stills in a process of its own while it learns, keeps FOLDER/finder.pt up to date,
goes on from there when started again, and writes FOLDER/finder.onnx at the end. Then
python -m models.training.finder.shipping FOLDER makes it the one that ships.
"""

import argparse
import math
import subprocess
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path

import torch
from torch import Tensor

from models.training.finder.batches import batches
from models.training.finder.export import export
from models.training.finder.loss import finder_loss
from models.training.finder.net import FinderNet
from models.training.muon import Both

_RATE, _WARM_UP, _DECAY = 2.5e-3, 300, 0.02
_SAVED_EVERY, _TOLD_EVERY = 300, 100
_AVERAGE = 0.998
_SIDE = 256


@dataclass(frozen=True)
class Plan:
    out: Path
    stills: Path
    minutes: float
    seed: int
    batch: int
    threads: int
    draw: int


def main() -> None:
    plan = _plan()
    plan.out.mkdir(parents=True, exist_ok=True)
    drawing = _start_drawing(plan)
    try:
        _train(plan)
    finally:
        for process in drawing:
            process.terminate()


def _plan() -> Plan:
    parser = argparse.ArgumentParser(
        description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter
    )
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--stills", type=Path, help="folder of drawn stills (default: in the out folder)")
    parser.add_argument("--minutes", type=float, default=75)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--batch", type=int, default=16)
    parser.add_argument("--threads", type=int, default=1)
    parser.add_argument("--draw", type=int, default=16000, help="how many stills to draw while learning")
    given = parser.parse_args()
    stills = given.stills or given.out / "stills"
    return Plan(given.out, stills, given.minutes, given.seed, given.batch, given.threads, given.draw)


def _start_drawing(plan: Plan) -> list["subprocess.Popen[bytes]"]:
    command = [sys.executable, "-m", "models.training.finder.stills_cache", str(plan.stills)]
    # Learning goes first; drawing takes what is left.
    return [
        subprocess.Popen(["nice", "-n", "5", *command, "--seed", str(plan.seed), "--count", str(plan.draw)])
    ]


def _wait_for_stills(plan: Plan, enough: int = 300) -> None:
    while len(list(plan.stills.glob("train-*.still"))) < enough:
        time.sleep(2)


def _train(plan: Plan) -> None:
    torch.set_num_threads(plan.threads)
    torch.manual_seed(plan.seed)
    net = FinderNet().to(memory_format=torch.channels_last)  # type: ignore[call-overload]
    mean = torch.optim.swa_utils.get_ema_multi_avg_fn(_AVERAGE)  # type: ignore[no-untyped-call]
    averaged = torch.optim.swa_utils.AveragedModel(net, multi_avg_fn=mean, use_buffers=True)
    optimiser = Both(net, _RATE, _DECAY)
    step, spent = _resume(plan, net, averaged, optimiser)
    _wait_for_stills(plan)
    learner = _Learner(plan, net, averaged, optimiser, step, time.monotonic() - spent)
    for batch in batches(plan.stills, "train", _SIDE, plan.batch, plan.seed + step):
        learner.learn(batch)
        if learner.done >= 1:
            break
    learner.save()
    export(averaged.module, plan.out / "finder.onnx")


@dataclass
class _Learner:
    """The net on its way."""

    plan: Plan
    net: torch.nn.Module
    averaged: torch.optim.swa_utils.AveragedModel
    optimiser: Both
    step: int
    started: float
    told: dict[str, float] = field(default_factory=dict)

    @property
    def done(self) -> float:
        """The part of the time that is over."""
        return (time.monotonic() - self.started) / (60 * self.plan.minutes)

    def learn(self, batch: dict[str, Tensor]) -> None:
        slope = 0.003 + 0.997 * (1 + math.cos(math.pi * min(1.0, self.done))) / 2
        with torch.autocast("cpu", torch.bfloat16):
            maps = self.net(batch["picture"])
        parts = finder_loss(maps, batch)
        sum(parts.values(), torch.zeros(())).backward()  # type: ignore[no-untyped-call]
        torch.nn.utils.clip_grad_norm_(self.net.parameters(), 5.0)
        self.optimiser.step(_RATE * min(1.0, (self.step + 1) / _WARM_UP) * slope)
        self.averaged.update_parameters(self.net)
        self.step += 1
        self._tell({name: float(value.detach()) for name, value in parts.items()})
        if self.step % _SAVED_EVERY == 0:
            self.save()

    def _tell(self, parts: dict[str, float]) -> None:
        for name, value in parts.items():
            self.told[name] = self.told.get(name, 0.0) + value / _TOLD_EVERY
        if self.step % _TOLD_EVERY == 0:
            means = " ".join(f"{name} {value:.3f}" for name, value in self.told.items())
            sys.stdout.write(f"step {self.step} {100 * self.done:.0f}% {means}\n")
            sys.stdout.flush()
            self.told.clear()

    def save(self) -> None:
        part = self.plan.out / "finder.pt.part"
        state = {
            "net": self.net.state_dict(),
            "averaged": self.averaged.state_dict(),
            "optimiser": self.optimiser.state_dict(),
        }
        torch.save({**state, "step": self.step, "spent": time.monotonic() - self.started}, part)
        part.rename(self.plan.out / "finder.pt")


def _resume(
    plan: Plan, net: torch.nn.Module, averaged: torch.nn.Module, optimiser: Both
) -> tuple[int, float]:
    if not (plan.out / "finder.pt").exists():
        return 0, 0.0
    state = torch.load(plan.out / "finder.pt", weights_only=True)
    net.load_state_dict(state["net"])
    averaged.load_state_dict(state["averaged"])
    optimiser.load_state_dict(state["optimiser"])
    return int(state["step"]), float(state["spent"])


if __name__ == "__main__":
    main()
