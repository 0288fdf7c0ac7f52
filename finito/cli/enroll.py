"""`finito enroll`: learns a deck from two photos."""

from __future__ import annotations

import json
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any

import typer
from rich.console import Console
from rich.table import Table
from typer.core import TyperCommand

from finito.errors import BadInput
from referee.rules.parameters import PILE_GAMES, game_parameters

if TYPE_CHECKING:
    from calibration.deck_enrolment import EnrolledDeck, EnrolledDesign, Pair

HELP = """Learn a deck from photos: no training, seconds.

A faces photo shows one player's cards in a grid: a row per colour (red, yellow, green, blue from top to
bottom), numbers ascending from left to right. A backs photo shows one card per player in a row.

Examples:

  finito enroll kitchen --faces faces.jpg --backs backs.jpg --names pizza,gelato,pasta

  finito enroll blue-box --game ligretto --faces noon.jpg lamp.jpg --backs backs.jpg --names sun,moon
"""
_TAKES_SEVERAL = ("--faces", "--backs")


class SeveralPhotos(TyperCommand):
    """Lets --faces and --backs take all photos that follow them."""

    def parse_args(self, ctx: Any, args: list[str]) -> list[str]:
        return super().parse_args(ctx, _each_with_its_option(args))


def _each_with_its_option(args: list[str]) -> list[str]:
    """`--faces a b` as `--faces a --faces b`."""
    made: list[str] = []
    option: str | None = None
    for arg in args:
        if arg.startswith("-") and arg != "-":
            option = arg if arg in _TAKES_SEVERAL else None
            made.append(arg)
        elif option is not None and made[-1] != option:
            made += [option, arg]
        else:
            made.append(arg)
    return made


def register(app: typer.Typer) -> None:
    app.command("enroll", cls=SeveralPhotos, help=HELP)(enroll)


def enroll(
    name: Annotated[str, typer.Argument(help="What to call the deck.")],
    faces: Annotated[list[Path], typer.Option(metavar="PHOTO...", help="Photos of one player's cards.")],
    backs: Annotated[list[Path], typer.Option(metavar="PHOTO...", help="Photos of one back per player.")],
    names: Annotated[str, typer.Option(metavar="A,B,C", help="The backs from left to right.")],
    game: Annotated[str, typer.Option(help=f"The game of the deck: {', '.join(PILE_GAMES)}.")] = "espresso",
    out: Annotated[
        Path | None, typer.Option(metavar="DIR", help="Deck folder; default: in your library.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Say what was learnt as JSON.")] = False,
) -> None:
    """Learn a deck."""
    from calibration.deck_enrolment import confusion, risky_pairs
    from finito.deck_library import DeckLibrary, checked_name
    from finito.enrolling import DeckPhotos, learn
    from finito.seeing import open_eyes

    checked_name(name)
    photos = DeckPhotos(faces, backs, back_names(names))
    rules = game_parameters(game)
    eyes = open_eyes()
    deck = learn(name, rules, photos, eyes)
    folder = DeckLibrary.of_user().save(deck, out)
    weight = eyes.reader.measured.weight
    sides = ((deck.faces, weight["embedding"]), (deck.backs, weight["back"]))
    tables = [confusion(designs, sharpness).tolist() for designs, sharpness in sides]
    risky = [pair for designs, sharpness in sides for pair in risky_pairs(designs, sharpness)]
    if as_json:
        typer.echo(json.dumps(_as_json(deck, folder, tables, risky), ensure_ascii=False))
    else:
        _show(deck, folder, tables, risky)


def back_names(text: str) -> list[str]:
    """The names in `a,b,c`, each once."""
    names = [name.strip() for name in text.split(",")]
    if not all(names):
        raise BadInput(f"--names {text!r} has an empty name; write them like pizza,gelato,pasta")
    twice = next((name for name in names if names.count(name) > 1), None)
    if twice is not None:
        raise BadInput(f"--names has {twice!r} twice; each back needs a name of its own")
    return names


def _as_json(deck: EnrolledDeck, folder: Path, tables: list[Any], risky: list[Pair]) -> dict[str, Any]:
    names = [[design.name for design in designs] for designs in (deck.faces, deck.backs)]
    return {
        "deck": deck.name,
        "game": deck.game,
        "folder": str(folder),
        "faces": names[0],
        "backs": names[1],
        "confusion": {
            side: [[round(share, 4) for share in row] for row in table]
            for side, table in zip(("faces", "backs"), tables, strict=True)
        },
        "risky": [{"between": [pair.one, pair.other], "risk": round(pair.risk, 4)} for pair in risky],
    }


def _show(deck: EnrolledDeck, folder: Path, tables: list[Any], risky: list[Pair]) -> None:
    console = Console()
    console.print(
        f"{deck.name} ({deck.game}): {len(deck.faces)} faces and {len(deck.backs)} backs, kept in {folder}",
        highlight=False,
        markup=False,
        soft_wrap=True,
    )
    console.print("Of 100 looks in another light, so many would be read as they should:", highlight=False)
    console.print(_faces_table(deck.faces, tables[0]))
    console.print("Backs (row) and what they would be taken for (column), of 100:", highlight=False)
    console.print(_backs_table(deck.backs, tables[1]))
    for pair in risky:
        console.print(f"Risky: {pair.one} and {pair.other} may be mistaken ({pair.risk:.0%})", markup=False)
    if not risky:
        console.print("No two cards look so much alike that they are a risk.")


def _faces_table(faces: tuple[EnrolledDesign, ...], table: list[list[float]]) -> Table:
    shown = Table("", box=None, pad_edge=False)
    numbers = list(dict.fromkeys(face.name[1:] for face in faces))
    for number in numbers:
        shown.add_column(number, justify="right")
    right = {face.name: f"{100 * table[i][i]:.0f}" for i, face in enumerate(faces)}
    for colour in dict.fromkeys(face.name[0] for face in faces):
        shown.add_row(colour, *(right.get(colour + number, "") for number in numbers))
    return shown


def _backs_table(backs: tuple[EnrolledDesign, ...], table: list[list[float]]) -> Table:
    shown = Table("", box=None, pad_edge=False)
    for back in backs:
        shown.add_column(back.name, justify="right")
    for back, row in zip(backs, table, strict=True):
        shown.add_row(back.name, *(f"{100 * share:.0f}" for share in row))
    return shown
