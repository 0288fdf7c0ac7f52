"""A PDF page in millimetres from its top left corner, with a ruler to check the printer's scale."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

from reportlab.lib.units import mm
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from calibration.printables.shapes import Area, Drawing, Ink, Point

BLACK: Ink = (0, 0, 0)
GREY: Ink = (120, 120, 120)
RULER_MM = 100.0


@dataclass(frozen=True)
class Paper:
    name: str
    width: float
    height: float

    @property
    def landscape(self) -> Paper:
        return Paper(self.name, max(self.width, self.height), min(self.width, self.height))


PAPERS = {"a4": Paper("a4", 210.0, 297.0), "letter": Paper("letter", 215.9, 279.4)}


class Sheets:
    """Pages of one paper size, written to one file."""

    def __init__(self, path: Path, paper: Paper, title: str) -> None:
        self.paper = paper
        self.pages = 0
        size = (paper.width * mm, paper.height * mm)
        # invariant: no date inside, so that the same command gives the same bytes
        self._canvas = Canvas(str(path), pagesize=size, invariant=1, pageCompression=1)
        self._canvas.setTitle(title)
        self._kept: set[str] = set()

    def next_page(self) -> None:
        self._canvas.showPage()
        self.pages += 1

    def save(self) -> None:
        self._canvas.save()

    def rectangle(self, at: Point, width: float, height: float, ink: Ink) -> None:
        self._canvas.setFillColorRGB(*_shares(ink))
        self._canvas.rect(at[0] * mm, self._up(at[1] + height), width * mm, height * mm, stroke=0, fill=1)

    def line(self, start: Point, end: Point, width: float = 0.2, ink: Ink = BLACK) -> None:
        self._canvas.setStrokeColorRGB(*_shares(ink))
        self._canvas.setLineWidth(width * mm)
        self._canvas.setLineCap(0)
        self._canvas.line(start[0] * mm, self._up(start[1]), end[0] * mm, self._up(end[1]))

    def text(self, at: Point, words: str, size: float = 3.0, ink: Ink = GREY, upward: bool = False) -> None:
        """Words whose baseline starts there; `upward` turns them to read from below."""
        self._canvas.saveState()
        self._canvas.translate(at[0] * mm, self._up(at[1]))
        self._canvas.rotate(90 if upward else 0)
        self._canvas.setFillColorRGB(*_shares(ink))
        self._canvas.setFont("Helvetica", size * mm)
        self._canvas.drawString(0, 0, words)
        self._canvas.restoreState()

    def ruler(self, start: Point, upward: bool = False) -> None:
        """A line of exactly 100 mm with a tick every 10: hold a real ruler to it."""
        step = (0.0, -1.0) if upward else (1.0, 0.0)
        end = (start[0] + step[0] * RULER_MM, start[1] + step[1] * RULER_MM)
        self.line(start, end, 0.3)
        for i in range(11):
            along = min(max(i * 10.0, 0.1), RULER_MM - 0.1)  # the outer ticks end with the line
            x, y = start[0] + step[0] * along, start[1] + step[1] * along
            tall = 4.0 if i % 5 == 0 else 2.5
            self.line((x, y), (x - tall, y) if upward else (x, y - tall), 0.2)
        words = "This line is 100 mm long. If it is not, print again at 100 % (actual size)."
        self.text(
            (start[0] + 3.2, start[1] - 2) if upward else (start[0], start[1] + 4), words, 2.4, upward=upward
        )

    def keep_drawing(self, name: str, drawing: Drawing, size: Point, bleed: float) -> None:
        """Store a drawing once in the file, with its bleed; `place` uses it many times."""
        if name in self._kept:
            return
        self._kept.add(name)
        canvas = self._canvas
        low = math.floor(-bleed * mm), math.floor(-(size[1] + bleed) * mm)
        high = math.ceil((size[0] + bleed) * mm), math.ceil(bleed * mm)
        canvas.beginForm(name, *low, *high)
        canvas.setLineCap(1)
        canvas.setLineJoin(1)
        for shape in drawing:
            if isinstance(shape, Area):
                canvas.setFillColorRGB(*_shares(shape.ink))
                canvas.drawPath(self._path(shape.points, True), stroke=0, fill=1)
            else:
                canvas.setStrokeColorRGB(*_shares(shape.ink))
                canvas.setLineWidth(shape.width * mm)
                canvas.drawPath(self._path(shape.points, shape.closed), stroke=1, fill=0)
        canvas.endForm()

    def place(self, name: str, at: Point, low: Point, high: Point) -> None:
        """A kept drawing with its top left there; only what lies between two page points shows."""
        canvas = self._canvas
        canvas.saveState()
        window = canvas.beginPath()
        window.rect(low[0] * mm, self._up(high[1]), (high[0] - low[0]) * mm, (high[1] - low[1]) * mm)
        canvas.clipPath(window, stroke=0, fill=0)
        canvas.translate(at[0] * mm, self._up(at[1]))
        canvas.doForm(name)
        canvas.restoreState()

    def _path(self, points: tuple[Point, ...], closed: bool) -> PDFPathObject:
        path = self._canvas.beginPath()
        path.moveTo(points[0][0] * mm, -points[0][1] * mm)
        for x, y in points[1:]:
            path.lineTo(x * mm, -y * mm)
        if closed:
            path.close()
        return path

    def _up(self, y: float) -> float:
        """Paper counts from the bottom in points."""
        return float((self.paper.height - y) * mm)


def _shares(ink: Ink) -> tuple[float, float, float]:
    return ink[0] / 255, ink[1] / 255, ink[2] / 255
