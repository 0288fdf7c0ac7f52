"""Trains the second look: `python -m models.training.second_look --minutes 30`.

Draws the candidates of the finder that ships on random stills, learns, and writes second_look.onnx and its
table of the manifest. Train it after every new finder.
"""

from __future__ import annotations

import argparse
from pathlib import Path

import cv2
import platformdirs

import models
from models.training.second_look.bank import bank
from models.training.second_look.learning import Plan, train
from models.training.second_look.shipping import ship
from vision.onnx_model import load


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m models.training.second_look", description=__doc__)
    parser.add_argument("--minutes", type=float, default=30, help="time to learn, without drawing the bank")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--parts", type=int, default=30, help="parts of 120 stills to learn from")
    parser.add_argument("--folder", type=Path, default=platformdirs.user_cache_path("finito") / "second_look")
    parser.add_argument("--out", type=Path, default=Path(models.__file__).parent, help="where the model goes")
    given = parser.parse_args()
    cv2.setNumThreads(1)
    # Candidates belong to one finder.
    folder = given.folder / str(load("finder").about["sha256"])[:12]
    known = bank(folder, "validation", given.seed + 1, 3)
    net = train(
        Plan(folder / f"run-{given.seed}-{given.parts}", given.minutes, given.seed),
        bank(folder, "train", given.seed, given.parts),
        known,
    )
    asked = f"--minutes {given.minutes:g} --parts {given.parts} --seed {given.seed}"
    ship(net, known, given.out, f"python -m models.training.second_look {asked}")


if __name__ == "__main__":
    main()
