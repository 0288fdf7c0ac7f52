"""What changed on the table and what has come to rest, on a small picture: most frames cost next to nothing.

Two memories of the table are kept: `seen` is how every cell looked when it was last looked at closely, `bare`
how it looked without anything in front of it. A cell that differs from `seen` and is still wants a look; a
cell that differs from `bare` has a hand, or a card nobody has looked at yet, over it.
"""

from __future__ import annotations

from collections import deque
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

import cv2
import numpy as np
from numpy.typing import NDArray

from vision.frame import Picture

Mask: TypeAlias = NDArray[np.uint8]  # 0 or 255 for every cell
Box: TypeAlias = tuple[int, int, int, int]  # left, top, right, bottom
Array: TypeAlias = NDArray[Any]

WIDTH: Final = 480
SETTLED_AFTER: Final = 0.12  # seconds without motion
_FEWEST: Final = 2  # frames without motion, however slow the camera
_LONGEST: Final = 32  # still frames that are counted
_MOVED: Final = 11  # grey levels between two frames
_CHANGED: Final = 17  # grey levels between now and the memory
_LIGHT_EVERY: Final = 6  # frames between two corrections of the light
_LIGHT_SHARE: Final = 0.3
_FORGIVEN: Final = 1.0  # seconds after which a change too small for a card is taken as it is
_PUT_THERE: Final = 0.04  # share of cells that something put on the table changes at least
_WHITE: Final = 250  # grey levels above which a cell shows nothing but glare
_MOST: Final = 0.65  # share of a card's cells
_AROUND: Final = 1.8  # by a card's size: so far around it the table is compared with what lies there
_AT_ONCE: Final = 0.45  # seconds within which a place and all around it changed together
_SPECK: Final = np.ones((3, 3), np.uint8)


@dataclass(frozen=True, eq=False)
class Change:
    """One frame against the memory, in cells; `pending` is changed and still, `loose` moves or just moved."""

    t: float
    frame: int
    moving: Mask
    loose: Mask
    foreign: Mask
    pending: Mask
    idle: bool


