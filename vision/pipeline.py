"""From frames to observations: what changed, what settled, what lies there, since when and by whose hand.

Nets run only where something changed and came to rest, where a card is not read for sure yet, and in a slow
sweep over the table.
"""

from __future__ import annotations

import time
from collections import Counter
from collections.abc import Iterable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Final

import cv2
import numpy as np
from numpy.typing import NDArray

from calibration.drift import Drift, DriftWatch, Steadiness
from calibration.table_plane import TablePlane
from calibration.zones import TableZones
from vision.change import Box, Change, ChangeWatch, Mask, patches
from vision.frame import Frame
from vision.observations import Observation, Spot
from vision.occluders import FULL, Arms, hidden_share
from vision.pipelining.close_look import HELD, CloseLook, Found
from vision.pipelining.dazzle import Dazzle
from vision.pipelining.eye import Eye
from vision.pipelining.geometry import Geometry
from vision.pipelining.known_size import meet, merged
from vision.pipelining.looking_again import LooksAgain
from vision.pipelining.new_shapes import card_shapes
from vision.pipelining.sweep import Sweep
from vision.pipelining.turns import in_turn
from vision.pipelining.uncovering import Uncovering
from vision.reading.crops import Quad
from vision.tracker import Outline, Tracker
from vision.tracking.sighting import Hidden, Sighting

_HIDES: Final = 0.5  # chance of an occluder from which on a cell counts as hidden
_LEAST_CARD: Final = 0.06  # share of a card's cells that must change together to want a look
_NEW_CARD: Final = 0.2  # share of a card's cells that must be new for a card to be missed there
_GROWN: Final = 1.15  # what is new so close around a found card is its edge and its shadow
_TOUCHED: Final = 0.01  # share of a spot's cells that must have changed to look for a card anew
_ALL_DIFFERENT: Final = 0.4  # share of the picture that differs when the camera looks elsewhere
_DRIFT_AT_REST: Final = 1.0  # seconds between two looks for a moved camera while nothing happens
_BLIND: Final = 1.0  # seconds without a look after which anything may have happened
_MOST_LOOKED: Final = 0.35  # of the picture that is looked at closely in a frame; the rest waits for the next
_SWEEP_HOLDS: Final = 0.1  # seconds for which the sweep waits for a frame with nothing else to look at


@dataclass
class Costs:
    """Seconds of computing and calls per stage; a busy machine does not blur them."""

    seconds: Counter[str] = field(default_factory=Counter)
    calls: Counter[str] = field(default_factory=Counter)

    @contextmanager
    def of(self, stage: str) -> Iterator[None]:
        start = time.thread_time()
        try:
            yield
        finally:
            self.seconds[stage] += time.thread_time() - start  # type: ignore[assignment]
            self.calls[stage] += 1


@dataclass(frozen=True)
class Setting:
    """What the pipeline knows of the table before it starts: plane, places, and who sits where."""

    plane: TablePlane
    zones: TableZones
    players: Mapping[str, str]


