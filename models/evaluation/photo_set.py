"""Strangers' photos, found and read end to end, and by labelled corners where there are any.

UNO cards with a number and one of four colours are read, nobody's deck enrolled. Where labels only list the
cards of a photo, its readings are laid beside the list so that as few as possible are wrong; readings beyond
the length of the list are false cards.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Final

import numpy as np
from scipy.optimize import linear_sum_assignment

from models.evaluation.eyes import Eyes
from models.evaluation.finding_photos import (
    NOT_FOR_FINDING,
    LabelledPhoto,
    PhotoMatch,
    corner_errors,
    labelled_photos,
    matched,
)
from models.evaluation.picture_rows import PictureRow, Stage, picture_row
from models.evaluation.reading import Row, face_row, outcome
from models.evaluation.reading_photos import face_of
from referee.cards import UNKNOWN
from vision.card_reader import CardReading
from vision.reading.crops import Quad
from vision.table_reader import SeenCard

GAMES: Final = ("uno", "uno_flip")
_COST: Final = {"right": 0, "abstained": 1, "wrong": 2}


@dataclass(frozen=True, eq=False)
class JudgedPhoto:
    photo: LabelledPhoto
    asked: list[Quad]  # where labels have outlines
    seen: list[Quad]
    bad: list[Quad]  # missed or false, where that is known
    pictures: list[PictureRow]  # none for a photo that is nothing but a card
    cards: list[Row]


def judged_photos(eyes: Eyes, photos: Path) -> Iterator[JudgedPhoto]:
    for photo in labelled_photos(photos):
        yield judged_photo(eyes, photo)


def judged_photo(eyes: Eyes, photo: LabelledPhoto) -> JudgedPhoto:
    labelled = [row for i, quad in _labelled(photo) for row in _row(eyes, photo, i, quad)]
    if photo.folder in NOT_FOR_FINDING:
        return JudgedPhoto(photo, [], [], [], [], labelled)
    found, finding = eyes.find(photo.picture)
    seen, reading = eyes.read(photo.picture, found)
    first, match = matched(photo.cards, found), matched(photo.cards, seen)
    stages = Stage(len(found), first.met, first.false), Stage(len(seen), match.met, match.false)
    paired = {f for _, f in match.pairs}
    others = [card for i, card in enumerate(seen) if i not in paired]
    by_outline = match.judged_by == "outline"
    row = picture_row(
        (photo.folder, photo.file, match.judged_by),
        len(photo.cards),
        stages,
        sum(_is_named(card.reading) for card in others) if by_outline else None,
        corner_errors(photo.cards, seen, match),
        (finding, reading),
    )
    asked = [np.array(card["quad"], np.float32) for card in photo.cards] if by_outline else []
    hit = {t for t, _ in match.pairs}
    bad = [quad for i, quad in enumerate(asked) if i not in hit]
    bad += [card.corners for card in others] if by_outline else []
    rows = [*labelled, *_found_rows(photo, seen, match)]
    return JudgedPhoto(photo, asked, [card.corners for card in seen], bad, [row], rows)


def is_number(card: dict[str, Any]) -> bool:
    return not card.get("back") and "?" not in face_of(card)


def _labelled(photo: LabelledPhoto) -> Iterator[tuple[int, Quad]]:
    """The cards whose corners are known; of a photo that is nothing but a card, those of the photo."""
    height, width = photo.picture.shape[:2]
    whole = [[0, 0], [width - 1, 0], [width - 1, height - 1], [0, height - 1]]
    for i, card in enumerate(photo.cards):
        quad = whole if photo.folder in NOT_FOR_FINDING else card.get("quad")
        if quad and is_number(card) and photo.game in GAMES:
            yield i, np.array(quad, np.float32)


def _row(eyes: Eyes, photo: LabelledPhoto, card: int, quad: Quad) -> Iterator[Row]:
    tall = round(float(np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1).max()))
    reading = eyes.reader.read(photo.picture, [quad])[0]
    yield face_row(photo.folder, photo.file, face_of(photo.cards[card]), reading, (1.0, tall, True))


def _found_rows(photo: LabelledPhoto, seen: Sequence[SeenCard], match: PhotoMatch) -> Iterator[Row]:
    if photo.game not in GAMES:
        return
    readings = [card.reading for card in seen]
    truths = [face_of(card) for card in photo.cards]
    listed = match.judged_by == "count" and len(photo.cards) > 1
    said = [stated(reading) for reading in readings]
    pairs = dict(agreeing(truths, said) if listed else match.pairs)
    for i, card in enumerate(photo.cards):
        if not is_number(card):
            continue
        if i in pairs:
            corners = seen[pairs[i]].corners
            tall = round(float(np.linalg.norm(corners - np.roll(corners, -1, axis=0), axis=1).max()))
            row = face_row(photo.folder, photo.file, truths[i], readings[pairs[i]], (1.0, tall, True))
        else:
            row = Row(photo.folder, photo.file, truths[i], "", "", 0.0, 1.0, 0, True, "missed")
        yield replace(row, quads="found")


def stated(reading: CardReading) -> str:
    """What was said of a card: a face with or without its parts, or another side."""
    return str(reading.face) if reading.side == "face" else reading.side


def agreeing(truths: Sequence[str], said: Sequence[str]) -> list[tuple[int, int]]:
    """Labels and readings in pairs, as few of them wrong as can be."""
    if not truths or not said:
        return []
    table = np.array([[_cost(truth, read) for read in said] for truth in truths])
    return [(int(t), int(f)) for t, f in zip(*linear_sum_assignment(table), strict=True)]


def _cost(truth: str, read: str) -> int:
    """An action card is right when it is given no number."""
    if truth.endswith("?"):
        return 0 if read.endswith("?") or read in ("back", "none") else 2
    return _COST[outcome(truth, read)]


def _is_named(reading: CardReading) -> bool:
    return reading.side == "face" and reading.face is not UNKNOWN
