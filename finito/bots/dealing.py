"""The deal: shuffled cards, and the hands that lay them out before the shout."""

from __future__ import annotations

from collections.abc import Sequence
from random import Random

from finito.bots.motions import Motion, MovedCard, Spot
from finito.bots.record import HiddenDeal
from finito.bots.temper import around
from referee.actions import Hand
from referee.cards import Colour, Face, face
from referee.places import ESPRESSO, HAND, HELPS
from referee.rules.parameters import PileGame


def deal(rng: Random, game: PileGame, player: str, players: int) -> HiddenDeal:
    """Shuffles one player's cards: race stack, help cards, and the rest into the hand."""
    cards = [face(colour, number) for colour in Colour for number in game.numbers]
    rng.shuffle(cards)
    helps = game.race_stack + game.helps_for(players)
    side: Hand = "left" if rng.random() < 0.12 else "right"
    return HiddenDeal(
        player=player,
        side=side,
        espresso=tuple(cards[: game.race_stack]),
        helps=tuple(cards[game.race_stack : helps]),
        hand=tuple(cards[helps:]),
    )


def place_cards(
    rng: Random, motions: list[Motion], deals: Sequence[HiddenDeal], *, face_down: bool, pace: float
) -> float:
    """Writes down how all lay out their cards, and says when the shout may come."""
    ends = [_place(rng, motions, dealt, face_down=face_down, pace=pace) for dealt in deals]
    return round(max(ends) + rng.uniform(2.2, 3.4) / pace, 3)


def _place(rng: Random, motions: list[Motion], dealt: HiddenDeal, *, face_down: bool, pace: float) -> float:
    stack, top = dealt.espresso, dealt.espresso[0]
    hand, pile = Spot(HAND, dealt.player), Spot(ESPRESSO, dealt.player)
    layings = [("deal", hand, pile, stack, not face_down)]
    if face_down:
        layings.append(("uncover", pile, pile, (top,), True))
    for name, card in zip(HELPS, dealt.helps, strict=False):
        layings.append(("deal", hand, Spot(name, dealt.player), (card,), True))
    t = rng.uniform(0.1, 0.6) / pace
    for deed, source, target, cards, up in layings:
        grips = t + around(rng, 0.2) / pace
        releases = grips + around(rng, 0.35) / pace
        back = releases + around(rng, 0.2) / pace
        moved = tuple(_moved(dealt.player, card, up=up) for card in cards)
        times = (round(t, 3), round(grips, 3), round(releases, 3), round(back, 3))
        motions.append(Motion(dealt.player, dealt.side, deed, source, target, moved, *times))
        t = back
    return t


def _moved(player: str, card: Face, *, up: bool) -> MovedCard:
    return MovedCard(player, card, up_before=False, up_after=up)
