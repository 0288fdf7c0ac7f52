"""Whether the reader is as often right as it says: drawn with OpenCV, one panel for each set."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from itertools import pairwise
from pathlib import Path
from typing import Final

import cv2
import numpy as np

from models.evaluation.reading import Row
from vision.frame import Picture

_EDGES: Final = (0.0, 0.2, 0.4, 0.6, 0.7, 0.8, 0.9, 0.95, 0.98, 0.99, 1.0001)
_SIDE, _RIM = 320, 46
_INK, _PALE, _BAR, _POINT = (40, 40, 40), (205, 205, 205), (225, 205, 180), (40, 40, 200)


def points(rows: Sequence[Row]) -> list[tuple[float, float, int]]:
    """For each band of confidence: what was said, how often it was right, and how many cards there are."""
    found = []
    for low, high in pairwise(_EDGES):
        inside = [row for row in rows if low <= row.chance < high and row.outcome != "missed"]
        if inside:
            said = float(np.mean([row.chance for row in inside]))
            found.append((said, float(np.mean([row.hit for row in inside])), len(inside)))
    return found


def write_plot(sets: Mapping[str, Sequence[Row]], path: Path) -> None:
    """A PNG: said against right, the diagonal being honest; bars show how the cards are spread."""
    panels = [_panel(name, points(rows)) for name, rows in sets.items()]
    path.parent.mkdir(parents=True, exist_ok=True)
    cv2.imwrite(str(path), np.hstack(panels))


def _panel(name: str, found: Sequence[tuple[float, float, int]]) -> Picture:
    panel = np.full((_SIDE + 2 * _RIM, _SIDE + 2 * _RIM, 3), 255, np.uint8)
    total = max(1, sum(count for _, _, count in found))
    for said, _, count in found:
        left, foot = _place(said, 0)
        top = _place(said, count / total)[1]
        cv2.rectangle(panel, (left - 4, top), (left + 4, foot), _BAR, cv2.FILLED)
    for part in (0.0, 0.25, 0.5, 0.75, 1.0):
        cv2.line(panel, _place(part, 0), _place(part, 1), _PALE, 1)
        cv2.line(panel, _place(0, part), _place(1, part), _PALE, 1)
        _write(panel, f"{part:.2f}", (_place(part, 0)[0] - 12, _SIDE + _RIM + 16))
        _write(panel, f"{part:.2f}", (8, _place(0, part)[1] + 4))
    cv2.line(panel, _place(0, 0), _place(1, 1), _INK, 1, cv2.LINE_AA)
    line = np.array([_place(said, right) for said, right, _ in found], np.int32).reshape(-1, 1, 2)
    cv2.polylines(panel, [line], False, _POINT, 1, cv2.LINE_AA)
    for said, right, _ in found:
        cv2.circle(panel, _place(said, right), 4, _POINT, cv2.FILLED, cv2.LINE_AA)
    _write(panel, f"{name} ({total} cards): right against said", (_RIM, 24))
    return panel


def _place(x: float, y: float) -> tuple[int, int]:
    return _RIM + round(x * _SIDE), _RIM + round((1 - y) * _SIDE)


def _write(panel: Picture, text: str, foot: tuple[int, int]) -> None:
    cv2.putText(panel, text, foot, cv2.FONT_HERSHEY_SIMPLEX, 0.4, _INK, 1, cv2.LINE_AA)
