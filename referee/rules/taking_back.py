"""A card taken back from a pile: whose it was, what stays, and where it goes."""

from __future__ import annotations

from referee.actions import TakeBack
from referee.cards import Face
from referee.rules.home import returned, settled, without_loose
from referee.state import EMPTY_PILE, Loose, Pile, RoundState, Side, changed, with_pile, with_side
from referee.verdicts import Verdict, legal, unsure


def judge_take_back(names: tuple[str, ...], state: RoundState, action: TakeBack, player: int) -> Verdict:
    name = names[player]
    if _loose(state, action, player) is not None:
        return legal("taken-back", name, action.face, action.pile)
    pile = state.piles[action.pile - 1]
    if not pile.height or not pile.face.could_be(action.face):
        return unsure(None, "nothing-to-take", name, action.face, action.pile)
    if pile.player not in (player, -1):
        return unsure(None, "other-took-back", name, action.face, action.pile, names[pile.player])
    return legal("taken-back", name, action.face, action.pile)


def after_take_back(state: RoundState, action: TakeBack, player: int) -> RoundState:
    found = _loose(state, action, player)
    if found is not None:
        state = _loose_taken(state, action.pile, *found)
        if (
            state.piles[action.pile - 1].player < 0
        ):  # two equal cards in an unknown order: the other one stays
            state = _other_stays(state, action.pile, found[1].face, found[0].index)
        return state
    pile = state.piles[action.pile - 1]
    if not pile.height or not pile.face.could_be(action.face):
        return state
    below = pile.below or EMPTY_PILE
    if pile.player != player:  # it may be another card of that face; what lies there is in doubt
        doubtful = changed(pile, doubts=(*below.tops, *pile.doubts))
        return changed(state, piles=with_pile(state.piles, action.pile, doubtful))
    return _top_taken(state, action, pile, below, player)


def _loose(state: RoundState, action: TakeBack, player: int) -> tuple[Side, Loose] | None:
    """The card called off that pile which is meant; the player's own before any other."""
    own = state.sides[player]
    for side in (own, *(other for other in state.sides if other is not own)):
        for loose in side.loose:
            meant = loose.pile == action.pile and loose.face.could_be(action.face)
            if meant and player in (side.index, loose.player):
                return side, loose
    return None


def _loose_taken(state: RoundState, number: int, side: Side, loose: Loose) -> RoundState:
    side = changed(side, loose=without_loose(side, loose))
    if loose.gone:
        side = returned(side, loose.face, loose.place)
    pile = changed(state.piles[number - 1], doubts=())
    return changed(state, sides=with_side(state.sides, side), piles=with_pile(state.piles, number, pile))


def _top_taken(state: RoundState, action: TakeBack, pile: Pile, below: Pile, player: int) -> RoundState:
    card = pile.face.merged(action.face)
    sides = with_side(state.sides, returned(state.sides[pile.owner], card, pile.source))
    taker = sides[player]
    if taker.joker == action.pile:
        sides = with_side(sides, changed(taker, joker=0, joker_sure=False))
    rival = _rival(sides, action.pile, card, pile.owner)
    if rival is None:
        return changed(state, sides=sides, piles=with_pile(state.piles, action.pile, below))
    # The one who takes back was the slower: the card that was called too late stays in its stead.
    state = changed(state, sides=sides)
    return _other_stays(state, action.pile, card, pile.owner)


def silently_taken_back(state: RoundState, card: Face, owner: int) -> RoundState:
    """A card that fitted but was called is played again: it must have been taken back without a word."""
    for number, pile in enumerate(state.piles, start=1):
        if pile.called and pile.face is card and pile.owner == owner:
            sides = with_side(state.sides, returned(state.sides[owner], card, pile.source))
            below = pile.below or EMPTY_PILE
            return changed(state, sides=sides, piles=with_pile(state.piles, number, below))
    return state


def _rival(sides: tuple[Side, ...], number: int, card: Face, owner: int) -> tuple[Side, Loose] | None:
    for side in sides:
        for loose in side.loose:
            if side.index != owner and loose.pile == number and card.bit and loose.face is card:
                return side, loose
    return None


def _other_stays(state: RoundState, number: int, card: Face, owner: int) -> RoundState:
    """The equal card of somebody else is the one that lies on the pile."""
    rival = _rival(state.sides, number, card, owner)
    if rival is None:
        return state
    side, loose = rival
    if not loose.gone:
        side = settled(side, loose)
    side = changed(side, loose=tuple(each for each in side.loose if (each.face, each.pile) != (card, number)))
    pile = changed(
        state.piles[number - 1],
        face=card,
        owner=side.index,
        player=loose.player,
        source=loose.place,
        doubts=(),
    )
    return changed(state, sides=with_side(state.sides, side), piles=with_pile(state.piles, number, pile))
