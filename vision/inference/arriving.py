"""What may have caused a look at a stack in the centre: plays, one or several, and all that is no play."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from dataclasses import replace
from operator import mul
from typing import Final

from referee.places import ESPRESSO, HAND, HELPS, WASTE
from vision.inference.beliefs import Belief, agreement, together
from vision.inference.causes import Cause, Laid, Setting, Source, Use, sources, unseen_top
from vision.inference.fitting import BARE
from vision.inference.laid_under import laid_under
from vision.inference.reaching import at_home, in_centre, nobody_there
from vision.inference.table import Change, Layer, Stack, Tops

_NEAR: Final = (4.0, 7.0)  # millimetres and degrees within which a card has not been moved
_LAID: Final = ((0.85, 7.0), (0.15, 18.0))  # parts, and millimetres by which cards lie off those below
_PUSHED: Final = 25.0  # and by which a pile that is pushed moves
_DEEPEST: Final = 3
_READ: Final = 0.5  # chance from which on a card is rather this one than any other
_POOR: Final = 1.0  # the weight of a play that hardly agrees with what is read
_RIVALS: Final = 1.2  # seconds after a card was seen on a pile in which another may still set out for it
_TWO_CARDS: Final = 0.9  # seconds within which one hand does not lay two cards on two piles
_SURE: Final = 0.995  # how sure it must be who laid the other card
_LEAST: Final = 1e-7
_WORTH_TELLING: Final = 1e-4
Layers = tuple[Layer, ...]


def arrival_causes(
    setting: Setting, change: Change, layers: Layers, used: frozenset[Use], found: list[Source]
) -> list[Cause]:
    """All explanations worth weighing, given what lies there in this world."""
    if change.reading is None:
        return list(_vanished(setting, change, layers))
    causes = list(_not_laid(setting, change, layers, change.reading))
    free = [source for source in found if source.use not in used]
    tops = layers[-1].tops if layers else BARE
    causes += [_beaten(setting, change, layers, cause) for cause in _laid_once(setting, change, tops, free)]
    causes += list(_contested(setting, change, causes, free))
    causes += laid_under(setting, change, layers, used)
    best = max(causes, key=lambda cause: cause.weight, default=None)
    if best is None or not best.laid or best.laid[-1].fits < 0.5 or best.weight < _POOR:
        causes += _laid_in_a_row(setting, change, tops, free, ())
        causes += _laid_after_unseen(setting, change, tops, free)
    return _by_itself(setting, change.reading, causes) if layers and nobody_there(change.look) else causes


def _by_itself(setting: Setting, reading: Belief, causes: list[Cause]) -> list[Cause]:
    """No card comes to a pile in plain view with no arm near it: what shows was read anew.

    However often a card is read faintly, each time is like the last: that shows no other card.
    """
    rare = setting.priors.laid_by_itself if max(reading) > _READ else 0.0
    return [replace(cause, weight=cause.weight * (rare if cause.laid else 1.0)) for cause in causes]


def _beaten(setting: Setting, change: Change, layers: Layers, cause: Cause) -> Cause:
    """The slower of two equal cards is no rare mishap: both went for the same pile."""
    laid = cause.laid[0]
    if not layers or laid.departure is None or laid.fits > 0.5 or _still(layers[-1], change):
        return cause
    if laid.departure.since > layers[-1].look.t + _RIVALS:
        return cause  # the other card lay there for all to see
    top = layers[-1].faces
    if top.index(max(top)) != laid.faces.index(max(laid.faces)):
        return cause
    rare = setting.priors.beaten / setting.priors.misfit * _laid_not_pushed(layers[-1], change)
    return replace(cause, weight=cause.weight * rare)


def _laid_not_pushed(top: Layer, change: Change) -> float:
    """How much rather a card lies so far off the last one because it was laid than since the pile was pushed.

    Who lays a card aims at the pile; who pushes one does not care how far it goes.
    """
    off = math.dist(top.look.at, change.look.at)
    return sum(part * _rather(off, spread) for part, spread in _LAID)


def _rather(off: float, spread: float) -> float:
    """How much denser cards of that spread lie there than piles that were pushed; nil for any long way."""
    narrow = _PUSHED / spread
    return narrow**2 * math.exp(-((off / _PUSHED) ** 2) * (narrow**2 - 1.0) / 2)


def arrival_sources(setting: Setting, change: Change, now: float) -> list[Source]:
    """Where the card may come from: open places, and what nobody could see."""
    reading = change.reading
    if reading is None:
        return []
    found = list(sources(setting, change, now, reading))
    places = setting.table.places
    for name in setting.players:
        faces = _unseen(setting, name)
        found.append(Source(name, HAND, faces, setting.priors.not_open, None))
        for place in (WASTE, ESPRESSO):
            factor = unseen_top(setting.priors, places.get((name, place)), change, now)
            found.append(Source(name, place, faces, factor, None))
        for place in HELPS:  # a slot that nobody had seen yet may have held it
            slot = places.get((name, place))
            if slot is not None and not slot.known_at(change.look.since - setting.priors.flight):
                found.append(Source(name, place, faces, setting.priors.hidden_source, None))
    arms = {
        name: in_centre(setting.priors, change.look, name) * _free(setting, change, name)
        for name in setting.players
    }
    return [replace(source, movers=tuple(_movers(setting, source, arms))) for source in found]


def _free(setting: Setting, change: Change, player: str) -> float:
    """How likely a player who is known to have laid a card elsewhere just then laid this one as well."""
    for stack in setting.table.stacks.values():
        for layer in stack.layers[-2:]:
            if layer.player == player and layer.share > _SURE and layer.place != HAND:
                there, here = layer.laid, change.look
                if there is not here and max(here.t - there.since, there.t - here.since) < _TWO_CARDS:
                    return setting.priors.two_at_once
    return 1.0


def _unseen(setting: Setting, player: str) -> Belief:
    """The faces a player may hold: all that are neither in the centre nor open at home."""
    weights = [1.0] * len(setting.faces.all)
    for number in setting.table.laid.get(player, ()):
        weights[number] = 0.02
    for place in setting.table.places.values():
        if place.player == player and place.shown is not None:
            for number, chance in enumerate(place.shown):
                weights[number] *= 1.0 - 0.98 * chance
    total = sum(weights)
    return tuple([weight / total for weight in weights])


def _laid_once(setting: Setting, change: Change, tops: Tops, free: Iterable[Source]) -> list[Cause]:
    """One play; only what is likely beside the likeliest is told in full."""
    reading = change.reading
    assert reading is not None
    usual = setting.fitting.usual(tops)
    expected = list(map(mul, usual, reading))
    weighed: list[tuple[float, Source, str]] = []
    for source in free:
        weight = source.factor * sum(map(mul, source.faces, expected))
        if weight * len(expected) > _LEAST:
            weighed += [(weight * chance, source, player) for player, chance in source.movers]
    if not weighed:
        return []
    floor = _WORTH_TELLING * max(weighed, key=lambda each: each[0])[0]
    return [
        _laid(setting, change, tops, usual, source, player, weight)
        for weight, source, player in weighed
        if weight >= floor
    ]


def _laid(
    setting: Setting, change: Change, tops: Tops, usual: Belief, source: Source, player: str, weight: float
) -> Cause:
    assert change.reading is not None
    apart = tuple(map(mul, source.faces, usual))
    faces = together(apart, change.reading)
    fits = setting.fitting.chance_of_fit(tops, faces, usual)
    after = setting.fitting.after(tops, faces)
    laid = Laid(player, source.owner, source.place, faces, apart, fits, after, tops, source.departure)
    uses = () if source.use is None else (source.use,)
    return Cause("laid", weight * len(faces), uses, (laid,))


def _movers(setting: Setting, source: Source, arms: dict[str, float]) -> Iterator[tuple[str, float]]:
    """Who may have laid a card of that place, by whose arms were here and there."""
    priors, owner = setting.priors, source.owner
    for player, chance in arms.items():
        if player != owner:
            if source.use is None:
                continue
            foreign = priors.foreign_in_chaos if setting.chaos else priors.foreign
            chance *= foreign / max(1, len(setting.players) - 1)
        if source.departure is not None:
            chance *= at_home(priors, source.departure.look.reach, player, owner)
        if chance > 1e-5:
            yield player, chance


def _laid_in_a_row(
    setting: Setting, change: Change, tops: Tops, free: list[Source], row: tuple[Laid, ...]
) -> Iterator[Cause]:
    """Several plays under one look: each card of the row fits upon the one before."""
    if len(row) >= _DEEPEST or not tops:
        return
    below = tops[0][0]
    fitting = setting.fitting.fitting(below)
    for source in free:
        if source.use is None or source.factor < 0.01:
            continue
        likely = max(source.faces)
        if likely < 0.3 or not fitting[source.faces.index(likely)]:
            continue
        laid = _covered(setting, tops, source)
        rest = [other for other in free if other.use != source.use]
        weight = setting.priors.merged * source.factor * likely
        grown = (*row, laid)
        ends = [*_laid_once(setting, change, laid.tops, rest)]
        ends = [end for end in ends if end.laid[-1].fits > 0.5]
        ends += _laid_in_a_row(setting, change, laid.tops, rest, grown)
        for end in ends:
            yield replace(
                end,
                weight=end.weight * weight,
                uses=(source.use, *end.uses),
                laid=(laid, *end.laid),
            )


def _contested(setting: Setting, change: Change, causes: list[Cause], free: list[Source]) -> Iterator[Cause]:
    """Two equal cards under one look: the slower one came too late, but which that was is not to be seen."""
    for first in [cause for cause in causes if cause.laid and cause.laid[0].fits > 0.5]:
        laid = first.laid[0]
        number = laid.faces.index(max(laid.faces))
        for source in free:
            if source.departure is None or source.use in first.uses or source.faces[number] < 0.5:
                continue
            arm = in_centre(setting.priors, change.look, source.owner)
            if arm <= 1.0 or source.factor < 0.5 or source.owner == laid.owner:
                continue
            if source.departure.t > change.look.t + 0.3:
                continue
            second = replace(
                laid,
                player=source.owner,
                owner=source.owner,
                place=source.place,
                fits=0.0,
                below=laid.tops,
                departure=source.departure,
            )
            weight = first.weight * setting.priors.contested * arm * source.factor
            uses = (*first.uses, *(() if source.use is None else (source.use,)))
            yield Cause("contested", weight, uses, (laid, second))


def _covered(setting: Setting, tops: Tops, source: Source) -> Laid:
    """A card of the row that the next one hid before it was read."""
    usual = setting.fitting.usual(tops)
    apart = tuple(map(mul, source.faces, usual))
    faces = together(source.faces, usual)
    player = max(source.movers, key=lambda each: each[1], default=(source.owner, 1.0))[0]
    fits = setting.fitting.chance_of_fit(tops, faces, usual)
    after = setting.fitting.after(tops, faces)
    return Laid(player, source.owner, source.place, faces, apart, fits, after, tops, source.departure)


def _laid_after_unseen(setting: Setting, change: Change, tops: Tops, free: list[Source]) -> Iterator[Cause]:
    """Plays of which nothing was seen but that the pile has grown."""
    if not tops:
        return
    priors = setting.priors
    hidden = max(0.0, change.look.t - change.look.since - 0.5)
    rare = min(0.2, priors.unseen_play + priors.unseen_play_per_second * hidden)
    weight = 1.0
    for skipped in range(1, _DEEPEST + 1):
        weight *= rare
        usual = setting.fitting.usual(tops)
        tops = setting.fitting.after(tops, together(setting.faces.unknown, usual))
        for cause in _laid_once(setting, change, tops, free):
            if cause.laid[0].fits > 0.5:
                laid = replace(cause.laid[0], unseen=skipped)
                yield replace(cause, weight=cause.weight * weight, laid=(laid,))


def _not_laid(setting: Setting, change: Change, layers: Layers, reading: Belief) -> Iterator[Cause]:
    """The same card again, the card below it, or a stack the tracker lost for a moment."""
    if setting.since_gap(change):
        yield Cause("adopted", 0.05)
    else:
        yield Cause("adopted", 2e-6)
    if not layers:
        for stack in setting.table.stacks.values():
            if stack.gone_at is not None and stack.layers and abs(stack.gone_at - change.look.t) < 6.0:
                yield from _found_again(setting, change, stack, reading)
        return
    top = layers[-1]
    still = _still(top, change)
    yield Cause("same", agreement(top.faces, reading) * (1.0 if still else _pushed(setting, change, top)))
    if len(layers) > 1:
        agrees = agreement(layers[-2].faces, reading)
        # Where the top lies, and not the card below it, no other card comes to light.
        elsewhere = still and not _still(layers[-2], change)
        weight = agrees * setting.taken_back(top) * (0.01 if elsewhere else 1.0)
        yield from _takers(setting, change, top, weight, layers[:-1])


def _found_again(setting: Setting, change: Change, stack: Stack, reading: Belief) -> Iterator[Cause]:
    """A stack that the tracker lost, under another number; its top may have been taken off meanwhile."""
    layers = stack.layers
    agrees = 0.5 * agreement(layers[-1].faces, reading)
    yield Cause("renamed", agrees, layers=layers, stack=stack.number)
    if len(layers) > 1:
        weight = 0.5 * agreement(layers[-2].faces, reading) * setting.taken_back(layers[-1])
        for cause in _takers(setting, change, layers[-1], weight, layers[:-1]):
            yield replace(cause, stack=stack.number)


def _pushed(setting: Setting, change: Change, top: Layer) -> float:
    """How likely anybody moved the pile: that, too, takes an arm.

    But an arm over a wrong card is there to take it back.
    """
    if top.fits < 0.5:
        return setting.priors.moved
    arms = [in_centre(setting.priors, change.look, player) for player in setting.players]
    return setting.priors.moved * sum(arms) / len(arms)


def _takers(setting: Setting, change: Change, top: Layer, weight: float, left: Layers) -> Iterator[Cause]:
    makers = {top.player}
    if left and left[-1].look.t == top.look.t:  # two equal cards under one look: either may be the upper one
        makers.add(left[-1].player)
    for player in setting.players:
        own = 1.0 if player in makers or top.player is None else 0.05
        chance = own * in_centre(setting.priors, change.look, player)
        if nobody_there(change.look):
            chance *= setting.priors.by_itself
        yield Cause("taken_back", weight * chance, layers=left, player=player)


def _vanished(setting: Setting, change: Change, layers: Layers) -> Iterator[Cause]:
    """A stack that is not there any more."""
    if not layers:
        yield Cause("cleared", 1.0)
        return
    top, priors = layers[-1], setting.priors
    if len(layers) == 1 and top.deed is not None:
        yield from _takers(setting, change, top, setting.taken_back(top), ())
    last = setting.fitting.law.game.last_number
    complete = sum(chance for each, chance in top.tops if each is not None and each.number == last)
    yield Cause("cleared", max(priors.moved, complete))


def _still(top: Layer, change: Change) -> bool:
    before, now = top.look, change.look
    turned = abs((now.angle - before.angle + 180.0) % 360.0 - 180.0)
    return math.dist(before.at, now.at) <= _NEAR[0] and turned <= _NEAR[1]


def stack_layers(stack: Stack | None) -> Layers:
    return () if stack is None else stack.layers
