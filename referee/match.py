"""A match is the fold of its events: rounds added up until one player alone is on top at the target."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Literal

from referee.match_events import (
    MatchCreated,
    MatchError,
    MatchEvent,
    MatchRenamed,
    NoSuchRound,
    Player,
    RoundAdded,
    RoundEdited,
    RoundRestored,
    RoundSheet,
    RoundUndone,
)
from referee.rules.parameters import PileGame, game_parameters
from referee.scoring import round_points, winner_of


@dataclass(frozen=True, slots=True)
class Match:
    """The fold of a match's events. Round numbers never change, whatever is undone."""

    created: MatchCreated
    name: str
    sheets: tuple[RoundSheet, ...] = ()
    undone: tuple[int, ...] = ()  # round numbers in the order in which they were undone

    @property
    def players(self) -> tuple[Player, ...]:
        return self.created.players

    @property
    def game(self) -> PileGame:
        return game_parameters(self.created.game)


Status = Literal["counts", "undone", "after-the-end"]


@dataclass(frozen=True, slots=True)
class ScoredRound:
    number: int
    sheet: RoundSheet
    status: Status
    points: Mapping[str, int]
    totals: Mapping[str, int]


@dataclass(frozen=True, slots=True)
class Standing:
    rounds: tuple[ScoredRound, ...]
    totals: Mapping[str, int]
    leaders: tuple[str, ...]
    winner: str | None
    decided_in: int | None


def fold(events: Iterable[MatchEvent]) -> Match:
    """The match that these events tell, in their order."""
    match: Match | None = None
    for event in events:
        match = apply(match, event)
    if match is None:
        raise MatchError("a match without events has not been created yet")
    return match


def apply(match: Match | None, event: MatchEvent) -> Match:
    """The match after one more event."""
    if isinstance(event, MatchCreated):
        if match is not None:
            raise MatchError("a match is created once, by its first event")
        return Match(created=event, name=event.name)
    if match is None:
        raise MatchError(f"a match begins with its creation, not with {type(event).__name__}")
    match event:
        case MatchRenamed():
            return replace(match, name=event.name)
        case RoundAdded():
            return replace(match, sheets=(*match.sheets, event.sheet))
        case RoundEdited():
            require_round(match, event.round)
            before, after = match.sheets[: event.round - 1], match.sheets[event.round :]
            return replace(match, sheets=(*before, event.sheet, *after))
        case RoundUndone():
            require_round(match, event.round)
            return replace(match, undone=(*match.undone, event.round))
        case RoundRestored():
            return replace(match, undone=tuple(n for n in match.undone if n != event.round))


def standing(match: Match) -> Standing:
    """Points by round, totals and the winner: the first round that leaves one player alone on top decides."""
    totals = {player.back: 0 for player in match.players}
    rounds: list[ScoredRound] = []
    decided_in: int | None = None
    for number, sheet in enumerate(match.sheets, start=1):
        points = sheet_points(match.game, sheet)
        status: Status = (
            "undone" if number in match.undone else "counts" if not decided_in else "after-the-end"
        )
        if status == "counts":
            totals = {back: total + points[back] for back, total in totals.items()}
            decided_in = number if winner_of(totals, match.created.target) else None
        rounds.append(ScoredRound(number, sheet, status, points, totals))
    top = max(totals.values())
    leaders = tuple(back for back, total in totals.items() if total == top)
    return Standing(tuple(rounds), totals, leaders, winner_of(totals, match.created.target), decided_in)


def sheet_points(game: PileGame, sheet: RoundSheet) -> dict[str, int]:
    """Points by back. Points entered by hand already hold bonus and deductions."""
    by_back = {tally.back: tally.cards for tally in sheet.tallies if tally.cards is not None}
    race_left = {tally.back: tally.race_left for tally in sheet.tallies}
    entered = {tally.back: tally.points for tally in sheet.tallies if tally.points is not None}
    return round_points(game, by_back, sheet.finito, race_left) | entered


def find_player(match: Match, word: str) -> Player:
    """The player with this back or name, whatever the case."""
    for player in match.players:
        if word.casefold() in (player.back.casefold(), player.name.casefold()):
            return player
    known = ", ".join(label(match, player.back) for player in match.players)
    raise MatchError(f"{word!r} does not play in this match; the players are {known}")


def label(match: Match, back: str) -> str:
    """How to speak of a player: 'Anna (pizza)', or just 'pizza' for someone without a name of their own."""
    name = next(player.name for player in match.players if player.back == back)
    return back if name == back else f"{name} ({back})"


def require_round(match: Match, number: int) -> None:
    if not 1 <= number <= len(match.sheets):
        played = f"rounds 1 to {len(match.sheets)} are" if match.sheets else "no round is"
        raise NoSuchRound(f"round {number} does not exist: {played} played so far")
