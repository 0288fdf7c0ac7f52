"""What can happen to a match, as frozen events; a round is a sheet with one tally per player."""

from __future__ import annotations

from dataclasses import dataclass

from referee.errors import RefereeError


class MatchError(RefereeError):
    """What was asked for makes no sense in this match."""


class MatchConflict(MatchError):
    """It would make sense at another moment: the match is over, the round is already undone."""


class NoSuchRound(MatchError):
    """A round that was never played."""


@dataclass(frozen=True, slots=True)
class Player:
    back: str
    name: str
    seat: str | None = None


@dataclass(frozen=True, slots=True)
class Tally:
    """One player's line of a round: cards counted in the centre, or the final points as written by hand."""

    back: str
    cards: int | None = None
    points: int | None = None
    race_left: int = 0
    illegal: int = 0


@dataclass(frozen=True, slots=True)
class RoundSheet:
    """What was counted at the end of one round; nobody calls Finito in an impasse."""

    tallies: tuple[Tally, ...]
    finito: str | None = None


@dataclass(frozen=True, slots=True)
class MatchCreated:
    players: tuple[Player, ...]
    game: str
    variant: tuple[str, ...]
    edition: str
    target: int
    name: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class MatchRenamed:
    name: str
    at: str = ""


@dataclass(frozen=True, slots=True)
class RoundAdded:
    sheet: RoundSheet
    at: str = ""


@dataclass(frozen=True, slots=True)
class RoundEdited:
    round: int
    sheet: RoundSheet
    at: str = ""


@dataclass(frozen=True, slots=True)
class RoundUndone:
    round: int
    at: str = ""


@dataclass(frozen=True, slots=True)
class RoundRestored:
    round: int
    at: str = ""


MatchEvent = MatchCreated | MatchRenamed | RoundAdded | RoundEdited | RoundUndone | RoundRestored
