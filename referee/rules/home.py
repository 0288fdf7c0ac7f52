"""A player's own side of the table: taking cards from it, putting them back, and what has been seen of it."""

from __future__ import annotations

from dataclasses import replace

from referee.cards import UNKNOWN, Face
from referee.places import ESPRESSO, HAND, HELP_INDEX, WASTE
from referee.state import Loose, Side, changed


def card_at(side: Side, place: str) -> Face | None:
    """The open card of a place; None where none lies open."""
    if place == ESPRESSO:
        return side.top if side.espresso else None
    if place == WASTE:
        if side.waste:
            return side.waste[-1]
        return UNKNOWN if (side.vague or side.undealt) and side.hand else None
    if place == HAND:
        return None
    slot = HELP_INDEX[place]
    return side.helps[slot] if slot < len(side.helps) else None


def loose_at(side: Side, place: str) -> Loose | None:
    """A card called back to that place which may still lie in the centre."""
    return next((loose for loose in side.loose if loose.place == place and not loose.gone), None)


def without_loose(side: Side, loose: Loose) -> tuple[Loose, ...]:
    return tuple(each for each in side.loose if each is not loose)


def elsewhere(side: Side, card: Face, place: str) -> bool:
    """Whether this back's copy of a card said to come from a place has been seen somewhere else."""
    bit = card.bit & ~side.disputed
    if not bit or card_at(side, place) is card:
        return False
    if bit & side.seen_centre:
        return True
    if place in (WASTE, HAND):
        return bool(bit & side.seen_race)
    return bool(bit & side.seen_stock) or _lies_in_race(side, card)


def _lies_in_race(side: Side, card: Face) -> bool:
    """Whether the card is known to lie on the stack or among the help cards."""
    if not card.bit & side.seen_race:
        return False
    top = side.espresso > 0 and side.top is card
    return top or card in side.helps or any(card in below for below in side.under)


def newly_shown(side: Side, card: Face, place: str) -> bool:
    """Whether a card that just came to light at a place contradicts what was seen of its back."""
    bit = card.bit & ~side.disputed
    if not bit:
        return False
    if place == WASTE:
        return bool(bit & (side.seen_centre | side.seen_race)) or card in side.waste
    return bool(bit & (side.seen_centre | side.seen_stock)) or _lies_in_race(side, card)


def disputed(side: Side, card: Face) -> Side:
    """One of two sightings of a card is wrong: from now on neither accuses anybody."""
    rest = ~card.bit
    return changed(
        side,
        disputed=side.disputed | card.bit,
        seen_centre=side.seen_centre & rest,
        seen_race=side.seen_race & rest,
        seen_stock=side.seen_stock & rest,
    )


def noticed(side: Side, card: Face, place: str) -> tuple[Side, Face]:
    """The side and the face to keep for a card that came to light: unknown where it contradicts itself."""
    bit = card.bit
    if not bit:
        return side, card
    if bit & side.disputed:
        return side, UNKNOWN
    if newly_shown(side, card, place):
        return disputed(side, card), UNKNOWN
    return side, card


def contradicts(side: Side, reveals: Face, place: str) -> bool:
    """Whether what a play or refill uncovered cannot be there: its copy was seen elsewhere."""
    if reveals is UNKNOWN:
        return False
    if place == WASTE and len(side.waste) > 1 and side.waste[-2] is reveals:
        return False
    return newly_shown(side, reveals, place)


def facing(side: Side, place: str, card: Face) -> Side:
    """The side as it must be if that card now comes from that place: settles what was called back to it."""
    if not side.loose:
        return side
    stray = next((each for each in side.loose if each.gone and each.face is card), None)
    if stray is not None and card.bit:  # it stayed for a while, and was silently taken back
        side = returned(changed(side, loose=without_loose(side, stray)), card, stray.place)
    loose = loose_at(side, place)
    if loose is None:
        return side
    lying = card_at(side, place)
    uncovered = card.bit != 0 and loose.reveals is card
    if uncovered or lying is None or not lying.could_be(card):
        return settled(side, loose)
    return changed(side, loose=without_loose(side, loose)) if lying is card else side


def without_top(side: Side, reveals: Face) -> Side:
    """The Espresso stack less its open card."""
    left = side.espresso - 1
    shown = UNKNOWN
    if left:
        side, shown = noticed(side, reveals, ESPRESSO)
    return changed(
        side,
        espresso=left,
        espresso_least=max(0, side.espresso_least - 1),
        top=shown,
        seen_race=side.seen_race | shown.bit,
    )


