"""A camera on the table's pages: the eyes see, the live referee judges, the pages hear and correct."""

from __future__ import annotations

import threading
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Final, Protocol

from finito.ending.refereed_round import RefereedRound
from finito.errors import BadInput
from finito.web.host import TableHost
from finito.web.stories import pressed
from finito.web.watched_round import LiveRound, WatchedRound
from referee.actions import Count, RoundHeader
from referee.errors import RefereeError
from referee.match_events import Player
from vision.errors import VisionError
from vision.frame import Frame
from vision.observations import Look, Observation, Spot
from vision.pipelining.watching import watched
from vision.sources import Event, Source

if TYPE_CHECKING:
    from calibration.table_plane import TablePlane
    from finito.live_setup import Guest, TableSetUp

Json = dict[str, Any]
_PICTURE_STEP: Final = 0.1


@dataclass(frozen=True, slots=True)
class WatchOrder:
    """Who plays what with which deck."""

    header: RoundHeader
    guests: tuple[Guest, ...]
    deck: str
    target: int | None = None


class Seeing(Protocol):
    """What is needed of `finito.live_setup.LiveTable`."""

    pipeline: Any

    @property
    def why(self) -> str: ...

    def see(self, event: Event) -> list[Observation]: ...


@dataclass
class _Outlines:
    """What was last seen at each spot, as outlines in the camera's picture."""

    plane: TablePlane | None = None
    zones: list[Json] = field(default_factory=list)
    looks: dict[Spot, Json] = field(default_factory=dict)

    def ready(self, set_up: TableSetUp) -> None:
        setting = set_up.setting
        self.plane = setting.plane
        places = [place for seat in setting.zones.seats for place in seat.places]
        self.zones = [
            {"corners": _rounded(setting.plane.card_outline(place.x, place.y, place.angle)), "kind": "zone"}
            for place in places
        ]

    def heard(self, look: Look) -> None:
        if look.shows == "nothing" or self.plane is None:
            self.looks.pop(look.spot, None)
            return
        word = look.faces[0][0] if look.faces else look.backs[0][0] if look.backs else "?"
        corners = _rounded(self.plane.card_outline(*look.at, look.angle - 90))
        self.looks[look.spot] = {"corners": corners, "word": word, "kind": "card"}

    def scaled(self, scale: float) -> list[Json]:
        return [
            {**mark, "corners": [[round(x * scale), round(y * scale)] for x, y in mark["corners"]]}
            for mark in (*self.zones, *self.looks.values())
        ]


def _rounded(corners: Any) -> list[list[float]]:
    return [[round(float(x), 1), round(float(y), 1)] for x, y in corners]


class LiveWatch:
    """Sees a source in a thread of its own until it ends or is stopped."""

    def __init__(self, host: TableHost, referee: LiveRound, source: Source) -> None:
        self._table = host.table
        self._round = WatchedRound(host.table, referee)
        self._host, self._source = host, source
        self._outlines = _Outlines()
        self._ending = referee if isinstance(referee, RefereedRound) else None
        self._counted = False
        self._shown = -1.0
        self._thread: threading.Thread | None = None

    def begin(self, order: WatchOrder, open_eyes: Callable[[Callable[[TableSetUp], None]], Seeing]) -> None:
        """`open_eyes` gets whom to tell of the set-up; it is called in the thread, since nets load slowly."""
        players = tuple(Player(guest.name, guest.name, guest.seat) for guest in order.guests)
        self._host.watch(self._round, self, order.header, players, order.target)
        self._thread = threading.Thread(target=self._run, args=(open_eyes,), name="watching", daemon=True)
        self._thread.start()

    def stop(self) -> None:
        self._source.close()
        if self._thread is not None:
            self._thread.join(timeout=10)

    def _run(self, open_eyes: Callable[[Callable[[TableSetUp], None]], Seeing]) -> None:
        try:
            live = open_eyes(self._outlines.ready)
            for told in watched(self._source, lambda event: self._see(live, event)):
                for observation in told.observations:
                    if isinstance(observation, Look):
                        self._outlines.heard(observation)
                    self._round.feed(observation)
                self._count()
                self._table.tell(fps=round(told.rate), waiting=self._asked() if live.pipeline else live.why)
            self._count(force=True)
        except (BadInput, VisionError, RefereeError) as problem:
            self._table.tell(waiting=str(problem))
        self._table.tell(state="over")

    def _asked(self) -> str | None:
        """What the count at the end leaves open."""
        return self._ending.question if self._ending is not None else None

    def _count(self, force: bool = False) -> None:
        """The cards were counted under the camera. A count with a question is left to people."""
        ending = self._ending
        if ending is None or self._counted:
            return
        counted = ending.ended(force and (ending.over or ending.finito is not None))
        if counted is None:
            return
        self._counted = True
        if counted.question is None:
            self._host.count(Count(tuple(counted.by_back.items())))
        self._table.tell(waiting=counted.question)

    def _see(self, live: Seeing, event: Event) -> list[Observation]:
        if isinstance(event, Frame) and event.t - self._shown >= _PICTURE_STEP:
            self._shown = event.t
            jpeg, size, scale = pressed(event.picture)
            self._table.show(jpeg, event.t, size, self._outlines.scaled(scale))
        return live.see(event)


def net_eyes(order: WatchOrder) -> Callable[[Callable[[TableSetUp], None]], Seeing]:
    """The nets that ship and the deck at hand."""

    def opened(on_ready: Callable[[TableSetUp], None]) -> Seeing:
        from finito.table_eyes import open_table_eyes

        return open_table_eyes(order.deck).watch(order.guests, on_ready)

    return opened
