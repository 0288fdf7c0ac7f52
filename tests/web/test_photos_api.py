"""Photos of the count: what is taken, and what is turned away."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any

import cv2
import numpy as np
import pytest

from finito.store.memory import MemoryStore
from finito.web import photo_routes
from finito.web.app import create_app
from finito.web.guard import MOST_PHOTO_BYTES
from tests.web.client import Client

COUNT = "/api/photos/count"
JPEG = {"Content-Type": "image/jpeg"}


@pytest.fixture
def api() -> Client:
    return Client(create_app(MemoryStore()))


def photo(kind: str = ".jpg") -> bytes:
    done, data = cv2.imencode(kind, np.full((90, 160, 3), 80, np.uint8))
    assert done
    return data.tobytes()


def test_a_photo_is_counted_by_the_deck_that_is_named(api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[Any] = []

    def counted(*given: Any) -> dict[str, Any]:
        asked.append(given)
        return {"counts": {"pizza": 2}}

    monkeypatch.setattr(photo_routes, "counted", counted)
    picture = photo()
    answer = api.post(f"{COUNT}?deck=house&expect=21", content=picture, headers=JPEG)
    assert answer.json() == {"counts": {"pizza": 2}}
    assert asked == [(picture, ".jpg", "house", 21)]
    assert "house" in api.get("/api/decks").json()


@pytest.mark.parametrize(
    ("content", "kind", "status"),
    [
        (b"GIF89a", "image/gif", 415),
        (b"<svg onload=alert(1)>", "image/svg+xml", 415),
        (b"{}", "application/json", 415),
        (b"a,b", "", 415),
        (b"<html>", "image/jpeg", 422),
        (b"", "image/jpeg", 422),
        (photo(".png"), "image/jpeg", 422),
    ],
)
def test_what_is_no_photo_is_turned_away(api: Client, content: bytes, kind: str, status: int) -> None:
    answer = api.post(COUNT, content=content, headers={"Content-Type": kind} if kind else {})
    assert answer.status_code == status, answer.text
    assert answer.json()["error"]


def test_a_huge_photo_is_turned_away_before_it_is_read(api: Client) -> None:
    headers = {**JPEG, "Content-Length": str(MOST_PHOTO_BYTES + 1)}
    assert api.post(COUNT, content=b"", headers=headers).status_code == 413


@pytest.mark.parametrize("deck", ["../../etc", "%2fetc%2fpasswd", "nothing", "house%00"])
def test_no_deck_is_opened_by_a_path(api: Client, deck: str) -> None:
    answer = api.post(f"{COUNT}?deck={deck}", content=photo(), headers=JPEG)
    assert (answer.status_code, "no deck" in answer.json()["error"]) == (422, True)


def test_a_damaged_photo_is_told_without_a_path(api: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(photo_routes, "counter_for", lambda _deck: (SimpleNamespace(count=None), None))
    answer = api.post(COUNT, content=photo()[:60], headers=JPEG)
    assert answer.status_code == 422
    assert answer.json()["error"].startswith("the photo ")
