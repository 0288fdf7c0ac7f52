"""Watched rounds judged anew: `python -m models.evaluation.watching_again --in FILE --out FILE`.

Seeing a film takes a minute, judging what was seen a second. Takes the rounds of a CSV file of
`models.evaluation.watching`, infers and scores them anew from the observations kept beside the films, and
leaves what the eyes took as it is.
"""

from __future__ import annotations

import argparse
import csv
import sys
from pathlib import Path
from typing import Any

from finito.virtual_table.choreography import plan_session
from models.evaluation.watching import STAGES, Film, Watched, again, row_of, table, told, wish


def judged_anew(row: dict[str, str], film: Film) -> dict[str, Any]:
    """The row of a round with all that is inferred from what was seen; the eyes' own figures stay."""
    seed, players = int(row["seed"]), int(row["players"])
    folder = film.cache / film.name(seed, players)
    outcome = again(folder, plan_session(wish(seed, players, film)))
    (folder / "notes.txt").write_text("\n".join(outcome.whole.notes) + "\n", encoding="utf-8")
    seen = Watched(
        ready=float(row["ready"]),
        frames=int(row["frames"]),
        ms_frame=float(row["ms_frame"]),
        ms={stage: float(row[f"ms_{stage}"]) for stage in STAGES},
    )
    return {"round": row["round"], **row_of(outcome, seen)}


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--in", dest="rows", type=Path, required=True, nargs="+")
    parser.add_argument("--out", type=Path, required=True)
    parser.add_argument("--seconds", type=float, default=75.0)
    parser.add_argument("--size", default="1280x720")
    parser.add_argument("--fps", type=int, default=15)
    parser.add_argument("--cache", type=Path, default=Path("build/watching"))
    asked = parser.parse_args()
    width, height = (int(part) for part in asked.size.split("x"))
    film = Film(asked.seconds, (width, height), asked.fps, asked.cache)
    known = [row for path in asked.rows for row in csv.DictReader(path.open(encoding="utf-8"))]
    rows = []
    for row in sorted(known, key=lambda each: int(each["round"])):
        rows.append(judged_anew(row, film))
        sys.stdout.write(told(rows[-1]) + "\n")
    with asked.out.open("w", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(rows[0]))
        writer.writeheader()
        writer.writerows(rows)
    sys.stdout.write("\n" + table(rows) + "\n")


if __name__ == "__main__":
    main()
