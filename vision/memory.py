"""Keeps the memory of a long evening flat."""

from __future__ import annotations

import ctypes
import sys
from typing import Final

_M_ARENA_MAX: Final = -8  # malloc.h


def share_one_heap() -> None:
    """Lets all threads take memory from one heap; to be called before there are many threads.

    The C library of Linux gives new threads heaps of their own, up to eight a processor; each grows to the
    most that its threads ever held. Capture, decoding, seeing and recording hand whole pictures around, and
    begin anew with every game: after a while every heap is as large as one alone would have to be.
    """
    _ask("mallopt", _M_ARENA_MAX, 1)


def give_back_memory() -> None:
    """Returns to the machine what is free between things still in use: a good deed before a new game."""
    _ask("malloc_trim", 0)


def _ask(function: str, *numbers: int) -> None:
    if sys.platform != "linux":
        return
    try:
        getattr(ctypes.CDLL(None), function)(*numbers)
    except (OSError, AttributeError):  # another C library
        return
