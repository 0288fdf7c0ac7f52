"""The web application on a store. Nothing is opened or started here."""

from __future__ import annotations

from collections.abc import Callable

from fastapi import FastAPI

from finito import __version__
from finito.store.bootstrap import time_now
from finito.store.interface import EventStore
from finito.store.match_book import KIND, MatchBook
from finito.web.access import Access
from finito.web.guard import LONGEST_UPLOAD, Guard
from finito.web.links import Links
from finito.web.match_routes import match_routes
from finito.web.models import Health
from finito.web.page_headers import PageHeaders
from finito.web.problems import DOCUMENTED, add_handlers


def create_app(
    store: EventStore,
    *,
    now: Callable[[], str] = time_now,
    hosts: frozenset[str] | None = None,
    links: Links | None = None,
    longest_upload: float = LONGEST_UPLOAD,
) -> FastAPI:
    """The API on this store; `hosts` are the names it answers for, None any; keys in `links` lock it."""
    app = FastAPI(
        title="Finito",
        version=__version__,
        summary="The referee for Espresso and its cousins: matches, rounds, corrections, export.",
        openapi_url="/api/openapi.json",
        docs_url=None,  # the stock page loads scripts from another site; a card table may have no network
        redoc_url=None,
    )
    # The last one added is the first to see a request.
    app.add_middleware(Access, keys=None if links is None else links.keys)
    app.add_middleware(Guard, hosts=hosts, longest_upload=longest_upload)
    app.add_middleware(PageHeaders)
    add_handlers(app)
    app.include_router(match_routes(MatchBook(store, now)))

    @app.get("/", include_in_schema=False)
    def entrance() -> dict[str, str]:
        """Where to go from here, for somebody who opens the address in a browser."""
        return {"health": "/api/health", "matches": "/api/matches", "openapi": "/api/openapi.json"}

    @app.get(
        "/api/health", summary="Is the server up and its database usable?", responses={503: DOCUMENTED[503]}
    )
    def health() -> Health:
        return Health(version=__version__, matches=len(store.streams(KIND)))

    return app
