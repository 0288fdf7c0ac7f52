"""What hands do: the way of the hand and of the cards for every deed, so that a table can be drawn."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.actions import Hand
from referee.cards import Face

PILE: Final = "pile"


@dataclass(frozen=True, slots=True)
class Spot:
    """A place on the table: one of a player's places, or a pile by its number."""

    place: str
    player: str | None = None
    pile: int | None = None


@dataclass(frozen=True, slots=True)
class MovedCard:
    """A card under way, and whether its face is up where it came from and where it goes."""

    back: str
    face: Face
    up_before: bool
    up_after: bool


@dataclass(frozen=True, slots=True)
class Motion:
    """One way of a hand: it leaves home, grips at `source`, releases at `target` and is home again.

    An aborted motion has no action. Either the hand came too late to grip (`grips` is None), or it carried
    the cards towards `target`, turned back over it at `turns_back` and released them at `source`.
    """

    player: str
    hand: Hand
    deed: str
    source: Spot
    target: Spot
    cards: tuple[MovedCard, ...]
    leaves: float
    grips: float | None
    releases: float | None
    home: float
    action: int | None = None
    turns_back: float | None = None

    @property
    def aborted(self) -> bool:
        return self.grips is None or self.turns_back is not None
