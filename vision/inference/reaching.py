"""Whose arm did it: how the arms seen over a spot speak for one player or another."""

from __future__ import annotations

from typing import Final

from vision.inference.priors import Priors
from vision.observations import Chances, Look

_NO_TIME: Final = 0.15  # seconds in which no card can be laid or taken
_ALONE: Final = 0.75  # the share of an arm beside which others hardly count


def in_centre(priors: Priors, look: Look, player: str) -> float:
    """How much the arms over a pile speak for that player, against nobody in particular.

    Within a short look hardly anybody else's arm happens to be there.
    """
    seconds = look.t - look.since
    if seconds >= priors.quick_look:
        # In a long look whoever laid a card need not have been there for long.
        share = min(priors.arm_share, max(priors.arm_least_share, priors.arm_stays / seconds))
        return _factor(priors, look.reach, player, priors.arm_in_centre, share, 2)
    return _factor(priors, look.reach, player, priors.arm_in_quick_look, priors.arm_share, 4)


def at_home(priors: Priors, reach: Chances, player: str, owner: str) -> float:
    """The same at a place of `owner`."""
    if player == owner:
        return _factor(priors, reach, player, priors.arm_at_home, priors.arm_share, 2)
    return _factor(priors, reach, player, priors.arm_abroad, priors.arm_share_abroad, 4)


def arm_alone(look: Look, player: str) -> bool:
    """Whether that player's arm was there, and hardly anybody else's."""
    return bool(look.reach) and look.reach[0][0] == player and look.reach[0][1] >= _ALONE


def nobody_there(look: Look) -> bool:
    """Whether no arm was over a spot that was never out of view: what shows was read anew, not changed."""
    return not look.reach and look.t - look.since < _NO_TIME


def _factor(priors: Priors, reach: Chances, player: str, usual: float, full: float, steepness: int) -> float:
    if not reach:
        return 1.0  # nobody's arm could be told apart: no evidence either way
    # Shares add up to one: of two arms that were there each has about half, and neither is half there.
    # Who passes by gets a small share: the less it is, the less it counts, above all in a short look.
    seen = min(priors.arm_named, (dict(reach).get(player, 0.0) / full) ** steepness)
    return seen * priors.arm_seen / usual + (1.0 - seen) * (1.0 - priors.arm_seen) / (1.0 - usual)
