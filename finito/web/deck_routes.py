"""Setting up over HTTP: the camera's picture, what is found in it, and enrolling a deck."""

from __future__ import annotations

import asyncio
import json
from typing import Annotated, Any, Literal

from fastapi import APIRouter, Path, Query, Request, Response
from pydantic import Field

from finito.deck_library import DeckLibrary
from finito.errors import BadInput
from finito.web.deck_draft import DeckDraft, Side
from finito.web.guard import PHOTOS
from finito.web.host import TableHost
from finito.web.looking import Job, Looking, newest_picture
from finito.web.models import Sent, Word
from finito.web.openings import HOUSE, Openings
from finito.web.photo_routes import PHOTO_BODY, looked_at, photo_in
from finito.web.problems import DOCUMENTED
from finito.web.table_models import SOURCE
from referee.rules.parameters import PILE_GAMES

Json = dict[str, Any]
DeckName = Annotated[str, Field(min_length=1, max_length=60)]
TAKES_A_PHOTO: dict[int | str, dict[str, Any]] = {
    408: DOCUMENTED[422],
    413: DOCUMENTED[422],
    415: DOCUMENTED[422],
}


class WantedCamera(Sent):
    source: str = Field("0", max_length=300, pattern=SOURCE, description="As in the set-up of a table.")


class Wanted(Sent):
    """What to look for in the camera's picture; asked again every few seconds as long as it is wanted."""

    job: Literal["find", "faces", "backs", "count"]
    game: Word = Field("espresso", description="For faces: the game of the deck.")
    deck: DeckName = Field(HOUSE, description="For count: the deck whose backs are counted.")
    expected: int | None = Field(
        None, ge=0, le=1000, description="For count: how many cards there should be."
    )


class Taken(Sent):
    side: Side
    game: Word = "espresso"


class NewDeck(Sent):
    name: DeckName
    game: Word = "espresso"
    names: list[Word] = Field(min_length=2, max_length=6, description="The backs from left to right.")


def deck_routes(host: TableHost, openings: Openings, looking: Looking) -> APIRouter:
    router = APIRouter(tags=["set-up"], responses=DOCUMENTED)
    draft = DeckDraft()
    _add_camera(router, openings)
    _add_looking(router, looking)
    _add_draft(router, host, draft)
    _add_decks(router, draft)
    return router


def _add_camera(router: APIRouter, openings: Openings) -> None:
    @router.post("/api/preview", summary="Show a camera before there is a round", status_code=204)
    def preview(wanted: WantedCamera) -> Response:
        openings.preview(wanted.source)
        return Response(status_code=204)

    @router.delete("/api/preview", summary="Let the camera go", status_code=204)
    def end_preview() -> Response:
        openings.end_preview()
        return Response(status_code=204)


def _add_looking(router: APIRouter, looking: Looking) -> None:
    @router.post("/api/looking", summary="Look for something in the camera's picture", status_code=204)
    def look(wanted: Wanted) -> Response:
        """The answers are in `status.looking` of the table and its WebSocket, a few times a second."""
        if wanted.game not in PILE_GAMES:
            raise BadInput(f"{wanted.game!r} is no game that is known; known are {', '.join(PILE_GAMES)}")
        if wanted.job == "count":
            _known(wanted.deck)
        looking.begin(_key(wanted), lambda: _job(wanted))
        return Response(status_code=204)

    @router.delete("/api/looking", summary="Stop looking", status_code=204)
    def end_looking() -> Response:
        looking.end()
        return Response(status_code=204)


def _key(wanted: Wanted) -> tuple[object, ...]:
    if wanted.job == "faces":
        return "faces", wanted.game
    return ("count", wanted.deck, wanted.expected) if wanted.job == "count" else (wanted.job,)


def _job(wanted: Wanted) -> Job:
    from finito.web.count_look import CountLook
    from finito.web.deck_looks import BacksLook, FacesLook
    from finito.web.table_look import TableLook

    if wanted.job == "count":
        return CountLook(wanted.deck, wanted.expected)
    if wanted.job == "faces":
        return FacesLook(wanted.game)
    return BacksLook() if wanted.job == "backs" else TableLook()


def _add_draft(router: APIRouter, host: TableHost, draft: DeckDraft) -> None:
    @router.get("/api/draft", summary="The photos of the deck that is being enrolled")
    def state() -> Json:
        return draft.state

    @router.post("/api/draft", summary="Take what the camera sees now", status_code=201)
    def take(taken: Taken) -> Json:
        _known_game(taken.game)
        return draft.add(taken.side, newest_picture(host.table), taken.game)

    @router.delete("/api/draft", summary="Begin anew", status_code=204)
    def forget() -> Response:
        draft.forget()
        return Response(status_code=204)

    @router.post(
        PHOTOS + "{side}",
        summary="Send a photo of the deck that is being enrolled",
        status_code=201,
        openapi_extra=PHOTO_BODY,
        responses=TAKES_A_PHOTO,
    )
    async def send(
        request: Request, side: Side, game: Annotated[str, Query(max_length=40)] = "espresso"
    ) -> Json:
        _known_game(game)
        photo, suffix = await photo_in(request)
        return await asyncio.to_thread(lambda: draft.add(side, looked_at(photo, suffix), game))


def _add_decks(router: APIRouter, draft: DeckDraft) -> None:
    @router.get("/api/decks/{deck}", summary="The backs of a deck")
    def backs(deck: Annotated[str, Path(max_length=60)]) -> Json:
        return {"deck": deck, "backs": backs_of(_known(deck))}

    @router.post("/api/decks", summary="Learn the deck of the photos that were taken", status_code=201)
    def learn(new: NewDeck) -> Json:
        _known_game(new.game)
        return draft.learn(new.name, new.game, new.names)


def backs_of(deck: str) -> list[str]:
    library = DeckLibrary.of_user()
    if deck in library.names:
        try:
            about = json.loads((library.folder / deck / "deck.json").read_text("utf-8"))
            return [str(name) for name in about["backs"]]
        except (OSError, ValueError, KeyError, TypeError):
            raise BadInput(f"the deck {deck!r} is damaged; enrol it again") from None
    from finito.virtual_table.decks import house_deck

    return list(house_deck().backs)


def _known(deck: str) -> str:
    if deck != HOUSE and deck not in DeckLibrary.of_user().names:
        raise BadInput(f"there is no deck {deck[:60]!r}; enrol it first")
    return deck


def _known_game(game: str) -> None:
    if game not in PILE_GAMES:
        raise BadInput(f"{game[:40]!r} is no game that is known; known are {', '.join(PILE_GAMES)}")
