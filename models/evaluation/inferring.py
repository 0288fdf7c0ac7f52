"""How well actions are inferred from looks: `python -m models.evaluation.inferring --plays 50000 --seed 1`.

Rounds of bots become looks by a noise model, without any picture, and go through the inference and the live
referee. One row per round goes to a CSV file; rounds that are there already are not played again. The figures
go to a text file beside it, with the command that made them.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from random import Random
from typing import Any, Final

from rich.console import Console
from rich.progress import Progress

from models.evaluation.inferring_noise import NoiseModel
from models.evaluation.inferring_report import table
from models.evaluation.inferring_round import RoundScore, score_round

__all__ = ["planned", "rounds", "table"]

RESULTS: Final = Path(__file__).parents[1] / "results"
_FAULTS: Final = (
    "wrong-number",
    "wrong-colour",
    "pile-complete",
    "must-start-with-zero",
    "before-start",
    "after-finito",
    "not-yours",
    "two-hands",
    "help-not-refilled",
    "not-open",
    "refill-source",
    "false-finito",
    "too-late",
    "impossible-card",
)
_COLUMNS: Final = [each.name for each in fields(RoundScore) if each.name != "notes"]


@dataclass(frozen=True)
class Plan:
    """One round to be played."""

    seed: int
    players: int
    faults: tuple[str, ...]
    variant: tuple[str, ...]
    edition: str


def planned(seed: int, variants: bool) -> Plan:
    """Every second round has faults; all numbers of players come in turn."""
    rng = Random(f"plan {seed}")
    faults = tuple(rng.sample(_FAULTS, 3)) if seed % 2 else ()
    variant, edition = ("normalo",), "amigo-1995"
    if variants and rng.random() < 0.3:
        variant, edition = rng.choice(
            ((("zero",), edition), (("chaos",), edition), (("normalo",), "forum-1996"))
        )
        faults = tuple(name for name in faults if name != "not-yours" or "chaos" not in variant)
    return Plan(seed, 2 + seed // 2 % 5, faults, variant, edition)


def rounds(first: int, plays: int, path: Path, variants: bool, notes: bool) -> Iterator[dict[str, Any]]:
    """The rows of all rounds up to that many plays; those on file are taken from there."""
    known = _on_file(path)
    done, seed = 0, first
    while done < plays:
        row = known.get(seed)
        if row is None:
            plan = planned(seed, variants)
            score = score_round(
                plan.seed, plan.players, plan.faults, plan.variant, plan.edition, NoiseModel()
            )
            row = _row(score)
            _keep(path, row)
            if notes:
                for note in score.notes:
                    sys.stderr.write(f"round {seed}: {note}\n")
        done += int(row["plays"])
        yield row
        seed += 1


def _row(score: RoundScore) -> dict[str, Any]:
    row = {name: getattr(score, name) for name in _COLUMNS}
    row["delays"] = " ".join(f"{delay:.2f}" for delay in score.delays)
    row["causes"] = json.dumps(score.causes, sort_keys=True)
    row["rules"] = json.dumps(score.rules, sort_keys=True)
    row["seconds"] = round(score.seconds, 3)
    return row


def _on_file(path: Path) -> dict[int, dict[str, Any]]:
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {int(row["seed"]): row for row in csv.DictReader(file)}


def _keep(path: Path, row: dict[str, Any]) -> None:
    new = not path.exists()
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, _COLUMNS)
        if new:
            writer.writeheader()
        writer.writerow(row)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plays", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=RESULTS / "inferring_rounds.csv")
    parser.add_argument("--variants", action="store_true", help="zero, chaos and forum-1996 rounds too")
    parser.add_argument("--notes", action="store_true", help="tell every failure as it comes")
    wanted = parser.parse_args()
    wanted.out.parent.mkdir(parents=True, exist_ok=True)
    rows = []
    with Progress(console=Console(stderr=True)) as progress:
        task = progress.add_task("plays", total=wanted.plays)
        for row in rounds(1_000_000 * wanted.seed, wanted.plays, wanted.out, wanted.variants, wanted.notes):
            rows.append(row)
            progress.advance(task, int(row["plays"]))
    figures = table(rows)
    command = f"python -m models.evaluation.inferring --plays {wanted.plays} --seed {wanted.seed}"
    command += " --variants" if wanted.variants else ""
    wanted.out.with_suffix(".txt").write_text(f"{command}\n\n{figures}\n", encoding="utf-8")
    sys.stdout.write(figures + "\n")


if __name__ == "__main__":
    main()
