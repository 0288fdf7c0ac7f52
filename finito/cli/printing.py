"""`finito print`: the house deck, the table markers and the lens board as PDF at true size."""

from __future__ import annotations

import json
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path
from typing import Annotated

import typer
from rich.console import Console
from rich.progress import Progress

from finito.errors import BadInput


class PaperName(StrEnum):
    a4 = "a4"
    letter = "letter"


PaperOption = Annotated[
    PaperName, typer.Option("--paper", case_sensitive=False, help="Paper in the printer.")
]
OutOption = Annotated[Path | None, typer.Option("--out", help="PDF file to write.", show_default=False)]
JsonOption = Annotated[bool, typer.Option("--json", help="Say what was written as JSON.")]


def register(app: typer.Typer) -> None:
    printing = typer.Typer(
        help="Write PDFs to print at true size: the deck, the table markers, the lens board.",
        no_args_is_help=True,
        rich_markup_mode=None,
    )
    printing.command("deck")(deck)
    printing.command("markers")(markers)
    printing.command("board")(board)
    app.add_typer(printing, name="print")


def deck(
    paper: PaperOption = PaperName.a4,
    out: OutOption = None,
    back: Annotated[
        list[str] | None, typer.Option("--back", help="Only this back; repeat for more. Default: all six.")
    ] = None,
    as_json: JsonOption = False,
) -> None:
    """The house deck: 36 cards of 59 x 91 mm for every back, faces and backs on alternate pages.

    Example: finito print deck --back pizza --back gelato --out deck.pdf
    """
    from calibration.printables import PAPERS, page_count, write_deck
    from finito.virtual_table.decks.house import house_card_art

    art = house_card_art(tuple(back or ()))
    with Progress(console=Console(stderr=True), transient=True) as progress:
        pages = progress.add_task("pages", total=page_count(art))
        _write(
            "deck",
            paper,
            out,
            as_json,
            lambda path: write_deck(path, PAPERS[paper], art, lambda: progress.advance(pages)),
        )


def markers(paper: PaperOption = PaperName.a4, out: OutOption = None, as_json: JsonOption = False) -> None:
    """Four markers of 50 mm for the corners of the table.

    Example: finito print markers --paper letter
    """
    from calibration.printables import PAPERS, write_markers

    _write("markers", paper, out, as_json, lambda path: write_markers(path, PAPERS[paper]))


def board(paper: PaperOption = PaperName.a4, out: OutOption = None, as_json: JsonOption = False) -> None:
    """The chequered board that calibrates a lens.

    Example: finito print board --out board.pdf
    """
    from calibration.printables import PAPERS, write_board

    _write("board", paper, out, as_json, lambda path: write_board(path, PAPERS[paper]))


def _write(
    what: str, paper: PaperName, out: Path | None, as_json: bool, write: Callable[[Path], int]
) -> None:
    path = out or Path(f"finito-{what}-{paper.value}.pdf")
    if path.is_dir():
        raise BadInput(f"{path} is a folder; give --out a file name such as {path / f'{what}.pdf'}")
    if not path.parent.is_dir():
        raise BadInput(f"{path} cannot be written: the folder {path.parent} does not exist; make it first")
    try:
        pages = write(path)
    except OSError as error:
        reason = error.strerror or str(error)
        raise BadInput(f"{path} cannot be written ({reason}); choose another place with --out") from error
    if as_json:
        typer.echo(json.dumps({"file": str(path), "what": what, "paper": paper.value, "pages": pages}))
    else:
        count = "1 page" if pages == 1 else f"{pages} pages"
        typer.echo(f"{path}: {count}, {paper.value}. Print at 100 % and check the 100 mm line with a ruler.")
