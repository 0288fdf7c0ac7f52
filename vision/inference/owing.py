"""Cards that were taken to have left a place that was hidden just then, and are seen to lie there still.

A place that has changed is looked at anew; the slow sweep finds even what was missed at first. So one that
has been in plain view for longer than that, and of which nothing was told, has kept its card.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from referee.actions import Play
from referee.places import HAND
from vision.inference.causes import Setting
from vision.inference.inferred import Alternative, Inferred
from vision.inference.settling import Settling

_ANYBODYS: Final = 0.5  # how sure a play is whose card has not left the place it is said to come from


def kept_cards(setting: Setting, settling: Settling, now: float) -> list[Inferred]:
    """What is said of plays whose cards are still at home; their cause is sought anew where it can be."""
    swept = now - setting.priors.swept[1] - setting.priors.settle
    told: list[Inferred] = []
    for place in setting.table.places.values():
        said = None if place.owed is None else settling.said(place.owed)
        if said is None or not isinstance(said.action, Play):
            continue
        if max(place.hidden_until, place.t, said.looks[-1].t) > swept:
            continue
        place.owed = None
        told += _not_from_there(setting, settling, said)
    return told


def _not_from_there(setting: Setting, settling: Settling, said: Inferred) -> list[Inferred]:
    assert isinstance(said.action, Play)
    if said.said == "withdrawn":
        return []
    for stack in setting.table.stacks.values():
        if stack.layers and stack.layers[-1].deed == said.number and settling.may_reopen(said.number):
            return settling.never_laid(stack, said.number)
    confidence, done = min(said.confidence, _ANYBODYS), min(said.done, _ANYBODYS)
    elsewhere = Alternative(replace(said.action, source=HAND), 1.0 - _ANYBODYS)
    doubted = replace(said, confidence=confidence, done=done, alternatives=(elsewhere,), said="amended")
    return [settling.say(doubted)]
