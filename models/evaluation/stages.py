"""Where cards are lost on the way from the picture to the answer, per set."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import pairwise
from typing import TypeVar

import numpy as np

from models.evaluation.picture_rows import PictureRow
from models.evaluation.reading import Row

_VISIBLE = (0.0, 0.5, 0.7, 0.9, 1.001)
_HEIGHTS = (0.0, 40.0, 60.0, 100.0, 200.0, np.inf)

T = TypeVar("T", PictureRow, Row)


def finding_table(rows: Sequence[PictureRow]) -> str:
    """The finder alone, and what is left when the reader has thrown out what it takes for no card."""
    lines = [
        f"{'':30} {'':8} {'':6} {'finder alone':>15} {'reported':>15} {'':8} {'':>7} {'':>7}",
        f"{'set':30} {'pictures':>8} {'cards':>6} {'found':>8} {'false':>6} {'found':>8} {'false':>6} "
        f"{'corners':>8} {'find ms':>7} {'read ms':>7}",
    ]
    return "\n".join([*lines, *(_finding(name, own) for name, own in _by_set(rows).items())])


def _finding(name: str, rows: list[PictureRow]) -> str:
    cards = max(1, sum(row.cards for row in rows))
    shares = [sum(values) / cards for values in ([r.finder_met for r in rows], [r.met for r in rows])]
    false = [sum(values) / len(rows) for values in ([r.finder_false for r in rows], [r.false for r in rows])]
    errors = [row.corner_error for row in rows if row.corner_error is not None]
    corners = f"{np.mean(errors):8.1%}" if errors else f"{'-':>8}"
    times = [float(np.median(values)) for values in ([r.find_ms for r in rows], [r.read_ms for r in rows])]
    return (
        f"{name:30} {len(rows):8} {sum(row.cards for row in rows):6} {shares[0]:8.2%} {false[0]:6.2f} "
        f"{shares[1]:8.2%} {false[1]:6.2f} {corners} {times[0]:7.0f} {times[1]:7.0f}"
    )


def reading_table(rows: Sequence[Row]) -> str:
    """The reader on labelled corners, then on found ones, then all that were asked for, found or not."""
    lines = [
        f"{'':30} {'labelled corners':>30} {'found corners':>30} {'all asked':>9}",
        f"{'set':30} {'cards':>6} {'right':>7} {'wrong':>7} {'abst.':>7} "
        f"{'cards':>6} {'right':>7} {'wrong':>7} {'abst.':>7} {'right':>9}",
    ]
    for name, own in _by_set(rows).items():
        found = [row for row in own if row.quads == "found"]
        right = f"{sum(row.outcome == 'right' for row in found) / len(found):9.1%}" if found else f"{'-':>9}"
        labelled = [row for row in own if row.quads == "labelled"]
        lines.append(f"{name:30} {_shares(labelled)} {_shares(found)} {right}")
    return "\n".join(lines)


def seeing_table(rows: Sequence[Row]) -> str:
    """How many cards are found and read right, by how much of them shows and by their height in pixels."""
    asked = [row for row in rows if row.quads == "found"]
    lines = [f"{'':24} {'cards':>6} {'found':>8} {'right, of the found':>20}"]
    for what, edges, scale in (("visible", _VISIBLE, "%"), ("height", _HEIGHTS, "px")):
        for low, high in pairwise(edges):
            own = [row for row in asked if low <= getattr(row, what) < high]
            if own:
                name = f"{what} {_edge(low, scale)} to {_edge(high, scale)}"
                lines.append(f"{name:24} {_found_and_right(own)}")
    return "\n".join(lines)


def _found_and_right(rows: Sequence[Row]) -> str:
    found = [row for row in rows if row.outcome != "missed"]
    right = sum(row.outcome == "right" for row in found) / max(1, len(found))
    return f"{len(rows):6} {len(found) / len(rows):8.1%} {right:20.1%}"


def _edge(value: float, scale: str) -> str:
    return f"{min(value, 1):.0%}" if scale == "%" else f"{value:.0f}" if value < np.inf else "more"


def _shares(rows: Iterable[Row]) -> str:
    read = [row.outcome for row in rows if row.outcome != "missed"]
    if not read:
        return f"{0:6} {'-':>7} {'-':>7} {'-':>7}"
    right, wrong, abstained = (read.count(kind) / len(read) for kind in ("right", "wrong", "abstained"))
    return f"{len(read):6} {right:7.1%} {wrong:7.2%} {abstained:7.1%}"


def _by_set(rows: Iterable[T]) -> dict[str, list[T]]:
    sets: dict[str, list[T]] = {}
    for row in rows:
        sets.setdefault(row.set, []).append(row)
    return sets
