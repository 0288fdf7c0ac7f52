"""Kills a recording program at random moments and tells what was lost.

python -m tests.recording.kills [--kills 100] [--seed 1995]
"""

from __future__ import annotations

import argparse
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from itertools import pairwise
from pathlib import Path
from typing import Final

from finito.recording.session import Session

ROOT: Final = Path(__file__).parents[2]
RUNS_PER_SESSION: Final = 5  # the others go on with a session that was killed before


@dataclass(frozen=True)
class Loss:
    """What one kill cost: seconds of video, and acknowledged actions that are gone.

    `stalled` is how long a busy machine kept the recording program from running at all.
    """

    kill: int
    run: int
    lived: float
    video: float
    actions: int
    parts: int
    stalled: float


def kill_often(kills: int, seed: int, room: Path) -> Iterator[Loss]:
    moments = random.Random(seed)
    command = [sys.executable, "-m", "tests.recording.quiet_writer"]
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE}
    with subprocess.Popen(command, cwd=ROOT, text=True, **pipes) as nursery:  # type: ignore[call-overload]
        for kill in range(kills):
            folder = room / f"session{kill // RUNS_PER_SESSION}"
            said = list(_said_until_killed(nursery, folder, moments.uniform(0.0, 2.0)))
            yield loss_of(folder, kill, said)
        nursery.stdin.close()


def _said_until_killed(
    nursery: subprocess.Popen[str], folder: Path, lives: float
) -> Iterator[tuple[str, str]]:
    """All that a recording program said before it was killed."""
    assert nursery.stdin is not None
    assert nursery.stdout is not None
    nursery.stdin.write(f"{folder}\n")
    nursery.stdin.flush()
    pid, ready = 0, False
    while not (pid and ready):
        what, _, value = nursery.stdout.readline().strip().partition(" ")
        assert what in ("pid", "ready", "frame", "action"), f"the recording program said {what!r}"
        pid, ready = int(value) if what == "pid" else pid, ready or what == "ready"
        yield what, value
    time.sleep(lives)
    os.kill(pid, signal.SIGKILL)
    while (line := nursery.stdout.readline().strip()) != "dead":
        what, _, value = line.partition(" ")
        yield what, value


def loss_of(folder: Path, kill: int, said: list[tuple[str, str]]) -> Loss:
    begins = float(dict(said)["ready"])
    frames = [begins, *(float(value) for what, value in said if what == "frame")]
    handed = frames[-1]
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
        stalled=max((later - earlier for earlier, later in pairwise(frames)), default=0.0),
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
                f"{loss.actions} acknowledged actions lost, {loss.parts} parts, "
                f"stalled {loss.stalled:.2f} s\n"
            )
    video = sorted(loss.video for loss in losses)
    sys.stdout.write(
        f"{len(losses)} kills: at most {video[-1]:.3f} s of video lost, {video[len(video) // 2]:.3f} s "
        f"in the middle, {sum(loss.actions for loss in losses)} acknowledged actions lost\n"
    )


if __name__ == "__main__":
    main()
