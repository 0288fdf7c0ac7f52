"""In which order things were done: by their times, but never against what places and piles show."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from finito.live.entries import Entry
from referee.actions import Play, Recycle, Refill, TakeBack, Turn
from referee.places import WASTE
from vision.inference.inferred import Inferred, PileSeen
from vision.inference.table import PlaceKey

_REACHES_BACK: Final = 60  # entries; nothing later is put before older ones


def touches(inferred: Inferred) -> dict[PlaceKey, float]:
    """The places an action changed, and when they were first seen changed."""
    action, looks = inferred.action, inferred.looks
    if isinstance(action, Play):
        return {(action.owner or action.player, action.source): looks[0].t} if len(looks) > 1 else {}
    if isinstance(action, Refill):
        places = {(action.player, action.slot): looks[-1].t}
        return places | ({(action.player, action.source): looks[0].t} if len(looks) > 1 else {})
    if isinstance(action, Turn | Recycle):
        return {(action.player, WASTE): looks[0].t}
    return {}


def pile_of(entry: Entry) -> int | None:
    what = entry.what
    return what.pile if isinstance(what, Play | TakeBack | PileSeen) else None


def position(log: Sequence[Entry], new: Entry) -> int:
    """Where a new entry belongs."""
    first = max(0, len(log) - _REACHES_BACK)
    least, most = first, len(log)
    for index in range(first, len(log)):
        order = _order(log[index], new)
        if order < 0:
            least = max(least, index + 1)
        elif order > 0:
            most = min(most, index)
    index = len(log)
    while index > first and log[index - 1].moment > new.moment:
        index -= 1
    return max(least, min(most, index))


def _order(old: Entry, new: Entry) -> int:
    """Below 0 if the old one surely came first, above 0 if it surely came after the new one."""
    pile = pile_of(new)
    if pile is not None and pile == pile_of(old):
        return -1  # cards of one pile are told in their order
    for place, t in new.touched.items():
        before = old.touched.get(place)
        if before is None:
            continue
        if before != t:
            return -1 if before < t else 1
        return 1 if isinstance(new.what, Play) else -1  # a card leaves its slot before the next fills it
    return 0
