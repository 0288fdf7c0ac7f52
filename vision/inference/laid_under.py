"""A card that another one hid before it could be read, and that comes to light when that one is taken off.

Somebody lays a card that fits, somebody else a wrong one upon it in the same moment. The eyes see the wrong
one only; once it is taken back, its fellow lies there as if the taker had laid it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from operator import mul
from typing import TYPE_CHECKING, Final

from vision.inference.beliefs import agreement, together
from vision.inference.causes import Cause, Laid, Setting, Source, Use, layer_of, sources
from vision.inference.fitting import BARE
from vision.inference.inferred import Inferred
from vision.inference.reaching import in_centre
from vision.inference.table import Change, Layer, Stack

if TYPE_CHECKING:
    from vision.inference.deciding import Decision
    from vision.inference.settling import Settling

_FITS: Final = 0.5
_LIKELY: Final = 3.0  # from this agreement on what shows may be the card that left


def laid_under(
    setting: Setting, change: Change, layers: tuple[Layer, ...], used: frozenset[Use]
) -> Iterator[Cause]:
    """The wrong card on top is off, and shows one that came to the pile under the same look."""
    reading = change.reading
    if reading is None or not layers or layers[-1].fits > _FITS:
        return
    top, below = layers[-1], layers[-2].tops if len(layers) > 1 else BARE
    then = replace(change, look=top.look)
    usual = setting.fitting.usual(below)
    for source in sources(setting, then, top.look.t, reading):
        if source.departure is None or source.use in used or agreement(source.faces, reading) < _LIKELY:
            continue
        apart = tuple(map(mul, source.faces, usual))
        faces = together(apart, reading)
        fits = setting.fitting.chance_of_fit(below, faces, usual)
        if fits > _FITS:
            after = setting.fitting.after(below, faces)
            owner = source.owner
            laid = Laid(owner, owner, source.place, faces, apart, fits, after, below, source.departure)
            yield from _taken_off(setting, change, layers, source, laid)


def _taken_off(
    setting: Setting, change: Change, layers: tuple[Layer, ...], source: Source, laid: Laid
) -> Iterator[Cause]:
    assert change.reading is not None
    assert source.use is not None
    priors, top = setting.priors, layers[-1]
    weight = priors.misfit_taken_back * priors.merged * source.factor
    weight *= agreement(source.faces, change.reading) * in_centre(priors, top.look, source.owner)
    for player in setting.players:
        own = 1.0 if player == top.player or top.player is None else 0.05
        chance = own * in_centre(priors, change.look, player)
        yield Cause("taken_back", weight * chance, (source.use,), (laid,), layers=layers[:-1], player=player)


def come_to_light(settling: Settling, decision: Decision, stack: Stack, over: Layer) -> list[Inferred]:
    """Says who laid the card that shows now; it was laid while the card over it was."""
    said = []
    then = replace(decision, change=replace(decision.change, look=over.look))
    for laid in decision.cause.laid:
        number = settling.new_deed()
        opens = not stack.layers
        stack.layers = (*stack.layers, layer_of(laid, decision.change.look, number))
        face, chance = settling.setting.faces.best(laid.faces)
        settling.table.laid.setdefault(laid.owner, set()).add(settling.setting.faces.index[face])
        said.append(settling.say(settling.play(then, laid, stack, number, opens, face, chance)))
    return said
