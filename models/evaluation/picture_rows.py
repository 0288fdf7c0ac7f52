"""One row per picture: what the finder did, and what was left of it after the reader had its say."""

from __future__ import annotations

import csv
from collections.abc import Iterable, Sequence
from dataclasses import asdict, dataclass, fields
from pathlib import Path
from typing import TypeVar

import numpy as np

T = TypeVar("T")


@dataclass(frozen=True)
class Stage:
    """Found cards, the asked ones among them, and those that are no cards."""

    found: int
    met: int
    false: int


@dataclass(frozen=True)
class PictureRow:
    """`finder_…` is the finder alone; the others are what `finito read` reports, without what the reader
    takes for no card. `false_named` are false cards that were even given a face or a back."""

    set: str
    picture: str
    judged_by: str  # outline, index inside, or count
    cards: int
    finder_found: int
    finder_met: int
    finder_false: int
    found: int
    met: int
    false: int
    false_named: int | None  # where it is known which ones are false
    corner_error: float | None  # of the card's width, mean over the met ones
    find_ms: float
    read_ms: float


def picture_row(
    place: tuple[str, str, str],
    cards: int,
    stages: tuple[Stage, Stage],
    false_named: int | None,
    errors: Sequence[float],
    seconds: tuple[float, float],
) -> PictureRow:
    """A row from set, picture and how it was judged; the finder's stage and the reader's."""
    finder, both = stages
    return PictureRow(
        *place,
        cards,
        *(finder.found, finder.met, finder.false),
        *(both.found, both.met, both.false),
        false_named,
        round(float(np.mean(errors)), 4) if errors else None,
        *(round(1000 * spent, 1) for spent in seconds),
    )


def written(path: Path, kind: type[T], rows: Iterable[T]) -> list[T]:
    """The rows (dataclasses of one kind), put into a CSV as they come: a stopped run keeps what it has.

    A set without rows still has its head.
    """
    path.parent.mkdir(parents=True, exist_ok=True)
    kept = []
    with path.open("w", newline="", encoding="utf-8") as file:
        table = csv.DictWriter(file, [field.name for field in fields(kind)])  # type: ignore[arg-type]
        table.writeheader()
        for row in rows:
            table.writerow(asdict(row))  # type: ignore[call-overload]
            file.flush()
            kept.append(row)
    return kept
