"""When to call Finito: a stack is seen to be empty, stays so, and its last card has gone somewhere."""

from __future__ import annotations

from typing import Final

from referee.places import ESPRESSO
from vision.action_inference import ActionInference
from vision.inference.table import Place

_STAYS_EMPTY: Final = 0.5  # seconds for which a stack must be seen empty, its last card known elsewhere
_WENT: Final = 0.95  # how sure it must be where the last card went
_LIKELY_GONE: Final = (0.9, 1.2)  # and so many where that is only so likely: the card may come back
_STRAIGHTENED: Final = 1.3  # and so many where cards should be left: it may only have been lifted
_OUT_OF_VIEW: Final = 1.2  # seconds in which two cards may leave a stack unseen
_FIRST_OF_TWO: Final = 1.0  # seconds for which a call waits for one whose stack was empty before
_AT_ONCE: Final = 0.5  # seconds by which two are done at once: of nine such calls three were the other's
_LAST_ONE: Final = 1.4  # and so many where one card was left, and where it went is not seen yet
_HOME_BY: Final = 6.0  # seconds after a call by which a card that was not the last one lies there again
_UNEXPLAINED: Final = 5.5  # and so many where its last card was seen nowhere, by the slow sweep either


def emptied(inference: ActionInference, player: str, left: int, went: float = 1.0) -> float | None:
    """Since when the player's stack is empty, once that may be called.

    `left` is how many cards should lie there by all that was seen: a stack that is lifted and straightened
    looks empty, too, but it comes back. `went` is how sure it is that the last card that left went where it
    is said to lie: it may as well have been carried home again.
    """
    place, now = inference.place(player, ESPRESSO), inference.now
    if place.shown is not None or not place.seen or place.look is None:
        return None
    if place.hidden(now, inference.priors.covered_holds):
        return None
    # What lay under a hand meanwhile has to be seen empty anew: the last card may be back.
    stays = now - max(place.look.t, place.hidden_until)
    landed = inference.landed(player, ESPRESSO)
    # Out of view for long, another card may have left after the one that is known to have gone.
    known = left < 1 or (left == 1 and place.look.t - place.look.since < _OUT_OF_VIEW)
    sure = landed >= 1.0 and went >= _WENT and stays >= (_STAYS_EMPTY if known else _STRAIGHTENED)
    # A hand that has been there since may have put the last card back, and the eyes have missed it.
    untouched = place.hidden_until <= place.look.t
    gone = left <= 1 and min(landed, went) >= _LIKELY_GONE[0]
    likely = gone and untouched and stays >= _LIKELY_GONE[1]
    # Nobody lifts a last card for so long; should it come back after all, the call is withdrawn.
    last_one = left == 1 and untouched
    unseen = stays >= (_LAST_ONE if last_one else _UNEXPLAINED)
    return place.look.t if sure or likely or unseen else None


def another_first(inference: ActionInference, player: str) -> bool:
    """Whether somebody else's stack was seen empty earlier and its last card is still on its way.

    Of two who finish at once the first is called: that is worth a moment's wait.
    """
    mine, now = inference.place(player, ESPRESSO), inference.now
    assert mine.look is not None
    if now - mine.look.t >= _FIRST_OF_TWO:
        return False
    others = (inference.place(name, ESPRESSO) for name in inference.players if name != player)
    return any(
        other.seen and other.shown is None and other.look is not None and other.look.t < mine.look.t
        for other in others
    )


def came_back(inference: ActionInference, player: str, called: float | None) -> bool:
    """Whether a card lies on the stack again that was taken to be the last one gone.

    What is put there face down, or long after the call, belongs to the count.
    """
    place = inference.place(player, ESPRESSO)
    if place.shown is None or place.look is None:
        return False
    return place.look.shows == "face" and (called is None or place.look.since < called + _HOME_BY)


def done_at_once(inference: ActionInference, caller: str) -> str | None:
    """Who else took up the last card of the stack when the caller did, for all that eyes can tell."""
    mine = _emptied_at(inference.place(caller, ESPRESSO))
    for name in inference.players:
        other = _emptied_at(inference.place(name, ESPRESSO))
        if name != caller and mine is not None and other is not None and abs(other - mine) < _AT_ONCE:
            return name
    return None


def _emptied_at(stack: Place) -> float | None:
    """When a stack was first seen empty, as it is now."""
    return stack.changes[-1].t if stack.seen and stack.shown is None and stack.changes else None
