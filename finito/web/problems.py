"""Every failure as one sentence in JSON, with the status that says whose it is."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from fastapi import FastAPI, Request
from fastapi.exceptions import RequestValidationError
from starlette.exceptions import HTTPException
from starlette.responses import JSONResponse

from finito.errors import BadInput
from finito.store.interface import Conflict, StoreError
from finito.store.match_book import UnknownMatch
from finito.web.models import Problem
from referee.errors import RefereeError
from referee.match_events import MatchConflict, NoSuchRound

# The most particular kind first: a Conflict is a StoreError, which is BadInput.
STATUSES: Final[tuple[tuple[type[Exception], int], ...]] = (
    (UnknownMatch, 404),
    (NoSuchRound, 404),
    (MatchConflict, 409),
    (Conflict, 409),
    (StoreError, 503),
    (BadInput, 422),
    (RefereeError, 422),
)
DOCUMENTED: Final[dict[int | str, dict[str, Any]]] = {
    404: {"model": Problem, "description": "No such match or round"},
    409: {"model": Problem, "description": "The match is over, or was changed meanwhile"},
    422: {"model": Problem, "description": "Understood and bad"},
    503: {"model": Problem, "description": "The database cannot be used"},
}


def problem(status: int, sentence: str, headers: Mapping[str, str] | None = None) -> JSONResponse:
    return JSONResponse({"error": sentence}, status_code=status, headers=headers)


def add_handlers(app: FastAPI) -> None:
    app.add_exception_handler(RequestValidationError, _invalid)
    app.add_exception_handler(HTTPException, _http)
    app.add_exception_handler(BadInput, _refused)
    app.add_exception_handler(RefereeError, _refused)
    app.add_exception_handler(Exception, _unexpected)


async def _refused(_request: Request, error: Exception) -> JSONResponse:
    status = next(status for kind, status in STATUSES if isinstance(error, kind))
    return problem(status, str(error))


async def _invalid(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, RequestValidationError)
    first = error.errors()[0]
    where = ".".join(str(part) for part in first["loc"])
    return problem(422, f"{where}: {first['msg']}")


async def _http(_request: Request, error: Exception) -> JSONResponse:
    assert isinstance(error, HTTPException)
    return problem(error.status_code, error.detail, error.headers)


async def _unexpected(_request: Request, _error: Exception) -> JSONResponse:
    return problem(500, "something went wrong inside Finito; the log of the server says what")
