"""The baseline beside ours on the same real photos: UNO number cards, each method end to end, one thread.

`contours` finds with contours and reads with a text reader and the nearest hue. `SIFT` is handed our outlines
and an album of the same folder: the first photo of each face, which is then not among those it must read.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from pathlib import Path
from typing import Final

import numpy as np

from models.evaluation.baseline import SiftAlbum, TextReader, contour_cards
from models.evaluation.eyes import Eyes
from models.evaluation.finding_photos import NOT_FOR_FINDING, LabelledPhoto, labelled_photos, matched
from models.evaluation.finding_truth import Outlined
from models.evaluation.floors import Line, at_least, at_most
from models.evaluation.photo_set import GAMES, agreeing, is_number, stated
from models.evaluation.reading import outcome
from models.evaluation.reading_photos import face_of
from vision.frame import Picture
from vision.reading.crops import Quad

METHODS: Final = ("ours", "contours", "SIFT")

Reads = Callable[[Picture, Sequence[Quad]], list[str]]


@dataclass(frozen=True)
class BaselineRow:
    """One card as one method saw it; seconds for finding are the picture's, for reading the card's."""

    folder: str
    picture: str
    truth: str
    method: str
    read: str
    outcome: str  # right, wrong, abstained or missed
    find_s: float
    read_s: float
    in_album: bool  # SIFT has a picture of this face, from another photo


def baseline_rows(eyes: Eyes, reader: TextReader, photos: Path, most: int) -> Iterator[BaselineRow]:
    """Folder by folder; of each no more than the first so many photos that show a number card."""
    wanted = (photo for photo in labelled_photos(photos) if _has_numbers(photo))
    for _, group in groupby(wanted, key=lambda photo: photo.folder):
        folder = list(group)[:most]
        album, enrolled = _album(folder, eyes)
        for photo in folder:
            yield from _rows(eyes, reader, album, photo, photo.file in enrolled)


def _has_numbers(photo: LabelledPhoto) -> bool:
    whole = photo.folder in NOT_FOR_FINDING
    return photo.game in GAMES and not whole and any(is_number(card) for card in photo.cards)


def _album(folder: Sequence[LabelledPhoto], eyes: Eyes) -> tuple[SiftAlbum, set[str]]:
    """The first photo of each face in which it is known which card is which."""
    pages: dict[str, tuple[str, Picture, Quad]] = {}
    used = set()
    for photo in folder:
        found = eyes.finder.find(photo.picture)
        outlines = {t: found[f].corners for t, f in matched(photo.cards, found).pairs}
        for i, card in enumerate(photo.cards):
            quad = np.array(card["quad"], np.float32) if card.get("quad") else outlines.get(i)
            if is_number(card) and face_of(card) not in pages and quad is not None:
                pages[face_of(card)] = (face_of(card), photo.picture, quad)
                used.add(photo.file)
    return SiftAlbum(pages.values()), used


def _rows(
    eyes: Eyes, reader: TextReader, album: SiftAlbum, photo: LabelledPhoto, enrols: bool
) -> Iterator[BaselineRow]:
    def ours(picture: Picture, quads: Sequence[Quad]) -> list[str]:
        return [stated(reading) for reading in eyes.reader.read(picture, quads)]

    def by_text(picture: Picture, quads: Sequence[Quad]) -> list[str]:
        return [reader.read(picture, quad) for quad in quads]

    def by_sift(picture: Picture, quads: Sequence[Quad]) -> list[str]:
        return [album.read(picture, quad) for quad in quads]

    faces = set() if enrols else album.faces
    yield from _measured("ours", eyes.finder.find, ours, photo, faces)
    yield from _measured("contours", contour_cards, by_text, photo, faces)
    yield from _measured("SIFT", eyes.finder.find, by_sift, photo, faces)


def _measured(
    method: str,
    find: Callable[[Picture], Sequence[Outlined]],
    read: Reads,
    photo: LabelledPhoto,
    faces: set[str],
) -> Iterator[BaselineRow]:
    started = time.perf_counter()
    found = find(photo.picture)
    finding = time.perf_counter() - started
    match = matched(photo.cards, found)
    truths = [face_of(card) for card in photo.cards]
    listed = match.judged_by == "count" and len(truths) > 1
    # Where it is known which card is which, nothing else needs to be read.
    chosen = list(range(len(found))) if listed else [f for _, f in match.pairs]
    started = time.perf_counter()
    said = read(photo.picture, [found[f].corners for f in chosen])
    reading = (time.perf_counter() - started) / max(1, len(chosen))
    own = agreeing(truths, said) if listed else [(t, i) for i, (t, _) in enumerate(match.pairs)]
    pairs = dict(own)
    for i, card in enumerate(photo.cards):
        if is_number(card):
            text = said[pairs[i]] if i in pairs else ""
            verdict = outcome(truths[i], text) if text else "missed"
            place = (photo.folder, photo.file, truths[i], method, text, verdict)
            yield BaselineRow(*place, round(finding, 4), round(reading, 4), truths[i] in faces)


def baseline_table(rows: Sequence[BaselineRow]) -> str:
    """Per folder: cards asked, and of these found, right and wrong, by method; medians of the seconds."""
    head = f"{'':8} {'cards':>6} {'found':>7} {'right':>7} {'wrong':>7} {'find s':>8} {'s a card':>9}"
    lines = [f"{'folder':16} {head}"]
    for folder in [*dict.fromkeys(row.folder for row in rows), "all"]:
        own = [row for row in rows if folder in (row.folder, "all")]
        lines += [
            _line(folder, method, [row for row in own if row.method == method]) for method in METHODS[:2]
        ]
        repeated = [row for row in own if row.in_album]
        if repeated:
            for method in ("SIFT", "ours"):
                same = [row for row in repeated if row.method == method]
                lines.append(_line(folder, method, same) + "  faces in the album")
    return "\n".join(lines)


def baseline_lines(rows: Sequence[BaselineRow]) -> list[Line]:
    """Ours against each rival, folder by folder, and the time a card takes to read."""
    lines = []
    for rival in METHODS[1:]:
        cards = [row for row in rows if row.in_album or rival != "SIFT"]
        for folder in dict.fromkeys(row.folder for row in cards):
            own = [row for row in cards if row.folder == folder]
            ours, theirs = (_right([row for row in own if row.method == name]) for name in ("ours", rival))
            of = sum(row.method == "ours" for row in own)
            lines.append(
                Line(f"beside {rival}, {folder}", "read right, of all asked", ours, of, at_least(theirs))
            )
        ours, theirs = (_seconds([row for row in cards if row.method == name]) for name in ("ours", rival))
        of = sum(row.method == "ours" for row in cards)
        lines.append(
            Line(
                f"beside {rival}", "time to read, part of theirs", ours / max(1e-9, theirs), of, at_most(0.05)
            )
        )
    return lines


def _right(rows: Sequence[BaselineRow]) -> float:
    return sum(row.outcome == "right" for row in rows) / max(1, len(rows))


def _seconds(rows: Sequence[BaselineRow]) -> float:
    return float(np.median([row.read_s for row in rows])) if rows else 0.0


def _line(folder: str, method: str, rows: Sequence[BaselineRow]) -> str:
    outcomes = [row.outcome for row in rows]
    found, right, wrong = (
        part / len(rows)
        for part in (len(rows) - outcomes.count("missed"), outcomes.count("right"), outcomes.count("wrong"))
    )
    find, read = (float(np.median(times)) for times in ([r.find_s for r in rows], [r.read_s for r in rows]))
    return (
        f"{folder:16} {method:8} {len(rows):6} {found:7.1%} {right:7.1%} {wrong:7.1%} {find:8.3f} {read:9.4f}"
    )
