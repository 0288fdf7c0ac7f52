"""Cards that were perhaps laid last on a pile at which nobody looked again.

Where the card that would fit goes from the top of a waste and its player's arm is over the pile right after,
it was hardly buried by a turn.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Final

from finito.ending.at_home import Card, HomeLooks
from referee.cards import Face, face
from referee.places import WASTE
from vision.action_inference import ActionInference
from vision.inference.table import Stack
from vision.observations import Look

_PLAINLY: Final = 0.97  # chance from which on a card is taken for what it seems
_CARRIED: Final = 1.2  # seconds within which a card that was taken up comes to its pile


def laid_unseen(inference: ActionInference, homes: HomeLooks) -> list[Card]:
    """The cards by their owners; none that is seen at home again."""
    found: list[Card] = []
    for stack in inference.stacks():
        card = _next_card(inference, stack)
        if card is None:
            continue
        found += [
            (player, card)
            for player in inference.players
            for gone in _left_waste(inference, player, card)
            if _reached_last(stack, player, gone) and not homes.times_home((player, card), gone.since)
        ]
    return found


def _next_card(inference: ActionInference, stack: Stack) -> Face | None:
    """What fits upon the pile, where its top is plain."""
    if not stack.layers or stack.gone_at is not None:
        return None
    top, chance = inference.setting.faces.best(stack.layers[-1].faces)
    last = inference.setting.fitting.law.game.last_number
    if chance < _PLAINLY or top.number is None or top.number >= last:
        return None
    return face(top.colour, top.number + 1)


def _left_waste(inference: ActionInference, player: str, card: Face) -> Iterator[Look]:
    """The looks that show another card on a player's waste where this one was on top before."""
    for before, after in itertools.pairwise(inference.place(player, WASTE).looks):
        was = bool(before.faces) and before.faces[0][0] == str(card) and before.faces[0][1] >= _PLAINLY
        if was and after.shows == "face" and after.faces and after.faces[0][0] != str(card):
            yield after


def _reached_last(stack: Stack, player: str, gone: Look) -> bool:
    """Whether the player's arm was over the pile right after, and nobody has looked at the pile since.

    What left before the card below lay there was not meant for it.
    """
    top = stack.layers[-1]
    if gone.since < top.laid.t:
        return False
    return any(cover.since >= top.look.t for cover in stack.reached(player, gone.since, gone.t + _CARRIED))
