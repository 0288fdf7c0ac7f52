"""`finito sessions`: what was recorded, how large it is, handing it on and removing it."""

from __future__ import annotations

import json
import sys
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table

from finito.errors import BadInput

if TYPE_CHECKING:
    from finito.recording.library import SessionLibrary
    from finito.recording.session import Session

Folder = Annotated[
    Path | None,
    typer.Option(
        metavar="DIR", help="Where the sessions are; FINITO_SESSIONS or the data folder by default."
    ),
]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output, and nothing else there.")]
Name = Annotated[str, typer.Argument(metavar="SESSION", help="Its name, as the list shows it.")]
EXPORT_HELP = """Hand a session on: all of it as .zip, its video as .mp4, or a stretch of that.

Examples:

  finito sessions export 2026-11-17-201500

  finito sessions export 2026-11-17-201500 --out game.mp4

  finito sessions export 2026-11-17-201500 --out moment.mp4 --from 61 --to 64

  finito sessions export 2026-11-17-201500 --out call.jpg --call 212 --lang de
"""


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        no_args_is_help=True, rich_markup_mode=None, help="Recorded games: list, show, export, delete."
    )
    group.command("list")(list_sessions)
    group.command("show")(show)
    group.command("export", help=EXPORT_HELP)(export)
    group.command("delete")(delete)
    app.add_typer(group, name="sessions")


def list_sessions(folder: Folder = None, as_json: AsJson = False) -> None:
    """List all sessions, the newest first; with --json one line for each."""
    library = _library(folder)
    rows = [_summary(library, name) for name in reversed(library.names)]
    if as_json:
        for row in rows:
            _print_json(row)
        return
    _show_list(library, rows)


def show(name: Name, folder: Folder = None, as_json: AsJson = False) -> None:
    """Show what a session holds, what was called in it, and what is wrong with it."""
    library = _library(folder)
    document = _document(library.open(name)) | _summary(library, name)
    if as_json:
        _print_json(document)
    else:
        _show_session(document)


