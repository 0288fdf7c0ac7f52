"""What a bot has in mind to do. A deed becomes an action at the moment the hand lets go."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal

from referee.actions import Hand
from referee.cards import UNKNOWN, Face
from referee.places import ESPRESSO, HAND, WASTE

Kind = Literal["play", "build", "refill", "turn", "recycle", "take_back", "finito"]

# Cards laid by these faults do not fit and are taken back; those of the other faults stay where they are.
STRAY_FAULTS: Final = frozenset(
    {
        "wrong-number",
        "wrong-colour",
        "pile-complete",
        "too-late",
        "must-start-with-zero",
        "joker-on-eight",
        "joker-on-joker",
        "after-finito",
    }
)


@dataclass(frozen=True, slots=True)
class Deed:
    """A plan of one player. `then` is the follower that a joker was planned with."""

    kind: Kind
    player: str
    owner: str
    source: str = ESPRESSO
    face: Face = UNKNOWN
    pile: int | None = None
    slot: str = ""
    count: int = 0
    shuffled: bool = False
    impasse: bool = False
    hand: Hand = "right"
    depth: int = 0
    fault: str | None = None
    then: Deed | None = None

    def touched(self) -> tuple[tuple[str, str], ...]:
        """The places of players that nobody else may use while the cards are in the air."""
        if self.kind == "turn" or self.kind == "recycle":
            return (self.owner, HAND), (self.owner, WASTE)
        if self.kind == "refill" or self.kind == "build":
            return (self.owner, self.source), (self.owner, self.slot)
        if self.kind == "finito":
            return ()
        own = ((self.owner, self.source),)
        return own if self.then is None else (*own, (self.then.owner, self.then.source))
