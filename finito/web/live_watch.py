"""A camera on the table's pages: the eyes see, the live referee judges, the pages hear and correct."""

from __future__ import annotations

import threading
import time
import traceback
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final, Protocol

from finito.ending.refereed_round import RefereedRound
from finito.errors import BadInput
from finito.web.hints import hint_for
from finito.web.host import TableHost
from finito.web.keeping import RoundKeeper
from finito.web.outlines import Outlines
from finito.web.stories import pressed
from finito.web.watch_order import WatchOrder
from finito.web.watched_round import LiveRound, WatchedRound
from referee.actions import Count
from referee.errors import RefereeError
from vision.errors import VisionError
from vision.frame import Frame
from vision.observations import Gap, Look, Observation
from vision.pipelining.watching import Told, watched
from vision.sources import Event, Source

if TYPE_CHECKING:
    from finito.live_setup import TableSetUp

__all__ = ["LiveWatch", "Past", "Seeing", "WatchOrder", "net_eyes"]
Json = dict[str, Any]
_PICTURE_STEP: Final = 0.1
_A_FRAME: Final = 0.05
_TELL_STEP: Final = 0.5  # seconds between two words about rate and delay


class Seeing(Protocol):
    """What is needed of `finito.live_setup.LiveTable`."""

    pipeline: Any

    @property
    def why(self) -> str: ...

    @property
    def dazzled(self) -> tuple[str, ...]: ...

    @property
    def centre_burnt_out(self) -> bool: ...

    def see(self, event: Event) -> list[Observation]: ...


OpenEyes = Callable[[Callable[["TableSetUp"], None]], Seeing]


@dataclass(frozen=True)
class Past:
    """What was seen and said of a round before the server was killed."""

    observations: Iterable[Observation]
    words: Sequence[Json]
    match: str
    folder: Path | None
    after: Callable[[WatchedRound], None] = lambda _round: None


