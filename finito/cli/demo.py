"""`finito demo`: a filmed game refereed live in the browser, or a simulated round judged in the terminal."""

from __future__ import annotations

import io
import json
import re
import sys
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.live import Live
from rich.table import Table
from rich.text import Text

from finito.board_view import MOST_CALLS, board, call
from finito.bots import BotRound
from finito.cli.demo_film import show_film
from finito.cli.words import parse_variant
from finito.demo_round import Told, demo_round, refereed, score
from finito.errors import BadInput
from finito.judging import WrittenRounds
from referee.actions import Count, Finito
from referee.language import sentence
from referee.notation import entry_to_json
from referee.round import RoundReferee
from referee.scoring import ScoreSheet

FETCHED_FONT = re.compile(r"@font-face \{.*?\}", re.DOTALL)  # a picture fetches nothing
LONGEST = 40.0  # seconds a demonstration may take on a terminal
HELP = """Watch a filmed game being refereed live in the browser: no camera needed.

The film goes through all of it: the eyes read the cards, the referee calls a wrong play and Finito, and the
cards are counted. With no browser and no terminal it ends by itself after the game and prints the result.
With --terminal bots play a round with a few faults, and the referee calls them on the terminal.

Examples:

  finito demo

  finito demo --no-browser --port 8000

  finito demo --terminal --players 6 --seed 7 --lang fr

  finito demo --terminal --variant zero --speed 20
"""


def register(app: typer.Typer) -> None:
    app.command("demo", help=HELP)(demo)


def demo(
    terminal: Annotated[bool, typer.Option("--terminal", help="Bots on the terminal instead.")] = False,
    browser: Annotated[bool, typer.Option("--browser/--no-browser", help="Open the page.")] = True,
    port: Annotated[int, typer.Option(min=0, max=65535, help="The page's port; 0 takes any.")] = 0,
    seed: Annotated[int, typer.Option(help="On the terminal: which round to play.")] = 1,
    players: Annotated[int, typer.Option(help="On the terminal: how many play, 2 to 6.")] = 4,
    variant: Annotated[list[str] | None, typer.Option(help="normalo, zero, chaos; may be repeated.")] = None,
    speed: Annotated[float | None, typer.Option(min=0.1, help="How many times faster than life.")] = None,
    lang: Annotated[str, typer.Option(help="Language of the calls: en, de, fr or nl.")] = "en",
    picture: Annotated[Path | None, typer.Option(help="Write the last board as an SVG picture.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object per action.")] = False,
) -> None:
    """Watch a refereed round."""
    if not terminal and picture is None:
        show_film(port, browser, as_json)
        return
    record = demo_round(seed, players, parse_variant(variant or ()))
    if as_json:
        _write_json(record, lang)
        return
    console = Console()
    referee, story = refereed(record)
    if picture is not None:
        _draw(picture, referee, story, lang)
    elif console.is_terminal:
        _show_live(console, referee, story, lang, speed or _pace(record))
    else:
        for told in story:
            console.print(_call(told, lang), soft_wrap=True)
        console.print(board(referee, (), "the end"))
    _show_score(console, score(record, referee), referee.rules.game.caller_bonus)


def _pace(record: BotRound) -> float:
    last = record.actions[-1].t
    return max(1.0, (last.end if last else 0.0) / LONGEST)


def _write_json(record: BotRound, lang: str) -> None:
    rounds = WrittenRounds(lang)
    for line, entry in enumerate((record.header, *record.deals, *record.actions, record.count), start=1):
        told = entry_to_json(entry)
        answers = list(rounds.feed(line, entry))
        if isinstance(entry, Count):
            lines = [told, *answers]
        else:
            lines = [{**told, **answer} for answer in answers] or [told]
        sys.stdout.writelines(json.dumps(each, ensure_ascii=False) + "\n" for each in lines)


def _show_live(
    console: Console, referee: RoundReferee, story: Iterator[Told], lang: str, pace: float
) -> None:
    calls: list[Text] = []
    now = 0.0
    with Live(console=console, refresh_per_second=12) as live:
        for told in story:
            time.sleep(max(0.0, told.t - now) / pace)
            now = told.t
            calls = [*calls, _call(told, lang)][-MOST_CALLS:]
            live.update(board(referee, calls, f"{now:5.1f} s"))


def _call(told: Told, lang: str) -> Text:
    verdict = told.answer.verdict
    rule = None if verdict.rule is None else verdict.rule.value
    text = call(f"{told.t:.1f} s", verdict.outcome, rule, sentence(verdict.reason, lang))
    if isinstance(told.answer.action, Finito) and verdict.legal:
        text.stylize("bold magenta")
    return text


def _draw(picture: Path, referee: RoundReferee, story: Iterator[Told], lang: str) -> None:
    """The board at its last illegal call, with the calls before it."""
    canvas = Console(record=True, file=io.StringIO(), width=92, color_system="truecolor", force_terminal=True)
    calls: list[Text] = []
    for told in story:
        calls = [*calls, _call(told, lang)][-MOST_CALLS:]
        if told.answer.verdict.illegal:
            drawn = board(referee, calls, f"{told.t:5.1f} s")
    canvas.print(drawn)
    try:
        picture.write_text(FETCHED_FONT.sub("", canvas.export_svg(title="finito demo")), encoding="utf-8")
    except OSError as error:
        raise BadInput(f"{picture}: cannot be written ({error.strerror}); choose another place") from None


def _show_score(console: Console, sheet: ScoreSheet, caller_bonus: int) -> None:
    table = Table(title="Finito!" if sheet.caller else "No Finito")
    for heading in ("player", "cards in the centre", "Finito", "points"):
        table.add_column(heading, justify="right" if heading != "player" else "left")
    for back, points in sheet.points:
        bonus = caller_bonus if back == sheet.caller else 0
        table.add_row(back, str(points - bonus), f"+{bonus}" if bonus else "", str(points))
    console.print(table)
