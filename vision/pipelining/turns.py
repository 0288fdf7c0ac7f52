"""Which parts of a frame are looked at now, and which have to wait: a frame must not take for ever."""

from __future__ import annotations

from collections.abc import Sequence

from vision.change import Box
from vision.pipelining.known_size import meet


def in_turn(
    boxes: Sequence[Box], waiting: Sequence[Box], fresh: Sequence[Box], most: int
) -> tuple[list[Box], list[Box]]:
    """The boxes for now, of so many pixels together at most, but one in any case, and those for later.

    First come those that have been `waiting`, then those in which something has just come to rest (`fresh`),
    the smaller ones before the larger.
    """

    def rank(box: Box) -> tuple[bool, bool, int]:
        return not _meets(box, waiting), not _meets(box, fresh), _pixels(box)

    order = sorted(boxes, key=rank)
    now, later, used = list[Box](), list[Box](), 0
    for box in order:
        if now and used + _pixels(box) > most:
            later.append(box)
        else:
            now.append(box)
            used += _pixels(box)
    return now, later


def _meets(box: Box, others: Sequence[Box]) -> bool:
    return any(meet(box, other) for other in others)


def _pixels(box: Box) -> int:
    return (box[2] - box[0]) * (box[3] - box[1])
