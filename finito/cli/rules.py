"""`finito rules`: the rules of a game, variant and edition, to play from."""

from __future__ import annotations

import json
import sys
from typing import Annotated

import typer
from rich.console import Console
from rich.padding import Padding
from rich.text import Text

from finito.cli.words import parse_variant
from finito.errors import BadInput
from finito.rule_book.book import RuleBook, rule_book
from referee.actions import RoundHeader
from referee.errors import RefereeError
from referee.language import LANGUAGES, words_of
from referee.rules.espresso import DEFAULT_EDITION, EDITIONS, VARIANTS, rules_for
from referee.rules.parameters import PILE_GAMES, game_parameters
from referee.rules.pile_game import PileRules

READABLE_WIDTH = 88
HELP = """Print the rules of a game, a variant and an edition, and the names the referee calls them by.

Examples:

  finito rules

  finito rules --variant zero --variant chaos --lang de

  finito rules --edition forum-1996 --lang nl

  finito rules --game ligretto --json
"""


def register(app: typer.Typer) -> None:
    app.command("rules", help=HELP)(rules)


def rules(
    game: Annotated[str, typer.Option(help=f"One of {', '.join(PILE_GAMES)}.")] = "espresso",
    variant: Annotated[
        list[str] | None, typer.Option(help=f"One of {', '.join(VARIANTS)}; zero and chaos may be combined.")
    ] = None,
    edition: Annotated[
        str | None, typer.Option(help=f"One of {', '.join(EDITIONS)}.", show_default=DEFAULT_EDITION)
    ] = None,
    lang: Annotated[str, typer.Option(help=f"One of {', '.join(LANGUAGES)}.")] = "en",
    as_json: Annotated[bool, typer.Option("--json", help="One JSON object.")] = False,
) -> None:
    """Print the rules."""
    chosen = parse_variant(variant or ())
    try:
        words_of(lang)
        played = _played(game, chosen, edition)
    except RefereeError as error:
        raise BadInput(str(error)) from None
    printed = edition or DEFAULT_EDITION
    book = rule_book(played, printed, lang)
    if as_json:
        _print_json(book, played, printed, lang)
    else:
        print_book(book, Console())


def _played(game: str, variant: tuple[str, ...], edition: str | None) -> PileRules:
    """The rules asked for; the names of the players do not matter here."""
    players = tuple(str(n) for n in range(game_parameters(game).min_players))
    played = rules_for(
        RoundHeader(players=players, game=game, variant=variant, edition=edition or DEFAULT_EDITION)
    )
    if edition is not None and game != "espresso":
        raise RefereeError(f"editions belong to espresso; leave --edition out for {game}")
    return played


def _print_json(book: RuleBook, played: PileRules, edition: str, lang: str) -> None:
    variant = [name for name, on in (("zero", played.zero), ("chaos", played.chaos)) if on] or ["normalo"]
    answer = {
        "game": played.game.name,
        "variant": variant,
        "edition": edition if played.game.name == "espresso" else None,
        "language": lang,
        "title": book.title,
        "sections": [{"title": each.title, "paragraphs": list(each.paragraphs)} for each in book.sections],
        "rules": [{"rule": name, "sentence": sentence} for name, sentence in book.called],
    }
    sys.stdout.write(json.dumps(answer, ensure_ascii=False) + "\n")


def print_book(book: RuleBook, console: Console) -> None:
    """Wrapped and in colour on a terminal; in a pipe one line per paragraph, as plain text."""
    page = _Page(console)
    page.line(Text(book.title, "bold magenta"))
    for section in book.sections:
        page.heading(section.title)
        for paragraph in section.paragraphs:
            page.line(Text(paragraph))
    page.heading(book.called_title)
    for name, sentence in book.called:
        page.line(Text(name, "bold"))
        page.line(Text(sentence), indent=4)


class _Page:
    def __init__(self, console: Console) -> None:
        self.console = console
        self.width = min(console.width, READABLE_WIDTH)

    def heading(self, title: str) -> None:
        self.console.print()
        self.line(Text(title, "bold cyan"))

    def line(self, text: Text, indent: int = 0) -> None:
        if self.console.is_terminal:
            self.console.print(Padding(text, (0, 0, 0, indent)), width=self.width)
        else:
            self.console.file.write(" " * indent + text.plain + "\n")
