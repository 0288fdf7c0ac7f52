"""What holds of every state: decks stay whole, each card is once, piles ascend."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from referee.cards import Face
from referee.rules.parameters import PileGame
from referee.state import Pile, RoundState, Side


def broken_invariants(state: RoundState, game: PileGame) -> list[str]:
    """A sentence for each invariant that does not hold; none in a sound state."""
    return [*_decks(state, game), *_copies(state), *_piles(state)]


def layers(pile: Pile) -> Iterator[Pile]:
    """The cards of a pile from the top down."""
    layer: Pile | None = pile
    while layer is not None and layer.height:
        yield layer
        layer = layer.below


def _decks(state: RoundState, game: PileGame) -> Iterator[str]:
    for side in state.sides:
        if side.cards != game.cards_per_back:
            yield f"player {side.index} has {side.cards} cards, not {game.cards_per_back}"
        if min(side.hand, side.espresso, side.centre, side.espresso_least) < 0:
            yield f"player {side.index} has a negative count"
        if side.espresso_least > side.espresso:
            yield f"player {side.index} has at least {side.espresso_least} and at most {side.espresso}"


def _open_faces(side: Side) -> list[Face]:
    top = [side.top] if side.espresso else []
    below = [card for cards in side.under for card in cards]
    cards = [*top, *(card for card in side.helps if card is not None), *below, *side.waste]
    return [card for card in cards if card.known]


def _copies(state: RoundState) -> Iterator[str]:
    centre: dict[int, list[Face]] = {side.index: [] for side in state.sides}
    for pile in state.piles:
        for layer in layers(pile):
            if layer.face.known and layer.owner in centre:
                centre[layer.owner].append(layer.face)
    for side in state.sides:
        seen = [*_open_faces(side), *centre[side.index]]
        twice = {str(card) for card in seen if seen.count(card) > 1}
        if twice:
            yield f"player {side.index} has twice: {', '.join(sorted(twice))}"


def _piles(state: RoundState) -> Iterator[str]:
    for number, pile in enumerate(state.piles, start=1):
        chain = list(layers(pile))
        for upper, lower in pairwise(chain):
            if len(upper.tops) != 1 or len(lower.tops) != 1:
                continue  # not settled which card it is
            if 0 < upper.tops[0].number <= lower.tops[0].number:  # 0: started anew upon the last number
                yield f"pile {number} does not ascend"
