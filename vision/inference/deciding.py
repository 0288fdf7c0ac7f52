"""When to say what happened: at once where all worlds agree, later where evidence may still come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from referee.places import ESPRESSO, HAND
from vision.inference.causes import Cause, Setting
from vision.inference.table import Change
from vision.inference.worlds import World


@dataclass(frozen=True, slots=True)
class Decision:
    """The cause that is believed of a change, with its share among the worlds, and the others'."""

    change: Change
    cause: Cause
    share: float
    others: tuple[tuple[Cause, float], ...]


def decisions(setting: Setting, beam: list[World], pending: list[Change], now: float) -> Iterator[Decision]:
    """The changes that may be decided now, the earliest first."""
    undecided: set[object] = set()
    for position, change in enumerate(pending):
        if change.key in undecided:
            continue
        decision = _likeliest(beam, position, change)
        if _ripe(setting, decision, now):
            yield decision
        undecided.add(change.key)


def _likeliest(beam: list[World], position: int, change: Change) -> Decision:
    shares: dict[tuple[object, ...], float] = {}
    first: dict[tuple[object, ...], Cause] = {}
    for world in beam:
        cause = world.causes[position]
        shares[cause.key] = shares.get(cause.key, 0.0) + world.weight
        first.setdefault(cause.key, cause)
    ranked = sorted(shares.items(), key=lambda item: -item[1])
    best, share = ranked[0]
    others = tuple((first[key], chance) for key, chance in ranked[1:4] if chance > 1e-3)
    return Decision(change, first[best], share, others)


def _ripe(setting: Setting, decision: Decision, now: float) -> bool:
    priors = setting.priors
    waited = now - decision.change.told
    cause = decision.cause
    if waited >= (priors.wait_seen if decision.change.again else _longest(setting, cause)):
        return True
    if cause.kind == "contested":
        return waited >= priors.wait_contested
    seen = all(laid.departure is not None for laid in cause.laid)
    if not _plain(setting, cause):
        if _unseen_but_usual(setting, cause) and decision.share > 0.75:
            return waited >= (priors.wait if decision.share > 0.9 else 2 * priors.wait)
        at_once = cause.kind == "laid" and seen and decision.share > 0.998
        return decision.share >= priors.sure and waited >= (priors.wait if at_once else priors.wait_grave)
    share = decision.share
    if share < 0.95 and waited >= priors.wait:
        share = max(share, _whoever_else(decision))
    if share >= 0.95:
        return waited >= (priors.least_wait if seen else priors.wait / 2)
    return (share >= 0.85 and waited >= priors.wait) or (share >= 0.75 and waited >= 2 * priors.wait)


def _longest(setting: Setting, cause: Cause) -> float:
    """How long to wait for evidence that may still come; none will where every card was seen to leave."""
    seen = bool(cause.laid) and all(laid.departure is not None for laid in cause.laid)
    if _from_hand(cause) or _foreign(setting, cause) or cause.kind == "filled":
        return setting.priors.swept[1]  # the slow sweep may show which place the card left
    return setting.priors.wait_seen if seen else setting.priors.wait_longest


def _from_hand(cause: Cause) -> bool:
    """A card that lay open nowhere, as it seems."""
    return cause.kind == "laid" and cause.laid[0].place == HAND


def _foreign(setting: Setting, cause: Cause) -> bool:
    """A card of somebody else, as it seems, or an equal one of the player's own that is missed later."""
    return not setting.chaos and cause.kind == "laid" and cause.laid[0].player != cause.laid[0].owner


def _unseen_but_usual(setting: Setting, cause: Cause) -> bool:
    """A card that fits, from a place where it came to light unseen."""
    if cause.kind != "laid" or cause.uses:
        return False
    laid = cause.laid[0]
    own = setting.chaos or laid.player == laid.owner
    return own and laid.fits > 0.9 and laid.place != HAND and not laid.unseen


def _whoever_else(decision: Decision) -> float:
    """The share of all stories in which this card was laid as said, be it alone or beside an equal one."""
    first = decision.cause.laid[0]
    share = decision.share
    for cause, chance in decision.others:
        if cause.kind == "contested" and chance > 0.1:
            continue  # then the other card matters too
        if any((x.player, x.owner, x.place) == (first.player, first.owner, first.place) for x in cause.laid):
            share += chance
    return share


def _plain(setting: Setting, cause: Cause) -> bool:
    """Whether it is what people do all the time: nobody would be accused of it."""
    if cause.kind not in ("laid", "filled") or not cause.uses:
        return False
    if cause.kind == "filled" and cause.laid[0].place != ESPRESSO:
        return False
    return all(
        laid.fits > 0.9
        and not laid.unseen
        and laid.place != HAND
        and (setting.chaos or laid.player == laid.owner)
        for laid in cause.laid
    )
