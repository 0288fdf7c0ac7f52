"""Whether a card that seems to come from the hand may have lain open: turned and taken unseen, or misread."""

from __future__ import annotations

import itertools
from collections.abc import Sequence
from typing import Final

from finito.live.copies import AT_ONCE
from finito.live.entries import Entry
from finito.live.fairness import SURE
from referee.actions import Play
from referee.places import ESPRESSO, WASTE
from vision.action_inference import ActionInference
from vision.inference.table import Place
from vision.observations import Look

SWEPT: Final = 5.5  # seconds after which the slow sweep has found what was missed
LONG_HIDDEN: Final = 0.7  # seconds in which a card may come and go unseen
TURNED_UNSEEN: Final = 0.8  # seconds in which cards may be turned and one of them taken unseen
_PLAINLY: Final = 0.97  # a reading that leaves no doubt
_CARRIED: Final = 0.2  # seconds that a card is on its way to a pile at least
_FLIGHT: Final = 0.7  # seconds in which a card was in the air before its pile was hidden


def open_perhaps(inference: ActionInference, entries: Sequence[Entry], entry: Entry) -> bool:
    """Whether the card may have lain open: turned and played unseen, or misread where it lay."""
    what, said = entry.what, entry.inferred
    assert said is not None
    if not isinstance(what, Play):
        return True
    look, owner = said.looks[-1], what.owner or what.player
    if inference.now < look.t + SWEPT:
        return True  # a place that it has left may be looked at by the slow sweep only
    waste, stack = (inference.place(owner, name) for name in (WASTE, ESPRESSO))
    own = [place for place in inference.table.places.values() if place.player == owner]
    if not all(place.known_at(look.since - AT_ONCE) for place in own):
        return True  # it may have lain where nobody had looked by the time it was taken
    if not waste.seen or _turned_unseen(inference, entries, waste, look):
        return True
    if waste.idle_visits(look.since - inference.priors.unseen_for, look.t) > 1:
        return True  # to turn and to take, perhaps, and the eyes have missed both
    since = look.since - _FLIGHT
    if any(_named_there(place, str(what.face), since, look.t) for place in own):
        return True
    return any(_came_and_went(place, since, look.t) for place in (waste, stack))


def _turned_unseen(inference: ActionInference, entries: Sequence[Entry], waste: Place, look: Look) -> bool:
    """Whether the waste was out of view for so long that cards were turned there and one of them taken.

    The same hand did not turn any before it had laid the card that it was seen to take from there.
    """
    since = look.since - inference.priors.unseen_for
    spans = [(each.since, min(each.t, look.t + 1.0)) for each in waste.changes if each.t > since]
    if waste.hidden(inference.now, 0.0):
        spans.append((waste.hidden_since, min(waste.hidden_until, look.t + 1.0)))
    spans = [(max(start, since), end) for start, end in spans]
    until = look.t - _CARRIED
    spans += [(start, min(end, until)) for start, end in waste.covers if start < until and end > since]
    laid = [each.inferred.looks for each in entries if each.inferred is not None and _from(waste, each)]
    for gone, pile in laid:
        spans = [
            (max(start, pile.since), end) if start < gone.t and end > gone.since else (start, end)
            for start, end in spans
        ]
    return any(end - start > TURNED_UNSEEN for start, end in spans)


def _from(waste: Place, entry: Entry) -> bool:
    """Whether a card was surely seen to leave that waste for a pile, taken by its own player."""
    what, said = entry.what, entry.inferred
    if not isinstance(what, Play) or said is None or entry.void or what.owner is not None:
        return False
    return (what.player, what.source) == waste.key and len(said.looks) > 1 and entry.confidence >= SURE


def _came_and_went(place: Place, since: float, t: float) -> bool:
    """Whether another card than those read may have lain open there about then.

    It was out of view for long, or what was read before or after is not plain.
    """
    for before, look in zip([None, *place.looks], place.looks, strict=False):
        if look.t <= since or look.since >= t:
            continue
        if look.t - look.since > LONG_HIDDEN or not all(map(plainly_read, filter(None, (before, look)))):
            return True
    return False


def _named_there(place: Place, face: str, since: float, t: float) -> bool:
    """Whether a card left the place about then of which the reading says that it may be this one."""
    return any(
        face in {name for name, _ in before.faces}
        for before, look in itertools.pairwise(place.looks)
        if look.t > since and look.since < t
    )


def plainly_read(look: Look) -> bool:
    """Whether a reading leaves no doubt."""
    return look.shows == "nothing" or (len(look.faces) > 0 and look.faces[0][1] > _PLAINLY)
