"""What a record says once its corrections are taken in. A correction is an entry; nothing is overwritten."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.actions import Action, Amend, Correction, Undo

MOST_KEPT: Final = 20_000  # a round has some hundred lines; this bounds the memory of an endless record


def effective(log: Sequence[tuple[int, Action | Correction]]) -> list[tuple[int, Action]]:
    """The actions that stand, by line. Undoing a correction brings back what it had changed."""
    void: set[int] = set()
    for line, entry in reversed(log):
        if isinstance(entry, Undo) and line not in void:
            void.add(entry.line)
    standing: dict[int, Action] = {}
    for line, entry in log:
        if isinstance(entry, Amend):
            if line not in void and entry.line in standing:
                standing[entry.line] = entry.action
        elif not isinstance(entry, Undo) and line not in void:
            standing[line] = entry
    return list(standing.items())
