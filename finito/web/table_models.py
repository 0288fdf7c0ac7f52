"""What may be sent about the table, and what comes back."""

from __future__ import annotations

from typing import Annotated, Any, Final, Literal

from pydantic import BaseModel, ConfigDict, Field, StrictInt

from finito.web.host import Wish
from finito.web.models import Counts, Sent, Word
from finito.web.on_table import Ruling
from referee.match_commands import HIGHEST_TARGET
from referee.places import Seat
from referee.rules.espresso import DEFAULT_EDITION

SOURCE: Final = r"^(demo|phone|\d{1,2}|(rtsp|rtsps|http|https)://\S+)$"
LineNumber = Annotated[StrictInt, Field(ge=1, le=10_000_000)]


class NewTable(Sent):
    """A match and its first round. Everything may be left out."""

    source: str = Field(
        "demo",
        max_length=300,
        pattern=SOURCE,
        description="demo (bots), phone, the number of a camera, or the address of a stream.",
    )
    names: list[Word] = Field([], max_length=6, examples=[["Anna", "Ben"]])
    backs: list[Word] = Field(
        [],
        max_length=6,
        description="With a camera: the back of each player's cards; the names where absent.",
    )
    seats: list[Seat] = Field([], max_length=6, description="With a camera: where each player sits.")
    deck: Word = Field("house", description="With a camera: an enrolled deck.")
    record: bool = Field(True, description="With a camera: keep the round as a session that can be replayed.")
    players: StrictInt = Field(3, ge=2, le=6, description="How many, where no names are given.")
    variant: list[Literal["normalo", "zero", "chaos"]] = Field(["normalo"], min_length=1, max_length=2)
    edition: Word = Field(DEFAULT_EDITION)
    target: StrictInt | None = Field(None, ge=1, le=HIGHEST_TARGET)
    seed: StrictInt = Field(1, ge=0, le=10**6)
    pace: float = Field(1.0, ge=0.1, le=100, description="How many times faster than life the bots are.")

    def wish(self) -> Wish:
        return Wish(
            guests=tuple(self.names),
            players=self.players,
            variant=tuple(self.variant),
            edition=self.edition,
            target=self.target,
            seed=self.seed,
            pace=self.pace,
        )


class NewRuling(Sent):
    """What the table says of a call."""

    line: LineNumber
    ruling: Ruling = Field(description="right: it stands; wrong: it falls; pass: it happened, no matter.")


class NewCorrection(Sent):
    """That line did not happen, or it was another action."""

    type: Literal["undo", "amend"]
    line: LineNumber
    action: dict[str, Any] | None = Field(
        None, description="The right action in the form of a written round; for amend only."
    )


class NewCall(Sent):
    player: Word


class NewCount(Sent):
    by_back: Counts = Field(examples=[{"pizza": 12, "gelato": 9}])


class TableShown(BaseModel):
    """The round on the table, whole; the WebSocket begins with the same and then tells what changes."""

    model_config = ConfigDict(extra="allow")

    revision: int
    status: dict[str, Any]
    about: dict[str, Any]
    lines: list[dict[str, Any]]
    board: dict[str, Any]
    result: dict[str, Any] | None


class Suggestion(BaseModel):
    by_back: dict[str, int] = Field(
        description="Cards by back, as far as they were seen to go to the centre."
    )
    total: int


class Joined(BaseModel):
    """Links to hand on, each with a code at /api/join/NAME.svg."""

    role: str
    links: dict[str, str]
    fingerprint: str | None
    followers: int
