"""The standing of a round as plain data for a page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from referee.cards import Face
from referee.rules.pile_game import PileRules
from referee.state import RoundState, Side

Json = dict[str, Any]


def board_json(rules: PileRules, state: RoundState, faults: Mapping[str, int] | None = None) -> Json:
    """Piles, everybody's open cards, and the points that would count if the round ended now."""
    caller = rules.players[state.caller] if state.caller is not None and state.caller_sure else None
    sides = {name: _side(side) for name, side in zip(rules.players, state.sides, strict=True)}
    points = {
        name: _points(rules, side, name == caller)
        for name, side in zip(rules.players, state.sides, strict=True)
    }
    return {
        "started": state.started,
        "finito": caller,
        "piles": [
            {"pile": number, "face": str(pile.face), "height": pile.height}
            for number, pile in enumerate(state.piles, start=1)
            if pile.height
        ],
        "sides": sides,
        "points": points,
        "faults": {name: (faults or {}).get(name, 0) for name in rules.players},
    }


def _points(rules: PileRules, side: Side, called: bool) -> int:
    game = rules.game
    left = game.points_per_race_card_left * side.espresso
    return game.points_per_centre_card * side.centre + left + (game.caller_bonus if called else 0)


def _side(side: Side) -> Json:
    return {
        "espresso": side.espresso,
        "top": _card(side.top if side.espresso else None),
        "helps": [_card(card) for card in side.helps],
        "waste": _card(side.waste[-1] if side.waste else None),
        "hand": side.hand,
        "centre": side.centre,
    }


def _card(card: Face | None) -> str | None:
    return None if card is None else str(card)
