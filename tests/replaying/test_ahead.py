"""Frames decoded ahead are the same frames in the same order, and trouble on the way is not lost."""

from __future__ import annotations

import threading
from collections.abc import Iterator

import numpy as np
import pytest

from finito.replaying.ahead import ahead
from vision.frame import Frame


def film(count: int, breaks_off: bool = False) -> Iterator[Frame]:
    for number in range(count):
        yield Frame(np.zeros((2, 2, 3), np.uint8), number / 15, number)
    if breaks_off:
        raise OSError("the disk is gone")


def test_all_frames_come_in_their_order() -> None:
    assert [frame.number for frame in ahead(film(40))] == list(range(40))


def test_what_goes_wrong_while_decoding_is_raised_after_the_frames_before_it() -> None:
    frames = ahead(film(3, breaks_off=True))
    assert [next(frames).number for _ in range(3)] == [0, 1, 2]
    with pytest.raises(OSError, match="the disk is gone"):
        next(frames)


def test_who_looks_away_early_leaves_no_thread_behind() -> None:
    before = set(threading.enumerate())
    frames = ahead(film(1000))
    assert next(frames).number == 0
    frames.close()  # type: ignore[attr-defined]
    assert set(threading.enumerate()) <= before  # those of other tests may end at any time
