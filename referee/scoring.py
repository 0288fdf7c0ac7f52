"""Points by back at the end of a round, and whether the count agrees with the record."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from referee.rules.parameters import PileGame


@dataclass(frozen=True, slots=True)
class ScoreSheet:
    """A round's points. `unsure` holds what does not agree, as (back, counted, recorded)."""

    points: tuple[tuple[str, int], ...]
    caller: str | None
    totals: tuple[tuple[str, int], ...]
    winner: str | None
    expected: int | None = None
    unsure: tuple[tuple[str, int, int], ...] = ()


def round_points(
    game: PileGame, by_back: Mapping[str, int], caller: str | None, race_left: Mapping[str, int]
) -> dict[str, int]:
    """Points of one round: cards in the centre, the caller's bonus, cards left on the race stack."""
    return {
        back: cards * game.points_per_centre_card
        + (game.caller_bonus if back == caller else 0)
        + race_left.get(back, 0) * game.points_per_race_card_left
        for back, cards in by_back.items()
    }


def winner_of(totals: Mapping[str, int], target: int) -> str | None:
    """Who has reached the target with the highest total; a tie at the top plays on."""
    best = max(totals.values())
    if best < target:
        return None
    first, *rest = [back for back, total in totals.items() if total == best]
    return None if rest else first
