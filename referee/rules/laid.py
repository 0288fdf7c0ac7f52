"""The table after a card was laid into the centre, lawfully or not, and after it was taken back."""

from __future__ import annotations

from referee.actions import TakeBack
from referee.cards import UNKNOWN, Face
from referee.places import HELP_INDEX, WASTE
from referee.rules.home import (
    card_at,
    disputed,
    elsewhere,
    loose_at,
    returned,
    settled,
    taken,
    without_covered,
    without_loose,
)
from referee.rules.laying import Laying, fits, possible_cards
from referee.state import EMPTY_PILE, Loose, Pile, RoundState, Side, Top, changed, top
from referee.verdicts import Rule, Verdict, legal, unsure

MOST_DOUBTS = 4
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
    if not it.card.known:
        tops = _unread_tops(it)
        return _stands(it, tops, it.pile.doubts) if tops != it.pile.tops else _called_off(it)
    landed = fits(it.law, it.pile.tops, it.card)
    if not landed and verdict.unsure:
        landed = [each for each in fits(it.law, it.pile.doubts, it.card) if _above(each, it.pile.tops)]
    if landed:
        return _stands(it, tuple(dict.fromkeys(landed)), it.pile.tops)
    return _called_off(it)


def _above(new: Top, tops: tuple[Top, ...]) -> bool:
    return all(new.number > old.number for old in tops)


def _unread_tops(it: Laying) -> tuple[Top, ...]:
    """The tops after a card that was not fully read: whatever would have fitted, or else the old."""
    landed = [each for card in possible_cards(it) for each in fits(it.law, it.pile.tops, card)]
    if not landed:
        landed = [each for card in possible_cards(it) for each in fits(it.law, it.pile.doubts, card)]
    return tuple(dict.fromkeys([*landed, *it.pile.tops]))


def _stands(it: Laying, tops: tuple[Top, ...], doubts: tuple[Top, ...]) -> RoundState:
    play, card, owner = it.play, it.card, it.owner
    source = play.source
    if owner.loose:
        owner = _freed(owner, card, source)
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
    layer = Pile(
        tops,
        doubts[:MOST_DOUBTS],
        card,
        owner.index,
        it.player.index,
        source,
        it.pile if it.pile.height else None,
        it.pile.height + 1,
    )
    sides = _with(it.state.sides, owner)
    if it.law.zero or (it.play.hand is not None and it.play.hand != it.player.playing_hand):
        sides = _mark_player(it, sides)
    return changed(it.state, sides=sides, piles=_with_pile(it.state.piles, it.number, layer))


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


def _freed(owner: Side, card: Face, source: str) -> Side:
    """A card called back to this place stayed in the centre if another one is now played from here."""
    loose = loose_at(owner, source)
    if loose is None:
        return owner
    lying = card_at(owner, source)
    if lying is None or not lying.could_be(card):
        return settled(owner, loose)
    return changed(owner, loose=without_loose(owner, loose))


def _mark_player(it: Laying, sides: tuple[Side, ...]) -> tuple[Side, ...]:
    """The playing hand, and a joker that now waits or no longer waits."""
    side = sides[it.player.index]
    hand = side.playing_hand or (it.play.hand if it.play.hand != "both" else None)
    joker, sure = 0, False
    if it.law.zero and (it.card.number == 0 or (it.card.number is None and it.player.joker != it.number)):
        joker, sure = it.number, it.card.number == 0 and it.mismatch is None
    if hand != side.playing_hand or joker != side.joker or sure != side.joker_sure:
        sides = _with(sides, changed(side, playing_hand=hand, joker=joker, joker_sure=sure))
    for other in sides:
        if other.joker == it.number and other.index != side.index:
            sides = _with(sides, changed(other, joker=0, joker_sure=False))
    return sides


def _called_off(it: Laying) -> RoundState:
    """The card must go back: its place still has it, and the pile is what it was."""
    owner = it.owner
    loose = Loose(it.card, it.play.source, it.number, it.play.reveals)
    owner = changed(owner, loose=(*owner.loose, loose)[-MOST_LOOSE:])
    sides = _with(it.state.sides, owner)
    player = sides[it.player.index]
    if player.joker:
        sides = _with(sides, changed(player, joker=0, joker_sure=False))
    pile = changed(it.pile, doubts=_doubts(it))
    return changed(it.state, sides=sides, piles=_with_pile(it.state.piles, it.number, pile))


def _doubts(it: Laying) -> tuple[Top, ...]:
    """If the call was wrong: the card lies there as read, or it was the one that fits and was misread."""
    doubts: list[Top] = []
    if it.card.known:
        assert it.card.number is not None
        doubts.append(top(it.card.number, it.card.colour))
    doubts += [
        top(each.number + 1, each.colour) for each in it.pile.tops if each.number < it.law.game.last_number
    ]
    return tuple(dict.fromkeys([*doubts, *it.pile.doubts]))[:MOST_DOUBTS]


def _with(sides: tuple[Side, ...], side: Side) -> tuple[Side, ...]:
    return (*sides[: side.index], side, *sides[side.index + 1 :])


def _with_pile(piles: tuple[Pile, ...], number: int, pile: Pile) -> tuple[Pile, ...]:
    if number > len(piles):
        piles = (*piles, *[EMPTY_PILE] * (number - len(piles)))
    return (*piles[: number - 1], pile, *piles[number:])


def judge_take_back(names: tuple[str, ...], state: RoundState, action: TakeBack, player: int) -> Verdict:
    name = names[player]
    if _loose_side(state, action) is not None:
        return legal("taken-back", name, action.face, action.pile)
    pile = state.piles[action.pile - 1]
    if not pile.height or not pile.face.could_be(action.face):
        return unsure(None, "nothing-to-take", name, action.face, action.pile)
    if pile.player != player:
        return unsure(None, "other-took-back", name, action.face, action.pile, names[pile.player])
    return legal("taken-back", name, action.face, action.pile)


def _loose_side(state: RoundState, action: TakeBack) -> tuple[Side, Loose] | None:
    for side in state.sides:
        for loose in side.loose:
            if loose.pile == action.pile and loose.face.could_be(action.face):
                return side, loose
    return None


def after_take_back(state: RoundState, action: TakeBack, player: int) -> RoundState:
    found = _loose_side(state, action)
    if found is not None:
        side, loose = found
        side = changed(side, loose=without_loose(side, loose))
        if loose.gone:
            side = returned(side, loose.face, loose.place)
        pile = changed(state.piles[action.pile - 1], doubts=())
        sides = _with(state.sides, side)
        return changed(state, sides=sides, piles=_with_pile(state.piles, action.pile, pile))
    pile = state.piles[action.pile - 1]
    if not pile.height or not pile.face.could_be(action.face):
        return state
    below = pile.below or EMPTY_PILE
    if pile.player != player:  # it may be another card of that face; what lies there is in doubt
        doubtful = changed(pile, doubts=(*below.tops, *pile.doubts)[:MOST_DOUBTS])
        return changed(state, piles=_with_pile(state.piles, action.pile, doubtful))
    sides = state.sides
    card = pile.face.merged(action.face)
    sides = _with(sides, returned(sides[pile.owner], card, pile.source))
    taker = sides[player]
    if taker.joker == action.pile:
        sides = _with(sides, changed(taker, joker=0, joker_sure=False))
    return changed(state, sides=sides, piles=_with_pile(state.piles, action.pile, below))
