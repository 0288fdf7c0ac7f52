"""A program that referees and records a round of bots, look by look, and goes on where it was killed.

python -m tests.recording.refereed_writer FOLDER ROUND

`ready SECONDS` says that the referee is there again and how long that took, `told N` that a look was kept,
`action LINE` that a call was acknowledged.
"""

from __future__ import annotations

import os
import sys
import time
from pathlib import Path
from random import Random

from finito.bots import play_round
from finito.ending.refereed_round import RefereedRound
from finito.live import LiveEvent, LiveReferee
from finito.recording.about import SeatedPlayer, SessionAbout
from finito.recording.limits import Limits
from finito.recording.session import Session
from finito.recording.writer import SessionWriter
from finito.replaying.resuming import resumed_referee, unwritten
from models.evaluation.inferring_looks import observations
from models.evaluation.inferring_noise import NoiseModel
from models.evaluation.inferring_table import true_table

_PACE = 0.002  # seconds between two looks: the kill must fall into the round


def main() -> None:
    folder, number = Path(sys.argv[1]), int(sys.argv[2])
    played = play_round(40 + number, 2 + number % 3, faults=("wrong-colour",))
    rng, noise = Random(f"killed {number}"), NoiseModel()
    seen = observations(true_table(played, noise, rng), played.header.players, noise, rng)
    began = time.perf_counter()
    limits = Limits(keep_free=0)
    if (folder / "session.json").exists():
        session = Session(folder)
        heard = sum(1 for _ in session.observations())
        writer = SessionWriter.resume(folder, limits=limits, video=False)
        referee, _ = resumed_referee(session, writer.begins)
        missing = unwritten(referee, session)
    else:
        players = tuple(SeatedPlayer(name) for name in played.header.players)
        writer = SessionWriter.create(folder, SessionAbout(players), limits=limits, video=False)
        referee, heard, missing = RefereedRound(LiveReferee(played.header)), 0, list[LiveEvent]()
    _say(f"ready {time.perf_counter() - began:.4f}")
    for event in missing:
        _keep(writer, event.json())
    for count, observation in enumerate(seen[heard:], start=heard + 1):
        writer.observe(observation)
        _say(f"told {count}")
        for event in referee.feed(observation):
            _keep(writer, event.json())
        time.sleep(_PACE)
    writer.close()


def _keep(writer: SessionWriter, line: dict[str, object]) -> None:
    receipt = writer.act(line)
    if receipt.kept:
        _say(f"action {receipt.line}")


def _say(line: str) -> None:
    os.write(1, line.encode() + b"\n")


if __name__ == "__main__":
    main()