class ChangeWatch:
    """The memory of one camera's table. Pictures of one size only."""

    def __init__(self, picture: Picture, t: float, frame: int) -> None:
        self.scale = picture.shape[1] / WIDTH
        small = self._small(picture)
        self.shape: tuple[int, int] = (small.shape[0], small.shape[1])
        self._now = small
        self._rest = small.copy()  # how each cell looked when it last came to rest
        self._seen, self._bare = small.copy(), small.copy()
        self._first: Array | None = small.copy()
        # In the glare of a lamp all looks the same.
        self._as_first: Mask = np.asarray(cv2.bitwise_not(_blown(small)), np.uint8)
        self._as_first_at = np.full(self.shape, t)  # when each cell last looked as at first
        self._still = np.full(self.shape, _LONGEST, np.uint8)
        self._times: deque[tuple[float, int]] = deque([(t, frame)], maxlen=_LONGEST + 2)
        self._frames = 0
        self._nothing = np.zeros(self.shape, np.uint8)
        self._unsettled = False

    def look(self, picture: Picture, t: float, frame: int) -> Change:
        """Takes the next frame in."""
        before = self._times[-1][0]
        self._now = self._small(picture)
        self._times.append((t, frame))
        self._frames += 1
        # Against the beginning of the rest, not the last frame: a hand that comes to lie down is slow.
        moving = _differ(self._now, self._rest, _MOVED)
        np.minimum(self._still + 1, _LONGEST, out=self._still)
        if cv2.countNonZero(moving):
            self._still[moving > 0] = 0
            cv2.copyTo(self._now, moving, self._rest)
        changed = _differ(self._now, self._seen, _CHANGED)
        busy = cv2.countNonZero(changed) > 0 or cv2.countNonZero(moving) > 0
        if self._frames % _LIGHT_EVERY == 0:
            self._follow_light(changed)
        if not busy and not self._unsettled:
            return Change(t, frame, moving, self._nothing, self._nothing, self._nothing, True)
        loose = np.where(self._still < self._needed(), np.uint8(255), np.uint8(0))
        self._unsettled = bool(loose.any())
        foreign = _differ(self._now, self._bare, _CHANGED)
        self._note_first(before)
        pending = np.asarray(cv2.bitwise_and(changed, cv2.bitwise_not(loose)), np.uint8)
        return Change(t, frame, moving, loose, foreign, pending, False)

    def still_since(self, box: Box) -> tuple[float, int]:
        """Time and number of the first frame since which nothing has moved in a box."""
        part = self._still[box[1] : box[3], box[0] : box[2]]
        count = int(part[part >= self._needed()].min(initial=_LONGEST))
        return self._times[max(-len(self._times), -1 - count)]

    def regions(self, pending: Mask, least: int) -> list[Box]:
        """Boxes of cells that want a look, at least so many of them together; lesser ones are forgiven."""
        near = cv2.dilate(pending, _SPECK, iterations=2)
        count, labels, stats, _ = cv2.connectedComponentsWithStats(near, connectivity=8)
        boxes = []
        for i in range(1, count):
            x, y, w, h = (int(v) for v in stats[i, :4])
            inside = labels[y : y + h, x : x + w] == i
            cells = inside & (pending[y : y + h, x : x + w] > 0)
            if int(cells.sum()) >= least:
                boxes.append((x, y, x + w, y + h))
            else:
                old = cells & (self._still[y : y + h, x : x + w] >= self._count_in(_FORGIVEN))
                self._remember(self._seen, (x, y, x + w, y + h), old)
        return boxes

    def forgive(self, pending: Mask) -> None:
        """Changes that nobody wants to look at are taken as they are, in time."""
        if cv2.countNonZero(pending):
            old = (pending > 0) & (self._still >= self._count_in(_FORGIVEN))
            self._seen[old] = self._now[old]

    def looked(self, box: Box, hidden: Mask) -> None:
        """A box was looked at closely; `hidden` are its cells with something in front of the table."""
        x0, y0, x1, y1 = box
        settled = self._still[y0:y1, x0:x1] >= self._needed()
        self._remember(self._seen, box, settled)
        self._remember(self._bare, box, settled & (hidden == 0))

    def as_at_first(self, box: Box) -> bool:
        """Whether a box looks as it did in the first picture: nothing was put there since."""
        if self._first is None:
            return False
        part = (slice(box[1], box[3]), slice(box[0], box[2]))
        changed = _differ(self._now[part], self._first[part], _CHANGED)
        return cv2.countNonZero(changed) < _PUT_THERE * changed.size

    def bare_until(self, outline: Array) -> float:
        """When most of a card's place (4×2, in cells) last looked as in the first picture.

        Never told (infinity) where all around it changed with it: then that was the light, and no card.
        """
        if self._first is None:
            return np.inf
        middle = outline.mean(axis=0)
        x, y, width, height = cv2.boundingRect(
            np.round(middle + (outline - middle) * _AROUND).astype(np.int32)
        )
        x0, y0, x1, y1 = max(0, x), max(0, y), max(0, x + width), max(0, y + height)
        part = (slice(y0, y1), slice(x0, x1))
        if not self._as_first[part].size:
            return np.inf
        times = np.where(self._as_first[part] > 0, self._times[-1][0], self._as_first_at[part])
        card = np.zeros(times.shape, np.uint8)
        cv2.fillConvexPoly(card, np.round(outline - (x0, y0)).astype(np.int32), 1)
        if not card.any():
            return np.inf
        bare = float(np.quantile(times[card > 0], 1 - _MOST))
        around = times[(card == 0) & (_blown(self._first[part]) == 0)]
        return np.inf if around.size and np.median(around) < bare + _AT_ONCE else bare

    def put_there(self) -> Mask:
        """Cells that lie still and look otherwise than in the first picture; none once that is forgotten."""
        if self._first is None:
            return np.zeros(self.shape, np.uint8)
        settled = np.where(self._still >= self._needed(), np.uint8(255), np.uint8(0))
        return np.asarray(cv2.bitwise_and(settled, _differ(self._now, self._first, _CHANGED)), np.uint8)

    def burnt_out(self) -> Mask:
        """Cells in which something was put down that is all white now."""
        return np.asarray(cv2.bitwise_and(self.put_there(), _blown(self._now)), np.uint8)

    def glare(self, box: Box, within: Mask | None = None) -> float:
        """The share of a box in which the picture is all white: whatever lies there cannot be seen.

        `within` leaves out those of its cells that are 0; of none at all nothing is told.
        """
        blown = _blown(self._now[box[1] : box[3], box[0] : box[2]]) > 0
        cells = blown if within is None else blown[within > 0]
        return float(np.mean(cells)) if cells.size else 0.0

    def _note_first(self, before: float) -> None:
        """What looked as at first in the frame before did so until then."""
        if self._first is not None:
            self._as_first_at[self._as_first > 0] = before
            unlike = cv2.bitwise_or(_differ(self._now, self._first, _CHANGED), _blown(self._first))
            self._as_first = np.asarray(cv2.bitwise_not(unlike), np.uint8)

    @property
    def settled_until(self) -> float:
        """What had come to rest by then is settled now."""
        return self._times[max(-len(self._times), -1 - self._needed())][0]

    def forget(self) -> None:
        """Everything is to be looked at anew, as after a bump: what is seen now is the table."""
        self._seen, self._bare, self._first = self._now.copy(), self._now.copy(), None
        self._still[:] = 0

    def _remember(self, memory: Array, box: Box, cells: NDArray[np.bool_]) -> None:
        part = (slice(box[1], box[3]), slice(box[0], box[2]))
        memory[part][cells] = self._now[part][cells]

    def _needed(self) -> int:
        """Frames without motion that count as settled, at the camera's present rate."""
        return min(_LONGEST - 1, max(_FEWEST, self._count_in(SETTLED_AFTER)))

    def _count_in(self, seconds: float) -> int:
        span = self._times[-1][0] - self._times[0][0]
        rate = (len(self._times) - 1) / span if span > 0 else 0.0
        return min(_LONGEST, int(np.ceil(seconds * rate - 0.01)))

    def _follow_light(self, changed: Mask) -> None:
        """Lamps and exposure drift: the memory goes along, by its gain where something changed."""
        calm = cv2.bitwise_not(changed)
        if cv2.countNonZero(calm) < calm.size // 5:
            return
        now, then = cv2.mean(self._now, calm)[:3], cv2.mean(self._seen, calm)[:3]
        settled = np.where(self._still >= self._needed(), np.uint8(255), np.uint8(0))
        cv2.copyTo(cv2.addWeighted(self._rest, 0.5, self._now, 0.5, 0), settled, self._rest)
        gain = [(a + 1) / (b + 1) for a, b in zip(now, then, strict=True)]
        for memory in (self._seen, self._bare, *(() if self._first is None else (self._first,))):
            if max(abs(g - 1) for g in gain) > 0.005:
                cv2.LUT(memory, _brighter(gain), memory)
            mixed = cv2.addWeighted(memory, 1 - _LIGHT_SHARE, self._now, _LIGHT_SHARE, 0)
            cells = calm if memory is self._seen else cv2.bitwise_not(_differ(self._now, memory, _CHANGED))
            cv2.copyTo(mixed, cells, memory)

    def _small(self, picture: Picture) -> Array:
        height, width = picture.shape[:2]
        size = (WIDTH, max(1, round(height * WIDTH / width)))
        small: Array = picture
        while small.shape[1] >= 2 * WIDTH:  # halving is three times as fast as one step
            half = (small.shape[1] // 2, max(1, small.shape[0] // 2))
            small = cv2.resize(small, half, interpolation=cv2.INTER_AREA)
        if (small.shape[1], small.shape[0]) != size:
            small = cv2.resize(small, size, interpolation=cv2.INTER_AREA)
        return small.copy() if small is picture else np.asarray(small)


def patches(mask: Mask, least: int) -> list[Box]:
    """Boxes around cells that lie together, at least so many of them."""
    near = cv2.dilate(mask, _SPECK)
    count, labels, stats, _ = cv2.connectedComponentsWithStats(near, connectivity=8)
    boxes = []
    for i in range(1, count):
        x, y, w, h = (int(v) for v in stats[i, :4])
        part = (slice(y, y + h), slice(x, x + w))
        if int(((labels[part] == i) & (mask[part] > 0)).sum()) >= least:
            boxes.append((x, y, x + w, y + h))
    return boxes


def _brighter(gain: Sequence[float]) -> Array:
    levels = np.arange(256)[:, None] * np.array(gain)
    return np.asarray(np.clip(np.round(levels), 0, 255).astype(np.uint8)[None])


def _blown(small: Array) -> Mask:
    """Cells that are as white as can be in every channel."""
    least = cv2.min(cv2.min(small[:, :, 0], small[:, :, 1]), small[:, :, 2])
    return np.asarray(cv2.threshold(least, _WHITE, 255, cv2.THRESH_BINARY)[1], np.uint8)


def _differ(one: Array, other: Array, by: int) -> Mask:
    """Cells in which two pictures differ in some channel, without specks."""
    apart = cv2.absdiff(one, other)
    most = cv2.max(cv2.max(apart[:, :, 0], apart[:, :, 1]), apart[:, :, 2])
    far = cv2.threshold(most, by, 255, cv2.THRESH_BINARY)[1]
    if cv2.countNonZero(far) == 0:
        return np.asarray(far, np.uint8)
    return np.asarray(cv2.morphologyEx(far, cv2.MORPH_OPEN, _SPECK), np.uint8)
