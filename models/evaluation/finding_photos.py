"""Finding on strangers' photos. Where their labels have no outlines, cards are only counted."""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.evaluation.finding_truth import Outlined, corner_error, met
from vision.frame import Picture

SEVERAL = ("nstaehel", "r3xol", "jonasblanc", "piratefsh", "leonardpasi")
# Its photos are cropped to the card: nothing to find.
NOT_FOR_FINDING = ("criscardmdx",)


@dataclass(frozen=True)
class LabelledPhoto:
    """A photo and its labels."""

    file: str
    game: str
    cards: list[dict[str, Any]]
    picture: Picture

    @property
    def folder(self) -> str:
        return self.file.split("/")[0]


@dataclass(frozen=True)
class PhotoMatch:
    """How a photo could be judged; pairs (label, found) only where it is known which card is which."""

    judged_by: str  # outline, index inside, or count
    pairs: tuple[tuple[int, int], ...]
    met: int
    false: int


def labelled_photos(photos: Path) -> Iterator[LabelledPhoto]:
    for line in (photos / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        picture = cv2.imread(str(photos / label["file"]))
        assert picture is not None, label["file"]
        yield LabelledPhoto(label["file"], label["game"], label["cards"], np.asarray(picture, np.uint8))


def matched(cards: list[dict[str, Any]], found: Sequence[Outlined]) -> PhotoMatch:
    """Labels beside found cards: by outline, by the small index that must lie inside, or by their number.

    A photo of one card without an outline: it is met if anything was found, and the largest is taken for it.
    """
    quads = [np.array(card["quad"], np.float32) for card in cards if card.get("quad")]
    if quads and len(quads) == len(cards):
        result = met(quads, found)
        return _match("outline", [(t, f) for t, f, _ in result.pairs], len(result.pairs), result.false)
    over = max(0, len(found) - len(cards))
    marks = [card["corner_box"] for card in cards if card.get("corner_box")]
    if marks and len(marks) == len(cards):
        pairs = _holding(marks, found)
        return _match("index inside", pairs, len(pairs), over)
    pairs = [(0, _largest(found))] if len(cards) == 1 and found else []
    return _match("count", pairs, min(len(found), len(cards)), over)


def corner_errors(cards: list[dict[str, Any]], found: Sequence[Outlined], match: PhotoMatch) -> list[float]:
    """Of the met cards, where outlines are labelled."""
    if match.judged_by != "outline":
        return []
    return [corner_error(np.array(cards[t]["quad"], np.float32), found[f].corners) for t, f in match.pairs]


def _match(how: str, pairs: list[tuple[int, int]], met_cards: int, false: int) -> PhotoMatch:
    return PhotoMatch(how, tuple(pairs), met_cards, false)


def _largest(found: Sequence[Outlined]) -> int:
    return max(range(len(found)), key=lambda i: float(cv2.contourArea(found[i].corners)))


def _holding(marks: list[list[float]], found: Sequence[Outlined]) -> list[tuple[int, int]]:
    """Which of the small indices lies in which found card, each in one of its own."""
    free = set(range(len(found)))
    pairs = []
    for number, (x, y, w, h) in enumerate(marks):
        middle = (x + w / 2, y + h / 2)
        holders = [i for i in free if cv2.pointPolygonTest(found[i].corners, middle, False) >= 0]
        if holders:
            # The smallest distance from a corner tells whose index it is where cards overlap.
            own = min(holders, key=lambda i: float(np.linalg.norm(found[i].corners - middle, axis=1).min()))
            free.discard(own)
            pairs.append((number, own))
    return pairs