class Pipeline:
    """Sees one table. Feed it frames in order; it tells observations."""

    def __init__(
        self, setting: Setting, eye: Eye, first: Frame, drift: bool = True, from_start: bool = False
    ) -> None:
        """`from_start`: the first frame shows a table on which nothing was played yet."""
        self._eye = eye
        self._from_start = from_start
        self.setting = setting
        self._change = ChangeWatch(first.picture, first.t, first.number)
        self.tracker = Tracker(setting.zones, setting.players)
        self.costs = Costs()
        self._dazzle = Dazzle()
        self._drift = DriftWatch(first.picture, setting.plane, first.t) if drift else None
        self._steady_at = self._drift_at = first.t
        self._blind = False
        self._put_off: list[Box] = []
        self._until = first.t
        self._pixels = first.picture.shape[0] * first.picture.shape[1]
        self._settle_in(setting.plane, first)
        self._everything = True
        self._occluded: Mask = np.zeros(self._change.shape, np.uint8)
        self._was_hidden: set[Spot] = set()

    def _settle_in(self, plane: TablePlane, frame: Frame) -> None:
        size = (frame.picture.shape[1], frame.picture.shape[0])
        scale = self._change.scale
        self._geometry = Geometry(plane, self.setting.zones, scale, size)
        self._arms = Arms(plane, self.setting.zones, self.setting.players, scale, self._change.shape)
        self._close = CloseLook(self._geometry, self._arms, self._change, self.tracker, self._from_start)
        self._interest = self._geometry.interest(self._change.shape)
        self._sweep = Sweep(self._interest, frame.t)
        self._again = LooksAgain(size)
        self._uncovering = Uncovering()
        width = self._geometry.card_width((size[0] / 2, size[1] / 2))
        card = self.setting.zones.card_mm
        self._card_size = (width, width * card[1] / card[0])
        self._card_cells = self._card_size[0] * self._card_size[1] / scale**2

    @property
    def plane(self) -> TablePlane:
        """The table as the camera sees it now: it may have been bumped."""
        return self._geometry.plane

    def see(self, frame: Frame) -> list[Observation]:
        """What this frame tells."""
        self.costs.calls["frames"] += 1
        with self.costs.of("change"):
            change = self._change.look(frame.picture, frame.t, frame.number)
        told = self._watch_drift(frame, change)
        if told is not None:
            return told
        self._occluded[change.moving > 0] = 0
        found = self._look_closely(frame, change)
        with self.costs.of("track"):
            unknown, foreign = self._in_front(change, found)
            self._arms.remember(frame.t, unknown, foreign)
            hidden = self._hidden(unknown)
            self._close.keep_unseen(found.boxes, hidden)
            self._uncovering.hidden(frame.t, self._at_rest({*hidden, *self._close.unseen}, change))
        with self.costs.of("read"):
            calm = self._calm(change) if found.quads else set()
            jobs = self._close.jobs(found, unknown, hidden, self._was_hidden, calm, frame.t)
            readings = self._eye.read(frame, [job.quad for job in jobs]) if jobs else []
            readings = self._close.surer(
                jobs,
                readings,
                lambda quads: self._eye.read(frame, quads),
                lambda quad: self._geometry.fitted(frame.picture, quad),
            )
        cards, bare = self._close.laid(jobs, readings, hidden, frame.t)
        self._again.found(self._close.taken, self._card_size[1])
        self._again.wanted(frame.t, self._close.lost, self._card_size)
        self._was_hidden = set(hidden)
        until = frame.t if change.idle else self._change.settled_until
        until = min([until, *(t - HELD for t, _ in self._close.later)])
        if self._put_off:  # something has come to rest that was not looked at yet
            until = min(until, self._until)
        self._until = until
        with self.costs.of("track"):
            unseen, outlines = self._close.unseen, self.tracker.outlines
            self._dazzle.look(frame.t, self._change, self._geometry, outlines, hidden, unseen)
            return self.tracker.feed(
                Sighting(frame.t, frame.number, tuple(cards), tuple(bare), hidden, until)
            )

    @property
    def dazzled(self) -> tuple[str, ...]:
        """Players whose Espresso place has been in glare for long: that it is empty cannot be seen."""
        return self._dazzle.players

    @property
    def centre_burnt_out(self) -> bool:
        """Whether cards in the centre have been in such glare for long that they cannot be read."""
        return self._dazzle.centre

    def in_front(self) -> list[NDArray[np.float64]]:
        """The outlines of hands and arms over the table as it was last seen, in pixels."""
        return self._arms.outlines()

    def gap(self, since: float, t: float, why: str) -> list[Observation]:
        """The source lost frames for a while."""
        self._everything = True
        self._steady_at = t
        return self.tracker.gap(since, t, why)

    def _watch_drift(self, frame: Frame, change: Change) -> list[Observation] | None:
        """None while the camera is steady; otherwise what there is to say, and the frame is not looked at."""
        if self._drift is None or not self._drift.anchored:
            return None
        if change.idle and not self._blind and frame.t - self._drift_at < _DRIFT_AT_REST:
            self._steady_at = frame.t  # a picture in which nothing changed was not moved
            return None
        self._drift_at = frame.t
        with self.costs.of("drift"):
            drift: Drift = self._drift.look(frame.picture, frame.t)
        since, was_blind = self._steady_at, self._blind
        self._blind = False
        if drift.state is Steadiness.MOVED:
            self._settle_in(drift.plane, frame)
            self._change.forget()
            self._everything = True
            self._occluded[:] = 0
            self._steady_at = frame.t
            return self.tracker.gap(since, frame.t, drift.why)
        # Many hands over the table hide it too; only a picture that is all different shows nothing of it.
        lost = drift.state is Steadiness.LOST and float(np.mean(change.foreign > 0)) > _ALL_DIFFERENT
        if lost or (drift.state is Steadiness.SHAKING and drift.shift > 0):
            self._blind = True
            return []
        self._steady_at = frame.t
        if was_blind and frame.t - since > _BLIND:
            self._everything = True
            return self.tracker.gap(since, frame.t, "the table could not be recognised for a while")
        return None

    def _look_closely(self, frame: Frame, change: Change) -> Found:
        settled = self._settled(change)
        found = Found(self._boxes(frame, change, settled))
        for box in found.boxes:
            self._look_at(frame, box, 1.0, found)
        missed = []
        for look in self._again.due(frame.t):
            missed.append(look.box)
            self._look_at(frame, look.box, look.larger, found)
        if settled:
            new = self._unexplained(change, found)
            self._again.wanted(frame.t, new, self._card_size)
            missed += [
                self._geometry.pixel_box(self._geometry.cell_box(box, self._change.shape)) for box in new
            ]
        if missed and self._from_start:
            found.shapes.extend(self._shapes(missed))
        return found

    def _shapes(self, boxes: Iterable[Box]) -> list[Quad]:
        """What was put there since nothing lay in the centre, and is neither known nor a hand."""
        there: Mask = self._change.put_there() & self._interest
        there[self._occluded > 0] = 0
        for outline in self.tracker.outlines:
            if not outline.bare:
                cv2.fillConvexPoly(there, np.round(self._cells(outline)).astype(np.int32), 0)
        cells = (self._geometry.cell_box(box, self._change.shape) for box in boxes)
        return [quad for box in cells for quad in card_shapes(there, box, self._geometry)]

    def _unexplained(self, change: Change, found: Found) -> list[Box]:
        """What was not there before the last hand came, and is no card that was found."""
        new: Mask = change.pending & change.foreign & self._interest & ~self._occluded
        for box in self._put_off:
            x0, y0, x1, y1 = self._geometry.cell_box(box, self._change.shape)
            new[y0:y1, x0:x1] = 0
        for quad in found.quads:
            middle = quad.mean(axis=0)
            cells = (middle + (quad - middle) * _GROWN) / self._geometry.scale
            cv2.fillConvexPoly(new, np.round(cells).astype(np.int32), 0)
        return [self._in_pixels(box) for box in patches(new, round(_NEW_CARD * self._card_cells))]

    def _look_at(self, frame: Frame, box: Box, larger: float, found: Found) -> None:
        with self.costs.of("find"):
            middle = ((box[0] + box[2]) / 2, (box[1] + box[3]) / 2)
            part = self._eye.look(frame, box, self._geometry.card_width(middle) / larger)
            quads = [np.asarray(card.corners, np.float32) for card in part.cards]
            found.quads.extend(self._of_a_size(frame, quad) for quad in quads)
        found.visible.extend(card.visible for card in part.cards)
        self._note_occluders(box, part.occluders)

    def _of_a_size(self, frame: Frame, quad: Quad) -> Quad:
        """The corners as they were found; what is too large for a card may be one with a bit of another."""
        moved = self._geometry.fitted(frame.picture, quad) if self._geometry.laid(quad) is None else None
        return quad if moved is None else moved

    def _settled(self, change: Change) -> list[Box]:
        """Cells that changed and came to rest."""
        if change.idle or self._everything:
            return []
        pending = np.asarray(cv2.bitwise_and(change.pending, self._interest), np.uint8)
        # A cup that was put beside the table must not keep it busy for ever.
        self._change.forgive(np.asarray(cv2.subtract(change.pending, pending), np.uint8))
        return self._change.regions(pending, max(4, round(_LEAST_CARD * self._card_cells)))

    def _in_pixels(self, box: Box) -> Box:
        left, top, right, bottom = (round(edge * self._geometry.scale) for edge in box)
        return left, top, right, bottom

    def _boxes(self, frame: Frame, change: Change, settled: list[Box]) -> list[Box]:
        """Where to look closely now, in pixels."""
        if self._everything:
            self._everything, self._put_off = False, []
            return [self._geometry.pixel_box(self._sweep.whole)]
        others = self._touched(change, self._uncovering.due(frame.t)) + self._close.again(frame.t)
        if not change.idle:
            self._sweep.moved(frame.t)
        fresh = [self._geometry.pixel_box(box) for box in settled]
        wanted = [self._geometry.pixel_box(box) for box in others]
        most = round(_MOST_LOOKED * self._pixels)
        looks, self._put_off = in_turn(merged([*fresh, *wanted]), self._put_off, fresh, most)
        # What has settled stays pending until it is looked at; the others would be forgotten.
        self._close.later += [
            (frame.t, box)
            for box, pixels in zip(others, wanted, strict=True)
            if any(meet(pixels, late) for late in self._put_off)
        ]
        # A busy table needs the sweep most of all, but not just when cards have come to rest.
        if self._sweep.waits(frame.t) > (_SWEEP_HOLDS if looks else 0.0):
            looks.append(self._geometry.pixel_box(self._sweep.next(frame.t)))
        return looks

    def _touched(self, change: Change, due: set[Spot]) -> list[Box]:
        """Spots in sight again that look different, however little, and those of which two looks disagree.

        Those that are `due` may be in sight again, too: only a look tells.
        """
        if not self._was_hidden and not self.tracker.doubtful and not self._close.owed:
            return []
        owed = self._close.owed - {outline.spot for outline in self.tracker.outlines if outline.gone}
        unknown = np.asarray(cv2.bitwise_or(change.loose, self._occluded), np.uint8)
        boxes = []
        for outline in self.tracker.outlines:
            if outline.spot not in self._was_hidden and not outline.doubtful and outline.spot not in owed:
                continue
            cells = self._cells(outline)
            if outline.spot not in due and hidden_share(unknown, cells) > FULL:
                continue
            unread = outline.doubtful or outline.spot in (due | self._close.tries.keys() | owed)
            if unread or hidden_share(change.pending, cells) > _TOUCHED:
                low, high = np.floor(cells.min(axis=0)), np.ceil(cells.max(axis=0))
                boxes.append((int(low[0]), int(low[1]), int(high[0]), int(high[1])))
        return boxes

    def _note_occluders(self, box: Box, chance: NDArray[np.float32]) -> None:
        cells = self._geometry.cell_box(box, self._change.shape)
        size = (cells[2] - cells[0], cells[3] - cells[1])
        hides = cv2.resize(chance, size, interpolation=cv2.INTER_LINEAR) > _HIDES
        hidden = np.where(hides, np.uint8(255), np.uint8(0))
        self._occluded[cells[1] : cells[3], cells[0] : cells[2]] = hidden
        self._change.looked(cells, hidden)

    def _in_front(self, change: Change, found: Found) -> tuple[Mask | None, Mask | None]:
        """Cells of which nobody knows what lies there, and those with something in front of the table."""
        if change.idle and not self._occluded.any():
            return None, None
        fresh, foreign = change.pending, change.foreign
        if found.boxes:
            fresh, foreign = fresh.copy(), foreign.copy()
        for box in found.boxes:
            x0, y0, x1, y1 = self._geometry.cell_box(box, self._change.shape)
            fresh[y0:y1, x0:x1] = 0
            foreign[y0:y1, x0:x1] &= change.loose[y0:y1, x0:x1]
        unknown = cv2.bitwise_or(cv2.bitwise_or(change.loose, fresh), self._occluded)
        return np.asarray(unknown, np.uint8), np.asarray(cv2.bitwise_or(foreign, self._occluded), np.uint8)

    def _hidden(self, unknown: Mask | None) -> dict[Spot, Hidden]:
        if unknown is None:
            return {}
        return {
            outline.spot: self._arms.now_over((outline.x, outline.y))
            for outline in self.tracker.outlines
            if not outline.gone and hidden_share(unknown, self._cells(outline)) > FULL
        }

    def _calm(self, change: Change) -> set[Spot]:
        """Spots that are read for sure and look as they did when they were last looked at."""
        return {
            outline.spot
            for outline in self.tracker.outlines
            if not (outline.unsure or outline.doubtful or outline.gone)
            if outline.spot not in self._was_hidden
            if hidden_share(change.pending, self._cells(outline)) <= _TOUCHED
        }

    def _at_rest(self, hidden: Iterable[Spot], change: Change) -> list[Spot]:
        """Of hidden spots those over which nothing moves."""
        outlines = {outline.spot: outline for outline in self.tracker.outlines}
        return [spot for spot in hidden if hidden_share(change.loose, self._cells(outlines[spot])) <= FULL]

    def _cells(self, outline: Outline) -> NDArray[np.float64]:
        return self._geometry.cells((outline.x, outline.y), outline.angle)