class LiveWatch:
    """Sees a source in a thread of its own until it ends or is stopped."""

    def __init__(
        self, host: TableHost, referee: LiveRound, source: Source, keeper: RoundKeeper | None = None
    ) -> None:
        self._table = host.table
        self._round = WatchedRound(host.table, referee, host.journal, keeper)
        self._host, self._source, self._keeper = host, source, keeper
        self._outlines = Outlines()
        self._ending = referee if isinstance(referee, RefereedRound) else None
        self._counted = False
        self._shown = self._told = -1.0
        self._arrived: dict[int, float] = {}
        self._delay = 0.0
        self._stopped = False
        self._cut: float | None = None  # when a round that goes on was last seen before
        self._thread: threading.Thread | None = None

    def begin(
        self,
        order: WatchOrder,
        open_eyes: OpenEyes,
        *,
        match: str | None = None,
        about: Json | None = None,
    ) -> None:
        """`open_eyes` gets whom to tell of the set-up; it is called in the thread, since nets load slowly."""
        self._host.watch(
            self._round, self, order.header, order.players, order.target, match=match, about=about
        )
        self._start(lambda: self._watch(open_eyes))

    def go_on(self, order: WatchOrder, open_eyes: OpenEyes, past: Past) -> None:
        """With the round that was watched when the server was killed."""
        self._host.watch_on(self._round, self, order.header, past.match, order.deck)
        self._counted = any(word.get("do") == "count" for word in past.words)
        if order.setting is not None:
            self._outlines.ready(order.setting)

        def retell_and_watch() -> None:
            self._table.tell(session=None if past.folder is None else past.folder.name)
            self._round.retell(past.observations, past.words)
            self._cut = max((each.t for each in past.observations), default=None)
            past.after(self._round)
            self._watch(open_eyes)

        self._start(retell_and_watch)

    def stop(self) -> None:
        self._stopped = True
        self._source.close()
        if self._thread is not None:
            self._thread.join(timeout=10)
        if self._keeper is not None:
            self._keeper.close()  # not with the film: people may still rule, count and undo

    def _start(self, what: Callable[[], None]) -> None:
        def safely() -> None:
            try:
                what()
            except Exception as problem:  # whatever it is, the page must not wait for ever
                self._table.tell(waiting=str(problem) or type(problem).__name__)
                traceback.print_exc()
            finally:
                self._table.tell(state="over")

        self._thread = threading.Thread(target=safely, name="watching", daemon=True)
        self._thread.start()

    def _watch(self, open_eyes: OpenEyes) -> None:
        try:
            live = open_eyes(self._ready)
            for told in watched(self._source, lambda event: self._see(live, event)):
                self._hear(told, live)
            if not self._stopped:
                self._count(force=True)
                self._host.journal.add({"type": "over"})  # nothing is left to go on with
        except (BadInput, VisionError, RefereeError) as problem:
            self._table.tell(waiting=str(problem))

    def _asked(self) -> str | None:
        """What the count at the end leaves open."""
        return self._ending.question if self._ending is not None else None

    def _count(self, force: bool = False) -> None:
        """The cards were counted under the camera. A count with a question is left to people."""
        ending = self._ending
        if ending is None or self._counted or self._round.result is not None:
            return  # what people counted stands
        counted = ending.ended(force and (ending.over or ending.finito is not None))
        if counted is None:
            return
        self._counted = True
        if counted.question is None and not self._stopped:
            self._host.count_of(self._round, Count(tuple(counted.by_back.items())))
        self._table.tell(waiting=counted.question)

    def _ready(self, set_up: TableSetUp) -> None:
        self._outlines.ready(set_up.setting)
        if self._keeper is not None:
            name = self._keeper.begin(set_up)
            self._host.journal.add({"type": "session", "name": name})
            self._table.tell(session=name)
        self._table.tell(remarks=list(set_up.remarks))

    def _hear(self, told: Told, live: Seeing) -> None:
        for observation in told.observations:
            if isinstance(observation, Look):
                self._outlines.heard(observation)
            self._round.feed(observation)
        self._count()
        arrived = self._arrived.pop(told.frame, None)
        if arrived is not None:
            self._delay = time.monotonic() - arrived
        if abs(told.t - self._told) >= _TELL_STEP or not live.pipeline:
            self._told = told.t
            waiting = self._asked() if live.pipeline else live.why
            hint = None if live.pipeline else hint_for(live.why)
            self._table.tell(
                fps=round(told.rate),
                delay=round(1000 * self._delay),
                waiting=waiting,
                hint=hint,
                dazzled=list(live.dazzled),
                centre_burnt_out=live.centre_burnt_out,
            )

    def _see(self, live: Seeing, event: Event) -> list[Observation]:
        if not isinstance(event, Frame):
            return live.see(event)
        self._arrived[event.number] = time.monotonic()
        told = live.see(event)
        if self._cut is not None:
            told = [Gap(self._cut, max(self._cut, event.t + _A_FRAME), "the server was started again"), *told]
            self._cut = None
        if self._keeper is not None:
            self._keeper.frame(event, wait=not self._source.live)
        if event.t - self._shown >= _PICTURE_STEP:
            self._shown = event.t
            jpeg, size, scale = pressed(event.picture)
            marks = self._outlines.drawn(live.pipeline, scale)
            self._table.show(jpeg, event.t, size, marks, whole=event.picture)
        return told


def _nobody(_set_up: TableSetUp) -> None:
    """The set-up of a known table was told before."""


def net_eyes(order: WatchOrder) -> OpenEyes:
    """The nets that ship and the deck at hand."""

    def opened(on_ready: Callable[[TableSetUp], None]) -> Seeing:
        from finito.table_eyes import open_table_eyes

        eyes = open_table_eyes(order.deck)
        if order.setting is None:
            return eyes.watch(order.guests, on_ready)
        return eyes.watch(order.guests, _nobody, known=order.setting, before=order.before)

    return opened
