"""The table as a terminal shows it: the piles, everybody's open cards, and the last calls."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from rich import box
from rich.columns import Columns
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from referee.cards import Colour, Face
from referee.round import RoundReferee
from referee.state import Pile, RoundState, Side
from referee.verdicts import Outcome

INKS: Final = {
    Colour.RED: "bold white on red",
    Colour.YELLOW: "bold black on yellow",
    Colour.GREEN: "bold white on green",
    Colour.BLUE: "bold white on blue",
}
STYLES: Final = {Outcome.LEGAL: "green", Outcome.ILLEGAL: "bold red", Outcome.UNSURE: "yellow"}
MOST_CALLS: Final = 8


def card(face: Face | None) -> Text:
    """A card in its colour, with the initial of the colour, so that colours alone never tell."""
    if face is None:
        return Text.assemble(("  · ", "dim"))
    ink = "black on white" if face.colour is None else INKS[face.colour]
    return Text.assemble((f" {face} ", ink))


def board(referee: RoundReferee, calls: Sequence[Text], heading: str) -> RenderableType:
    """The standing of a round with its last calls."""
    state = referee.state
    parts: list[RenderableType] = [
        Panel(_piles(state), title=heading, box=box.ROUNDED, title_align="left"),
        _sides(referee.rules.players, state),
    ]
    if calls:
        parts.append(Panel(Group(*calls[-MOST_CALLS:]), box=box.ROUNDED, height=MOST_CALLS + 2))
    return Group(*parts)


def _piles(state: RoundState) -> RenderableType:
    if not state.piles:
        return Text("no pile yet", "dim")
    return Columns([_pile(number, pile) for number, pile in enumerate(state.piles, start=1)], padding=(0, 2))


def _pile(number: int, pile: Pile) -> Text:
    return Text.assemble((f"{number} ", "dim"), card(pile.face if pile.height else None))


def _sides(names: Sequence[str], state: RoundState) -> Table:
    table = Table(box=box.SIMPLE_HEAD, pad_edge=False)
    for heading in ("player", "Espresso", "help cards", "waste", "hand", "centre"):
        table.add_column(heading)
    for name, side in zip(names, state.sides, strict=True):
        table.add_row(name, *_row(side))
    return table


def _row(side: Side) -> list[Text]:
    helps = Text()
    for slot in side.helps:
        helps.append_text(card(slot)).append(" ")
    stack = card(side.top if side.espresso else None)
    stack.append(f" ×{side.espresso}")
    waste = card(side.waste[-1] if side.waste else None)
    return [stack, helps, waste, Text(str(side.hand)), Text(str(side.centre))]


def call(line: str, outcome: Outcome, rule: str | None, why: str) -> Text:
    """One verdict as a line of the last calls."""
    text = Text(f"{line:>7}  ")
    text.append(f"{outcome.value:<8}", STYLES[outcome])
    text.append(f"{rule}: {why}" if rule else why)
    return text
