"""A still of a call: the frame with outlines, and under it what was called and why."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import cv2
import numpy as np

from vision.frame import Picture
from vision.overlay import Mark, annotated

_PAPER, _INK = (32, 32, 32), (245, 245, 245)
_TITLES: Final = {"illegal": (80, 80, 255), "unsure": (60, 200, 255)}
_LETTERS_IN_A_LINE: Final = 75
_WEIGHT: Final = 400


def still(
    picture: Picture, marks: Sequence[Mark], outcome: str, title: str, sentences: Sequence[str]
) -> Picture:
    """The picture with its marks; the words stand below it, so that they hide no card."""
    shown = annotated(picture, marks)
    width = picture.shape[1]
    size = max(12, 2 * width // _LETTERS_IN_A_LINE)
    rows = [(title, _TITLES.get(outcome, _INK))]
    for sentence in sentences:
        rows += [(row, _INK) for row in wrapped(sentence, width - 2 * size, size)]
    paper = np.full((round(size * (1.45 * len(rows) + 0.9)), width, 3), _PAPER, np.uint8)
    for number, (row, ink) in enumerate(rows):
        foot = round(size * (1.45 * number + 1.4))
        cv2.putText(paper, row, (size, foot), ink, _font(), size, _WEIGHT)
    return np.vstack([shown, paper])


def wrapped(sentence: str, width: int, size: int) -> list[str]:
    """The sentence in rows that are no wider than `width` pixels, broken between words."""
    rows: list[str] = []
    for word in sentence.split():
        longer = f"{rows[-1]} {word}" if rows else word
        if rows and text_width(longer, size) <= width:
            rows[-1] = longer
        else:
            rows.append(word)
    return rows


def text_width(text: str, size: int) -> int:
    _, _, width, _ = cv2.getTextSize((10_000, 100), text, (0, 50), _font(), size, _WEIGHT)
    return width


def _font() -> cv2.FontFace:
    return cv2.FontFace("sans")
