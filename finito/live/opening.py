"""The table when the watching begins: dealt before the shout, or taken as it is in the middle of a round."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from finito.live.table_rules import with_pile_seen
from referee.actions import Action, Deal, Play, RoundHeader, TakeBack
from referee.cards import UNKNOWN, Face
from referee.judge import Judge
from referee.places import ESPRESSO, HELPS
from referee.round import RoundReferee
from referee.state import RoundState
from vision.action_inference import ActionInference
from vision.inference.table import Tops

_READ: Final = 0.98


class WatchedRound(RoundReferee):
    """A round whose piles were there already when it was first seen."""

    def __init__(self, header: RoundHeader, piles: tuple[tuple[int, Tops], ...]) -> None:
        super().__init__(header)
        self.adopted = piles
        self.dealt: list[Deal] = []

    def deal(self, deal: Deal) -> None:
        super().deal(deal)
        self.dealt.append(deal)

    def _numbered(self, judge: Judge[RoundState, Action], action: Play | TakeBack) -> Action:
        """Piles have the numbers the eyes gave them, in whatever order they are told."""
        if isinstance(action, Play) and action.opens and action.pile is not None:
            self._piles = max(self._piles, action.pile)
            return action
        return super()._numbered(judge, action)

    def opening_state(self) -> RoundState:
        state = super().opening_state()
        for number, tops in self.adopted:
            state = with_pile_seen(self.rules, state, number, tops)
        return state


def opening_round(
    header: RoundHeader, inference: ActionInference, like: RoundReferee | None = None
) -> WatchedRound:
    """A referee for the round as the eyes found it, or for the same round once more."""
    if isinstance(like, WatchedRound):
        again = WatchedRound(like.header, like.adopted)
        for known in like.dealt:
            again.deal(known)
        return again
    piles = tuple((stack.pile, stack.layers[-1].tops) for stack in inference.stacks() if stack.layers)
    if piles:
        header = replace(header, options=(*header.options, ("joined_late", True)))
    opened = WatchedRound(header, piles)
    for player in header.players:
        deal = _deal(opened, inference, player)
        if deal is not None:
            opened.deal(deal)
    return opened


def _deal(opened: RoundReferee, inference: ActionInference, player: str) -> Deal | None:
    """What lies open in front of a player; None where nothing of it was seen."""
    places = [inference.place(player, name) for name in HELPS[: opened.rules.helps]]
    stack = inference.place(player, ESPRESSO)
    if not stack.seen and not any(place.seen for place in places):
        return None
    helps = tuple(
        None if place.seen and place.shown is None else _face(inference, player, place.name)
        for place in places
    )
    top = _face(inference, player, ESPRESSO)
    shown = [top, *helps]
    twice = {card for card in shown if card is not None and card.known and shown.count(card) > 1}
    empty = stack.seen and stack.shown is None
    return Deal(
        player,
        0 if empty else None,
        UNKNOWN if top in twice else top,
        tuple(UNKNOWN if card in twice else card for card in helps),
    )


def _face(inference: ActionInference, player: str, name: str) -> Face:
    shown = inference.place(player, name).shown
    if shown is None:
        return UNKNOWN
    face, chance = inference.setting.faces.best(shown)
    return face if chance >= _READ else UNKNOWN
