"""Pictures of what was seen: every card outlined and named."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture
from vision.overlay_room import Room

Tone = Literal["sure", "unsure"]
_TONES: Final = {"sure": (60, 200, 60), "unsure": (40, 120, 255)}
_INK: Final = (255, 255, 255)
_PAPER: Final = (40, 40, 40)
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
    room = Room(picture.shape[:2], [mark.corners for mark in marks])
    for mark in marks:  # words last, so that no outline crosses them
        _write(drawn, mark, room)
    return drawn


def _write(drawn: Picture, mark: Mark, room: Room) -> None:
    """The word beside its card where there is room: what the card shows can still be seen."""
    sides = np.linalg.norm(mark.corners - np.roll(mark.corners, -1, axis=0), axis=1)
    word = mark.word.encode("ascii", "replace").decode()  # all that OpenCV's letters know
    (wide, tall), below = cv2.getTextSize(word, _FONT, 1.0, 2)
    scale = float(np.clip(0.6 * min(sides) / max(1, wide), max(drawn.shape[:2]) / 2400, 2.0))
    thick = max(1, round(2 * scale))
    pad = max(2, round(4 * scale))
    wide, tall = round(wide * scale) + 2 * pad, round((tall + below) * scale) + 2 * pad
    left, top = room.place(mark.corners, (wide, tall))
    cv2.rectangle(drawn, (left, top), (left + wide, top + tall), _PAPER, cv2.FILLED)
    cv2.rectangle(drawn, (left, top), (left + wide, top + tall), _TONES[mark.tone], thick)
    foot = top + tall - pad - round(below * scale)
    cv2.putText(drawn, word, (left + pad, foot), _FONT, scale, _INK, thick, cv2.LINE_AA)
