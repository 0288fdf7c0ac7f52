"""Whose arm did it: how the arms seen over a spot speak for one player or another."""

from __future__ import annotations

from vision.inference.priors import Priors
from vision.observations import Chances, Look


def in_centre(priors: Priors, look: Look, player: str) -> float:
    """How much the arms over a pile speak for that player, against nobody in particular.

    Within a short look hardly anybody else's arm happens to be there.
    """
    quick = look.t - look.since < priors.quick_look
    return _factor(priors, look.reach, player, priors.arm_in_quick_look if quick else priors.arm_in_centre)


def at_home(priors: Priors, reach: Chances, player: str, owner: str) -> float:
    """The same at a place of `owner`."""
    return _factor(priors, reach, player, priors.arm_at_home if player == owner else priors.arm_abroad)


def _factor(priors: Priors, reach: Chances, player: str, usual: float) -> float:
    if not reach:
        return 1.0  # nobody's arm could be told apart: no evidence either way
    # Shares add up to one: of two arms that were there each has about half, and neither is half there.
    # Who passes by gets a small share: the less it is, the less it counts.
    seen = min(priors.arm_named, (dict(reach).get(player, 0.0) / priors.arm_share) ** 2)
    return seen * priors.arm_seen / usual + (1.0 - seen) * (1.0 - priors.arm_seen) / (1.0 - usual)
