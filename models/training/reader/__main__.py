"""Trains the card reader: `python -m models.training.reader --minutes 60`."""

from __future__ import annotations

import argparse
from pathlib import Path

import platformdirs

import models
from models.training.reader.batches import Banks
from models.training.reader.learning import Learner, Plan, train
from models.training.reader.shipping import measure_again, ship, weigh_again

_STILLS = 500  # to measure on


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m models.training.reader", description=__doc__)
    parser.add_argument("--minutes", type=float, default=60, help="time to learn, without drawing the banks")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--decks", type=int, default=8000, help="random decks to draw cards of")
    parser.add_argument("--stills", type=int, default=7200, help="stills to render and cut cards from")
    parser.add_argument("--false-finds", type=int, default=600, help="stills to let the finder err on")
    parser.add_argument("--run", default="reader", help="name of the run; a stopped one goes on")
    parser.add_argument("--folder", type=Path, default=platformdirs.user_cache_path("finito") / "training")
    parser.add_argument("--out", type=Path, default=Path(models.__file__).parent, help="where the model goes")
    parser.add_argument("--ship-now", action="store_true", help="export what the run has learnt so far")
    parser.add_argument("--measure-again", action="store_true", help="only measure the reader in --out anew")
    parser.add_argument("--weigh-again", action="store_true", help="only its say beside a new finder's")
    given = parser.parse_args()
    if given.weigh_again:
        weigh_again(given.out, given.seed + 500)
        return
    if given.measure_again:
        measure_again(given.out, stills=_STILLS, seed=given.seed + 500)
        return
    plan = Plan(
        folder=given.folder / given.run,
        minutes=given.minutes,
        seed=given.seed,
        banks=Banks(
            given.folder / "banks", "train", given.seed, given.decks, given.stills, given.false_finds
        ),
        checked_on=Banks(given.folder / "banks", "validation", given.seed + 1, 150, 300),
    )
    net = Learner(plan).smooth if given.ship_now else train(plan)
    command = f"python -m models.training.reader --minutes {given.minutes:g} --seed {given.seed}"
    ship(net, plan.banks, given.out, command, stills=_STILLS, seed=given.seed + 500)


if __name__ == "__main__":
    main()
