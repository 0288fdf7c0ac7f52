"""What may have filled a help slot: by the rules the top of the stack; at times another card, or its own."""

from __future__ import annotations

from collections.abc import Iterator

from referee.places import ESPRESSO, HAND, WASTE
from vision.inference.beliefs import Belief, agreement
from vision.inference.causes import Cause, Laid, Setting, Source, Use, unnoticed
from vision.inference.table import Change


def filling_causes(
    setting: Setting, change: Change, used: frozenset[Use], found: list[Source], now: float
) -> list[Cause]:
    reading, player, slot = change.reading, change.look.spot.player, change.look.spot.place
    assert reading is not None
    assert player is not None
    priors = setting.priors
    causes = list(_unseen(setting, change, player, slot, reading, now))
    for source in found:
        if source.owner != player or source.use in used or source.use is None:
            continue
        agrees = agreement(source.faces, reading) * source.factor
        if source.place == ESPRESSO and source.departure is not None and source.factor > 0.5:
            agrees += priors.stack_misread
        if source.place == slot:
            causes.append(Cause("returned", 0.5 * agrees, (source.use,), player=player, place=slot))
        elif source.place in (ESPRESSO, WASTE):
            rare = 1.0 if source.place == ESPRESSO else priors.refill_elsewhere
            causes.append(_filled(change, player, source, reading, rare * agrees))
    return causes


def _unseen(
    setting: Setting, change: Change, player: str, slot: str, reading: Belief, now: float
) -> Iterator[Cause]:
    """A card from the hand; one of the stack that was never seen open; one called back from the centre."""
    priors, unknown = setting.priors, setting.faces.unknown
    hand = Source(player, HAND, unknown, 1.0, None)
    yield _filled(change, player, hand, reading, priors.refill_elsewhere)
    since, t = change.look.since, change.look.t
    stack = setting.table.places.get((player, ESPRESSO))
    rare = unnoticed(priors, now - t, priors.seen_stack)
    if stack is None or not stack.seen:
        rare = priors.hidden_source
    elif stack.shut(since - 0.5, t, stack.hidden(now, priors.covered_holds)) > 0.4:
        rare = priors.hidden_source / 2
    yield _filled(change, player, Source(player, ESPRESSO, unknown, 1.0, None), reading, rare)
    for each in setting.table.stacks.values():
        for layer in each.layers[-1:]:
            if (layer.owner, layer.place) == (player, slot) and layer.look.t < t:
                weight = setting.taken_back(layer) * agreement(layer.faces, reading)
                yield Cause("returned", weight, player=player, place=slot)


def _filled(change: Change, player: str, source: Source, reading: Belief, weight: float) -> Cause:
    product = [a * b for a, b in zip(source.faces, reading, strict=True)]
    total = sum(product)
    faces = tuple([each / total for each in product])
    laid = Laid(player, player, source.place, faces, source.faces, 1.0, (), (), source.departure)
    uses = () if source.use is None else (source.use,)
    place = change.look.spot.place
    return Cause("filled", weight, uses, (laid,), player=player, place=place)
