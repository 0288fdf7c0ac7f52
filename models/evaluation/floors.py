"""What must be reached, set by set, and whether it was. Goals are what is aimed for beyond the floors."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from models.evaluation.counting import Row as CountingRow
from models.evaluation.finding_photos import SEVERAL
from models.evaluation.picture_rows import PictureRow
from models.evaluation.reading import Row
from models.evaluation.rendered_set import BACKS, ENROLLED


@dataclass(frozen=True)
class Bound:
    """A figure is met at this value, or better. `part` figures are shares, others are counts."""

    value: float
    goal: float | None
    at_least: bool
    part: bool = True

    def holds(self, figure: float) -> bool:
        return figure >= self.value if self.at_least else figure <= self.value

    def said(self, figure: float | None) -> str:
        return "" if figure is None else f"{figure:.2%}" if self.part else f"{figure:.3f}"

    @property
    def sign(self) -> str:
        return ">=" if self.at_least else "<="


@dataclass(frozen=True)
class Line:
    """One figure beside its floor; `of` is how many cards or pictures it is a share of, 0: none measured."""

    set: str
    what: str
    figure: float
    of: int
    bound: Bound

    @property
    def verdict(self) -> str:
        return "not measured" if not self.of else "met" if self.bound.holds(self.figure) else "MISSED"


def at_least(value: float, goal: float | None = None) -> Bound:
    return Bound(value, goal, True)


def at_most(value: float, goal: float | None = None, part: bool = True) -> Bound:
    return Bound(value, goal, False, part)


def table(lines: Sequence[Line]) -> str:
    head = f"{'set':30} {'figure':34} {'of':>6} {'value':>8}    {'floor':>7} {'goal':>7}  verdict"
    return "\n".join([head, *(_line(line) for line in lines)])


def _line(line: Line) -> str:
    bound = line.bound
    value = bound.said(line.figure) if line.of else "-"
    return (
        f"{line.set:30} {line.what:34} {line.of:6} {value:>8} {bound.sign} {bound.said(bound.value):>7} "
        f"{bound.said(bound.goal):>7}  {line.verdict}"
    )


def finding_lines(
    name: str, rows: Sequence[PictureRow], recall: Bound, false: Bound | None = None
) -> list[Line]:
    """What is reported at the end of the chain."""
    cards = sum(row.cards for row in rows)
    lines = [Line(name, "cards found", sum(row.met for row in rows) / max(1, cards), cards, recall)]
    if false:
        wrong = sum(row.false for row in rows) / max(1, len(rows))
        lines.append(Line(name, "false cards per picture", wrong, len(rows), false))
    return lines


def reading_lines(
    name: str, rows: Iterable[Row], bounds: dict[str, Bound], sights: bool = True
) -> list[Line]:
    """Outcomes of the cards that were found; once for all, once for those whose figure is in sight."""
    read = [row for row in rows if row.quads == "found" and row.outcome != "missed"]
    lines = []
    for outcome, bound in bounds.items():
        for where in (", all", ", figure in sight") if sights else ("",):
            own = [row for row in read if row.in_sight] if "sight" in where else read
            part = sum(row.outcome == outcome for row in own) / max(1, len(own))
            lines.append(Line(name, f"read {outcome}{where}", part, len(own), bound))
    return lines


def rendered_lines(name: str, pictures: Sequence[PictureRow], cards: Sequence[Row]) -> list[Line]:
    """Of a set of stills with its decks enrolled, and of the faces of the same stills without."""
    label = name + ENROLLED
    enrolled = [row for row in pictures if row.set == label]
    faces_and_backs = [row for row in cards if row.set in (label, label + BACKS)]
    alone = [row for row in cards if row.set == name]
    return [
        *finding_lines(label, enrolled, at_least(0.98, 0.99), at_most(0.05, 0.02, part=False)),
        *reading_lines(
            label, faces_and_backs, {"wrong": at_most(0.005, 0.002), "abstained": at_most(0.04, 0.02)}
        ),
        *reading_lines(f"{name}, not enrolled", alone, {"right": at_least(0.92), "wrong": at_most(0.02)}),
    ]


def photo_lines(pictures: Sequence[PictureRow], cards: Sequence[Row]) -> list[Line]:
    """Folders of several cards, and all photos of one card."""
    single = [row for row in pictures if row.set not in SEVERAL and row.cards == 1]
    files = {row.picture for row in single}
    bounds = {"right": at_least(0.90, 0.95), "wrong": at_most(0.03, 0.01)}
    several, one = "photos, several cards", "photos, one card"
    return [
        *finding_lines(
            several,
            [row for row in pictures if row.set in SEVERAL],
            at_least(0.95, 0.99),
            at_most(0.2, 0.02, part=False),
        ),
        *reading_lines(several, [row for row in cards if row.set in SEVERAL], bounds, sights=False),
        *finding_lines(one, single, at_least(0.97, 0.99)),
        *reading_lines(one, [row for row in cards if row.picture in files], bounds, sights=False),
    ]


def counting_lines(rows: Sequence[CountingRow]) -> list[Line]:
    lines = []
    for layout, floor, goal in (("spread", 0.95, 0.99), ("fanned", 0.85, 0.95)):
        own = [row for row in rows if row.layout == layout]
        exact = sum(row.exact for row in own) / max(1, len(own))
        others = [row for row in own if not row.exact]
        flagged = sum(row.flagged for row in others) / max(1, len(others))
        name = f"backs, {layout}"
        lines.append(Line(name, "counted exactly", exact, len(own), at_least(floor, goal)))
        lines.append(Line(name, "flagged unsure, of the others", flagged, len(others), at_least(0.8, 1.0)))
    return lines
