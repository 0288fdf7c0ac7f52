"""A card read better than before: what was said of it is amended, or explained anew if it is another one."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Final

from referee.actions import Play, Refill, Turn
from vision.inference.beliefs import Belief, agreement, normalised, read_twice, together
from vision.inference.inferred import Deed, Inferred
from vision.inference.table import Layer, Place, Stack

if TYPE_CHECKING:
    from vision.inference.settling import Settling

_ANOTHER: Final = 0.1  # below this agreement a card is not the one that it was taken for
_PLAINLY: Final = 0.9  # chance from which on a card that lay there before is another than was said
_NEWS: Final = 0.02  # by how much a chance must differ to be told anew


def read_again_at_home(settling: Settling, place: Place) -> list[Inferred]:
    """A turned or filled card read better than before."""
    said = None if place.deed is None else settling.said(place.deed)
    if said is None or place.shown is None:
        return []
    action: Turn | Refill
    if isinstance(said.action, Turn):
        action = replace(said.action, top=settling.top_face(place.shown))
    elif isinstance(said.action, Refill):
        action = replace(said.action, face=settling.setting.faces.best(place.shown)[0])
    else:
        return []
    return _amended(settling, said, action, said.fits, said.confidence)


def read_again(settling: Settling, stack: Stack, reading: Belief) -> list[Inferred]:
    """A card on a pile read better than before."""
    top, fitting = stack.layers[-1], settling.setting.fitting
    if _is_another(top, reading) and (said := settling.explained_anew(stack, reading)):
        return said
    faces = (together if top.first is None else read_twice)(top.apart, reading)
    below = top.below
    tops = fitting.after(below, faces) if below else fitting.seen(faces)
    fits = fitting.chance_of_fit(below, faces, fitting.usual(below)) if below else top.fits
    before = settling.setting.faces.best(top.faces)
    stack.layers = (*stack.layers[:-1], replace(top, faces=faces, tops=tops, fits=fits))
    said_so_far = None if top.deed is None else settling.said(top.deed)
    if said_so_far is None or not isinstance(said_so_far.action, Play):
        return []
    face, chance = settling.setting.faces.best(faces)
    if top.first is not None and face is not said_so_far.action.face and chance < _PLAINLY:
        return []  # now this is read and now that: what was said first stays
    confidence = min(chance, said_so_far.confidence / max(1e-6, before[1]) * chance)
    if face is not before[0] and top.owner is not None:
        index = settling.setting.faces.index
        settling.table.laid.setdefault(top.owner, set()).discard(index[before[0]])
        settling.table.laid[top.owner].add(index[face])
    return _amended(settling, said_so_far, replace(said_so_far.action, face=face), fits, confidence)


def _is_another(top: Layer, reading: Belief) -> bool:
    """Whether the card cannot well be the one that left the place it is said to come from.

    Then something was missed: two cards came under one look, say, and only the upper one is read now.
    """
    if top.deed is None or sum(top.apart) == 0.0:
        return False
    return agreement(normalised(top.apart), reading) < _ANOTHER


def _amended(
    settling: Settling, said: Inferred, action: Deed, fits: float, confidence: float
) -> list[Inferred]:
    if (action == said.action and abs(confidence - said.confidence) < _NEWS) or said.said == "withdrawn":
        return []
    return [settling.say(replace(said, action=action, fits=fits, confidence=confidence, said="amended"))]
