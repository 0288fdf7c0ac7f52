"""What can happen on a table. Actions are frozen and say when: between two moments."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final, Literal

from referee.cards import UNKNOWN, Face
from referee.places import ESPRESSO

Hand = Literal["left", "right", "both"]


@dataclass(frozen=True, slots=True)
class Interval:
    """When something happened: no earlier than `start`, no later than `end`, in seconds."""

    start: float
    end: float

    def overlaps(self, other: Interval) -> bool:
        """Whether the two may have happened in either order. A shared end point keeps the order."""
        return self.start < other.end and other.start < self.end

    @property
    def exact(self) -> bool:
        return self.start == self.end


UNTIMED: Final = None


@dataclass(frozen=True, slots=True)
class Start:
    """The shout that opens the round."""

    t: Interval | None = UNTIMED
    player: str | None = None


@dataclass(frozen=True, slots=True)
class Play:
    """A card laid into the centre. `pile` is a number, or None for a new pile that is yet to be numbered."""

    player: str
    face: Face
    source: str
    pile: int | None
    t: Interval | None = UNTIMED
    owner: str | None = None
    reveals: Face = UNKNOWN
    hand: Hand | None = None
    opens: bool = False  # the pile has a number already and this play creates it


@dataclass(frozen=True, slots=True)
class Refill:
    """A help slot filled, by the rules from the top of the Espresso stack."""

    player: str
    slot: str
    face: Face
    t: Interval | None = UNTIMED
    reveals: Face = UNKNOWN
    source: str = ESPRESSO


@dataclass(frozen=True, slots=True)
class Turn:
    """Cards turned from the hand onto the waste."""

    player: str
    count: int
    t: Interval | None = UNTIMED
    top: Face = UNKNOWN


@dataclass(frozen=True, slots=True)
class TakeBack:
    """A card taken back from a pile."""

    player: str
    face: Face
    pile: int
    t: Interval | None = UNTIMED


@dataclass(frozen=True, slots=True)
class Recycle:
    """The waste taken up as the new hand, or put under what is left of it."""

    player: str
    t: Interval | None = UNTIMED
    shuffled: bool | None = None


@dataclass(frozen=True, slots=True)
class Finito:
    """A player's call that the Espresso stack is empty."""

    player: str
    t: Interval | None = UNTIMED


@dataclass(frozen=True, slots=True)
class Build:
    """A card laid onto a help card at home, in the games that allow it (Dutch Blitz)."""

    player: str
    face: Face
    source: str
    slot: str
    t: Interval | None = UNTIMED
    reveals: Face = UNKNOWN


Action = Start | Play | Refill | Turn | TakeBack | Recycle | Finito | Build


@dataclass(frozen=True, slots=True)
class Undo:
    """A correction: the action of that line did not happen."""

    line: int


@dataclass(frozen=True, slots=True)
class Amend:
    """A correction: the action of that line was another one."""

    line: int
    action: Action


Correction = Undo | Amend


@dataclass(frozen=True, slots=True)
class Deal:
    """What lies open in front of a player before the shout."""

    player: str
    espresso: int | None
    top: Face
    helps: tuple[Face | None, ...]  # None: a slot that is empty when the record begins


@dataclass(frozen=True, slots=True)
class RoundHeader:
    """The game and who plays it."""

    game: str
    variant: tuple[str, ...]
    edition: str
    players: tuple[str, ...]
    options: tuple[tuple[str, Any], ...] = ()


@dataclass(frozen=True, slots=True)
class Remark:
    """A line that tells nothing of the table: the result that an earlier referee wrote."""


@dataclass(frozen=True, slots=True)
class Count:
    """The cards of the centre, counted by back at the end."""

    by_back: tuple[tuple[str, int], ...]
    race_left: tuple[tuple[str, int], ...] = ()
