"""`finito simulate`: a game on the virtual table, filmed, with the truth about everything in it."""

from __future__ import annotations

import json
import re
from pathlib import Path
from typing import TYPE_CHECKING, Annotated

import typer
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from finito.bots import FAULTS
from finito.cli.words import parse_variant
from finito.errors import BadInput

if TYPE_CHECKING:
    from finito.virtual_table.choreography import Session

HELP = """Film a game that bots play on a virtual table, with the truth about every card in every frame.

Writes a folder with video.mp4, truth.jsonl (for finito judge), table.json and frames.jsonl.

Examples:

  finito simulate --players 4 --seconds 60 --seed 1 --faults wrong-colour,after-finito

  finito simulate --players 2 --seconds 30 --seed 7 --no-video --out quiet

  finito simulate --players 3 --seconds 20 --seed 3 --deck random:5 --stills 12
"""


def register(app: typer.Typer) -> None:
    app.command("simulate", help=HELP)(simulate)


def simulate(
    players: Annotated[int, typer.Option(help="Two to six.")] = 4,
    seconds: Annotated[float, typer.Option(help="How long the play lasts at most.")] = 60.0,
    seed: Annotated[int, typer.Option(help="Same seed, same game.")] = 1,
    faults: Annotated[str, typer.Option(help=f"Faults to happen, by comma: {', '.join(FAULTS)}.")] = "",
    out: Annotated[
        Path | None, typer.Option(help="Folder of the session; new or empty.", show_default="session-SEED")
    ] = None,
    variant: Annotated[str, typer.Option(help="normalo, or zero and chaos by comma.")] = "normalo",
    edition: Annotated[str, typer.Option(help="amigo-1995, forum-1996 or escale.")] = "amigo-1995",
    deck: Annotated[str, typer.Option(help="house, or random:SEED for an invented deck.")] = "house",
    size: Annotated[str, typer.Option(help="Width and height of the picture.")] = "1280x720",
    fps: Annotated[int, typer.Option(help="Frames per second.")] = 20,
    stills: Annotated[int, typer.Option(help="So many frames as PNG, too.", min=0)] = 0,
    roughness: Annotated[
        float, typer.Option(help="0 a studio, 1 a kitchen, 2 a bad one.", min=0.0, max=2.0)
    ] = 1.0,
    video: Annotated[
        bool, typer.Option("--video/--no-video", help="Film it, or write the truth only.")
    ] = True,
    markers: Annotated[bool, typer.Option("--markers/--no-markers", help="Lay markers on the table.")] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Say what was written as JSON.")] = False,
) -> None:
    """Simulate a game."""
    from finito.virtual_table.choreography import Wish, plan_session, write_session

    asked = (_list(faults), parse_variant([variant]), edition, deck, _size(size), fps, roughness, markers)
    session = plan_session(Wish(players, seconds, seed, *asked))
    folder = out or Path(f"session-{seed}")
    with _progress() as progress:
        task = progress.add_task("filming", total=session.shot.frames, visible=video)
        made = write_session(
            session, folder, video, stills, lambda done: progress.update(task, completed=done)
        )
    _report(session, folder, made, as_json)


def _report(session: Session, folder: Path, made: list[str], as_json: bool) -> None:
    played = session.cast.played
    if as_json:
        report = {
            "out": str(folder),
            "files": made,
            "seconds": round(session.show.seconds, 3),
            "frames": session.shot.frames,
            "actions": len(played.actions),
            "faults": [{"rule": name, "action": index} for name, index in played.faults],
            "finito": played.finito,
        }
        typer.echo(json.dumps(report, ensure_ascii=False))
        return
    ended = f"{played.finito} calls Finito" if played.finito else "nobody calls Finito"
    typer.echo(f"{folder}: {', '.join(made)}; {len(played.actions)} actions, {ended}.")
    typer.echo(f"Judge it: finito judge {folder / 'truth.jsonl'}")


def _progress() -> Progress:
    columns = (TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn())
    return Progress(*columns, console=Console(stderr=True), transient=True)


def _list(words: str) -> tuple[str, ...]:
    return tuple(word.strip() for word in words.split(",") if word.strip())


def _size(text: str) -> tuple[int, int]:
    match = re.fullmatch(r"(\d{1,5})x(\d{1,5})", text)
    if match is None:
        raise BadInput(f"--size {text!r} is no size; write width x height such as 1280x720")
    return int(match[1]), int(match[2])
