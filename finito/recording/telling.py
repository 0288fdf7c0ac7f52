"""What a session tells in the end: later words on a line of the live referee replace the earlier ones."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from typing import Any, Final

from finito.recording.ending import time_of
from finito.recording.session import WrittenAction

Json = dict[str, Any]
DEEDS: Final = frozenset({"start", "play", "refill", "turn", "take_back", "recycle", "build", "finito"})
ENDINGS: Final = frozenset({"count", "result"})


def is_watched(entry: Json) -> bool:
    """Whether the live referee wrote the line: then it has a number of its own."""
    return entry.get("type") in DEEDS and isinstance(entry.get("line"), int)


def final_actions(actions: Iterable[WrittenAction]) -> list[WrittenAction]:
    """Each action as it was told last, in the order of the first words on it; without what was withdrawn."""
    last: dict[int, WrittenAction] = {}
    order: list[WrittenAction | int] = []
    for action in actions:
        if not is_watched(action.entry):
            order.append(action)
            continue
        number = action.entry["line"]
        if number not in last:
            order.append(number)
        last[number] = action
    told = [last[each] if isinstance(each, int) else each for each in order]
    return [action for action in told if action.entry.get("said") != "withdrawn"]


def final_entries(entries: Iterable[Json]) -> list[Json]:
    """The same for lines that were never written down."""
    written = [WrittenAction(number, entry) for number, entry in enumerate(entries, start=1)]
    return [action.entry for action in final_actions(written)]


def in_order(actions: Sequence[WrittenAction]) -> list[WrittenAction]:
    """Actions as they happened: the live referee may speak of an earlier one after a later one.

    Piles are numbered anew, in the order in which they were opened. A count, which has no time, comes last.
    """
    rest = [action for action in actions if not is_watched(action.entry)]
    watched = sorted((a for a in actions if is_watched(a.entry)), key=lambda action: time_of(action.entry))
    if not watched:
        return rest
    first = [action for action in rest if action.entry.get("type") not in ENDINGS]
    last = [action for action in rest if action.entry.get("type") in ENDINGS]
    return [*first, *_renumbered(watched, _pile_numbers(actions)), *last]


def _pile_numbers(actions: Sequence[WrittenAction]) -> dict[int, int]:
    """The number of the pile that each opening play made, by the play's own number."""
    opened = sorted(
        action.entry["line"]
        for action in actions
        if is_watched(action.entry) and action.entry.get("to") == "new"
    )
    named = {action.entry["line"]: action.entry.get("pile") for action in actions if is_watched(action.entry)}
    return {line: named[line] or number for number, line in enumerate(opened, start=1)}


def _renumbered(actions: Sequence[WrittenAction], opened: dict[int, int]) -> list[WrittenAction]:
    numbers: dict[int, int] = {}
    told = []
    for action in actions:
        entry = dict(action.entry)
        if entry.get("to") == "new":
            numbers[opened[entry["line"]]] = len(numbers) + 1
        for name in ("to", "pile"):
            if isinstance(entry.get(name), int):
                entry[name] = numbers.get(entry[name], entry[name])
        told.append(WrittenAction(action.line, entry))
    return told
