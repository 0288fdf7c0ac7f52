"""Golden rounds: readable records whose lines carry the verdict that the rules give them."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from finito.judging import WrittenRounds
from referee.notation import parse_line

ROUNDS: Final = Path(__file__).parents[1] / "rounds"
Json = dict[str, Any]


@dataclass(frozen=True)
class GoldenRound:
    """A file of `tests/rounds`, line by line."""

    path: Path
    lines: tuple[str, ...]

    @property
    def name(self) -> str:
        return self.path.stem

    @property
    def objects(self) -> list[Json]:
        return [json.loads(line) for line in self.lines]

    @property
    def header(self) -> Json:
        return self.objects[0]


def golden_rounds() -> list[GoldenRound]:
    paths = sorted(ROUNDS.glob("*.jsonl"))
    return [GoldenRound(path, tuple(path.read_text(encoding="utf-8").splitlines())) for path in paths]


def answers_to(lines: tuple[str, ...] | list[str]) -> Iterator[tuple[int, Json]]:
    """The answers to a record, each with the number of the line after which it came."""
    rounds = WrittenRounds()
    number = 0
    for number, line in enumerate(lines, start=1):
        for answer in rounds.feed(number, parse_line(line)):
            yield number, answer
    for answer in rounds.close():
        yield number, answer


def judged(*lines: Json) -> list[Json]:
    """The answers to a record written as objects."""
    return [answer for _, answer in answers_to([json.dumps(line) for line in lines])]
