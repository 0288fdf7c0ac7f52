"""The table after a card was laid into the centre, lawfully or not, and after it was taken back."""

from __future__ import annotations

from referee.cards import UNKNOWN, Colour, Face
from referee.places import HELP_INDEX, WASTE
from referee.rules.home import (
    disputed,
    elsewhere,
    taken,
    without_covered,
)
from referee.rules.laying import Laying, fits, possible_cards
from referee.state import Loose, Pile, RoundState, Side, Top, changed, top, with_pile, with_side
from referee.verdicts import Rule, Verdict

MOST_DOUBTS = 6
MOST_LOOSE = 4


def after_laying(it: Laying, verdict: Verdict) -> RoundState:
    """What lies where. A card that breaks the pile is called off it; any other stays, called or not."""
    if verdict.legal:
        below = it.pile.tops
        if it.card.bit and len(below) <= 1:
            return _stands(it, (it.law.after(below[0] if below else None, it.card),), ())
        return _stands(it, _unread_tops(it), ())
    if verdict.rule is Rule.AFTER_FINITO and verdict.illegal:
        return _called_off(it)
    if verdict.illegal and verdict.reason.key == "joker-interrupted":
        return _called_off(it)
    if not it.card.known:
        tops = _unread_tops(it)
        return _stands(it, tops, it.pile.doubts) if tops != it.pile.tops else _called_off(it)
    landed = fits(it.law, it.pile.tops, it.card)
    if not landed and verdict.unsure:
        landed = [each for each in fits(it.law, it.pile.doubts, it.card) if _above(each, it.pile.tops)]
    if landed:
        return _stands(it, tuple(dict.fromkeys(landed)), it.pile.tops, called=verdict.illegal)
    return _called_off(it)


def joker_in_doubt(state: RoundState, number: int) -> RoundState:
    """A joker that was not followed may be picked up again: then the card below it counts."""
    if not number:
        return state
    pile = state.piles[number - 1]
    below = pile.below.tops if pile.below is not None else ()
    doubtful = changed(pile, doubts=(*below, *pile.doubts)[:MOST_DOUBTS])
    return changed(state, piles=with_pile(state.piles, number, doubtful))


def _above(new: Top, tops: tuple[Top, ...]) -> bool:
    return all(new.number > old.number for old in tops)


def _unread_tops(it: Laying) -> tuple[Top, ...]:
    """The tops after a card that was not fully read: whatever would have fitted, or else the old."""
    landed = [each for card in possible_cards(it) for each in fits(it.law, it.pile.tops, card)]
    if not landed:
        landed = [each for card in possible_cards(it) for each in fits(it.law, it.pile.doubts, card)]
    return tuple(dict.fromkeys([*landed, *it.pile.tops]))


def _stands(it: Laying, tops: tuple[Top, ...], doubts: tuple[Top, ...], called: bool = False) -> RoundState:
    play, card, owner = it.play, it.card, it.owner
    source = play.source
    lying = it.mismatch
    if lying is not None:  # its place showed another card: one of the two was misread
        owner = disputed(disputed(owner, card), lying)
        doubts = (*fits(it.law, it.pile.tops, lying), *doubts)
    elif elsewhere(owner, card, source):
        owner = disputed(owner, card)
    if card.bit & owner.disputed:
        card = UNKNOWN  # it fits or not as read; which card of its back it is stays open
    owner = _lighter(owner, source, play.reveals, card)
    if it.owner is not it.player and source in HELP_INDEX:
        owner = changed(owner, stolen=owner.stolen | 1 << HELP_INDEX[source])
    # How a late record numbers the piles that were there before is not known: a new one may be an old one.
    doubts = it.unseen_tops if it.state.late and not it.pile.height else doubts[:MOST_DOUBTS]
    layer = Pile(
        tops,
        doubts,
        card,
        owner.index,
        it.player.index,
        source,
        it.pile if it.pile.height else None,
        it.pile.height + 1,
        called,
    )
    sides = with_side(it.state.sides, owner)
    if it.law.zero or (it.play.hand is not None and it.play.hand != it.player.playing_hand):
        sides = _mark_player(it, sides)
    waiting = it.player.joker if it.player.joker != it.number else 0
    return joker_in_doubt(
        changed(it.state, sides=sides, piles=with_pile(it.state.piles, it.number, layer)), waiting
    )


def _lighter(owner: Side, source: str, reveals: Face, card: Face) -> Side:
    before = owner
    drawn_from_below = source == WASTE and owner.waste and reveals.bit and owner.waste[-1] is reveals
    owner = without_covered(owner, card) if drawn_from_below else taken(owner, source, reveals)
    if owner is before:
        return owner  # every card of this back is in the centre already: one more can only be misread
    bit = card.bit
    return changed(
        owner,
        centre=owner.centre + 1,
        seen_centre=owner.seen_centre | bit,
        seen_race=owner.seen_race & ~bit,
        seen_stock=owner.seen_stock & ~bit,
        fruitful=owner.fruitful or source == WASTE,
        twos=owner.twos and source != WASTE,
    )


def _mark_player(it: Laying, sides: tuple[Side, ...]) -> tuple[Side, ...]:
    """The playing hand, and a joker that now waits or no longer waits."""
    side = sides[it.player.index]
    hand = side.playing_hand or (it.play.hand if it.play.hand != "both" else None)
    joker, sure = 0, False
    if it.law.zero and (it.card.number == 0 or (it.card.number is None and it.player.joker != it.number)):
        joker, sure = it.number, it.card.number == 0 and it.mismatch is None
    if hand != side.playing_hand or joker != side.joker or sure != side.joker_sure:
        sides = with_side(sides, changed(side, playing_hand=hand, joker=joker, joker_sure=sure))
    for other in sides:
        if other.joker == it.number and other.index != side.index:
            sides = with_side(sides, changed(other, joker=0, joker_sure=False))
    return sides


def _called_off(it: Laying) -> RoundState:
    """The card must go back: its place still has it, and the pile is what it was."""
    owner = it.owner
    loose = Loose(it.card, it.play.source, it.number, it.player.index, it.play.reveals)
    owner = changed(owner, loose=(*owner.loose, loose)[-MOST_LOOSE:])
    sides = with_side(it.state.sides, owner)
    player = sides[it.player.index]
    if player.joker:
        sides = with_side(sides, changed(player, joker=0, joker_sure=False))
    pile = changed(it.pile, doubts=_doubts(it))
    return changed(it.state, sides=sides, piles=with_pile(it.state.piles, it.number, pile))


def _doubts(it: Laying) -> tuple[Top, ...]:
    """If the call was wrong: the card lies there as read, or it was the one that fits and was misread."""
    doubts: list[Top] = []
    last = it.law.game.last_number
    if it.law.is_joker(it.card):
        doubts += [top(each.number + 1, None, True) for each in it.pile.tops if each.number < last]
    elif it.card.known:
        doubts.append(it.law.after(None, it.card))
    doubts += [top(each.number + 1, each.colour) for each in it.pile.tops if each.number < last]
    if not it.pile.tops:
        doubts += [top(it.law.game.first_number, colour) for colour in Colour]
    return tuple(dict.fromkeys([*doubts, *it.pile.doubts]))[:MOST_DOUBTS]
