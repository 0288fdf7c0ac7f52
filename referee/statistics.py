"""How each player did over the rounds of a match that count."""

from __future__ import annotations

from dataclasses import dataclass

from referee.match import Match, standing


@dataclass(frozen=True, slots=True)
class PlayerStatistics:
    rounds: int
    finitos: int
    average: float
    best: int | None  # nobody has a best round before the first one
    illegal: int


def statistics(match: Match) -> dict[str, PlayerStatistics]:
    """Rounds, Finitos, average and best points of a round, and illegal plays, by back."""
    counting = [entry for entry in standing(match).rounds if entry.status == "counts"]
    answer: dict[str, PlayerStatistics] = {}
    for player in match.players:
        points = [entry.points[player.back] for entry in counting]
        tallies = [tally for entry in counting for tally in entry.sheet.tallies if tally.back == player.back]
        answer[player.back] = PlayerStatistics(
            rounds=len(points),
            finitos=sum(entry.sheet.finito == player.back for entry in counting),
            average=round(sum(points) / len(points), 2) if points else 0.0,
            best=max(points, default=None),
            illegal=sum(tally.illegal for tally in tallies),
        )
    return answer
