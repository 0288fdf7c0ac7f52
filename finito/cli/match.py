"""`finito match`: keeping score by hand."""

from __future__ import annotations

import json
import sys
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer

from finito.cli.match_tables import print_json, sentence_of, show_history, show_list, show_match, tell
from finito.cli.match_words import RoundWords, parse_players, sheet_of, split_words
from finito.cli.words import parse_variant
from finito.errors import BadInput
from finito.store.bootstrap import match_book
from finito.store.match_book import KeptMatch, MatchBook
from referee.match import Match, require_round
from referee.match_commands import (
    add_round,
    create_match,
    edit_round,
    rename_match,
    restore_round,
    undo_round,
)
from referee.match_events import MatchEvent
from referee.match_export import match_csv, match_document, match_summary
from referee.rules.espresso import DEFAULT_EDITION


class Format(StrEnum):
    CSV = "csv"
    JSON = "json"


Database = Annotated[
    str | None,
    typer.Option("--db", metavar="FILE|URL", help="An SQLite file or a postgresql:// address."),
]
AsJson = Annotated[bool, typer.Option("--json", help="JSON on standard output, and nothing else there.")]
WhichMatch = Annotated[
    str | None,
    typer.Argument(metavar="MATCH", help="Number or name; without it the match that was changed last."),
]
Words = Annotated[
    list[str], typer.Argument(metavar="PLAYER=N…", help="A number for each player, by back or name.")
]
Finito = Annotated[
    str | None, typer.Option(metavar="PLAYER", help="Who called Finito; 'none' if nobody did.")
]
Points = Annotated[
    bool, typer.Option("--points", help="The numbers are points as written down, bonus included.")
]
Left = Annotated[
    list[str] | None, typer.Option("--left", metavar="PLAYER=N", help="Cards left on the race stack.")
]
Illegal = Annotated[
    list[str] | None, typer.Option("--illegal", metavar="PLAYER=N", help="Illegal plays in this round.")
]
RoundNumber = Annotated[int | None, typer.Option("--round", min=1, help="Any round by its number.")]

NEW_HELP = """Start a match. A player is NAME:BACK, NAME:BACK:SEAT, BACK:SEAT or just BACK.

Examples:

  finito match new --players Anna:pizza,Ben:gelato

  finito match new --players pizza:south,gelato:north --variant zero+chaos --name Friday

  finito match new --players a,b,c,d,e,f,g --game ligretto --target 150
"""
ADD_HELP = """Add a round: the cards counted in the centre by back, and who called Finito.

A match may be named first, by its number or name; without it the latest that is not over.

Examples:

  finito match add pizza=12 gelato=9 --finito pizza

  finito match add 3 Anna=12 Ben=9 --finito Anna --left Ben=4 --illegal Ben=1

  finito match add Friday pizza=17 gelato=9 --points
"""
EDIT_HELP = """Correct a past round; what is not given stays as it was.

Examples:

  finito match edit 3 2 pizza=13

  finito match edit Friday 2 --finito gelato

  finito match edit 2 pizza=13        (round 2 of the match changed last)
"""
UNDO_HELP = """Strike a round out: the latest one, or any with --round. 'redo' brings it back.

Examples:

  finito match undo

  finito match undo Friday --round 2
"""
EXPORT_HELP = """Write a match as CSV (a row per round and player) or JSON.

Examples:

  finito match export --format csv --out friday.csv

  finito match export 3 --format json
"""


def register(app: typer.Typer) -> None:
    group = typer.Typer(
        no_args_is_help=True, rich_markup_mode=None, help="Keep score by hand: matches, rounds, corrections."
    )
    group.command("new", help=NEW_HELP)(new)
    group.command("add", help=ADD_HELP)(add)
    group.command("edit", help=EDIT_HELP)(edit)
    group.command("undo", help=UNDO_HELP)(undo)
    group.command("redo")(redo)
    group.command("rename")(rename)
    group.command("show")(show)
    group.command("list")(list_matches)
    group.command("export", help=EXPORT_HELP)(export)
    app.add_typer(group, name="match")


def new(
    players: Annotated[str, typer.Option(metavar="LIST", help="The players, divided by commas.")],
    target: Annotated[int | None, typer.Option(help="Points to reach; the game's own by default.")] = None,
    game: Annotated[str, typer.Option(help="espresso, ligretto or dutch-blitz.")] = "espresso",
    variant: Annotated[str, typer.Option(help="normalo, zero, chaos or zero+chaos.")] = "normalo",
    edition: Annotated[str, typer.Option(help="amigo-1995, forum-1996 or escale.")] = DEFAULT_EDITION,
    name: Annotated[str, typer.Option(help="How to call the match.")] = "",
    db: Database = None,
    as_json: AsJson = False,
) -> None:
    seated, variants = parse_players(players), parse_variant([variant])
    with match_book(db) as book:
        kept = book.create(
            lambda at: create_match(
                seated, game=game, variant=variants, edition=edition, target=target, name=name, at=at
            )
        )
    _answer(kept, as_json)


