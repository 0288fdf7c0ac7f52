"""Two equal cards for one pile: the slower one lies upon its like, or is taken home again.

The pile shows the same face all the while. What tells them apart is whose card left its place when, whose arm
was over the pile when, and who comes back to take a card home.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from typing import TYPE_CHECKING, Final

from referee.actions import Interval, Play, TakeBack
from vision.inference.beliefs import agreement
from vision.inference.causes import Setting, Use
from vision.inference.inferred import Inferred
from vision.inference.table import Cover, Departure, Layer, Stack

if TYPE_CHECKING:
    from vision.inference.settling import Settling

_FLIGHT: Final = 1.1  # seconds a card may be under way
_EQUAL: Final = 20.0  # from this agreement on two cards are surely equal
_BEFORE_SEEN: Final = 0.6  # seconds within which a hand does not stop for a card that it sees laid
_CAME_AGAIN: Final = 0.5  # seconds after which an arm that is over a pile again is another visit
_PERHAPS: Final = 0.6  # how sure a second card is while nothing but arms speaks for it
_GAVE_WAY: Final = 0.995  # and once its player has come and taken it home


def beaten_due(setting: Setting, settling: Settling, now: float, wanted: set[Use]) -> list[Inferred]:
    """Cards that left for a pile upon which an equal one had just come to lie, and were not seen since."""
    said: list[Inferred] = []
    for gone in setting.table.open_departures():
        if gone.number < 0 or gone.number in wanted or gone.deed is not None:
            continue
        if now - gone.t < setting.priors.wait_turn:
            continue
        for stack, cover in _rival_piles(setting, gone):
            said.append(_beaten(setting, settling, gone, stack, cover))
            break
    return said


def _rival_piles(setting: Setting, gone: Departure) -> Iterator[tuple[Stack, Cover]]:
    """The piles over which its player's arm was just after an equal card of somebody else was seen there."""
    for stack in setting.table.stacks.values():
        if stack.gone_at is not None or not stack.layers:
            continue
        top = stack.layers[-1]
        if top.owner in (None, gone.owner) or agreement(top.faces, gone.faces) < _EQUAL:
            continue
        if not top.look.t - _FLIGHT < gone.since < top.look.t + _BEFORE_SEEN:
            continue
        cover = next(stack.reached(gone.owner, top.look.t, gone.t + _FLIGHT), None)
        under = Cover(max(top.look.since, gone.since), top.look.t, top.look.reach)
        if cover is None and under.since < under.t and under.by(gone.owner):
            cover = under  # both came to light at once
        if cover is not None:
            yield stack, cover


def _beaten(setting: Setting, settling: Settling, gone: Departure, stack: Stack, cover: Cover) -> Inferred:
    top = stack.layers[-1]
    face, chance = setting.faces.best(gone.faces)
    number = settling.new_deed()
    gone.deed, gone.beaten = number, True
    play = Play(gone.owner, face, gone.place, stack.pile, Interval(cover.since, cover.t))
    look = replace(top.look, since=cover.since, t=cover.t, reach=cover.reach, again=False)
    return settling.say(
        Inferred(
            number=number,
            action=play,
            confidence=_PERHAPS * chance,
            moment=cover.t,
            seen=(gone.look.frames[0], max(gone.look.frames[1], top.look.frames[1])),
            looks=(gone.look, look),
            fits=0.0,
            before=top.tops,
        )
    )


def came_home(setting: Setting, settling: Settling, deed: int, t: float) -> list[Inferred]:
    """A card said to lie on a pile is at home: its player has taken it back, or it never lay there."""
    said = settling.said(deed)
    if said is None or not isinstance(said.action, Play):
        return settling.withdrawn(deed)
    player, pile = said.action.player, said.action.pile
    stack = next((each for each in setting.table.stacks.values() if each.pile == pile), None)
    if stack is None:
        return settling.withdrawn(deed)
    home = setting.table.places.get((said.action.owner or player, said.action.source))
    visits = stack.reached(player, said.looks[-1].t + _CAME_AGAIN, t)
    # An arm that passes by does not come home from there.
    cover = next((each for each in visits if home is None or home.visited_after(each.since, each.t, t)), None)
    if is_pair(stack.layers) and deed in (stack.layers[-1].deed, stack.layers[-2].deed):
        owned = cover is not None and home is not None and home.bare_until(cover.since, t)
        return yielded(settling, stack, deed, None if cover is None else _GAVE_WAY, owned)
    if cover is None:
        return settling.never_laid(stack, deed)
    if any(layer.deed == deed for layer in stack.layers):
        return []  # the pile itself will show that the card is gone
    back = TakeBack(player, said.action.face, stack.pile, Interval(cover.since, cover.t))
    taken = Inferred(settling.new_deed(), back, said.confidence, cover.t, said.seen, (said.looks[-1],))
    sure = replace(said, confidence=max(said.confidence, _GAVE_WAY), said="amended")
    return [settling.say(sure), settling.say(taken)]


def is_pair(layers: tuple[Layer, ...]) -> bool:
    """Whether the two uppermost cards are equal ones that came to light under one look."""
    return len(layers) > 1 and layers[-1].look.t == layers[-2].look.t and layers[-1].fits < 0.5


def yielded(
    settling: Settling, stack: Stack, deed: int, sure: float | None, owned: bool = False
) -> list[Inferred]:
    """One of two equal cards under one look is home again: the slower one, or it never lay there (None).

    `owned`: its place was seen bare until its player came to the pile for it. So the card lay there, and who
    takes it home says whose was the slower, whichever of the two set out first.
    """
    lower, upper = stack.layers[-2:]
    mine, other = (upper, lower) if upper.deed == deed else (lower, upper)
    stack.layers = (*stack.layers[:-2], replace(other, fits=1.0, below=lower.below))
    one, two = (None if each.deed is None else settling.said(each.deed) for each in (mine, other))
    told = settling.withdrawn(deed) + settling.alone(other.deed)
    if one is None or two is None or sure is None or one.said == "withdrawn":
        return told
    in_order = len(one.looks) > 1 and len(two.looks) > 1 and one.looks[0].since > two.looks[0].since
    if not in_order and not (owned and len(one.looks) > 1):
        sure = min(sure, _PERHAPS)
    # It may stand in the wrong order so far: the slower card is told anew, after the other.
    slower = replace(
        one,
        number=settling.new_deed(),
        confidence=sure,
        fits=0.0,
        before=other.tops,
        order_unknown=False,
        said="new",
    )
    return [*told, settling.say(slower)]
