"""What is found in the picture while the table is set up: cards, markers, and whether the plane is plain."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import numpy as np

from calibration.errors import CalibrationError
from calibration.markers import find_markers
from calibration.table_plane import LEAST_MARKERS, plane_from_cards
from finito.seeing import Eyes, open_eyes, plainly
from finito.web.outlines import rounded
from vision.frame import Picture
from vision.table_reader import SeenCard

Json = dict[str, Any]


@lru_cache(maxsize=1)
def eyes_of_pages() -> Eyes:
    """The nets take a second to load; all jobs of the pages look with the same."""
    return open_eyes()


def cards_in(picture: Picture) -> list[SeenCard]:
    with plainly():
        return eyes_of_pages().table.read(picture)


def cards_apart(picture: Picture) -> list[SeenCard]:
    """As enrolment will see them."""
    with plainly():
        return eyes_of_pages().apart(picture)


class TableLook:
    key: tuple[object, ...] = ("find",)

    def look(self, picture: Picture) -> Json:
        cards = cards_in(picture)
        faces = [card for card in cards if card.reading.side == "face"]
        markers = _markers(picture)
        return {
            "faces": len(faces),
            "backs": len(cards) - len(faces),
            "markers": markers,
            "plane": "markers" if markers >= LEAST_MARKERS else _by_cards(faces, picture),
            "outlines": [outlined(card) for card in cards],
        }


def outlined(card: SeenCard) -> Json:
    word = str(card.reading.face) if card.reading.side == "face" else ""
    return {"corners": rounded(card.corners), "word": word, "kind": "card"}


def _markers(picture: Picture) -> int:
    try:
        return len(find_markers(picture))
    except CalibrationError:  # one lies there twice: they cannot be used
        return 0


def _by_cards(faces: list[SeenCard], picture: Picture) -> str | None:
    quads = np.array([card.corners for card in faces]).reshape(-1, 4, 2)
    try:
        plane_from_cards(quads, (picture.shape[1], picture.shape[0]), None)
    except CalibrationError:
        return None
    return "cards"
