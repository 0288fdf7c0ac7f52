"""What is looked at in a frame is bounded: first what has just come to rest, and nothing waits for ever."""

from __future__ import annotations

from vision.change import Box
from vision.pipelining.turns import in_turn


def box(x: int, side: int = 10) -> Box:
    return x, 0, x + side, side


def test_what_has_come_to_rest_is_looked_at_before_the_rest() -> None:
    now, later = in_turn([box(0), box(100), box(200)], [], [box(200)], 200)
    assert now[0] == box(200)
    assert later == [box(100)]


def test_a_part_larger_than_what_a_frame_may_cost_is_looked_at_by_itself() -> None:
    assert in_turn([box(0, 50)], [], [], 100) == ([box(0, 50)], [])


def test_a_large_part_does_not_wait_for_ever_behind_small_ones() -> None:
    large, small = box(0, 50), box(100)
    now, later = in_turn([large, small], [], [large, small], 300)
    assert (now, later) == ([small], [large])
    now, later = in_turn([large, small], later, [large, small], 300)
    assert (now, later) == ([large], [small])


def test_everything_is_looked_at_where_there_is_little() -> None:
    now, later = in_turn([box(0), box(100)], [], [], 1000)
    assert (sorted(now), later) == ([box(0), box(100)], [])
