"""Notices that the camera was bumped, and finds the table again.

A few times a second the anchors are looked for where they were. Hands and cards hide or move some of them;
a bumped camera moves all by one homography, which is the table plane's own motion.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from calibration.anchors import LEAST, Motion, anchors, common_motion, followed, matched, reduced
from calibration.markers import find_markers
from calibration.quad_fit import mapped
from calibration.table_plane import TablePlane, plane_from_known_markers

Array: TypeAlias = NDArray[Any]

EVERY: Final = 0.25  # seconds between two looks
NOTICED: Final = 1.5  # pixels of a 1920 wide picture by which the table may shift unnoticed
LOST_AFTER: Final = 1.5  # seconds without the table before that is said
SEARCH_EVERY: Final = 0.5  # seconds between two thorough searches for a lost table
_FEWER: Final = 0.5  # share of anchors left at which new ones are chosen


class Steadiness(StrEnum):
    STEADY = "steady"
    SHAKING = "shaking"  # it moves, or the view is covered for a moment
    MOVED = "moved"  # it rests elsewhere: `plane` is the new one
    LOST = "lost"  # the table cannot be recognised: covered, dark, or somewhere else


@dataclass(frozen=True)
class Drift:
    """What a look found; `shift` is how far the picture went in pixels since the last registration."""

    state: Steadiness
    t: float
    plane: TablePlane
    shift: float = 0.0
    why: str = ""


class DriftWatch:
    """Looks at the frames of one camera. Cheap: most frames are not looked at at all."""

    def __init__(self, picture: Array, plane: TablePlane, t: float = 0.0, every: float = EVERY) -> None:
        self.plane = plane
        self._every = every
        self._notice = NOTICED * picture.shape[1] / 1920
        self._looked_at = self._steady_at = self._searched_at = t
        self._last = Drift(Steadiness.STEADY, t, plane)
        self._before = reduced(picture)
        self._anchors = anchors(self._before, picture.shape[1])
        self._carried = np.eye(3)  # how far the picture had gone when the anchors were chosen
        self._guess: Array | None = None  # where a thorough search saw the anchors, in reduced pixels
        self._candidate: Array | None = None  # motion at the last look; it counts once it is seen twice
        self._candidate_plane: TablePlane | None = None

    @property
    def anchored(self) -> bool:
        """False on a table so plain that a shift cannot be seen; markers or a patterned cloth help."""
        return len(self._anchors.spots) >= LEAST

    def look(self, picture: Array, t: float) -> Drift:
        """The state at time t; MOVED is said once, with the new plane."""
        if t - self._looked_at < self._every:
            return self._last
        self._looked_at = t
        small = reduced(picture)
        motion = self._motion(small)
        search = t - max(self._steady_at, self._searched_at) >= SEARCH_EVERY
        if search:
            self._searched_at = t
        if search and motion is None:
            self._guess = matched(self._anchors, small)
            motion = None if self._guess is None else self._motion(small)
        drift = None if motion is None else self._seen(picture, small, motion, t)
        if search and (drift is None or drift.state is Steadiness.SHAKING):
            drift = self._by_markers(picture, small, t) or drift
        drift = self._patience(drift, t)
        self._before = small
        resting = drift.state is Steadiness.MOVED
        self._last = Drift(Steadiness.STEADY, t, self.plane) if resting else drift
        return drift

    def _motion(self, small: Array) -> Motion | None:
        then, now = followed(self._anchors, small, self._guess)
        return common_motion(then, now, self.plane.lens, self._notice)

    def _seen(self, picture: Array, small: Array, motion: Motion, t: float) -> Drift:
        whole = motion.homography @ self._carried
        shift = motion.shift if np.array_equal(self._carried, np.eye(3)) else self._way(whole)
        if shift < self._notice:
            self._rested(t)
            if motion.agreeing < max(LEAST, _FEWER * len(self._anchors.spots)):
                self._choose_anchors(small, whole)
            return Drift(Steadiness.STEADY, t, self.plane, shift)
        settled = self._candidate is not None and self._way(whole, self._candidate) < self._notice
        self._candidate = whole
        if not settled:
            return Drift(Steadiness.SHAKING, t, self.plane, shift, "the camera moves")
        return self._settle(picture, small, self.plane.seen_from(whole), t, shift)

    def _settle(self, picture: Array, small: Array, plane: TablePlane, t: float, shift: float) -> Drift:
        if plane.markers:
            # Markers lie where they lay: with them small errors do not add up over many bumps.
            plane = plane_from_known_markers(find_markers(picture), plane) or plane
        self.plane = plane
        self._rested(t)
        self._choose_anchors(small, np.eye(3))
        why = f"the camera was bumped: the picture moved by {shift:.0f} pixels"
        return Drift(Steadiness.MOVED, t, plane, shift, why)

    def _by_markers(self, picture: Array, small: Array, t: float) -> Drift | None:
        """Markers are known by name: they are found however far the camera went."""
        if not self.plane.markers:
            return None
        found = plane_from_known_markers(find_markers(picture), self.plane)
        if found is None:
            return None
        shift = _apart(found, self.plane)
        moving = self._candidate_plane is None or _apart(found, self._candidate_plane) > self._notice
        self._candidate_plane = found
        return None if moving else self._settle(picture, small, found, t, shift)

    def _patience(self, drift: Drift | None, t: float) -> Drift:
        if drift is not None and drift.state in (Steadiness.STEADY, Steadiness.MOVED):
            return drift
        if t - self._steady_at < LOST_AFTER:
            return drift or Drift(
                Steadiness.SHAKING, t, self.plane, why="the camera moves or the table is covered"
            )
        why = "the table is not recognised any more: free the view, put the camera back, or calibrate again"
        return Drift(Steadiness.LOST, t, self.plane, why=why)

    def _rested(self, t: float) -> None:
        self._steady_at = t
        self._candidate = self._candidate_plane = self._guess = None

    def _choose_anchors(self, small: Array, carried: Array) -> None:
        """Only where nothing has changed since the last look: a hand is no anchor."""
        chosen = anchors(small, self.plane.size[0], self._before)
        if len(chosen.spots) < 2 * LEAST:
            chosen = anchors(small, self.plane.size[0])
        self._anchors, self._carried = chosen, carried

    def _way(self, one: Array, other: Array | None = None) -> float:
        """How far two motions put the anchors apart, in pixels."""
        spots = self._anchors.spots * self._anchors.scale
        from_there = spots if other is None else mapped(other, spots)
        return float(np.median(np.linalg.norm(mapped(one, spots) - from_there, axis=1)))


def _apart(one: TablePlane, other: TablePlane) -> float:
    return float(np.linalg.norm(one.pixels(_MIDDLE) - other.pixels(_MIDDLE)))


_MIDDLE: Final = np.zeros((1, 2))
