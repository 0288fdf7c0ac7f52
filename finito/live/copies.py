"""Whether a card that is seen to be laid has been laid before: nobody has it twice."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from finito.live.entries import Entry
from finito.live.fairness import SURE
from referee.actions import Play, TakeBack
from vision.action_inference import ActionInference
from vision.inference.reaching import arm_alone

AT_ONCE: Final = 1.0  # seconds a card may be in the air
_TWICE_SEEN: Final = 0.998  # of a card seen twice, the first: equal cards of two players are easily mistaken
GLANCE_AWAY: Final = 1.5  # seconds after which a place is no longer known to have changed once only
_HOME_BY: Final = 4.0  # seconds by which a card that was not laid after all is home


def first_copy_sure(inference: ActionInference, entries: Sequence[Entry], entry: Entry) -> bool:
    """Whether the earlier play of the same card by the same back was plain to see."""
    what = entry.what
    if not isinstance(what, Play):
        return False
    owner = what.owner or what.player
    return any(
        isinstance(old.what, Play)
        and old is not entry
        and not old.void
        and old.what.face is what.face
        and (old.what.owner or old.what.player) == owner
        and _laid(old) >= _TWICE_SEEN
        and _laid(entry) >= SURE
        and not _long_hidden(old)
        and not _taken_back(entries, old)
        and (_alone_there(old) or old.what.source != what.source or not _home_again(inference, old))
        for old in entries
    )


def _home_again(inference: ActionInference, old: Entry) -> bool:
    """Whether the card may have been seen at its place again: then its like of somebody else was laid."""
    assert isinstance(old.what, Play)
    assert old.inferred is not None
    place = inference.place(old.what.owner or old.what.player, old.what.source)
    t, face = old.inferred.looks[-1].t, str(old.what.face)
    after = [look for look in place.looks if t - AT_ONCE < look.t < t + _HOME_BY]
    return any(name == face for look in after for name, _ in look.faces)


def _taken_back(entries: Sequence[Entry], old: Entry) -> bool:
    assert isinstance(old.what, Play)
    return any(
        isinstance(each.what, TakeBack)
        and not each.void
        and (each.what.face, each.what.pile) == (old.what.face, old.what.pile)
        for each in entries
    )


def _laid(entry: Entry) -> float:
    """How sure it is that this player laid this card."""
    return max(entry.confidence, 0.0 if entry.inferred is None else entry.inferred.done)


def _long_hidden(entry: Entry) -> bool:
    """Whether its pile was out of view for so long that anybody's equal card may have come there."""
    return entry.inferred is not None and any(
        look.t - look.since > GLANCE_AWAY for look in entry.inferred.looks[-1:]
    )


def _alone_there(entry: Entry) -> bool:
    """Whether nobody else's arm was over the pile for long.

    Otherwise it may have been the equal card of somebody else, and this one went home to its own place.
    """
    look = None if entry.inferred is None else entry.inferred.looks[-1]
    return look is None or not look.reach or arm_alone(look, getattr(entry.what, "player", ""))
