"""How well actions are inferred from looks: `python -m models.evaluation.inferring --plays 50000 --seed 1`.

Rounds of bots become looks by a noise model, without any picture, and go through the inference and the live
referee. One row per round goes to a CSV file; rounds that are there already are not played again.
"""

from __future__ import annotations

import argparse
import csv
import json
import sys
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, fields
from pathlib import Path
from random import Random
from typing import Any, Final

from models.evaluation.inferring_noise import NoiseModel
from models.evaluation.inferring_round import INVISIBLE, RoundScore, score_round

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
        sys.stderr.write(f"\r{done} of {plays} plays") if not notes else None
        sys.stderr.flush()
        yield row
        seed += 1


def _row(score: RoundScore) -> dict[str, Any]:
    row = {name: getattr(score, name) for name in _COLUMNS}
    row["delays"] = " ".join(f"{delay:.2f}" for delay in score.delays)
    row["causes"] = json.dumps(score.causes, sort_keys=True)
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


def table(rows: list[dict[str, Any]]) -> str:
    """The figures against their floors, and what the failures were due to."""
    total = {
        name: sum(int(row[name]) for row in rows)
        for name in _COLUMNS
        if name not in ("seed", "variant", "delays", "causes", "seconds")
    }
    delays = sorted(float(delay) for row in rows for delay in str(row["delays"]).split())
    causes: Counter[str] = Counter()
    for row in rows:
        causes.update(json.loads(row["causes"]))
    seconds = sum(float(row["seconds"]) for row in rows)
    per_5000 = 5000 * total["false_accusations"] / max(1, total["plays"])
    lines = [
        f"{len(rows)} rounds, {total['plays']} plays, {total['faults']} faults "
        f"({', '.join(sorted(INVISIBLE))} cannot be seen from above and is not among them)",
        _line("plays found, right card and pile: recall", _part(total["found"], total["plays"]), ">= 97%"),
        _line("plays found: precision", _part(total["found"], total["said"]), ">= 98%"),
        _line("right player", _part(total["right_player"], total["found"]), ">= 97%"),
        _line("right place", _part(total["right_source"], total["found"]), ""),
        _line("false accusations per 5,000 plays", f"{per_5000:.2f} ({total['false_accusations']})", "<= 1"),
        _line("faults called by name", _part(total["named"], total["faults"]), ">= 85%"),
        _line("faults called or unsure", _part(total["named"] + total["doubted"], total["faults"]), ">= 95%"),
        _line("legal actions called unsure", _part(total["unsure_legal"], total["legal_actions"]), ""),
        _line("Finito within 1.5 s", _part(total["finito_in_time"], total["finito"]), ">= 97%"),
        _line("Finito called falsely", str(total["finito_false"]), "0"),
        _line("delay p50 / p95", f"{_at(delays, 0.5):.2f} / {_at(delays, 0.95):.2f} s", "p95 <= 0.70 s"),
        _line("per observation", f"{1000 * seconds / max(1, total['observations']):.3f} ms", "< 1 ms"),
        "",
        "failures and what they were due to:",
    ]
    lines += [f"{count:6d}  {cause}" for cause, count in causes.most_common()]
    return "\n".join(lines)


def _line(what: str, figure: str, floor: str) -> str:
    return f"{what:45s} {figure:>22s}   {floor}"


def _part(some: int, whole: int) -> str:
    return f"{100 * some / max(1, whole):.2f}% ({some}/{whole})"


def _at(values: list[float], part: float) -> float:
    return values[min(len(values) - 1, int(part * len(values)))] if values else 0.0


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--plays", type=int, default=2000)
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=RESULTS / "inferring_rounds.csv")
    parser.add_argument("--variants", action="store_true", help="zero, chaos and forum-1996 rounds too")
    parser.add_argument("--notes", action="store_true", help="tell every failure as it comes")
    wanted = parser.parse_args()
    wanted.out.parent.mkdir(parents=True, exist_ok=True)
    rows = list(rounds(1_000_000 * wanted.seed, wanted.plays, wanted.out, wanted.variants, wanted.notes))
    sys.stderr.write("\n")
    sys.stdout.write(table(rows) + "\n")


if __name__ == "__main__":
    main()