def without_waste_top(side: Side, reveals: Face) -> Side:
    if not side.waste:
        return changed(side, hand=side.hand - 1, vague=True)  # turned unseen, with others perhaps
    rest = side.waste[:-1]
    if reveals is UNKNOWN or not rest:
        return changed(side, waste=rest)
    below = rest[-1]
    if below is reveals:
        return changed(side, waste=rest)
    if below.could_be(reveals):
        side, shown = noticed(changed(side, waste=rest), below.merged(reveals), WASTE)
    else:
        side, shown = changed(side, seen_stock=side.seen_stock & ~below.bit), UNKNOWN
    return changed(side, waste=(*rest[:-1], shown), seen_stock=side.seen_stock | shown.bit)


def without_covered(side: Side, card: Face) -> Side:
    """The waste less a card drawn from below its top, which still lies there."""
    below = side.waste[:-1]
    deep = [depth for depth, each in enumerate(below) if each is card]
    deep += [depth for depth in range(len(below) - 1, -1, -1) if below[depth].could_be(card)]
    for depth in deep:
        return changed(side, waste=(*below[:depth], *below[depth + 1 :], side.waste[-1]))
    return changed(side, waste=(*below[1:], side.waste[-1])) if below else _less_unseen(side)


def without_help(side: Side, slot: int, reveals: Face) -> Side:
    below = side.under[slot] if side.under else ()
    uncovered = None
    if below:
        uncovered = below[-1].merged(reveals) if below[-1].could_be(reveals) else UNKNOWN
        side = changed(side, under=(*side.under[:slot], below[:-1], *side.under[slot + 1 :]))
    return changed(side, helps=(*side.helps[:slot], uncovered, *side.helps[slot + 1 :]))


def taken(side: Side, place: str, reveals: Face) -> Side:
    """The side less the card at a place, or, where nothing lies there, less some card nobody saw."""
    if place == ESPRESSO and side.espresso:
        return without_top(side, reveals)
    if place == WASTE and (side.waste or side.hand):
        return without_waste_top(side, reveals)
    slot = HELP_INDEX.get(place, -1)
    if 0 <= slot < len(side.helps) and side.helps[slot] is not None:
        return without_help(side, slot, reveals)
    return _less_unseen(side)


def _less_unseen(side: Side) -> Side:
    if side.hand:
        return changed(side, hand=side.hand - 1, vague=True)
    if side.waste:
        return changed(side, waste=side.waste[1:], vague=True)
    if side.espresso:
        return without_top(side, UNKNOWN)
    slot = next((index for index, card in enumerate(side.helps) if card is not None), None)
    return side if slot is None else without_help(side, slot, UNKNOWN)


def settled(side: Side, loose: Loose) -> Side:
    """The side once it is plain that a card called back stayed in the centre after all."""
    lying = card_at(side, loose.place)
    if lying is None:
        return changed(side, loose=without_loose(side, loose))
    if not lying.could_be(loose.face):  # one of the two readings of the card was wrong
        side = disputed(disputed(side, lying), loose.face)
    side = changed(side, loose=(*without_loose(side, loose), replace(loose, gone=True)))
    side = taken(side, loose.place, loose.reveals)
    return changed(
        side,
        centre=side.centre + 1,
        seen_centre=side.seen_centre | (loose.face.bit & ~side.disputed),
        seen_race=side.seen_race & ~loose.face.bit,
        seen_stock=side.seen_stock & ~loose.face.bit,
    )


def returned(side: Side, card: Face, place: str) -> Side:
    """The side with a card taken back from the centre."""
    side = changed(side, centre=side.centre - 1, seen_centre=side.seen_centre & ~card.bit)
    if place == WASTE:
        return changed(side, waste=(*side.waste, card), seen_stock=side.seen_stock | card.bit)
    if place == HAND:
        return changed(side, hand=side.hand + 1)
    if place == ESPRESSO:
        return changed(
            side,
            espresso=side.espresso + 1,
            espresso_least=side.espresso_least + 1,
            top=card,
            seen_race=(side.seen_race & ~side.top.bit) | card.bit,
        )
    return _returned_to_help(side, card, HELP_INDEX[place])


def _returned_to_help(side: Side, card: Face, slot: int) -> Side:
    occupant = side.helps[slot]
    if occupant is not None and side.under:
        under = (*side.under[:slot], (*side.under[slot], occupant), *side.under[slot + 1 :])
        helps = (*side.helps[:slot], card, *side.helps[slot + 1 :])
        return changed(side, helps=helps, under=under, seen_race=side.seen_race | card.bit)
    if occupant is None:
        helps = (*side.helps[:slot], card, *side.helps[slot + 1 :])
        stolen = side.stolen & ~(1 << slot)
        return changed(side, helps=helps, stolen=stolen, seen_race=side.seen_race | card.bit)
    # The slot was refilled meanwhile: one of the two cards goes onto the stack or elsewhere, unseen.
    return changed(
        side,
        helps=(*side.helps[:slot], UNKNOWN, *side.helps[slot + 1 :]),
        espresso=side.espresso + 1,
        top=UNKNOWN,
        seen_race=side.seen_race & ~(occupant.bit | side.top.bit | card.bit),
    )
