"""When to say what happened: at once where all worlds agree, later where evidence may still come."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from vision.inference.causes import Cause, Setting
from vision.inference.table import Change
from vision.inference.worlds import World, worlds


@dataclass(frozen=True, slots=True)
class Decision:
    """The cause that is believed of a change, with its share among the worlds, and the others'."""

    change: Change
    cause: Cause
    share: float
    others: tuple[tuple[Cause, float], ...]


def decisions(setting: Setting, pending: list[Change], now: float) -> Iterator[Decision]:
    """The changes that may be decided now, the earliest first."""
    beam = worlds(setting, pending, now)
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
    if waited >= priors.wait_covered:
        return True
    cause = decision.cause
    plain = cause.kind in ("laid", "filled") and all(
        laid.fits > 0.9 and not laid.unseen for laid in cause.laid
    )
    seen = all(laid.departure is not None for laid in cause.laid)
    if plain and decision.share >= priors.sure:
        return waited >= (priors.least_wait if seen else priors.wait)
    if decision.share >= priors.sure:
        return waited >= 2 * priors.wait
    return waited >= 3 * priors.wait and not _hidden_alternatives(setting, decision, now)


def _hidden_alternatives(setting: Setting, decision: Decision, now: float) -> bool:
    """Whether a place that one of the stories speaks of is hidden just now."""
    for cause in (decision.cause, *(other for other, _ in decision.others)):
        for use in cause.uses:
            place = setting.table.places.get(use) if isinstance(use, tuple) else None
            if place is not None and place.hidden(now, setting.priors.covered_holds):
                return True
    return False
