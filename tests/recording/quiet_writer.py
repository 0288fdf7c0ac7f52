"""A program that records a quiet table at its real pace and says each thing once it was handed over or kept.

python -m tests.recording.quiet_writer

It reads the folders of sessions from standard input, and for each starts a process that records there until
somebody kills it: `pid N`, `ready BEGINS`, `frame T` for a frame handed over, `action LINE` for one that was
acknowledged, `dead` at the end. The imports are paid for once.
"""

from __future__ import annotations

import os
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

RATE = 20


def main() -> None:
    for folder in sys.stdin:
        child = os.fork()
        if child == 0:
            record(Path(folder.strip()))
        say(f"pid {child}")
        os.waitpid(child, 0)
        say("dead")


def record(folder: Path) -> None:
    limits = Limits(keep_free=0)
    writer = (
        SessionWriter.resume(folder, limits=limits)
        if (folder / "session.json").exists()
        else SessionWriter.create(folder, SessionAbout(), limits=limits)
    )
    begins, began = writer.begins, time.monotonic()
    still = np.full((180, 320, 3), 90, np.uint8)  # nothing moves: noise would fill the buffers by itself
    say(f"ready {begins.t}")
    for number in count():
        time.sleep(max(0.0, began + number / RATE - time.monotonic()))
        t = begins.t + time.monotonic() - began
        writer.frame(Frame(still, t, begins.frame + number))
        say(f"frame {t:.4f}")
        writer.observe(Tick(round(t, 3), begins.frame + number))
        if number % 3 == 0:
            receipt = writer.act({"t": round(t, 3), "type": "turn", "player": "pizza", "count": 3})
            if receipt.kept:
                say(f"action {receipt.line}")


def say(line: str) -> None:
    os.write(1, line.encode() + b"\n")


if __name__ == "__main__":
    main()
