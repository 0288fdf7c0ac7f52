"""When to call Finito: a stack is seen to be empty, stays so, and its last card has gone somewhere."""

from __future__ import annotations

from typing import Final

from referee.places import ESPRESSO
from vision.action_inference import ActionInference

_STAYS_EMPTY: Final = 0.5  # seconds for which a stack must be seen empty, its last card known elsewhere
_LIKELY_GONE: Final = (0.9, 1.2)  # and so many where that is only so likely: the card may come back
_UNEXPLAINED: Final = 4.0  # and so many where its last card was not seen to go anywhere


def emptied(inference: ActionInference, player: str) -> float | None:
    """Since when the player's stack is empty, once that may be called."""
    place, now = inference.place(player, ESPRESSO), inference.now
    if place.shown is not None or not place.seen or place.look is None:
        return None
    if place.hidden(now, inference.priors.covered_holds):
        return None
    stays, landed = now - place.look.t, inference.landed(player, ESPRESSO)
    sure = landed >= 1.0 and stays >= _STAYS_EMPTY
    likely = landed >= _LIKELY_GONE[0] and stays >= _LIKELY_GONE[1]
    return place.look.t if sure or likely or stays >= _UNEXPLAINED else None


def came_back(inference: ActionInference, player: str) -> bool:
    """Whether a card lies on the stack again that was taken to be the last one gone."""
    return inference.place(player, ESPRESSO).shown is not None
