"""Photos sent by a page: the cards of the centre counted by back."""

from __future__ import annotations

import asyncio
import tempfile
from pathlib import Path
from typing import Annotated, Any, Final

from fastapi import APIRouter, Query, Request
from starlette.exceptions import HTTPException

from finito.deck_library import DeckLibrary
from finito.errors import BadInput
from finito.web.count_look import counter_for
from finito.web.guard import PHOTOS
from finito.web.problems import DOCUMENTED
from vision.frame import Picture

Json = dict[str, Any]
KINDS: Final = {"image/jpeg": (b"\xff\xd8\xff", ".jpg"), "image/png": (b"\x89PNG\r\n\x1a\n", ".png")}
HOUSE: Final = "house"
PHOTO_BODY: Final[Json] = {
    "requestBody": {
        "required": True,
        "content": {kind: {"schema": {"type": "string", "format": "binary"}} for kind in KINDS},
    }
}


def photo_routes() -> APIRouter:
    router = APIRouter(tags=["photos"], responses=DOCUMENTED)
    counting = asyncio.Lock()

    @router.get("/api/decks", summary="The decks that can be counted")
    def decks() -> list[str]:
        return list(dict.fromkeys((HOUSE, *DeckLibrary.of_user().names)))

    @router.post(
        PHOTOS + "count",
        summary="Count the face-down cards of a photo by back",
        openapi_extra=PHOTO_BODY,
        responses={415: DOCUMENTED[422], 429: DOCUMENTED[422]},
    )
    async def count(
        request: Request,
        deck: Annotated[str, Query(max_length=60)] = HOUSE,
        expect: Annotated[int | None, Query(ge=0, le=1000)] = None,
    ) -> Json:
        if deck != HOUSE and deck not in DeckLibrary.of_user().names:
            raise BadInput(f"there is no deck {deck[:60]!r}; enrol it first")
        photo, suffix = await photo_in(request)
        if counting.locked():
            raise HTTPException(429, "another photo is being counted; try again in a moment")
        async with counting:
            return await asyncio.to_thread(counted, photo, suffix, deck, expect)

    return router


async def photo_in(request: Request) -> tuple[bytes, str]:
    """The photo that is the body of a request, and how such files end; anything else is turned away."""
    kind = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if kind not in KINDS:
        raise HTTPException(415, "send the photo itself, as image/jpeg or image/png")
    photo = await request.body()
    begins, suffix = KINDS[kind]
    if not photo.startswith(begins):
        raise BadInput("the photo is no JPEG or PNG picture; take it again")
    return photo, suffix


def looked_at(photo: bytes, suffix: str) -> Picture:
    """The picture of a photo, upright; what is wrong with it is told without a path."""
    from finito.seeing import look_at

    with tempfile.TemporaryDirectory(prefix="finito-") as folder:
        path = Path(folder) / f"photo{suffix}"
        path.write_bytes(photo)
        try:
            return look_at(path)
        except BadInput as problem:
            raise BadInput(str(problem).replace(str(path), "the photo")) from None


def counted(photo: bytes, suffix: str, deck: str, expect: int | None) -> Json:
    """The answer of `finito score` for one photo."""
    from finito.cli.score import answer_for
    from finito.seeing import plainly
    from referee.rules.parameters import game_parameters
    from vision.counting.tally import tally

    counter, enrolled = counter_for(deck)
    picture = looked_at(photo, suffix)
    with plainly():
        seen = counter.count("photo", picture)
    backs = [design.name for design in enrolled.backs]
    per_back = game_parameters(enrolled.game).cards_per_back
    return answer_for(enrolled, tally(seen.cards, seen.doubts, backs, per_back, expect), None, expect)
