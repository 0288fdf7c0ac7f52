"""`finito replay`: recorded games judged, inferred or seen anew, and compared with what was said then."""

from __future__ import annotations

import json
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from finito.cli.words import parse_variant
from finito.errors import BadInput
from finito.replaying.wish import Stage

if TYPE_CHECKING:
    from finito.replaying.replay import Replayed

HELP = """Tell recorded games again and list what comes out differently.

From actions the rules judge anew, from observations the actions are inferred anew, from the video all of it
is seen anew. Without --from it is the cheapest of which there is a record.

Examples:

  finito replay 2026-11-17-201500

  finito replay 2026-11-17-201500 --from video --json

  finito replay --all --processes 4

  finito replay --all --scheduler tcp://club-server:8786

  finito replay game.mp4 --deck house --players pizza:south,gelato:north
"""


def register(app: typer.Typer) -> None:
    app.command("replay", help=HELP)(replay)


def replay(
    names: Annotated[
        list[str] | None,
        typer.Argument(metavar="SESSION_OR_VIDEO...", help="Names or folders of sessions, or a video file."),
    ] = None,
    every: Annotated[bool, typer.Option("--all", help="Every session there is.")] = False,
    stage: Annotated[Stage | None, typer.Option("--from", help="What is taken from the record.")] = None,
    processes: Annotated[int, typer.Option(min=1, max=256, help="Sessions at once on this machine.")] = 1,
    scheduler: Annotated[
        str | None, typer.Option(metavar="ADDRESS", help="A Dask cluster to share the work with.")
    ] = None,
    deck: Annotated[str | None, typer.Option(help="Deck of a video: its name, or its folder.")] = None,
    players: Annotated[
        str | None, typer.Option(metavar="LIST", help="Players of a video: pizza:south,gelato:north.")
    ] = None,
    variant: Annotated[str | None, typer.Option(help="normalo, zero, chaos or zero+chaos.")] = None,
    lang: Annotated[str | None, typer.Option(help="Language of the reasons: en, de, fr or nl.")] = None,
    folder: Annotated[Path | None, typer.Option(metavar="DIR", help="Where the sessions are.")] = None,
    as_json: Annotated[bool, typer.Option("--json", help="JSON lines: actions, then what differs.")] = False,
) -> None:
    from finito.replaying.many import replay_all
    from finito.replaying.wish import Wish
    from referee.language import words_of

    if lang is not None:
        words_of(lang)
    paths = _paths(names or [], every, folder)
    seats = _seats(players)
    variants = parse_variant([variant]) if variant else ()
    wishes = [Wish(str(path), stage, lang, len(paths) == 1, deck, seats, variants) for path in paths]
    refused: list[str] = []
    with _progress(len(wishes)) as step:
        for done in replay_all(wishes, processes, scheduler):
            _show(done, as_json)
            if done.problem is not None:
                refused.append(done.problem)
            step()
    for sentence in refused[:-1]:
        typer.echo(f"finito: {sentence}", err=True)
    if refused:
        raise BadInput(refused[-1])


def _paths(names: list[str], every: bool, folder: Path | None) -> list[Path]:
    from finito.recording.library import SessionLibrary

    library = SessionLibrary.of_user(folder)
    if every == bool(names):
        raise typer.BadParameter("name sessions or a video, or give --all for every session")
    if every:
        if not library.names:
            raise BadInput(f"no session is recorded in {library.folder} yet; name another with --folder")
        return [library.folder / name for name in library.names]
    return [Path(name) if Path(name).is_file() else library.find(name) for name in names]


def _seats(players: str | None) -> tuple[tuple[str, str | None], ...]:
    if players is None:
        return ()
    pairs = (word.strip().partition(":") for word in players.split(","))
    return tuple((name, seat or None) for name, _, seat in pairs if name)


@contextmanager
def _progress(total: int) -> Iterator[Any]:
    columns = (TextColumn("replay"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    console = Console(stderr=True)
    with Progress(
        *columns, console=console, transient=True, disable=total < 2 or not console.is_terminal
    ) as bar:
        task = bar.add_task("replay", total=total)
        yield lambda: bar.advance(task)


def _show(done: Replayed, as_json: bool) -> None:
    if as_json:
        for entry in [*done.told, done.to_json()]:
            sys.stdout.write(json.dumps(entry, ensure_ascii=False) + "\n")
        sys.stdout.flush()
        return
    if done.problem is not None:
        return
    _tell(f"{done.session}: {done.actions} actions from {done.stage}, {_counted(len(done.differences))}")
    for difference in done.differences:
        where = "" if difference["line"] is None else f" line {difference['line']}:"
        then, now = _words(difference["recorded"]), _words(difference["replayed"])
        _tell(f"  {difference['what']}:{where} then {then}, now {now}")


def _counted(differences: int) -> str:
    return {0: "no difference", 1: "1 difference"}.get(differences, f"{differences} differences")


def _words(entry: dict[str, Any] | None) -> str:
    if entry is None:
        return "nothing"
    if set(entry) == {"verdict", "rule"}:
        return f"{entry['verdict']} {entry['rule']}" if entry["rule"] else str(entry["verdict"])
    return json.dumps(entry, ensure_ascii=False)


def _tell(sentence: str) -> None:
    Console().print(sentence, markup=False, highlight=False, soft_wrap=True)
