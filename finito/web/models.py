"""What may be sent to the web API and what comes back."""

from __future__ import annotations

from typing import Annotated, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt, model_validator

from referee.match import Match, find_player
from referee.match_commands import HIGHEST_TARGET, LONGEST_NAME, LONGEST_TITLE, MOST_ILLEGAL, MOST_POINTS
from referee.match_events import MatchError, Player, RoundSheet, Tally
from referee.places import Seat
from referee.rules.espresso import DEFAULT_EDITION

Word = Annotated[str, Field(min_length=1, max_length=LONGEST_NAME)]
Count = Annotated[StrictInt, Field(ge=0, le=MOST_ILLEGAL)]
Points = Annotated[StrictInt, Field(ge=-MOST_POINTS, le=MOST_POINTS)]
Counts = Annotated[dict[Word, Count], Field(max_length=12)]


class Sent(BaseModel):
    model_config = ConfigDict(extra="forbid")


class NewPlayer(Sent):
    back: Word = Field(description="The design on the back of this player's cards.", examples=["pizza"])
    name: Word | None = Field(None, description="The back where absent.", examples=["Anna"])
    seat: Seat | None = Field(None, description="South is the bottom edge of the camera picture.")

    def player(self) -> Player:
        return Player(self.back, self.name or self.back, None if self.seat is None else self.seat.value)


class NewMatch(Sent):
    """Who plays what, and to how many points."""

    players: list[NewPlayer] = Field(
        min_length=2, max_length=12, examples=[[{"back": "pizza", "name": "Anna"}, {"back": "gelato"}]]
    )
    game: Word = Field("espresso", description="espresso, ligretto or dutch-blitz.")
    variant: list[Word] = Field(
        ["normalo"], max_length=2, description="normalo, zero, chaos, or the last two."
    )
    edition: Word = Field(DEFAULT_EDITION, description="amigo-1995, forum-1996 or escale.")
    target: StrictInt | None = Field(
        None, ge=1, le=HIGHEST_TARGET, description="The game's own where absent."
    )
    name: str = Field("", max_length=LONGEST_TITLE, description="The players' names where absent.")


class NewName(Sent):
    name: str = Field(min_length=1, max_length=LONGEST_TITLE, examples=["Friday"])


class NewRound(Sent):
    """A round by cards counted in the centre, or by points with bonus and deductions already in them."""

    by_back: Counts | None = Field(None, examples=[{"pizza": 12, "gelato": 9}])
    points: Annotated[dict[Word, Points], Field(max_length=12)] | None = Field(
        None, description="Instead of by_back."
    )
    finito: Word | None = Field(None, description="Who called Finito, if anybody.", examples=["pizza"])
    race_left: Counts = Field(default_factory=dict, description="Cards left on the race stack.")
    illegal: Counts = Field(default_factory=dict, description="Illegal plays in this round.")

    @model_validator(mode="after")
    def _one_way_to_count(self) -> NewRound:
        if (self.by_back is None) == (self.points is None):
            raise ValueError("give either by_back or points")
        return self

    def sheet(self, match: Match) -> RoundSheet:
        cards, points = _by_player(match, self.by_back), _by_player(match, self.points)
        left, illegal = _by_player(match, self.race_left), _by_player(match, self.illegal)
        backs = [player.back for player in match.players if player.back in {*cards, *points, *left, *illegal}]
        tallies = (
            Tally(back, cards.get(back), points.get(back), left.get(back, 0), illegal.get(back, 0))
            for back in backs
        )
        return RoundSheet(tuple(tallies), self.finito)


def _by_player(match: Match, numbers: dict[str, int] | None) -> dict[str, int]:
    found: dict[str, int] = {}
    for word, number in (numbers or {}).items():
        back = find_player(match, word).back
        if back in found:
            raise MatchError(
                f"{word!r} gives a second number for one player: give each once, by back or name"
            )
        found[back] = number
    return found


class Problem(BaseModel):
    """What went wrong, in one sentence."""

    error: str = Field(examples=["there is no match '7'; the latest are 1 (Friday)"])


class Health(BaseModel):
    status: Literal["ok"] = "ok"
    version: str
    matches: int


class PlayerShown(BaseModel):
    back: str
    name: str
    seat: str | None


class RoundShown(BaseModel):
    round: int
    status: Literal["counts", "undone", "after-the-end"]
    finito: str | None
    points: dict[str, int]
    by_back: dict[str, int]
    race_left: dict[str, int]
    illegal: dict[str, int]
    totals: dict[str, int]


class StatisticsShown(BaseModel):
    rounds: int
    finitos: int
    average: float
    best: int | None
    illegal: int


class SummaryShown(BaseModel):
    match: str
    version: int = Field(description="Grows with every change; send it with the next change.")
    name: str
    game: str
    target: int
    players: list[PlayerShown]
    played: int
    totals: dict[str, int]
    leaders: list[str]
    winner: str | None
    decided_in: int | None


class MatchShown(SummaryShown):
    variant: list[str]
    edition: str
    created: str
    rounds: list[RoundShown]
    statistics: dict[str, StatisticsShown]
