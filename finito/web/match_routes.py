"""Matches over HTTP: create, add a round, edit, undo, redo, list, get, export."""

from __future__ import annotations

from enum import StrEnum
from typing import Annotated, Any

from fastapi import APIRouter, Path, Query, Response

from finito.store.match_book import KeptMatch, MatchBook
from finito.web.models import MatchShown, NewMatch, NewName, NewRound, SummaryShown
from finito.web.problems import DOCUMENTED
from referee.match_commands import (
    add_round,
    create_match,
    edit_round,
    rename_match,
    restore_round,
    undo_round,
)
from referee.match_export import match_csv, match_document, match_summary


class Format(StrEnum):
    CSV = "csv"
    JSON = "json"


MatchId = Annotated[str, Path(max_length=20, description="The number of the match.", examples=["1"])]
RoundNumber = Annotated[int, Path(ge=1, le=100_000, description="The number of the round.")]
Version = Annotated[
    int | None,
    Query(ge=1, description="The version the change is based on; 409 if the match has moved on since."),
]


def match_routes(book: MatchBook) -> APIRouter:
    """All routes about matches, on this book."""
    router = APIRouter(prefix="/api/matches", tags=["matches"], responses=DOCUMENTED)
    _add_reading(router, book)
    _add_writing(router, book)
    _add_corrections(router, book)
    return router


def _shown(kept: KeptMatch) -> dict[str, Any]:
    return match_document(kept.id, kept.match, kept.version)


def _add_reading(router: APIRouter, book: MatchBook) -> None:
    @router.get("", summary="List all matches, the newest first", response_model=list[SummaryShown])
    def list_matches(limit: Annotated[int, Query(ge=1, le=1000)] = 100) -> list[dict[str, Any]]:
        newest = zip(range(limit), book.newest_first(), strict=False)
        return [match_summary(kept.id, kept.match, kept.version) for _, kept in newest]

    @router.get("/{match_id}", summary="Show one match", response_model=MatchShown)
    def get_match(match_id: MatchId) -> dict[str, Any]:
        return _shown(book.get(match_id))

    @router.get("/{match_id}/export", summary="Export as CSV (a row per round and player) or JSON")
    def export_match(match_id: MatchId, format: Format = Format.CSV) -> Response:
        kept = book.get(match_id)
        attached = {"Content-Disposition": f'attachment; filename="match-{kept.id}.{format.value}"'}
        if format is Format.CSV:
            return Response(match_csv(kept.id, kept.match), media_type="text/csv", headers=attached)
        shown = MatchShown.model_validate(_shown(kept)).model_dump_json(indent=2)
        return Response(shown, media_type="application/json", headers=attached)


def _add_writing(router: APIRouter, book: MatchBook) -> None:
    @router.post("", summary="Start a match", status_code=201, response_model=MatchShown)
    def create(new: NewMatch) -> dict[str, Any]:
        players = tuple(player.player() for player in new.players)
        kept = book.create(
            lambda at: create_match(
                players,
                game=new.game,
                variant=tuple(new.variant),
                edition=new.edition,
                target=new.target,
                name=new.name,
                at=at,
            )
        )
        return _shown(kept)

    @router.post("/{match_id}/rounds", summary="Add a round", status_code=201, response_model=MatchShown)
    def add(match_id: MatchId, new: NewRound, version: Version = None) -> dict[str, Any]:
        return _shown(
            book.change(match_id, lambda match, at: add_round(match, new.sheet(match), at), version)
        )

    @router.patch("/{match_id}", summary="Rename a match", response_model=MatchShown)
    def rename(match_id: MatchId, new: NewName, version: Version = None) -> dict[str, Any]:
        return _shown(book.change(match_id, lambda _match, at: rename_match(new.name, at), version))


def _add_corrections(router: APIRouter, book: MatchBook) -> None:
    def undone(match_id: str, number: int | None, version: int | None) -> dict[str, Any]:
        return _shown(book.change(match_id, lambda match, at: undo_round(match, number, at), version))

    def restored(match_id: str, number: int | None, version: int | None) -> dict[str, Any]:
        return _shown(book.change(match_id, lambda match, at: restore_round(match, number, at), version))

    one = "/{match_id}/rounds/{number}"

    @router.put(one, summary="Replace what was counted in a round", response_model=MatchShown)
    def edit(
        match_id: MatchId, number: RoundNumber, new: NewRound, version: Version = None
    ) -> dict[str, Any]:
        return _shown(
            book.change(match_id, lambda match, at: edit_round(match, number, new.sheet(match), at), version)
        )

    @router.post("/{match_id}/undo", summary="Undo the latest round", response_model=MatchShown)
    def undo(match_id: MatchId, version: Version = None) -> dict[str, Any]:
        return undone(match_id, None, version)

    @router.post("/{match_id}/redo", summary="Restore the round undone last", response_model=MatchShown)
    def redo(match_id: MatchId, version: Version = None) -> dict[str, Any]:
        return restored(match_id, None, version)

    @router.post(one + "/undo", summary="Undo any round", response_model=MatchShown)
    def undo_one(match_id: MatchId, number: RoundNumber, version: Version = None) -> dict[str, Any]:
        return undone(match_id, number, version)

    @router.post(one + "/redo", summary="Restore any undone round", response_model=MatchShown)
    def redo_one(match_id: MatchId, number: RoundNumber, version: Version = None) -> dict[str, Any]:
        return restored(match_id, number, version)