def export(
    name: Name,
    out: Annotated[
        Path | None, typer.Option(metavar="FILE", help=".zip, .mp4, or .jpg for a call; NAME.zip by default.")
    ] = None,
    start: Annotated[
        float | None, typer.Option("--from", min=0, help="Second at which a clip begins.")
    ] = None,
    end: Annotated[float | None, typer.Option("--to", min=0, help="Second at which a clip ends.")] = None,
    call: Annotated[
        int | None, typer.Option(min=1, help="The line of a call, for its clip or still.")
    ] = None,
    lang: Annotated[str | None, typer.Option(help="Language of a still: en, de, fr or nl.")] = None,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    from finito.recording.export import export_clip, export_video, export_zip

    session = _library(folder).open(name)
    target = Path(f"{name}.zip") if out is None else out
    kind = target.suffix.lower()
    if call is not None and kind in (".mp4", ".jpg"):
        _export_call(session, call, target, lang)
    elif call is not None or kind not in (".zip", ".mp4"):
        raise BadInput(f"{target}: name a .zip or .mp4 file with --out, or .jpg for the still of a --call")
    elif kind == ".zip":
        if start is not None or end is not None:
            raise BadInput("a stretch of time is exported as .mp4; name such a file with --out")
        export_zip(session, target)
    elif start is None and end is None:
        export_video(session, target)
    else:
        export_clip(session.frames(start or 0.0, end), target)
    size = target.stat().st_size
    if as_json:
        _print_json({"session": name, "out": str(target), "bytes": size})
    else:
        from finito.recording.limits import spoken_size

        _tell(f"{name} is written to {target} ({spoken_size(size)}).")


def delete(
    names: Annotated[list[str], typer.Argument(metavar="SESSION...", help="Names, as the list shows them.")],
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
    folder: Folder = None,
    as_json: AsJson = False,
) -> None:
    """Remove sessions for good: video, observations, actions and evidence."""
    from finito.recording.library import size_of
    from finito.recording.limits import spoken_size

    library = _library(folder)
    paths = {name: library.path(name) for name in names}  # all are known before the first is removed
    size = sum(size_of(path) for path in paths.values())
    if not yes:
        if as_json:
            raise typer.BadParameter("--json cannot ask; add --yes")
        typer.confirm(f"Remove {', '.join(paths)} ({spoken_size(size)}) for good?", abort=True, err=True)
    for name in paths:
        freed = library.delete(name)
        if as_json:
            _print_json({"session": name, "deleted": True, "bytes": freed})
        else:
            _tell(f"{name} is removed; {spoken_size(freed)} are free again.")


def _library(folder: Path | None) -> SessionLibrary:
    from finito.recording.library import SessionLibrary

    return SessionLibrary.of_user(folder)


def _export_call(session: Session, line: int, target: Path, language: str | None) -> None:
    from finito.evidence.calls import calls_in
    from finito.evidence.making import write_clip, write_still

    calls = {each.line: each for each in calls_in(session.actions())}
    if line not in calls:
        known = ", ".join(map(str, calls)) if calls else "none"
        raise BadInput(f"line {line} of {session.name} calls nothing; lines that do: {known}")
    wanted, is_clip = calls[line], target.suffix.lower() == ".mp4"
    made = write_clip(session, wanted, target) if is_clip else write_still(session, wanted, target, language)
    if made is None:
        raise BadInput(f"there is no video of the moment of line {line} in {session.name}")


def _summary(library: SessionLibrary, name: str) -> dict[str, Any]:
    from finito.recording.library import size_of
    from finito.recording.lock import is_being_recorded

    path = library.path(name)
    row: dict[str, Any] = {"session": name, "bytes": size_of(path), "recording": is_being_recorded(path)}
    try:
        session = library.open(name)
    except BadInput as problem:  # the others are listed all the same
        return row | {"problem": str(problem)}
    about = session.about
    return row | {
        "started": about.started,
        "seconds": round(session.seconds, 1),
        "players": [each.player for each in about.players],
        "game": about.game,
        "variant": list(about.variant),
        "closed": session.closed,
    }


def _document(session: Session) -> dict[str, Any]:
    from finito.evidence.calls import calls_in
    from finito.recording.about import about_json

    actions = session.actions()
    return {
        "about": about_json(session.about),
        "actions": len(actions),
        "observations": sum(1 for _ in session.observations()),
        "video": [
            {"file": part.path.name, "starts": part.starts, "frames": len(session.times_of(part))}
            for part in session.parts
        ],
        "calls": [{"line": call.line, **call.entry} for call in calls_in(actions)],
        "notices": session.notices(),
        "problems": session.problems(),
    }


def _show_list(library: SessionLibrary, rows: list[dict[str, Any]]) -> None:
    from finito.recording.limits import limits_of_user, spoken_size

    if not rows:
        _tell(f"No session is recorded in {library.folder} yet; finito watch records one.")
        return
    table = Table("Session", "Players", "Game")
    for heading in ("Minutes", "Size"):
        table.add_column(heading, justify="right")
    table.add_column("")
    for row in rows:
        state = "recording" if row["recording"] else "damaged" if "problem" in row else ""
        if not state and not row["closed"]:
            state = "cut off"
        game = " ".join([row.get("game", ""), "+".join(row.get("variant", ()))])
        minutes = f"{row.get('seconds', 0) / 60:.1f}"
        players = ", ".join(row.get("players", ()))
        table.add_row(row["session"], players, game, minutes, spoken_size(row["bytes"]), state)
    Console().print(table)
    limits, size = limits_of_user(), sum(row["bytes"] for row in rows)
    _tell(
        f"{spoken_size(size)} in {library.folder}; the video of a session may take "
        f"{spoken_size(limits.video)} and leaves {spoken_size(limits.keep_free)} free."
    )


def _show_session(document: dict[str, Any]) -> None:
    from finito.recording.limits import spoken_size

    about = document["about"]
    players = ", ".join(
        each["player"] + (f" ({each['seat']})" if each["seat"] else "") for each in about["players"]
    )
    _tell(
        f"{document['session']}: {about['game']} {'+'.join(about['variant'])}, {players or 'players unknown'}"
    )
    _tell(
        f"began {about['started']}, lasted {document['seconds']:.0f} s, {spoken_size(document['bytes'])}, "
        f"recorded by Finito {about['version']}"
    )
    frames = sum(part["frames"] for part in document["video"])
    _tell(f"{document['actions']} lines of actions, {document['observations']} observations, {frames} frames")
    for call in document["calls"]:
        _tell(f"line {call['line']}: {call['verdict']} {call.get('rule') or ''}: {call.get('why', '')}")
    for problem in document["problems"]:
        _tell(f"note: {problem}")


def _print_json(document: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")


def _tell(sentence: str) -> None:
    Console().print(sentence, markup=False, highlight=False, soft_wrap=True)
