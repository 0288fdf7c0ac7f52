"""The worlds that would explain all that changed lately: a beam of joint stories, the likeliest first."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from referee.places import WASTE
from vision.inference.arriving import Layers, arrival_causes, arrival_sources, stack_layers
from vision.inference.causes import Cause, Setting, Source, Use, layer_of, sources
from vision.inference.filling import filling_causes
from vision.inference.table import Change, Departure

BEAM: Final = 16
_LEAST: Final = 1e-5


@dataclass(frozen=True, slots=True)
class World:
    """One story of everything pending: a cause for each change, each card used once."""

    weight: float
    causes: tuple[Cause, ...] = ()
    used: frozenset[Use] = frozenset()
    stacks: dict[int, Layers] = field(default_factory=dict)


def worlds(setting: Setting, pending: list[Change], now: float) -> list[World]:
    """The beam over all pending changes, in the order in which they were seen; weights add up to one."""
    beam = [World(1.0)]
    for change in pending:
        found = _found(setting, change, now)
        grown = [
            (world.weight * cause.weight, world, cause)
            for world, causes in _caused(setting, change, beam, found, now)
            for cause in causes
        ]
        grown.sort(key=lambda each: -each[0])
        floor = grown[0][0] * _LEAST
        beam = [
            _told(setting, world, change, cause) for weight, world, cause in grown[:BEAM] if weight >= floor
        ]
    return _weighed(setting, beam, now)


def _found(setting: Setting, change: Change, now: float) -> list[Source]:
    if change.look.spot.is_centre:
        return arrival_sources(setting, change, now)
    assert change.reading is not None
    return list(sources(setting, change, now, change.reading))


def _caused(
    setting: Setting, change: Change, beam: list[World], found: list[Source], now: float
) -> Iterator[tuple[World, list[Cause]]]:
    """The causes of a change in each world; sought once for worlds that have used the same on one pile."""
    uses = frozenset(source.use for source in found if source.use is not None)
    known: dict[tuple[int, frozenset[Use]], list[Cause]] = {}
    for world in beam:
        layers = _layers(setting, world, change) if change.look.spot.is_centre else ()
        same = (id(layers), world.used & uses)
        if same not in known:
            known[same] = (
                arrival_causes(setting, change, layers, world.used, found)
                if change.look.spot.is_centre
                else filling_causes(setting, change, world.used, found, now)
            )
        yield world, known[same]


def _layers(setting: Setting, world: World, change: Change) -> Layers:
    number = change.look.spot.stack
    layers = world.stacks.get(number)
    return stack_layers(setting.table.stacks.get(number)) if layers is None else layers


def _told(setting: Setting, world: World, change: Change, cause: Cause) -> World:
    stacks = world.stacks
    if change.look.spot.is_centre and cause.kind != "same":
        base = _layers(setting, world, change) if cause.layers is None else cause.layers
        grown = base + tuple(layer_of(laid, change.look) for laid in cause.laid)
        stacks = {**stacks, change.look.spot.stack: grown}
    return World(
        world.weight * cause.weight,
        (*world.causes, cause),
        world.used.union(cause.uses) if cause.uses else world.used,
        stacks,
    )


def _weighed(setting: Setting, beam: list[World], now: float) -> list[World]:
    """Cards that left and were not seen anywhere since make a world less likely."""
    open_ones = setting.table.open_departures()
    if open_ones:
        weights = [world.weight * _strays(setting, world, open_ones, now) for world in beam]
    else:
        weights = [world.weight for world in beam]
    total = sum(weights) or 1.0
    ranked = sorted(zip(weights, beam, strict=True), key=lambda pair: -pair[0])
    return [World(weight / total, world.causes, world.used, world.stacks) for weight, world in ranked]


def _strays(setting: Setting, world: World, open_ones: list[Departure], now: float) -> float:
    factor = 1.0
    for departure in open_ones:
        if departure.place != WASTE and departure.number not in world.used:
            age = now - departure.t
            part = min(1.0, max(0.0, (age - 1.0) / 1.2))
            factor *= 1.0 - part * (1.0 - setting.priors.strayed)
    return factor
