"""Pictures of what was seen: every card outlined and named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture

Tone = Literal["sure", "unsure"]
_TONES: Final = {"sure": (60, 200, 60), "unsure": (40, 120, 255)}
_INK: Final = (255, 255, 255)
_FONT: Final = cv2.FONT_HERSHEY_SIMPLEX


@dataclass(frozen=True, eq=False)
class Mark:
    """An outline with a word on it; the first corner gets a dot."""

    corners: NDArray[np.float32]
    word: str
    tone: Tone = "sure"


def annotated(picture: Picture, marks: Sequence[Mark]) -> Picture:
    """A copy of the picture with the marks drawn on it."""
    drawn = picture.copy()
    thick = max(1, round(max(picture.shape[:2]) / 640))
    for mark in marks:
        outline = np.round(mark.corners).astype(np.int32)
        cv2.polylines(drawn, [outline], True, _TONES[mark.tone], thick, cv2.LINE_AA)
        first = (int(outline[0, 0]), int(outline[0, 1]))
        cv2.circle(drawn, first, 2 * thick, _TONES[mark.tone], cv2.FILLED, cv2.LINE_AA)
    for mark in marks:  # words last, so that no outline crosses them
        _write(drawn, mark)
    return drawn


def _write(drawn: Picture, mark: Mark) -> None:
    sides = np.linalg.norm(mark.corners - np.roll(mark.corners, -1, axis=0), axis=1)
    word = mark.word.encode("ascii", "replace").decode()  # all that OpenCV's letters know
    (wide, tall), below = cv2.getTextSize(word, _FONT, 1.0, 2)
    scale = float(np.clip(0.8 * min(sides) / max(1, wide), 0.3, 3.0))
    thick = max(1, round(2 * scale))
    size = np.array([wide, tall]) * scale
    middle = mark.corners.mean(axis=0)
    left, foot = (middle + size * (-0.5, 0.5)).round().astype(int).tolist()
    pad = max(2, round(4 * scale))
    right, top = left + round(float(size[0])) + pad, foot - round(float(size[1])) - pad
    cv2.rectangle(drawn, (left - pad, top), (right, foot + round(below * scale)), (40, 40, 40), cv2.FILLED)
    cv2.putText(drawn, word, (left, foot), _FONT, scale, _INK, thick, cv2.LINE_AA)
