"""A match as plain data: a document for JSON, and a table with a row per round and player for CSV."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterator
from dataclasses import asdict
from typing import Any, Final

from referee.match import Match, ScoredRound, Standing, standing
from referee.statistics import statistics

COLUMNS: Final = (
    "match",
    "round",
    "status",
    "player",
    "back",
    "seat",
    "cards",
    "race_left",
    "finito",
    "illegal",
    "points",
    "total",
)


def match_document(match_id: str, match: Match, version: int) -> dict[str, Any]:
    """All there is to know about a match, ready for JSON; version grows by one with every event."""
    now = standing(match)
    return {
        **match_summary(match_id, match, version, now),
        "variant": list(match.created.variant),
        "edition": match.created.edition,
        "created": match.created.at,
        "rounds": [_round_document(entry) for entry in now.rounds],
        "statistics": {back: asdict(figures) for back, figures in statistics(match).items()},
    }


def match_summary(match_id: str, match: Match, version: int, now: Standing | None = None) -> dict[str, Any]:
    """The head of the document: who plays, for how much, and who leads or has won."""
    now = now or standing(match)
    return {
        "match": match_id,
        "version": version,
        "name": match.name,
        "game": match.created.game,
        "target": match.created.target,
        "players": [asdict(player) for player in match.players],
        "played": sum(entry.status == "counts" for entry in now.rounds),
        "totals": dict(now.totals),
        "leaders": list(now.leaders),
        "winner": now.winner,
        "decided_in": now.decided_in,
    }


def _round_document(entry: ScoredRound) -> dict[str, Any]:
    tallies = entry.sheet.tallies
    return {
        "round": entry.number,
        "status": entry.status,
        "finito": entry.sheet.finito,
        "points": dict(entry.points),
        "by_back": {tally.back: tally.cards for tally in tallies if tally.cards is not None},
        "race_left": {tally.back: tally.race_left for tally in tallies},
        "illegal": {tally.back: tally.illegal for tally in tallies},
        "totals": dict(entry.totals),
    }


def match_csv(match_id: str, match: Match) -> str:
    """The score sheet as CSV (RFC 4180)."""
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(COLUMNS)
    writer.writerows(_csv_rows(match_id, match))
    return text.getvalue()


def _csv_rows(match_id: str, match: Match) -> Iterator[tuple[object, ...]]:
    players = {player.back: player for player in match.players}
    for entry in standing(match).rounds:
        for tally in entry.sheet.tallies:
            player = players[tally.back]
            yield (
                match_id,
                entry.number,
                entry.status,
                player.name,
                player.back,
                player.seat,
                tally.cards,
                tally.race_left,
                int(entry.sheet.finito == tally.back),
                tally.illegal,
                entry.points[tally.back],
                entry.totals[tally.back],
            )
