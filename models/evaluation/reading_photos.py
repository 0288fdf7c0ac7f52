"""Cards in real photos whose corners are labelled; the photos are not part of the project."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np
from numpy.typing import NDArray

PHOTOS = Path(__file__).parents[3] / "shared" / "photos"
_INITIAL = {"red": "R", "yellow": "Y", "green": "G", "blue": "B"}


@dataclass(frozen=True, eq=False)
class PhotographedCard:
    photo: str
    picture: NDArray[np.uint8]
    quad: NDArray[np.float32]
    face: str  # as `R5`; `R?` for a card without a number, `??` for one without a colour of ours either

    @property
    def folder(self) -> str:
        return self.photo.split("/")[0]

    @property
    def is_number(self) -> bool:
        return "?" not in self.face


def photographed_cards(photos: Path = PHOTOS) -> Iterator[PhotographedCard]:
    """Every face with labelled corners."""
    for line in (photos / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        marked = [card for card in row["cards"] if card.get("quad") and not card.get("back")]
        picture = cv2.imread(str(photos / row["file"])) if marked else None
        if picture is None:
            continue
        for card in marked:
            quad = np.asarray(card["quad"], np.float32)
            yield PhotographedCard(row["file"], np.asarray(picture, np.uint8), quad, face_of(card))


def face_of(card: dict[str, Any]) -> str:
    colour = _INITIAL.get(card.get("colour") or "", "?")
    number = card.get("number")
    return colour + ("?" if number is None else str(number))
