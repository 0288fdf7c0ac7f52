"""Opens what the set-up asks for: bots, a camera of this machine, a stream, or a phone."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from itertools import zip_longest
from typing import Final

from finito.deck_library import DeckLibrary
from finito.errors import BadInput
from finito.recording.library import SessionLibrary
from finito.recording.resumed import ResumedSource
from finito.recording.session import Session
from finito.web.cut_off import CutOff, cut_off
from finito.web.host import TableHost
from finito.web.keeping import RoundKeeper
from finito.web.life_speed import LifeSpeed
from finito.web.live_watch import LiveWatch, OpenEyes, net_eyes
from finito.web.phone_source import PhoneSource
from finito.web.preview import Preview
from finito.web.table_models import NewTable
from finito.web.watch_order import WatchOrder
from finito.web.watched_round import LiveRound
from referee.actions import RoundHeader
from referee.match import standing
from vision.errors import VisionError
from vision.frame import Picture
from vision.sources import Source

HOUSE: Final = "house"
EyesFor = Callable[[WatchOrder], OpenEyes]


def live_referee(header: RoundHeader) -> LiveRound:
    from finito.ending.refereed_round import RefereedRound
    from finito.live import LiveReferee

    return RefereedRound(LiveReferee(header))


class Openings:
    """`eyes` and `referee` are the real ones unless a test brings its own; no library, no recording."""

    def __init__(
        self,
        host: TableHost,
        eyes: EyesFor = net_eyes,
        referee: Callable[[RoundHeader], LiveRound] = live_referee,
        library: SessionLibrary | None = None,
    ) -> None:
        self._host, self._eyes, self._referee, self._library = host, eyes, referee, library
        self._phone: PhoneSource | None = None
        self._preview: Preview | None = None
        self._watched: tuple[str, WatchOrder, bool] | None = None

    def open(self, new: NewTable) -> None:
        if new.source == "demo":
            self._phone = self._watched = None
            self.end_preview()
            self._host.open(new.wish())
            return
        self.watch(new.source, _order(new), record=new.record)

    def watch(self, source: str, order: WatchOrder, *, record: bool = True, match: str | None = None) -> None:
        """A camera, a stream, a phone, or on the word of whoever started the server a video."""
        self.end_preview()
        referee = self._referee(order.header)
        if self._watched is not None and self._watched[0] == source:
            self._host.close()  # a camera can be open once only
        feed = self._source(source)
        live = LiveWatch(self._host, referee, feed, self._keeper(source, order) if record else None)
        self._watched = (source, order, record)
        about = {"source": source, "order": order.to_json(), "deck": order.deck}
        live.begin(order, self._eyes(order), match=match, about=about)

    def next_round(self) -> None:
        """Another round of the match on the table: bots deal anew, a camera goes on looking."""
        match = self._host.match()
        if self._watched is None or match is None:
            self._host.next_round()
            return
        if standing(match.match).winner is not None:
            raise BadInput("the match is over; set up a new one")
        source, order, record = self._watched
        self.watch(source, replace(order, setting=None), record=record, match=match.id)

    def resume(self, source: str | None = None, order: WatchOrder | None = None) -> bool:
        """Goes on with the round of before the server ended; with a source and order given, with theirs."""
        if self._library is not None:
            cut = cut_off(self._host.journal.lines, self._library)
            if cut is not None:
                wanted = (source is None and not cut.counted) or (source, order) == (cut.source, cut.order)
                return wanted and self._go_on(cut)
        return source is None and self._host.resume()

    def _go_on(self, cut: CutOff) -> bool:
        keeper = self._keeper(cut.source, cut.order)
        feed = self._resumed(cut, keeper)
        self._watched = (cut.source, cut.order, True)
        live = LiveWatch(self._host, self._referee(cut.order.header), feed, keeper)
        live.go_on(cut.order, self._eyes(cut.order), cut.past(self._host.table))
        return True

    def _resumed(self, cut: CutOff, keeper: RoundKeeper | None) -> Source:
        """A camera has gone on meanwhile; a film goes on where it was."""
        if keeper is None or cut.folder is None:
            return self._source(cut.source)
        seen = Session(cut.folder).seconds
        feed = self._source(cut.source, seen)
        begins = keeper.go_on(cut.folder)
        return feed if isinstance(feed, LifeSpeed) else ResumedSource(feed, begins)

    def _keeper(self, source: str, order: WatchOrder) -> RoundKeeper | None:
        if self._library is None:
            return None
        return RoundKeeper(
            self._library, source, order, lambda notice: self._host.table.tell(recording=notice["why"])
        )

    def preview(self, source: str) -> None:
        """Shows a camera before there is a round under it; a phone shows itself."""
        if (
            self._host.table.status.get("source") == "camera"
            and self._host.table.status["state"] == "playing"
        ):
            return  # the round's own camera is on the pages already
        if self._preview is not None and self._preview.renewed(source):
            return
        self.end_preview()
        if source != "phone":
            self._preview = Preview(self._host.table, source, self._source(source))

    def end_preview(self) -> None:
        if self._preview is not None:
            self._preview.stop()
        self._preview = None

    def frame(self, picture: Picture) -> bool:
        """A frame of the phone; False where nobody referees it and the pages may show it as it is."""
        if self._phone is None or self._phone.closed:
            return False
        self._phone.put(picture)
        return True

    def _source(self, name: str, begins: float = 0.0) -> Source:
        from vision.sources import open_source

        self._phone = None
        if name == "phone":
            self._phone = PhoneSource()
            return self._phone
        try:
            source = open_source(name)
        except VisionError as problem:
            raise BadInput(str(problem)) from None
        return source if source.live else LifeSpeed(source, begins=begins)


def _order(new: NewTable) -> WatchOrder:
    from finito.live_setup import Guest

    backs = new.backs or new.names
    if len(backs) < 2:
        raise BadInput("a camera needs to know who plays: name each player by the back of their cards")
    for what, given in (("seats", new.seats), ("names", new.names)):
        if given and len(given) != len(backs):
            raise BadInput(f"{len(given)} {what} for {len(backs)} players; give one for each, or none")
    if new.deck != HOUSE and new.deck not in DeckLibrary.of_user().names:
        raise BadInput(f"there is no deck {new.deck!r}; enrol it first")
    guests = tuple(Guest(back, seat) for back, seat in zip_longest(backs, new.seats))
    header = RoundHeader("espresso", tuple(new.variant), new.edition, tuple(backs))
    names = {back: name for back, name in zip(backs, new.names, strict=False) if back != name}
    return WatchOrder(header, guests, new.deck, new.target, names)
