"""Fields of a line, read with a sentence for whatever is wrong with them."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final

from referee.actions import Interval
from referee.cards import UNKNOWN, Face, parse_face
from referee.errors import NotationError
from referee.places import PLACES

Line = Mapping[str, Any]


LATEST: Final = 1e9  # seconds; beyond it no two moments could be told apart


def shown(value: object) -> str:
    """A value as it stands in an error, cut where it is long."""
    text = repr(value)
    return text if len(text) <= 40 else text[:39] + "…"


def text(line: Line, name: str) -> str:
    value = line.get(name)
    if isinstance(value, str) and value:
        return value
    raise _bad(line, name, "a text")


def optional_text(line: Line, name: str) -> str | None:
    return None if line.get(name) is None else text(line, name)


def whole(line: Line, name: str, least: int = 0) -> int:
    value = line.get(name)
    if isinstance(value, int) and not isinstance(value, bool) and least <= value <= 10_000:
        return value
    raise _bad(line, name, f"a whole number of at least {least}")


def face(line: Line, name: str) -> Face:
    value = line.get(name)
    if isinstance(value, str):
        return parse_face(value)
    raise _bad(line, name, "a face such as R5 or ??")


def optional_face(line: Line, name: str) -> Face:
    return UNKNOWN if line.get(name) is None else face(line, name)


def place(line: Line, name: str, among: tuple[str, ...] = PLACES) -> str:
    value = line.get(name)
    if isinstance(value, str) and value in among:
        return value
    raise _bad(line, name, "one of " + ", ".join(among))


def pile(line: Line, name: str) -> int | None:
    """A pile number, or None for a new one."""
    value = line.get(name)
    if value == "new":
        return None
    if isinstance(value, int) and not isinstance(value, bool) and value >= 1:
        return value
    raise _bad(line, name, 'a pile number from 1 on, or "new"')


def moment(line: Line) -> Interval | None:
    value = line.get("t")
    if value is None:
        return None
    if _number(value):
        return Interval(float(value), float(value))
    if isinstance(value, list) and len(value) == 2 and all(map(_number, value)) and value[0] <= value[1]:
        return Interval(float(value[0]), float(value[1]))
    raise _bad(line, "t", "seconds, or [from, to] in seconds")


def _number(value: object) -> bool:
    return isinstance(value, int | float) and not isinstance(value, bool) and abs(value) <= LATEST


def counts(line: Line, name: str) -> tuple[tuple[str, int], ...]:
    value = line.get(name)
    if isinstance(value, dict) and all(_count(each) for each in value.values()):
        return tuple(value.items())
    raise _bad(line, name, 'cards by back, such as {"pizza": 12}')


def totals(line: Line, name: str) -> None:
    """Points so far; in the family they may lie below zero."""
    value = line.get(name)
    if not isinstance(value, dict) or not all(map(_points, value.values())):
        raise _bad(line, name, 'points by back, such as {"pizza": 40}')


def _points(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and abs(value) <= 10_000


def _count(value: object) -> bool:
    return isinstance(value, int) and not isinstance(value, bool) and 0 <= value <= 10_000


def _bad(line: Line, name: str, wanted: str) -> NotationError:
    kind = f"a {line['type']} line" if "type" in line else "the options"
    if line.get(name) is None:
        return NotationError(f'{kind} needs "{name}": {wanted}')
    return NotationError(f'"{name}" of {kind} is {shown(line[name])}; it must be {wanted}')
