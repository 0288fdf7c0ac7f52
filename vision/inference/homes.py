"""Looks at the places of players: what left, what came to light, and what is back."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final

from referee.places import ESPRESSO, WASTE
from vision.inference.beliefs import Belief, agreement, normalised, together
from vision.inference.causes import Setting
from vision.inference.rivals import is_pair
from vision.inference.table import Departure, Place
from vision.observations import Look

_SAME: Final = 4.0  # from this agreement on two readings are of one card: a new look is mostly at a new card
_BACK: Final = 3.0  # from this agreement on a card that shows is the one that had left
_READ: Final = 0.5
_LIKE: Final = 0.02  # so often a card is taken for one that lay there before and is another
_SECOND_COPY: Final = 0.003
_FROM_UNDER: Final = 0.01  # only what was taken off a stack comes back upon it: what it bared lies below
_TURNED_BACK: Final = 2.5  # seconds in which a card that was not laid after all is home again


@dataclass(frozen=True, slots=True)
class HomeNews:
    """What a look at a place tells: a card to be explained, a turn, or a deed that did not happen."""

    filled: Belief | None = None
    turned: Belief | None = None
    disproved: int | None = None


def home_reading(setting: Setting, look: Look) -> Belief | None:
    """What shows there; of each back a card in the centre is not at home as well, as a rule."""
    if look.shows == "nothing":
        return None
    if look.shows == "back":
        return setting.faces.unknown
    belief = setting.faces.read(look.faces)
    laid = setting.table.laid.get(look.spot.player or "", set()) - _may_come_back(setting, look)
    if not laid:
        return belief
    return normalised([chance * (_SECOND_COPY if n in laid else 1.0) for n, chance in enumerate(belief)])


def _may_come_back(setting: Setting, look: Look) -> set[int]:
    """The cards that came from this place and lie on top of piles: one that is called off goes home.

    Of two equal cards under one look either may be the upper one.
    """
    home = (look.spot.player, look.spot.place)
    tops = [layer for stack in setting.table.stacks.values() for layer in stack.layers[-2:]]
    return {top.faces.index(max(top.faces)) for top in tops if (top.owner, top.place) == home}


def look_home(setting: Setting, place: Place, look: Look, number: int) -> HomeNews:
    """Takes in a look at a place; `number` is for a departure it may show."""
    reading, before = home_reading(setting, look), place.shown
    if not place.seen:
        _show(place, look, reading, None)
        place.seen = True
        return HomeNews()
    if before is None and reading is None:
        _seen(place, look)
        return HomeNews()
    if before is not None and reading is not None and same_card(setting, place, look, before):
        disproved, place.owed = place.owed, None
        deed = place.deed
        if place.name in (ESPRESSO, WASTE):  # or it left, misread, and what shows is the next one
            others = [chance * (1.0 - there) for chance, there in zip(before, reading, strict=True)]
            _left(setting, place, look, normalised(others), reading, number, perhaps=True)
            setting.table.departures[-1].chance = sum(others)
        _show(place, look, _taken_for(before, reading), before)
        place.deed = deed
        return HomeNews(disproved=disproved)
    place.changes.append(look)
    if reading is not None and (undone := _returned(setting, place, reading, look.t)) is not None:
        if before is not None:  # the card that is back lies upon it, or it left and bared that card
            _left(setting, place, look, before, reading, number, perhaps=True)
            if place.name == ESPRESSO:
                setting.table.departures[-1].chance = _FROM_UNDER
        _show(place, look, _taken_for(undone.faces, reading), undone.faces)
        place.owed = None
        return HomeNews(disproved=undone.deed)
    if before is not None:
        _left(setting, place, look, before, reading, number)
    _show(place, look, reading, None)
    if reading is None or place.name == ESPRESSO:
        return HomeNews()
    if place.name == WASTE:
        return HomeNews(turned=reading if before is None else None)
    return HomeNews(filled=reading)


def same_card(setting: Setting, place: Place, look: Look, before: Belief) -> bool:
    """Whether it is the card that was there; one that lay face down there has been turned up.

    By what is read alone: what is unlikely there is no proof that nothing changed.
    """
    was_back = place.look is not None and place.look.shows == "back"
    if look.shows == "back":
        return was_back
    return was_back or agreement(before, setting.faces.read(look.faces)) > _SAME


def _taken_for(known: Belief, reading: Belief) -> Belief:
    """What shows, taken for a card that is known: it may be its like, misread."""
    both = together(known, reading)
    return tuple([(1.0 - _LIKE) * a + _LIKE * b for a, b in zip(both, reading, strict=True)])


def _show(place: Place, look: Look, shown: Belief | None, apart: Belief | None) -> None:
    place.shown, place.apart, place.deed = shown, apart, None
    _seen(place, look)


def _seen(place: Place, look: Look) -> None:
    place.look, place.t = look, look.t
    place.looks.append(look)


def _left(
    setting: Setting,
    place: Place,
    look: Look,
    before: Belief,
    reading: Belief | None,
    number: int,
    perhaps: bool = False,
) -> None:
    gone = Departure(number, place.player, place.name, before, look.since, look.t, look, reading)
    gone.perhaps = perhaps
    if place.owed is not None:
        place.owed, gone.spent = None, True
    setting.table.departures.append(gone)


def _is_card(gone: Departure, reading: Belief) -> bool:
    """Whether what shows is the card that left; one that was never read is not known again."""
    return max(gone.faces) > _READ and agreement(gone.faces, reading) >= _BACK


def _reads_as(reading: Belief, card: Belief) -> bool:
    """Whether what shows is read as that card first of all: a second guess takes nobody's card back."""
    return reading[card.index(max(card))] > _READ and agreement(card, reading) > _BACK


def _returned(setting: Setting, place: Place, reading: Belief, t: float) -> Departure | None:
    """The card that had left this place and lies there again; help slots are weighed with all else."""
    if place.name not in (ESPRESSO, WASTE):
        return None
    for gone in reversed(setting.table.departures):
        if (gone.owner, gone.place) != place.key or gone.spent or not _is_card(gone, reading):
            continue
        gone.spent = True
        buried = gone.deed is not None and (gone.reveals is not None or place.shown is not None)
        buried = (buried and not gone.beaten) or gone.perhaps
        return None if buried else gone  # what a turn had buried comes to light again
    for stack in setting.table.stacks.values():  # home before the pile is seen again, or it never lay there
        pair = is_pair(stack.layers)
        for top in stack.layers[-2 if pair else -1 :]:
            if (top.owner, top.place) != place.key or not _reads_as(reading, top.faces):
                continue
            called_off = top.fits < 0.5 or top.deed in setting.called
            if pair or called_off or t - top.look.t < _TURNED_BACK:
                back = Departure(0, place.player, place.name, top.faces, top.look.since, top.look.t, top.look)
                back.deed = top.deed if pair or not called_off else None
                return back
    return None
