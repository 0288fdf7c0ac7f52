"""Whether a player has owned that a card came too late: it was laid, and then taken home again."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from finito.live.entries import Entry
from finito.live.fairness import SURE
from referee.actions import Play, TakeBack
from referee.places import HAND
from vision.action_inference import ActionInference
from vision.inference.table import Place

_SOON: Final = 6.0  # seconds within which a card is given up; later the table is cleared for the count


def given_up(inference: ActionInference, entries: Sequence[Entry], entry: Entry) -> bool:
    """Whether the card lies at home again, and its own player was seen to take it off the pile.

    Nobody takes back a card that fits but for having come too late. That it lies open in its old place tells
    this from the clearing of the table, in which the piles go as well.
    """
    what, said = entry.what, entry.inferred
    if not isinstance(what, Play) or said is None or what.source == HAND:
        return False
    taken = any(
        isinstance(each.what, TakeBack)
        and not each.void
        and (each.what.player, each.what.face, each.what.pile) == (what.player, what.face, what.pile)
        and entry.moment < each.moment < entry.moment + _SOON
        and each.confidence >= SURE
        for each in entries
    )
    home = inference.place(what.owner or what.player, what.source)
    return taken and _home_since(home, str(what.face), said.looks[-1].t)


def _home_since(place: Place, face: str, laid: float) -> bool:
    """Whether the card came to its place after it had been seen on the pile."""
    return any(look.since > laid and look.faces and look.faces[0][0] == face for look in place.looks)
