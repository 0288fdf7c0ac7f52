"""Everybody who ever played, over all matches."""

from __future__ import annotations

import csv
import io
from collections.abc import Iterable
from dataclasses import dataclass, fields

from fastapi import APIRouter, Response
from pydantic import BaseModel

from finito.store.match_book import MatchBook
from finito.web.problems import DOCUMENTED
from referee.match import Match, standing


class PlayerOverall(BaseModel):
    """What one player did in all matches; players are known by their names."""

    player: str
    matches: int
    wins: int
    rounds: int
    finitos: int
    average: float
    best: int | None
    illegal: int


@dataclass
class _Record:
    matches: int = 0
    wins: int = 0
    rounds: int = 0
    finitos: int = 0
    points: int = 0
    best: int | None = None
    illegal: int = 0


def player_routes(book: MatchBook) -> APIRouter:
    router = APIRouter(prefix="/api/players", tags=["matches"], responses=DOCUMENTED)

    @router.get("", summary="All players with their figures over all matches")
    def players() -> list[PlayerOverall]:
        return overall(kept.match for kept in book.newest_first())

    @router.get(
        "/export",
        summary="The same as CSV",
        response_class=Response,
        responses={200: {"content": {"text/csv": {}}}},
    )
    def export() -> Response:
        named = {"Content-Disposition": 'attachment; filename="players.csv"'}
        text = players_csv(overall(kept.match for kept in book.newest_first()))
        return Response(text, media_type="text/csv", headers=named)

    return router


def overall(matches: Iterable[Match]) -> list[PlayerOverall]:
    """The one with the most wins first."""
    records: dict[str, _Record] = {}
    called: dict[str, str] = {}
    for match in matches:
        now = standing(match)
        for player in match.players:
            key = player.name.casefold()
            called.setdefault(key, player.name)
            record = records.setdefault(key, _Record())
            record.matches += 1
            record.wins += now.winner == player.back
            for entry in now.rounds:
                if entry.status != "counts":
                    continue
                points = entry.points[player.back]
                record.rounds += 1
                record.points += points
                record.best = points if record.best is None else max(record.best, points)
                record.finitos += entry.sheet.finito == player.back
                record.illegal += sum(t.illegal for t in entry.sheet.tallies if t.back == player.back)
    told = [_told(called[key], record) for key, record in records.items()]
    return sorted(told, key=lambda player: (-player.wins, -player.average, player.player.casefold()))


def _told(name: str, record: _Record) -> PlayerOverall:
    figures = {each.name: getattr(record, each.name) for each in fields(record) if each.name != "points"}
    average = round(record.points / record.rounds, 2) if record.rounds else 0.0
    return PlayerOverall(player=name, average=average, **figures)


def players_csv(players: Iterable[PlayerOverall]) -> str:
    text = io.StringIO()
    writer = csv.writer(text)
    writer.writerow(PlayerOverall.model_fields)
    writer.writerows(player.model_dump().values() for player in players)
    return text.getvalue()
