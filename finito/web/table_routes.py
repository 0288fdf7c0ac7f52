"""The table over HTTP: what is on it, and what people say about it."""

from __future__ import annotations

from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from starlette.exceptions import HTTPException

from finito.web.host import TableHost
from finito.web.links import Links, qr_svg
from finito.web.openings import Openings
from finito.web.problems import DOCUMENTED
from finito.web.table_models import (
    Joined,
    NewCall,
    NewCorrection,
    NewCount,
    NewRuling,
    NewTable,
    Suggestion,
    TableShown,
)
from referee.actions import Amend, Count, Undo
from referee.notation import parse_entry

Json = dict[str, Any]
Language = Literal["en", "de", "fr", "nl"]
Spoken = Annotated[Language, Query(description="The language of the sentences.")]
JPEG: dict[int | str, dict[str, Any]] = {200: {"content": {"image/jpeg": {}}}}
LineInPath = Annotated[int, Path(ge=1, le=10_000_000)]


def table_routes(host: TableHost, openings: Openings) -> APIRouter:
    router = APIRouter(prefix="/api/table", tags=["table"], responses=DOCUMENTED)
    _add_reading(router, host)
    _add_round(router, host, openings)
    _add_words_of_people(router, host)
    return router


def _add_reading(router: APIRouter, host: TableHost) -> None:
    @router.get("", summary="The round on the table", response_model=TableShown)
    def get_table(lang: Spoken = "en") -> Json:
        return host.table.snapshot(lang)

    @router.get("/picture.jpg", summary="What the camera sees now", response_class=Response, responses=JPEG)
    def picture() -> Response:
        shown = host.table.picture
        if shown is None:
            raise HTTPException(404, "no camera looks at the table")
        return Response(shown.jpeg, media_type="image/jpeg")

    @router.get("/evidence/{line}", summary="How many pictures show a call")
    def evidence(line: LineInPath) -> dict[str, int]:
        return {"line": line, "pictures": len(host.table.clip(line))}

    @router.get(
        "/evidence/{line}/{number}.jpg", summary="One of them", response_class=Response, responses=JPEG
    )
    def evidence_picture(line: LineInPath, number: Annotated[int, Path(ge=0, le=1000)]) -> Response:
        clip = host.table.clip(line)
        if number >= len(clip):
            raise HTTPException(404, f"line {line} has {len(clip)} pictures")
        return Response(clip[number].jpeg, media_type="image/jpeg")

    @router.get("/suggestion", summary="The count, as far as the log knows it")
    def suggestion() -> Suggestion:
        by_back = host.round.suggestion()
        return Suggestion(by_back=by_back, total=sum(by_back.values()))


def _add_round(router: APIRouter, host: TableHost, openings: Openings) -> None:
    @router.post("", summary="Set up a match and its first round", status_code=201, response_model=TableShown)
    def set_up(new: NewTable, lang: Spoken = "en") -> Json:
        openings.open(new)
        return host.table.snapshot(lang)

    @router.post("/next", summary="Another round of the match", response_model=TableShown)
    def next_round(lang: Spoken = "en") -> Json:
        openings.next_round()
        return host.table.snapshot(lang)

    @router.post("/start", summary="The shout", response_model=TableShown)
    def start(lang: Spoken = "en") -> Json:
        host.start()
        return host.table.snapshot(lang)

    @router.post("/finito", summary="A player calls Finito", response_model=TableShown)
    def call_finito(call: NewCall, lang: Spoken = "en") -> Json:
        host.call_finito(call.player)
        return host.table.snapshot(lang)

    @router.post("/count", summary="The cards of the centre by back", response_model=TableShown)
    def count(new: NewCount, lang: Spoken = "en") -> Json:
        host.count(Count(tuple(new.by_back.items())))
        return host.table.snapshot(lang)


def _add_words_of_people(router: APIRouter, host: TableHost) -> None:
    @router.post("/rulings", summary="Right, wrong, or let it pass", response_model=TableShown)
    def rule(new: NewRuling, lang: Spoken = "en") -> Json:
        host.rule(new.line, new.ruling)
        return host.table.snapshot(lang)

    @router.post("/corrections", summary="Undo or amend any line", response_model=TableShown)
    def correct(new: NewCorrection, lang: Spoken = "en") -> Json:
        line = {"type": new.type, "line": new.line, **({"action": new.action} if new.action else {})}
        correction = parse_entry(line)
        assert isinstance(correction, Undo | Amend)
        host.correct(correction)
        return host.table.snapshot(lang)

    @router.post("/undo", summary="Take back what was said or done last", response_model=TableShown)
    def undo(lang: Spoken = "en") -> Json:
        host.undo()
        return host.table.snapshot(lang)


def join_routes(links: Links, host: TableHost) -> APIRouter:
    """How others come to the table; a spectator is told the spectators' link only."""
    router = APIRouter(prefix="/api/join", tags=["table"], responses=DOCUMENTED)

    @router.get("", summary="Links for spectators, for another table page, and for a phone's camera")
    def join(request: Request) -> Joined:
        role = request.state.role
        return Joined(
            role=role,
            links=links.for_role(role),
            fingerprint=links.fingerprint,
            followers=host.table.followers,
        )

    @router.get(
        "/{name}.svg",
        summary="A link as a code for phones",
        response_class=Response,
        responses={200: {"content": {"image/svg+xml": {}}}},
    )
    def code(request: Request, name: Literal["spectators", "table", "camera"]) -> Response:
        link = links.for_role(request.state.role).get(name)
        if link is None:
            raise HTTPException(403, "a spectator may hand on the spectators' link only")
        return Response(qr_svg(link), media_type="image/svg+xml")

    return router