def add(
    words: Words,
    finito: Finito = None,
    points: Points = False,
    left: Left = None,
    illegal: Illegal = None,
    db: Database = None,
    as_json: AsJson = False,
) -> None:
    names, amounts = split_words(words)
    if len(names) > 1 or not amounts:
        raise typer.BadParameter("give one MATCH or none, then the counts, as in: pizza=12 gelato=9")
    typed = RoundWords(amounts, finito, points, left or (), illegal or ())
    with match_book(db, create=False) as book:
        before = book.find(names[0]) if names else book.latest_unfinished()
        after = book.change(
            before.id, lambda match, at: add_round(match, sheet_of(match, typed), at), before.version
        )
    _answer(after, as_json)


def edit(
    words: Words,
    finito: Finito = None,
    points: Points = False,
    left: Left = None,
    illegal: Illegal = None,
    db: Database = None,
    as_json: AsJson = False,
) -> None:
    names, amounts = split_words(words)
    if len(names) not in (1, 2) or not names[-1].isdecimal():
        raise typer.BadParameter("give MATCH and ROUND, then what changes, as in: 3 2 pizza=13")
    number = int(names[-1])
    typed = RoundWords(amounts, finito, points, left or (), illegal or ())

    def command(match: Match, at: str) -> MatchEvent:
        require_round(match, number)
        return edit_round(match, number, sheet_of(match, typed, match.sheets[number - 1]), at)

    _change(names[0] if len(names) == 2 else None, db, command, as_json)


def undo(
    which: WhichMatch = None, number: RoundNumber = None, db: Database = None, as_json: AsJson = False
) -> None:
    _change(which, db, lambda match, at: undo_round(match, number, at), as_json)


def redo(
    which: WhichMatch = None, number: RoundNumber = None, db: Database = None, as_json: AsJson = False
) -> None:
    """Bring an undone round back: the one undone last, or any with --round."""
    _change(which, db, lambda match, at: restore_round(match, number, at), as_json)


def rename(
    which: Annotated[str, typer.Argument(metavar="MATCH", help="Number or name.")],
    name: Annotated[str, typer.Argument(metavar="NAME", help="The new name.")],
    db: Database = None,
    as_json: AsJson = False,
) -> None:
    """Give a match another name."""
    _change(which, db, lambda _match, at: rename_match(name, at), as_json)


def show(
    which: WhichMatch = None,
    history: Annotated[bool, typer.Option("--history", help="Every entry and correction instead.")] = False,
    db: Database = None,
    as_json: AsJson = False,
) -> None:
    """Show the score sheet, who leads, and each player's statistics."""
    with match_book(db, create=False) as book:
        kept = _chosen(book, which)
        if history:
            show_history(f"match/{kept.id}", book.history(kept.id), as_json)
            return
    if as_json:
        print_json(match_document(kept.id, kept.match, kept.version))
    else:
        show_match(kept, with_statistics=True)


def list_matches(db: Database = None, as_json: AsJson = False) -> None:
    """List all matches, the newest first; with --json one line for each."""
    with match_book(db, create=False) as book:
        matches = list(book.newest_first())
    if as_json:
        for kept in matches:
            print_json(match_summary(kept.id, kept.match, kept.version))
    else:
        show_list(matches)


def export(
    which: WhichMatch = None,
    format_: Annotated[Format | None, typer.Option("--format", help="csv (the default) or json.")] = None,
    out: Annotated[Path | None, typer.Option(metavar="FILE", help="Write here, not to the screen.")] = None,
    db: Database = None,
    as_json: AsJson = False,
) -> None:
    if as_json and out is None and format_ is Format.CSV:
        raise typer.BadParameter("--json and --format csv exclude each other unless --out names a file")
    chosen = format_ or (Format.JSON if as_json and out is None else Format.CSV)
    with match_book(db, create=False) as book:
        kept = _chosen(book, which)
    text = _exported(kept, chosen)
    if out is None:
        sys.stdout.write(text)
        return
    try:
        out.write_text(text, encoding="utf-8", newline="")
    except OSError as problem:
        raise BadInput(
            f"{out} cannot be written ({problem.strerror}): name another file with --out"
        ) from None
    if as_json:
        print_json({"match": kept.id, "format": chosen.value, "out": str(out)})
    else:
        tell(f"Match {kept.id} is written to {out}.")


def _chosen(book: MatchBook, which: str | None) -> KeptMatch:
    return book.last_changed() if which is None else book.find(which)


def _change(
    which: str | None, db: str | None, command: Callable[[Match, str], MatchEvent], as_json: bool
) -> None:
    with match_book(db, create=False) as book:
        before = _chosen(book, which)
        after = book.change(before.id, command, before.version)
    _answer(after, as_json)


def _answer(kept: KeptMatch, as_json: bool) -> None:
    if as_json:
        print_json(match_document(kept.id, kept.match, kept.version))
        return
    tell(f"Match {kept.id}: {sentence_of(kept.last, len(kept.match.sheets))}.")
    show_match(kept)


def _exported(kept: KeptMatch, chosen: Format) -> str:
    if chosen is Format.CSV:
        return match_csv(kept.id, kept.match)
    return json.dumps(match_document(kept.id, kept.match, kept.version), ensure_ascii=False, indent=2) + "\n"
