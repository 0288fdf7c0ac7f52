"""Who plays what with which deck under which camera; kept in the journal for the day the server is killed."""

from __future__ import annotations

from dataclasses import asdict, dataclass, field
from typing import TYPE_CHECKING, Any

from referee.actions import RoundHeader
from referee.match_events import Player
from referee.places import Seat

if TYPE_CHECKING:
    from finito.live_setup import Guest
    from vision.observations import Observation
    from vision.pipeline import Setting

Json = dict[str, Any]


@dataclass(frozen=True, slots=True)
class WatchOrder:
    """`names` are what players are called where that is not their back.

    `setting` is a table that is known already, and `before` what was told of it.
    """

    header: RoundHeader
    guests: tuple[Guest, ...]
    deck: str
    target: int | None = None
    names: dict[str, str] = field(default_factory=dict)
    setting: Setting | None = field(default=None, compare=False)
    before: tuple[Observation, ...] = field(default=(), compare=False)

    @property
    def players(self) -> tuple[Player, ...]:
        return tuple(
            Player(guest.name, self.names.get(guest.name, guest.name), guest.seat) for guest in self.guests
        )

    def to_json(self) -> Json:
        return {
            "header": asdict(self.header),
            "guests": [[guest.name, guest.seat] for guest in self.guests],
            "deck": self.deck,
            "target": self.target,
            "names": self.names,
        }


def order_from(known: Json) -> WatchOrder:
    """The order of `to_json`; KeyError, TypeError or ValueError where it is none."""
    from finito.live_setup import Guest

    header = known["header"]
    return WatchOrder(
        RoundHeader(header["game"], tuple(header["variant"]), header["edition"], tuple(header["players"])),
        tuple(Guest(name, None if seat is None else Seat(seat)) for name, seat in known["guests"]),
        str(known["deck"]),
        known["target"],
        dict(known["names"]),
    )
