"""Finding on strangers' photos. Where their labels have no outlines, cards are only counted."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import cv2
import numpy as np

from models.evaluation.finding_truth import corner_error, met
from vision.card_finder import CardFinder, FoundCard

SEVERAL = ("nstaehel", "r3xol", "jonasblanc", "piratefsh", "leonardpasi")
# Its photos are cropped to the card: nothing to find.
NOT_FOR_FINDING = ("criscardmdx",)


def photo_rows(finder: CardFinder, photos: Path) -> Iterator[dict[str, Any]]:
    """One row per photo: how it was judged, how many cards it shows, how many were met and were false."""
    for line in (photos / "labels.jsonl").read_text(encoding="utf-8").splitlines():
        label = json.loads(line)
        folder = label["file"].split("/")[0]
        if folder in NOT_FOR_FINDING:
            continue
        picture = cv2.imread(str(photos / label["file"]))
        assert picture is not None, label["file"]
        started = time.perf_counter()
        found = finder.find(picture.astype(np.uint8, copy=False))
        spent = time.perf_counter() - started
        yield {
            "file": label["file"],
            "folder": folder,
            "cards": len(label["cards"]),
            "found": len(found),
            **_judged(label["cards"], found),
            "ms": round(1000 * spent, 1),
        }


def _judged(cards: list[dict[str, Any]], found: list[FoundCard]) -> dict[str, Any]:
    quads = [np.array(card["quad"], np.float32) for card in cards if card.get("quad")]
    if quads and len(quads) == len(cards):
        result = met(quads, found)
        errors = [corner_error(quads[t], found[f].corners) for t, f, _ in result.pairs]
        return _row("outline", len(result.pairs), result.false, errors)
    marks = [card["corner_box"] for card in cards if card.get("corner_box")]
    if marks and len(marks) == len(cards):
        return _row("index inside", _holding(marks, found), max(0, len(found) - len(cards)), [])
    return _row("count", min(len(found), len(cards)), max(0, len(found) - len(cards)), [])


def _holding(marks: list[list[float]], found: list[FoundCard]) -> int:
    """How many of the small indices lie in a found card of their own."""
    free = list(found)
    holding = 0
    for x, y, w, h in marks:
        middle = (x + w / 2, y + h / 2)
        holders = [card for card in free if cv2.pointPolygonTest(card.corners, middle, False) >= 0]
        if holders:
            # The smallest distance from a corner tells whose index it is where cards overlap.
            own = min(holders, key=lambda c: float(np.linalg.norm(c.corners - middle, axis=1).min()))
            free = [card for card in free if card is not own]
            holding += 1
    return holding


def _row(how: str, met_cards: int, false: int, errors: list[float]) -> dict[str, Any]:
    error = round(float(np.mean(errors)), 4) if errors else ""
    return {"judged_by": how, "met": met_cards, "false": false, "corner_error": error}
