"""The demonstration: a filmed game that is refereed live on the pages, or without any browser to its end."""

from __future__ import annotations

import json
import os
import sys
import threading
import time
import webbrowser
from collections.abc import Iterator
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from importlib.resources import as_file, files
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from finito.errors import BadInput
from finito.live_setup import Guest
from referee.actions import RoundHeader
from referee.places import Seat
from referee.rules.espresso import DEFAULT_EDITION
from vision.frame import Frame
from vision.sources import Event, WrappedSource, open_source

if TYPE_CHECKING:
    from finito.web.host import TableHost
    from vision.sources import Source

VIDEO, ABOUT = "game.mp4", "game.json"
DECK: Final = "house"
_PAGE_OPENS_IN: Final = 6.0  # seconds that the film waits for a page
_LOOKS_EVERY: Final = 0.2
Json = dict[str, Any]


@dataclass(frozen=True)
class BundledFilm:
    """The film that comes with Finito, and who sits where in it."""

    video: Path
    guests: tuple[Guest, ...]
    seconds: float

    @property
    def header(self) -> RoundHeader:
        return RoundHeader("espresso", ("normalo",), DEFAULT_EDITION, tuple(g.name for g in self.guests))


@contextmanager
def bundled_film() -> Iterator[BundledFilm]:
    folder = files("finito").joinpath("demo_film")
    try:
        about = json.loads(folder.joinpath(ABOUT).read_text(encoding="utf-8"))
    except OSError:
        raise BadInput("the film of the demonstration is missing; install Finito again") from None
    guests = tuple(Guest(name, Seat(seat)) for name, seat in about["players"].items())
    with as_file(folder.joinpath(VIDEO)) as video:
        yield BundledFilm(video, guests, float(about["seconds"]))


@dataclass
class Showing:
    """A film on a table's pages; `over` is set when all of it was refereed."""

    host: TableHost
    over: threading.Event = field(default_factory=threading.Event)
    seconds: float = 0.0  # of the film so far

    def story(self) -> Json:
        return self.host.table.snapshot("en")

    @property
    def trouble(self) -> str | None:
        """Why there is no result."""
        status = self.host.table.status
        return None if self.story()["result"] else str(status.get("waiting") or "the game did not end")


def begin(host: TableHost, film: BundledFilm, paced: bool) -> Showing:
    """Lets the nets watch the film; `paced` is at the speed of life, and begins when a page looks on."""
    from finito.paced_film import PacedFilm
    from finito.web.live_watch import LiveWatch, WatchOrder, net_eyes
    from finito.web.openings import live_referee

    showing = Showing(host)
    source: Source = _Clocked(open_source(str(film.video)), showing)
    if paced:
        source = PacedFilm(source, lambda: _wait_for_page(host))
    order = WatchOrder(film.header, film.guests, DECK)
    watch = LiveWatch(host, live_referee(film.header), source)
    watch.begin(order, net_eyes(order))
    threading.Thread(target=_note_the_end, args=(host, showing), name="demo", daemon=True).start()
    return showing


def _wait_for_page(host: TableHost) -> None:
    until = time.monotonic() + _PAGE_OPENS_IN
    while not host.table.followers and time.monotonic() < until:
        time.sleep(_LOOKS_EVERY)


def _note_the_end(host: TableHost, showing: Showing) -> None:
    while host.table.status.get("state") != "over":
        time.sleep(_LOOKS_EVERY)
    showing.over.set()


class _Clocked(WrappedSource):
    """A source that tells how far it is."""

    def __init__(self, source: Source, showing: Showing) -> None:
        super().__init__(source)
        self._showing = showing

    def __next__(self) -> Event:
        event = super().__next__()
        if isinstance(event, Frame):
            self._showing.seconds = event.t
        return event


@contextmanager
def served(port: int) -> Iterator[tuple[str, TableHost]]:
    """The pages on this machine alone, with nothing kept: their address and the table's host."""
    import uvicorn

    from finito.store.memory import MemoryStore
    from finito.web.app import Places, close_table, create_app
    from finito.web.links import Links
    from finito.web.serve import listening

    with closing(listening("127.0.0.1", port)) as listener, closing(MemoryStore()) as store:
        url = f"http://127.0.0.1:{listener.getsockname()[1]}"
        app = create_app(
            store, hosts=frozenset({"localhost", "127.0.0.1"}), links=Links(url), places=Places()
        )
        config = uvicorn.Config(
            app, log_level="warning", access_log=False, ws="websockets-sansio", timeout_graceful_shutdown=2
        )
        server = uvicorn.Server(config)
        thread = threading.Thread(target=server.run, args=([listener],), name="pages", daemon=True)
        thread.start()
        try:
            yield url, app.state.host
        finally:
            server.should_exit = True
            thread.join(timeout=10)
            close_table(app)


def open_browser(url: str) -> bool:
    """Opens the page where there is a window to open it in; a browser of the terminal would take it over."""
    if sys.platform.startswith("linux") and not (
        os.environ.get("DISPLAY") or os.environ.get("WAYLAND_DISPLAY")
    ):
        return False
    try:
        return webbrowser.open(url)
    except webbrowser.Error:
        return False
