"""The pages and what they are made of: files of the package, each under its one name."""

from __future__ import annotations

from collections.abc import Callable
from importlib.resources import files
from typing import Final

from fastapi import APIRouter
from starlette.exceptions import HTTPException
from starlette.responses import Response

PAGES: Final = {
    "/": "live",
    "/setup": "setup",
    "/count": "count",
    "/replay": "replay",
    "/history": "history",
    "/join": "join",
    "/camera": "camera",
}
KINDS: Final = {
    "js": "text/javascript; charset=utf-8",
    "css": "text/css; charset=utf-8",
    "html": "text/html; charset=utf-8",
    "json": "application/json",
}
_ASSETS: Final = files("finito.web").joinpath("page")


def page_routes() -> APIRouter:
    router = APIRouter(include_in_schema=False)
    html = _ASSETS.joinpath("page.html").read_text("utf-8")
    for path, name in PAGES.items():
        text = html.replace("{page}", name)
        router.add_api_route(path, _page(text), methods=["GET"])
    assets = {
        item.name: item.read_bytes()
        for item in _ASSETS.iterdir()
        if item.name.rpartition(".")[2] in KINDS and item.name != "page.html"
    }

    @router.get("/assets/{name}")
    def asset(name: str) -> Response:
        """Only names that were there at the start: no path is ever made from a request."""
        if name not in assets:
            raise HTTPException(404, f"there is no {name[:60]!r} here")
        kind = KINDS[name.rpartition(".")[2]]
        return Response(assets[name], media_type=kind, headers={"Cache-Control": "no-cache"})

    @router.get("/favicon.ico")
    def icon() -> Response:
        return Response(status_code=204)

    return router


def _page(text: str) -> Callable[[], Response]:
    def page() -> Response:
        return Response(text, media_type=KINDS["html"], headers={"Cache-Control": "no-cache"})

    return page
