"""Kills a recording program at random moments and tells what was lost.

python -m tests.recording.kills [--kills 100] [--seed 1995]
"""

from __future__ import annotations

import argparse
import random
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from finito.recording.session import Session

ROOT: Final = Path(__file__).parents[2]
RUNS_PER_SESSION: Final = 5  # the others go on with a session that was killed before


@dataclass(frozen=True)
class Loss:
    """What one kill cost: seconds of video, and acknowledged actions that are gone."""

    kill: int
    run: int
    lived: float
    video: float
    actions: int
    parts: int


def kill_often(kills: int, seed: int, room: Path) -> Iterator[Loss]:
    moments = random.Random(seed)
    for kill in range(kills):
        folder = room / f"session{kill // RUNS_PER_SESSION}"
        yield kill_once(folder, kill, moments.uniform(0.0, 2.5))


def kill_once(folder: Path, kill: int, lives: float) -> Loss:
    command = [sys.executable, "-m", "tests.recording.quiet_writer", str(folder)]
    with subprocess.Popen(command, cwd=ROOT, stdout=subprocess.PIPE, text=True) as writer:
        assert writer.stdout is not None
        ready = writer.stdout.readline().split()
        assert ready[:1] == ["ready"], ready
        time.sleep(lives)
        writer.kill()
        said = [line.split() for line in writer.stdout if line.endswith("\n")]
    begins = float(ready[1])
    handed = max((float(value) for what, value in said if what == "frame"), default=begins)
    acknowledged = [int(value) for what, value in said if what == "action"]
    session = Session(folder)
    kept = {action.line for action in session.actions()}
    seen = max(session.frame_times(), default=0.0)
    return Loss(
        kill=kill,
        run=kill % RUNS_PER_SESSION,
        lived=handed - begins,
        video=handed - max(begins, seen),
        actions=sum(line not in kept for line in acknowledged),
        parts=len(session.parts),
    )


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1995)
    wanted = parser.parse_args()
    losses = []
    with tempfile.TemporaryDirectory() as room:
        for loss in kill_often(wanted.kills, wanted.seed, Path(room)):
            losses.append(loss)
            sys.stdout.write(
                f"{loss.kill:4} after {loss.lived:4.2f} s: {loss.video:5.3f} s of video lost, "
                f"{loss.actions} acknowledged actions lost, {loss.parts} parts\n"
            )
    video = sorted(loss.video for loss in losses)
    sys.stdout.write(
        f"{len(losses)} kills: at most {video[-1]:.3f} s of video lost, {video[len(video) // 2]:.3f} s "
        f"in the middle, {sum(loss.actions for loss in losses)} acknowledged actions lost\n"
    )


if __name__ == "__main__":
    main()
