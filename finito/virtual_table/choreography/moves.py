"""What the stage knows of a hand's way: the cards it takes, and where they lie before and after."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from finito.virtual_table.scene import Card
from referee.actions import Hand

Side = Literal["left", "right"]


@dataclass(frozen=True)
class Lie:
    """How a card lies: its middle, its turn and the height of what is below it."""

    x: float
    y: float
    angle: float
    z: float = 0.0


@dataclass(frozen=True)
class Carried:
    """A card on its way. Its sides are `face` or `back`."""

    card: str
    face: str
    back: str
    start: Lie
    end: Lie
    side_before: str
    side_after: str


@dataclass(frozen=True)
class Move:
    """One way of a hand. Without `grips` it turns round before it has reached `start`.

    `via` is where it turns back at `turns_back` with the cards still between its fingers.
    """

    player: str
    hand: Hand
    deed: str
    start: Lie
    leaves: float
    grips: float | None
    releases: float | None
    home: float
    cards: tuple[Carried, ...] = ()
    turns_back: float | None = None
    via: Lie | None = None

    def uses(self, side: Side) -> bool:
        return self.hand in (side, "both")

    def carries(self, t: float) -> bool:
        return self.grips is not None and self.releases is not None and self.grips <= t < self.releases


@dataclass(frozen=True)
class Epoch:
    """What rests on the table and what each player holds, from `t` until the next change.

    `places` says for every card where it belongs; held decks are listed from the top.
    """

    t: float
    resting: tuple[Card, ...]
    decks: dict[str, tuple[str, ...]]
    places: dict[str, str]
