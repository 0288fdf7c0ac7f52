"""What `finito match` shows: score sheet, statistics, list and history; colours only on a terminal."""

from __future__ import annotations

import json
import sys
from collections.abc import Sequence
from typing import Any

from rich.console import Console
from rich.markup import escape
from rich.table import Table

from finito.store.interface import StoredEvent
from finito.store.match_book import KeptMatch
from finito.store.match_codec import decode_match_event
from referee.match import Match, ScoredRound, Standing, label, standing
from referee.match_events import (
    MatchCreated,
    MatchEvent,
    MatchRenamed,
    RoundAdded,
    RoundEdited,
    RoundRestored,
    RoundUndone,
)
from referee.statistics import statistics

ROW_STYLES = {"counts": "", "undone": "dim strike", "after-the-end": "dim"}
NOTES = {"counts": "", "undone": "undone", "after-the-end": "after the end"}


def print_json(document: dict[str, Any]) -> None:
    sys.stdout.write(json.dumps(document, ensure_ascii=False) + "\n")


def tell(sentence: str) -> None:
    Console().print(sentence, markup=False, highlight=False, soft_wrap=True)


def sentence_of(event: MatchEvent, rounds: int) -> str:
    """What happened, after which the match has that many rounds."""
    match event:
        case MatchCreated():
            return f"the match begins: {event.name}, to {event.target}"
        case MatchRenamed():
            return f"the match is now called {event.name}"
        case RoundAdded():
            return f"round {rounds} is added"
        case RoundEdited():
            return f"round {event.round} is corrected"
        case RoundUndone():
            return f"round {event.round} is undone; 'finito match redo' brings it back"
        case RoundRestored():
            return f"round {event.round} is restored"


def show_match(kept: KeptMatch, *, with_statistics: bool = False) -> None:
    """The score sheet with who leads or has won."""
    now, console = standing(kept.match), Console()
    console.print(_score_sheet(kept, now))
    console.print(_outcome(kept.match, now), markup=False, highlight=False)
    if with_statistics and now.rounds:
        console.print(_statistics_table(kept.match))


def _score_sheet(kept: KeptMatch, now: Standing) -> Table:
    created = kept.match.created
    game = f"{created.game} {'+'.join(created.variant)}, {created.edition}, to {created.target}"
    table = Table(title=escape(f"{kept.id}: {kept.match.name}"), caption=game, show_footer=True)
    table.add_column("Round", justify="right", footer="Total")
    for player in kept.match.players:
        header = escape(label(kept.match, player.back))
        table.add_column(header, justify="right", footer=str(now.totals[player.back]))
    if any(entry.status != "counts" for entry in now.rounds):
        table.add_column("")
    for entry in now.rounds:
        table.add_row(*_score_row(entry), style=ROW_STYLES[entry.status])
    return table


def _score_row(entry: ScoredRound) -> list[str]:
    caller = entry.sheet.finito
    points = [f"{'Finito ' if back == caller else ''}{points}" for back, points in entry.points.items()]
    return [str(entry.number), *points, *filter(None, [NOTES[entry.status]])]


def _outcome(match: Match, now: Standing) -> str:
    if now.winner is not None:
        return f"{label(match, now.winner)} wins with {now.totals[now.winner]} points."
    if not any(entry.status == "counts" for entry in now.rounds):
        return "No round counts yet."
    names = " and ".join(label(match, back) for back in now.leaders)
    return f"{names} {'leads' if len(now.leaders) == 1 else 'lead'} with {max(now.totals.values())} points."


def _statistics_table(match: Match) -> Table:
    table = Table("Player", title="Statistics")
    for heading in ("Rounds", "Finitos", "Average", "Best", "Illegal"):
        table.add_column(heading, justify="right")
    for back, figures in statistics(match).items():
        best = "–" if figures.best is None else str(figures.best)
        numbers = (
            str(figures.rounds),
            str(figures.finitos),
            f"{figures.average:.1f}",
            best,
            str(figures.illegal),
        )
        table.add_row(escape(label(match, back)), *numbers)
    return table


def show_list(matches: Sequence[KeptMatch]) -> None:
    """All matches with their totals, the newest first."""
    if not matches:
        tell("There is no match yet; start one with 'finito match new'.")
        return
    table = Table("Match", "Name", "Game", "Rounds", "Totals", "Winner")
    for kept in matches:
        now, match = standing(kept.match), kept.match
        totals = ", ".join(f"{player.name} {now.totals[player.back]}" for player in match.players)
        played = sum(entry.status == "counts" for entry in now.rounds)
        winner = "" if now.winner is None else label(match, now.winner)
        cells = (kept.id, match.name, match.created.game, str(played), totals, winner)
        table.add_row(*(escape(cell) for cell in cells))
    Console().print(table)


def show_history(stream: str, events: Sequence[StoredEvent], as_json: bool) -> None:
    """Every entry and correction in the order in which it was made."""
    rounds = 0
    for stored in events:
        if as_json:
            print_json({"sequence": stored.sequence, **stored.event})
            continue
        event = decode_match_event(stream, stored)
        rounds += isinstance(event, RoundAdded)
        tell(f"{stored.sequence:>4}  {event.at}  {sentence_of(event, rounds)}")
