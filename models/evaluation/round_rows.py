"""The CSV file of a bench of rounds: what is there already is not done again."""

from __future__ import annotations

import csv
from pathlib import Path
from typing import Any


def on_file(path: Path) -> dict[int, dict[str, Any]]:
    if not path.exists():
        return {}
    with path.open(encoding="utf-8", newline="") as file:
        return {int(row["round"]): row for row in csv.DictReader(file)}


def keep(path: Path, row: dict[str, Any]) -> None:
    new = not path.exists()
    path.parent.mkdir(parents=True, exist_ok=True)
    with path.open("a", encoding="utf-8", newline="") as file:
        writer = csv.DictWriter(file, list(row))
        if new:
            writer.writeheader()
        writer.writerow(row)
