"""`finito judge`: a round written down action by action, judged."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from typing import Annotated, Any

import typer
from rich.console import Console
from rich.text import Text

from finito.errors import BadInput
from finito.judging import WrittenRounds
from finito.written_lines import numbered_lines, open_record
from referee.errors import RefereeError
from referee.notation import parse_line

STYLES = {"legal": "green", "illegal": "bold red", "unsure": "yellow"}
HELP = """Judge a round written down as JSON lines; - reads standard input and answers as lines arrive.

Examples:

  finito judge round.jsonl

  finito judge round.jsonl --json | jq 'select(.verdict == "illegal")'

  tail -f round.jsonl | finito judge - --lang de
"""


def register(app: typer.Typer) -> None:
    app.command("judge", help=HELP)(judge)


def judge(
    record: Annotated[
        str, typer.Argument(metavar="ROUND.jsonl", help="The record, or - for standard input.")
    ],
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per answer.")] = False,
    lang: Annotated[str, typer.Option(help="Language of the reasons: en, de, fr or nl.")] = "en",
) -> None:
    """Judge a written round."""
    name = "standard input" if record == "-" else record
    show = _json_line if as_json else _Printer(Console()).show
    rounds = WrittenRounds(lang)
    with open_record(record) as lines:
        for answer in answers(rounds, lines, name):
            show(answer)
    if rounds.round is None:
        raise BadInput(f"{name}: holds no round; it must begin with a round line")


def answers(rounds: WrittenRounds, record: Any, name: str) -> Iterator[dict[str, Any]]:
    """Every answer in order; what was answered before a bad line stays answered."""
    try:
        for number, text in numbered_lines(record, name):
            try:
                yield from rounds.feed(number, parse_line(text))
            except RefereeError as error:
                raise BadInput(f"{name}: line {number}: {error}") from None
    finally:  # what waited for more lines is answered before a bad line is named
        yield from rounds.close()


def _json_line(answer: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")
    sys.stdout.flush()


class _Printer:
    """Answers for a person; colours only on a terminal."""

    def __init__(self, console: Console) -> None:
        self.console = console

    def show(self, answer: dict[str, Any]) -> None:
        if answer.get("type") == "result":
            self._result(answer)
            return
        rule = f" {answer['rule']}:" if answer["rule"] else ""
        line = Text(f"{answer['line']:>5}  ")
        line.append(f"{answer['verdict']:<8}", STYLES[answer["verdict"]])
        line.append(f"{rule} {answer['why']}")
        self.console.print(line, soft_wrap=True)
        for changed in answer.get("changed", ()):
            self.show(changed)

    def _result(self, result: dict[str, Any]) -> None:
        for back, points in result["points"].items():
            bonus = " (Finito)" if back == result["finito"] else ""
            self.console.print(
                f"       {back}: {points} points{bonus}, {result['totals'][back]} in all",
                highlight=False,
                markup=False,
            )
        for doubt in result["unsure"]:
            self.console.print(
                f"       unsure: {doubt['counted']} cards of {doubt['back']} counted, "
                f"{doubt['recorded']} recorded",
                highlight=False,
                markup=False,
            )
        if result["winner"]:
            self.console.print(f"       {result['winner']} wins", style="bold", markup=False)
