"""Counts the face-down cards whenever the table is at rest after it was cleared."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from typing import Any, Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.table_plane import TablePlane
from calibration.zones import TableZones
from finito.ending.clearing import Clearing
from finito.ending.table_view import TableView
from vision.back_counter import PhotoCount
from vision.frame import Frame, Picture
from vision.observations import Counted, Observation

_WIDTH: Final = 160
_RESTS_FOR: Final = 0.5  # seconds without motion
_EVERY: Final = 0.6  # seconds between two counts of a table at rest
_MOVED: Final = 18  # grey levels
_MOVED_SHARE: Final = 0.002  # of the picture
_ENOUGH: Final = 4  # counts of one rest: more of the same tell nothing new

CountPicture = Callable[[Picture, TableView], PhotoCount]


class CountWatch:
    """Give it every frame with what was told of it; it tells what it counted."""

    def __init__(self, players: Sequence[str], count: CountPicture) -> None:
        self._clearing = Clearing(players)
        self._count = count
        self._before: NDArray[Any] | None = None
        self._moved = self._counted = -np.inf
        self._times = 0

    def see(
        self, frame: Frame, told: Iterable[Observation], plane: TablePlane, zones: TableZones
    ) -> list[Observation]:
        for observation in told:
            self._clearing.feed(observation)
        if not self._clearing.begun:
            return []
        small = _small(frame.picture)
        if self._before is None or _differ(small, self._before):
            self._before, self._moved, self._times = small, frame.t, 0
        rests = frame.t - self._moved >= _RESTS_FOR and frame.t - self._counted >= _EVERY
        if not rests or self._times >= _ENOUGH:
            return []
        self._counted, self._times = frame.t, self._times + 1
        found = self._count(frame.picture, TableView(plane, zones))
        if not found.cards:
            return []
        cards = tuple((round(card.chance, 4), _rounded(card.shares)) for card in found.cards)
        return [Counted(frame.t, frame.number, cards, tuple(doubt.why for doubt in found.doubts))]


def _rounded(shares: Iterable[tuple[str, float]]) -> tuple[tuple[str, float], ...]:
    return tuple((name, round(share, 4)) for name, share in shares)


def _small(picture: Picture) -> NDArray[Any]:
    height = max(1, round(picture.shape[0] * _WIDTH / picture.shape[1]))
    return np.asarray(
        cv2.cvtColor(cv2.resize(picture, (_WIDTH, height), interpolation=cv2.INTER_AREA), cv2.COLOR_BGR2GRAY)
    )


def _differ(one: NDArray[Any], other: NDArray[Any]) -> bool:
    if one.shape != other.shape:
        return True
    return bool(np.mean(cv2.absdiff(one, other) > _MOVED) > _MOVED_SHARE)
