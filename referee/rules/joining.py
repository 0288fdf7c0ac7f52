"""Two states after the same actions in different orders, as one state that stands for both."""

from __future__ import annotations

from referee.cards import UNKNOWN, Face
from referee.state import Pile, RoundState, Side, Top, changed


def join_states(one: RoundState, other: RoundState) -> RoundState:
    if one == other:
        return one
    sides = tuple(_join_sides(a, b) for a, b in zip(one.sides, other.sides, strict=True))
    longer, shorter = (one, other) if len(one.piles) >= len(other.piles) else (other, one)
    common = tuple(_join_piles(a, b) for a, b in zip(longer.piles, shorter.piles, strict=False))
    caller, sure = one.caller, one.caller_sure and other.caller_sure
    if one.caller != other.caller:
        caller, sure = (one.caller if one.caller is not None else other.caller), False
    return RoundState(
        sides,
        common + longer.piles[len(common) :],
        one.started and other.started,
        caller,
        sure,
        one.partial or other.partial,
        one.late or other.late,
    )


def _known(a: Face, b: Face) -> Face:
    return a if a is b else UNKNOWN


def _union(a: tuple[Top, ...], b: tuple[Top, ...]) -> tuple[Top, ...]:
    return a if a == b else tuple(dict.fromkeys([*a, *b]))


def _join_piles(a: Pile, b: Pile) -> Pile:
    if a == b:
        return a
    higher = a if a.height >= b.height else b
    same = a.owner == b.owner and a.face is b.face
    return changed(
        higher,
        tops=_union(a.tops, b.tops),
        doubts=_union(a.doubts, b.doubts),
        face=higher.face if a.face is b.face else UNKNOWN,
        owner=higher.owner if same else -1,
        player=higher.player if same else -1,
    )


def _join_sides(a: Side, b: Side) -> Side:
    """Counts come from one side whole, so that they add up to a deck; faces only where both agree.

    Where one order called a card back and the other did not, the side that has it back is kept: its
    loose card says that it may be gone, so that either continuation stays lawful.
    """
    if a == b:
        return a
    base, other = (a, b) if (a.centre, -a.espresso) <= (b.centre, -b.espresso) else (b, a)
    same_waste = len(a.waste) == len(b.waste)
    paired = zip(base.helps, other.helps, strict=True)
    return changed(
        base,
        espresso_least=min(a.espresso_least, b.espresso_least),
        top=_known(a.top, b.top),
        helps=tuple(x if x is None or x is y else UNKNOWN for x, y in paired),
        waste=tuple(map(_known, a.waste, b.waste)) if same_waste else (UNKNOWN,) * len(base.waste),
        seen_centre=a.seen_centre & b.seen_centre,
        seen_race=a.seen_race & b.seen_race,
        seen_stock=a.seen_stock & b.seen_stock,
        disputed=a.disputed | b.disputed,
        playing_hand=a.playing_hand if a.playing_hand == b.playing_hand else None,
        fruitful=a.fruitful or b.fruitful,
        twos=a.twos or b.twos,
        joker=a.joker or b.joker,
        joker_sure=a.joker_sure and b.joker_sure and (a.joker, a.centre) == (b.joker, b.centre),
        vague=a.vague or b.vague or not same_waste or a.hand != b.hand or a.centre != b.centre,
    )
