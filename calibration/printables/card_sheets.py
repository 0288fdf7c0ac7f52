"""Sheets of cards at true size: faces, and behind them the backs, mirrored for two-sided printing."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from itertools import islice
from pathlib import Path

from calibration.printables.shapes import Drawing, Point
from calibration.printables.sheet import Paper, Sheets

_COLUMNS, _ROWS = 4, 2
_BLEED = 2.5
_MARK = 5.0


@dataclass(frozen=True)
class CardArt:
    """All that is printed: one drawing per face, one per back, each of the card's size."""

    card_mm: tuple[float, float]
    faces: Mapping[str, Drawing]
    backs: Mapping[str, Drawing]


def write_deck(path: Path, paper: Paper, art: CardArt, page_done: Callable[[], None] = lambda: None) -> int:
    """Writes one full set of faces for every back; the number of pages."""
    sheets = Sheets(path, paper.landscape, "Finito house deck")
    width, height = art.card_mm
    for name, drawing in art.faces.items():
        sheets.keep_drawing(f"face-{name}", drawing, (width, height), 0.0)
    for back, drawing in art.backs.items():
        sheets.keep_drawing(f"back-{back}", drawing, (width, height), _BLEED)
        faces = iter(art.faces)
        number = 0
        while page := list(islice(faces, _COLUMNS * _ROWS)):
            number += 1
            _face_page(sheets, art, page, f"{back}: faces, sheet {number}")
            page_done()
            _back_page(sheets, art, back, len(page), f"{back}: backs for sheet {number}")
            page_done()
    sheets.save()
    return sheets.pages


def page_count(art: CardArt) -> int:
    return -(-len(art.faces) // (_COLUMNS * _ROWS)) * 2 * len(art.backs)


def _spot(sheets: Sheets, card_mm: Point, place: int, mirrored: bool = False) -> Point:
    row, column = divmod(place, _COLUMNS)
    if mirrored:
        column = _COLUMNS - 1 - column
    left, top = _corner(sheets, card_mm)
    return left + column * card_mm[0], top + row * card_mm[1]


def _corner(sheets: Sheets, card_mm: Point) -> Point:
    paper = sheets.paper
    return (paper.width - _COLUMNS * card_mm[0]) / 2, (paper.height - _ROWS * card_mm[1]) / 2


def _face_page(sheets: Sheets, art: CardArt, faces: list[str], title: str) -> None:
    width, height = art.card_mm
    for place, face in enumerate(faces):
        at = _spot(sheets, art.card_mm, place)
        sheets.place(f"face-{face}", at, at, (at[0] + width, at[1] + height))
    _margins(sheets, art.card_mm, title)
    sheets.next_page()


def _back_page(sheets: Sheets, art: CardArt, back: str, count: int, title: str) -> None:
    """Each back fills its card; only at the outside of the block it runs over, for sheets that slip."""
    width, height = art.card_mm
    left, top = _corner(sheets, art.card_mm)
    right, bottom = left + _COLUMNS * width, top + _ROWS * height
    for place in range(count):
        x, y = _spot(sheets, art.card_mm, place, mirrored=True)
        low = (x - _BLEED if x <= left else x, y - _BLEED if y <= top else y)
        over = (x + width >= right - 0.1, y + height >= bottom - 0.1)
        high = (x + width + (_BLEED if over[0] else 0), y + height + (_BLEED if over[1] else 0))
        sheets.place(f"back-{back}", (x, y), low, high)
    _margins(sheets, art.card_mm, title)
    sheets.next_page()


def _margins(sheets: Sheets, card_mm: Point, title: str) -> None:
    """Cutting marks outside the block, a title above it and the ruler at the left."""
    left, top = _corner(sheets, card_mm)
    right, bottom = left + _COLUMNS * card_mm[0], top + _ROWS * card_mm[1]
    start, end = _BLEED + 0.5, _BLEED + 0.5 + _MARK
    for column in range(_COLUMNS + 1):
        x = left + column * card_mm[0]
        sheets.line((x, top - start), (x, top - end), 0.15)
        sheets.line((x, bottom + start), (x, bottom + end), 0.15)
    for row in range(_ROWS + 1):
        y = top + row * card_mm[1]
        sheets.line((left - start, y), (left - end, y), 0.15)
        sheets.line((right + start, y), (right + end, y), 0.15)
    for column, words in enumerate((title, "Print on both sides, flip on the short edge.")):
        sheets.text((left + column * card_mm[0] + 3, top - 4.5), words, 2.4)
    sheets.ruler((left - 11.0, bottom - 3.0), upward=True)
