"""Kills a refereed round at random moments and lets it go on: is it the same round in the end?

python -m tests.recording.resumes [--kills 100] [--seed 1995] [--out models/results/kills_resumed.csv]

A round of bots is told look by look to a program that referees and records it as `finito watch` does. It is
killed with SIGKILL again and again, and each time started anew with the same session. In the end the calls
that stand must be those of a referee who was never killed, and no acknowledged line may be lost.
"""

from __future__ import annotations

import argparse
import csv
import os
import random
import signal
import subprocess
import sys
import tempfile
import time
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any, Final

from finito.recording.session import Session
from finito.recording.telling import final_actions, is_watched

ROOT: Final = Path(__file__).parents[2]
ROUND: Final = 20  # kills of one round; then another one is begun


@dataclass(frozen=True)
class Survived:
    """One kill: how far the round was, and what the session has lost of what was acknowledged."""

    kill: int
    round: int
    told: int
    acknowledged: int
    lost: int
    resumed_ms: float


@dataclass(frozen=True)
class Whole:
    """A round after all its kills, held against one that was never killed."""

    round: int
    kills: int
    calls: int
    same: bool


def kill_rounds(kills: int, seed: int, room: Path) -> tuple[list[Survived], list[Whole]]:
    moments = random.Random(seed)
    survived: list[Survived] = []
    whole: list[Whole] = []
    for number in range(-(-kills // ROUND)):
        here = min(ROUND, kills - number * ROUND)
        folder = room / f"round{number}"
        for _ in range(here):
            said = _run(folder, number, moments.uniform(0.02, 0.9))
            survived.append(_loss(folder, len(survived), number, said))
        said = _run(folder, number, None)
        calls, unbroken = standing(folder), _unbroken(room, number)
        whole.append(Whole(number, here, len(calls), calls == unbroken))
    return survived, whole


def _unbroken(room: Path, number: int) -> list[tuple[Any, ...]]:
    folder = room / f"unbroken{number}"
    _run(folder, number, None)
    return standing(folder)


def standing(folder: Path) -> list[tuple[Any, ...]]:
    """The calls of a session as they stand in the end."""
    told = final_actions(Session(folder).actions())
    names = ("type", "player", "face", "from", "to", "slot", "verdict", "rule")
    return sorted(
        tuple(str(action.entry.get(name)) for name in names) for action in told if is_watched(action.entry)
    )


def _run(folder: Path, number: int, lives: float | None) -> list[tuple[str, str]]:
    """What the refereeing program said until it was killed, or to its end."""
    command = [sys.executable, "-m", "tests.recording.refereed_writer", str(folder), str(number)]
    with subprocess.Popen(command, cwd=ROOT, text=True, stdout=subprocess.PIPE) as program:
        assert program.stdout is not None
        said = []
        for line in program.stdout:
            what, _, value = line.strip().partition(" ")
            said.append((what, value))
            if what == "ready" and lives is not None:
                time.sleep(lives)
                os.kill(program.pid, signal.SIGKILL)
    return said


def _loss(folder: Path, kill: int, number: int, said: list[tuple[str, str]]) -> Survived:
    acknowledged = [int(value) for what, value in said if what == "action"]
    kept = {action.line for action in Session(folder).actions()}
    ready = next((float(value) for what, value in said if what == "ready"), 0.0)
    told = sum(what == "told" for what, _ in said)
    lost = sum(line not in kept for line in acknowledged)
    return Survived(kill, number, told, len(acknowledged), lost, round(1000 * ready, 1))


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kills", type=int, default=100)
    parser.add_argument("--seed", type=int, default=1995)
    parser.add_argument("--out", type=Path, help="a CSV file with a row for each kill")
    wanted = parser.parse_args()
    with tempfile.TemporaryDirectory() as room:
        survived, whole = kill_rounds(wanted.kills, wanted.seed, Path(room))
    if wanted.out is not None:
        with wanted.out.open("w", encoding="utf-8", newline="") as file:
            writer = csv.DictWriter(file, list(asdict(survived[0])))
            writer.writeheader()
            writer.writerows(asdict(each) for each in survived)
    slow = sorted(each.resumed_ms for each in survived)
    sys.stdout.write(
        f"{len(survived)} kills of {len(whole)} rounds: {sum(each.lost for each in survived)} of "
        f"{sum(each.acknowledged for each in survived)} acknowledged lines lost; "
        f"{sum(each.same for each in whole)} of {len(whole)} rounds are in the end as if never killed; "
        f"the referee was back in {slow[len(slow) // 2]:.0f} ms (at most {slow[-1]:.0f} ms)\n"
    )


if __name__ == "__main__":
    main()
