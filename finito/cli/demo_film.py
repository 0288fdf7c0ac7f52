"""The film of `finito demo`: its address, its progress, and in the end what was called and scored."""

from __future__ import annotations

import json
import signal
import sys
import threading
from typing import TYPE_CHECKING, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, Progress, TextColumn, TimeRemainingColumn
from rich.table import Table

from finito.errors import BadInput

if TYPE_CHECKING:
    from finito.film_demo import BundledFilm, Showing

Json = dict[str, Any]


def show_film(port: int, browser: bool, as_json: bool) -> None:
    """Serves the film; stays while somebody may look, and ends with the game where nobody can."""
    from finito.film_demo import begin, bundled_film, open_browser, served

    with bundled_film() as film, served(port) as (url, host):
        opened = browser and not as_json and open_browser(url)
        stays = opened or (sys.stdin is not None and sys.stdin.isatty() and not as_json)
        where = "in your browser" if opened else "there"
        sys.stderr.write(f"finito: a filmed game is refereed live at {url}; watch it {where}\n")
        showing = begin(host, film, paced=stays)
        _follow(showing, film)
        trouble = showing.trouble
        if trouble is not None and not stays:
            raise BadInput(f"the demonstration ended without a result: {trouble}")
        _tell(showing.story(), as_json)
        if stays:
            sys.stderr.write(f"finito: the page stays at {url}; Ctrl+C ends the demonstration\n")
            _wait_for_the_end()


def _wait_for_the_end() -> None:
    """Ctrl+C is how this ends, and no failure."""
    ended = threading.Event()
    signal.signal(signal.SIGINT, lambda *_: ended.set())
    while not ended.wait(1):  # with no time limit at all, Ctrl+C is not heard on Windows
        pass


def _follow(showing: Showing, film: BundledFilm) -> None:
    columns = (TextColumn("{task.description}"), BarColumn(), TimeRemainingColumn())
    with Progress(*columns, console=Console(stderr=True), transient=True) as progress:
        task = progress.add_task("refereeing", total=film.seconds)
        while not showing.over.wait(0.3):
            progress.update(task, completed=showing.seconds)


def _tell(story: Json, as_json: bool) -> None:
    """The calls, who called Finito, the count and the score."""
    lines = [line for line in story["lines"] if line.get("said") != "withdrawn"]
    if as_json:
        for line in (*lines, story["result"]):
            typer.echo(json.dumps(line, ensure_ascii=False))
        return
    console = Console()
    plays = sum(line["type"] == "play" for line in lines)
    console.print(f"{plays} plays were seen and judged.", highlight=False)
    for line in lines:
        if line["verdict"] != "legal" or line["type"] == "finito":
            rule = f" ({line['rule']})" if line["rule"] else ""
            who = line.get("player", "")
            text = f"{line['t']:5.1f} s  {line['verdict']}{rule}  {who}: {line['why']}"
            console.print(text, highlight=False, markup=False, soft_wrap=True)
    result = story["result"]
    if result is None:
        console.print("The cards were not counted; count them on the page.")
        return
    table = Table(title="Finito!" if result["finito"] else "No Finito")
    for heading, side in (("player", "left"), ("points", "right"), ("Finito", "left")):
        table.add_column(heading, justify=side)  # type: ignore[arg-type]
    for player, points in result["points"].items():
        table.add_row(player, str(points), "+5" if player == result["finito"] else "")
    console.print(table)
