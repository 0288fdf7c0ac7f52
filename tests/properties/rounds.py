"""Bot rounds judged, for the properties that hold of them."""

from __future__ import annotations

from dataclasses import replace
from random import Random

from finito.bots import BotRound
from referee.actions import Action, Build, Play, Refill, TakeBack, Turn
from referee.cards import UNKNOWN, Face, face
from referee.invariants import broken_invariants
from referee.round import RoundReferee
from referee.verdicts import Verdict


def opened(record: BotRound) -> RoundReferee:
    referee = RoundReferee(record.header)
    for deal in record.deals:
        referee.deal(deal)
    return referee


def judged(record: BotRound, check: bool = True) -> list[Verdict]:
    """The verdict of every action; the invariants are held after each."""
    return judged_actions(opened(record), record.actions, check)


def judged_actions(referee: RoundReferee, actions: tuple[Action, ...], check: bool = True) -> list[Verdict]:
    verdicts = []
    for line, action in enumerate(actions, start=1):
        (answer,) = referee.act(line, action)
        verdicts.append(answer.verdict)
        if check:
            broken = broken_invariants(referee.state, referee.rules.game)
            assert not broken, (line, action, answer.verdict, broken)
    return verdicts


def blurred(card: Face, random: Random) -> Face:
    """The face with a part unread, or nothing of it read."""
    return random.choice([UNKNOWN, face(card.colour, None), face(None, card.number)])


def with_unread_faces(action: Action, random: Random, share: float) -> Action:
    if isinstance(action, Play | Refill | Build | TakeBack) and random.random() < share:
        action = replace(action, face=blurred(action.face, random))
    if isinstance(action, Play | Refill | Build) and random.random() < share:
        action = replace(action, reveals=blurred(action.reveals, random))
    if isinstance(action, Turn) and random.random() < share:
        action = replace(action, top=blurred(action.top, random))
    return action
