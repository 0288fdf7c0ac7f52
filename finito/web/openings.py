"""Opens what the set-up asks for: bots, a camera of this machine, a stream, or a phone."""

from __future__ import annotations

from collections.abc import Callable
from itertools import zip_longest
from typing import Final

from finito.deck_library import DeckLibrary
from finito.errors import BadInput
from finito.web.host import TableHost
from finito.web.live_watch import LiveWatch, Seeing, WatchOrder, net_eyes
from finito.web.phone_source import PhoneSource
from finito.web.table_models import NewTable
from finito.web.watched_round import LiveRound
from referee.actions import RoundHeader
from vision.errors import VisionError
from vision.frame import Picture
from vision.sources import Source

HOUSE: Final = "house"
OpenEyes = Callable[[WatchOrder], Callable[..., Seeing]]


def live_referee(header: RoundHeader) -> LiveRound:
    from finito.ending.refereed_round import RefereedRound
    from finito.live import LiveReferee

    return RefereedRound(LiveReferee(header))


class Openings:
    """`eyes` and `referee` are the real ones unless a test brings its own."""

    def __init__(
        self,
        host: TableHost,
        eyes: OpenEyes = net_eyes,
        referee: Callable[[RoundHeader], LiveRound] = live_referee,
    ) -> None:
        self._host, self._eyes, self._referee = host, eyes, referee
        self._phone: PhoneSource | None = None

    def open(self, new: NewTable) -> None:
        if new.source == "demo":
            self._phone = None
            self._host.open(new.wish())
            return
        self.watch(new.source, _order(new))

    def watch(self, source: str, order: WatchOrder) -> None:
        """A camera, a stream, a phone, or on the word of whoever started the server a video."""
        referee = self._referee(order.header)
        LiveWatch(self._host, referee, self._source(source)).begin(order, self._eyes(order))

    def frame(self, picture: Picture) -> bool:
        """A frame of the phone; False where nobody referees it and the pages may show it as it is."""
        if self._phone is None or self._phone.closed:
            return False
        self._phone.put(picture)
        return True

    def _source(self, name: str) -> Source:
        from vision.sources import open_source

        self._phone = None
        if name == "phone":
            self._phone = PhoneSource()
            return self._phone
        try:
            return open_source(name)
        except VisionError as problem:
            raise BadInput(str(problem)) from None


def _order(new: NewTable) -> WatchOrder:
    from finito.live_setup import Guest

    if len(new.names) < 2:
        raise BadInput("a camera needs to know who plays: name each player by the back of their cards")
    if new.seats and len(new.seats) != len(new.names):
        raise BadInput(f"{len(new.seats)} seats for {len(new.names)} players; give one for each, or none")
    if new.deck != HOUSE and new.deck not in DeckLibrary.of_user().names:
        raise BadInput(f"there is no deck {new.deck!r}; enrol it first")
    guests = tuple(Guest(name, seat) for name, seat in zip_longest(new.names, new.seats))
    header = RoundHeader("espresso", tuple(new.variant), new.edition, tuple(new.names))
    return WatchOrder(header, guests, new.deck, new.target)
