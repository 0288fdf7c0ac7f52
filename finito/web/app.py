"""The web application on a store. Nothing is opened or started here."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

from fastapi import FastAPI

from finito import __version__
from finito.recording.library import SessionLibrary
from finito.store.bootstrap import time_now
from finito.store.interface import EventStore
from finito.store.match_book import KIND, MatchBook
from finito.web.access import Access
from finito.web.camera_socket import camera_socket
from finito.web.deck_routes import deck_routes
from finito.web.feed_socket import feed_socket
from finito.web.guard import LONGEST_UPLOAD, Guard
from finito.web.host import TableHost
from finito.web.links import Links
from finito.web.looking import Looking
from finito.web.match_routes import match_routes
from finito.web.models import Health
from finito.web.openings import Openings
from finito.web.page_headers import PageHeaders
from finito.web.pages import page_routes
from finito.web.photo_routes import photo_routes
from finito.web.player_routes import player_routes
from finito.web.problems import DOCUMENTED, add_handlers
from finito.web.session_routes import session_routes
from finito.web.table_routes import join_routes, table_routes
from finito.web.tables import Table

SOCKETS = """Two WebSockets go with it.

`/api/table/feed?lang=en&pictures=true` tells the table: first `{"type": "snapshot", …}` with what
`GET /api/table` answers, then `line` (a line of `finito watch` with its verdict; again when it changes),
`board`, `about`, `status` and, when all is quiet, `beat`. Pictures are binary: four bytes with the length of
a head, the head as JSON (`n`, `t`, `size`, `outlines` with `corners`, `word` and `kind`), and a JPEG.

`/api/camera` makes a phone the camera: it sends JPEG frames, each is answered by
`{"type": "taken", "n", "fps"}` or `{"type": "refused", "why"}`.

On a network both need a key, as a cookie, as `?key=` or as a bearer token; the camera that of the table.
"""
HERE = Links("http://127.0.0.1:8000")


@dataclass(frozen=True, slots=True)
class Places:
    """Where things are kept; None keeps the round in memory only."""

    table: Path | None = None
    sessions: Path | None = None


def create_app(
    store: EventStore,
    *,
    now: Callable[[], str] = time_now,
    hosts: frozenset[str] | None = None,
    links: Links = HERE,
    places: Places = Places(),  # noqa: B008 (frozen)
    longest_upload: float = LONGEST_UPLOAD,
) -> FastAPI:
    """The API on this store; `hosts` are the names it answers for, None any; keys in `links` lock it."""
    app = FastAPI(
        title="Finito",
        version=__version__,
        summary="The referee for Espresso and its cousins: the table, matches, sessions, export.",
        description=SOCKETS,
        openapi_url="/api/openapi.json",
        docs_url=None,  # the stock page loads scripts from another site; a card table may have no network
        redoc_url=None,
    )
    # The last one added is the first to see a request.
    app.add_middleware(Access, keys=links.keys)
    app.add_middleware(Guard, hosts=hosts, longest_upload=longest_upload)
    app.add_middleware(PageHeaders)
    add_handlers(app)
    book = MatchBook(store, now)
    host = TableHost(Table(), book, places.table)
    app.state.host = host
    looking = Looking(host.table)
    app.state.looking = looking
    app.include_router(match_routes(book))
    app.include_router(player_routes(book))
    library = SessionLibrary.of_user(places.sessions)
    openings = Openings(host, library=library)
    app.state.openings = openings
    app.include_router(table_routes(host, openings))
    app.include_router(join_routes(links, host))
    app.include_router(feed_socket(host.table))
    app.include_router(camera_socket(host.table, openings.frame))
    app.include_router(session_routes(library))
    app.include_router(photo_routes())
    app.include_router(deck_routes(host, openings, looking))
    app.include_router(page_routes())

    @app.get(
        "/api/health", summary="Is the server up and its database usable?", responses={503: DOCUMENTED[503]}
    )
    def health() -> Health:
        return Health(version=__version__, matches=len(store.streams(KIND)))

    return app


def close_table(app: FastAPI) -> None:
    """Ends all that looks at the table, once nobody asks any more."""
    app.state.looking.end()
    app.state.openings.end_preview()
    app.state.host.close()
    app.state.looking.close()  # last, for a look at many cards may take its time
