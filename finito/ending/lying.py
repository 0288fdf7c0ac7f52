"""What lies on the piles of the centre, card by card, by what was seen on top of them one after the other.

A pile grows by one from its first number: what is missing between two cards that were seen was laid unseen.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from referee.cards import Face, face
from referee.rules.pile_fit import PileLaw

_WHOLE_PILE: Final = 9  # cards; one more begins anew, where the edition lets it


@dataclass(frozen=True)
class Top:
    """A card that was on top of a pile for a while; its deed is by what it came there, if that was told."""

    face: Face | None  # None: it was not read
    deed: int | None
    since: float  # it was laid no earlier than this
    t: float  # and lay there by now
    perhaps: tuple[Face, ...] = ()  # what else it may be


@dataclass(frozen=True)
class Lying:
    """A card that lies on a pile. Of two equal cards that came at once one does not stay: both deeds."""

    face: Face
    pile: int
    deeds: tuple[int, ...]
    since: float
    t: float


def cards_on(pile: int, tops: Sequence[Top], law: PileLaw) -> list[Lying] | None:
    """All cards of a pile from the lowest up; None where that is not plain."""
    if law.zero or law.restart_on_last:
        return _as_seen(pile, tops)
    lying: list[Lying] = []
    unread: list[Top] = []
    for seen in tops:
        top = _that_follows(lying, seen, law)
        if top.face is None:
            unread.append(top)
        elif lying and not unread and lying[-1].face is top.face:
            lying[-1] = replace(lying[-1], deeds=lying[-1].deeds + _deeds(top))
        elif (below := _below(pile, lying, unread, top, law)) is not None:
            lying += [*below, Lying(top.face, pile, _deeds(top), top.since, top.t)]
            unread = []
        else:
            return None
    return None if unread else lying


def _that_follows(lying: Sequence[Lying], top: Top, law: PileLaw) -> Top:
    """The card as it lies there: one that is read now as this and now as that is the one that fits."""
    if not lying:
        fitting = [each for each in top.perhaps if each.number == law.game.first_number]
    else:
        below = lying[-1].face
        fitting = [each for each in top.perhaps if (each.colour, each.number) == (below.colour, _next(below))]
    return replace(top, face=fitting[0]) if len(fitting) == 1 else top


def _next(card: Face) -> int | None:
    return None if card.number is None else card.number + 1


def cards_by_tops(numbers: Iterable[int | None]) -> int | None:
    """How many cards a pile holds, by the numbers that were seen on top of it; None where nobody can tell."""
    held: int | None = None
    for number in numbers:
        if number is None:
            held = None
        elif number == 0 and held:
            held += 1  # a joker, or a pile that begins anew upon its 8
        else:
            whole = (held - 1) // _WHOLE_PILE if held else 0
            held = number + 1 + _WHOLE_PILE * whole
    return held


def _below(
    pile: int, lying: Sequence[Lying], unread: Sequence[Top], top: Top, law: PileLaw
) -> list[Lying] | None:
    """The cards between those that lie there and the next one that was read; None: it cannot lie there."""
    assert top.face is not None
    colour, number, height = top.face.colour, top.face.number, law.game.first_number + len(lying)
    if number is None or number < height or (lying and lying[0].face.colour is not colour):
        return None
    since = lying[-1].since if lying else float("-inf")
    missing = [Lying(face(colour, each), pile, (), since, top.t) for each in range(height, number)]
    if len(unread) == len(missing):
        pairs = zip(missing, unread, strict=True)
        return [replace(card, deeds=_deeds(seen), since=seen.since, t=seen.t) for card, seen in pairs]
    return missing if len(unread) < len(missing) else None


def _as_seen(pile: int, tops: Sequence[Top]) -> list[Lying] | None:
    """Where jokers may lie between the others, what was missed cannot be named."""
    lying = [Lying(top.face, pile, _deeds(top), top.since, top.t) for top in tops if top.face is not None]
    held = cards_by_tops(None if top.face is None else top.face.number for top in tops)
    return lying if len(lying) == len(tops) == (held or 0) else None


def _deeds(top: Top) -> tuple[int, ...]:
    return () if top.deed is None else (top.deed,)
