"""The bench holds what was said against what was done: the nearest pairs first."""

from __future__ import annotations

from types import SimpleNamespace
from typing import Any, cast

from finito.live import LiveEvent
from models.evaluation.inferring_round import Said, _pairs
from referee.actions import Interval, Turn
from referee.verdicts import legal


def test_a_turn_that_nobody_told_does_not_take_the_word_on_the_next_one() -> None:
    done = (Turn("pizza", 3, Interval(29.7, 29.7)), Turn("pizza", 3, Interval(32.0, 32.0)))
    told = LiveEvent(1, Turn("pizza", 3, Interval(31.9, 32.1)), legal("running"), 0.995, 32.07, None, 33.0)
    said = Said(told, told)
    played = cast(Any, SimpleNamespace(actions=done))
    assert _pairs(played, cast(Any, None), [said]) == {1: said}
