"""A program that records a quiet table at its real pace and says each thing once it was handed over or kept.

python -m tests.recording.quiet_writer FOLDER [RATE]

Says `ready BEGINS FRAME`, then `frame T` for a frame handed over and `action LINE` for one acknowledged.
"""

from __future__ import annotations

import sys
import time
from itertools import count
from pathlib import Path

import numpy as np

from finito.recording.about import SessionAbout
from finito.recording.limits import Limits
from finito.recording.writer import SessionWriter
from vision.frame import Frame
from vision.observations import Tick


def main(folder: str, rate: str = "20") -> None:
    path, limits = Path(folder), Limits(keep_free=0)
    writer = (
        SessionWriter.resume(path, limits=limits)
        if (path / "session.json").exists()
        else SessionWriter.create(path, SessionAbout(), limits=limits)
    )
    begins, began = writer.begins, time.monotonic()
    still = np.full((180, 320, 3), 90, np.uint8)  # nothing moves: noise would fill the buffers by itself
    say(f"ready {begins.t} {begins.frame}")
    for number in count():
        due = number / int(rate)
        time.sleep(max(0.0, began + due - time.monotonic()))
        t = begins.t + time.monotonic() - began
        writer.frame(Frame(still, t, begins.frame + number))
        say(f"frame {t:.4f}")
        writer.observe(Tick(round(t, 3), begins.frame + number))
        if number % 3 == 0:
            receipt = writer.act({"t": round(t, 3), "type": "turn", "player": "pizza", "count": 3})
            if receipt.kept:
                say(f"action {receipt.line}")


def say(line: str) -> None:
    sys.stdout.write(line + "\n")
    sys.stdout.flush()


if __name__ == "__main__":
    main(*sys.argv[1:])
