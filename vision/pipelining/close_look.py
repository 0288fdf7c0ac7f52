"""What is read in a frame, and what that says of spots: a card, nothing, or nothing that is plain yet."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Callable, Container, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from typing import Final, Literal

from calibration.dealt_table import DealtCard
from vision.card_reader import CardReading
from vision.change import Box, ChangeWatch, Mask
from vision.finding.selection import overlap
from vision.observations import Spot, centre_spot
from vision.occluders import FULL, Arms, hidden_share
from vision.pipelining.dazzle import GLARE
from vision.pipelining.eye import back_chances, face_chances
from vision.pipelining.geometry import Geometry, contains
from vision.reading.crops import Quad
from vision.tracker import Tracker
from vision.tracking.sighting import Bare, Hidden, LaidCard

_PLAIN: Final = 0.95  # chance from which on a reading is told at once
_MISSED: Final = 0.97  # chance from which on a card the finder missed is believed
_TRIES: Final = 2  # looks at a card that is not read for sure, before it is told all the same
_MORE_TRIES: Final = 6  # the same if the finder does not find it: its corners are but guessed
_LARGER: Final = 1.2  # a hand within this many times a card touches it
_TOUCHES: Final = 0.03
HELD: Final = 0.35  # seconds a card must lie still under a hand that touches it
_FRESH: Final = 1.5  # seconds for which a card that was read for sure and not touched since is not read again
_ONCE_MORE: Final = 5  # cards a frame, at most, that are read again though nothing has changed there
_ONE_CARD: Final = 0.3  # share from which on two outlines are of one card
_LAY_THERE: Final = 0.45  # seconds that a hand may shade a place before it hides it
_ON_SPOT: Final = 0.62  # card widths between the middles of a card and of the spot on which it lies


@dataclass(frozen=True, eq=False)
class Found:
    """What close looks at some boxes gave."""

    boxes: list[Box] = field(default_factory=list)
    quads: list[Quad] = field(default_factory=list)
    visible: list[float] = field(default_factory=list)
    shapes: list[Quad] = field(default_factory=list)  # what was put there and has a card's shape


@dataclass(frozen=True, eq=False)
class Job:
    """A card to read: found by the finder, missed by it at a known spot, or read before."""

    why: Literal["found", "missed", "again"]
    quad: Quad
    laid: DealtCard
    visible: float
    spot: Spot | None = None
    by_shape: bool = False


class CloseLook:
    """Turns what was found into cards on the table and bare spots."""

    def __init__(
        self, geometry: Geometry, arms: Arms, change: ChangeWatch, tracker: Tracker, from_start: bool = False
    ) -> None:
        """`from_start`: nothing lay in the centre in the first picture, whatever it may look like."""
        self._geometry = geometry
        self._arms = arms
        self._change = change
        self._tracker = tracker
        self._from_start = from_start
        self.later: list[tuple[float, Box]] = []  # cells to look at again, and when
        self.tries: Counter[Spot] = Counter()  # looks in a row at spots that were not read for sure
        self.owed: set[Spot] = set()  # spots whose look was put off, since a hand touched what lies there
        self.unseen: set[Spot] = set()  # spots of which a close look told nothing, though nothing hides them
        self._read_at: dict[Spot, float] = {}
        self._uncovered: dict[Spot, None] = {}  # in sight again and not read since, in their order
        self.taken: list[Quad] = []  # of this frame: what was read,
        self.lost: list[Box] = []  # and pixels around new cards that could not be taken yet

    def again(self, t: float) -> list[Box]:
        """The cells that are due for another look."""
        due = [box for when, box in self.later if when <= t]
        self.later = [(when, box) for when, box in self.later if when > t]
        return due

    def keep_unseen(self, boxes: Sequence[Box], hidden: dict[Spot, Hidden]) -> None:
        """What a close look told nothing of, as in glare, stays unknown until the next one."""
        self.unseen -= hidden.keys()
        for outline in self._tracker.outlines if self.unseen else ():
            if outline.spot not in self.unseen or outline.gone:
                continue
            quad = self._geometry.quad((outline.x, outline.y), outline.angle)
            if not any(contains(box, quad) for box in boxes):
                hidden[outline.spot] = Hidden()

    def jobs(
        self,
        found: Found,
        unknown: Mask | None,
        hidden: dict[Spot, Hidden],
        was_hidden: AbstractSet[Spot],
        calm: AbstractSet[Spot],
        now: float,
    ) -> list[Job]:
        """What is to be read: what was found, known spots where nothing was, and what is not sure yet.

        Nothing has changed on `calm` spots: neighbours of what has are not read with every look at that.
        """
        jobs, known = list[Job](), list[Job]()
        self.taken, self.lost = [], []
        for spot in (*was_hidden, *hidden):
            self._read_at.pop(spot, None)
        self._uncovered |= dict.fromkeys(was_hidden)
        for spot in hidden:
            self._uncovered.pop(spot, None)
        for quad, visible in zip(found.quads, found.visible, strict=True):
            laid = self._geometry.laid(quad)
            if laid is None or self._geometry.zones.at(laid.x, laid.y) is None:
                continue
            job = Job("found", quad, laid, visible)
            on = self._spot_at(job)
            if on is not None and on in calm and now - self._read_at.get(on, -math.inf) < _FRESH:
                known.append(job)
            elif on is None and self._from_start and self._change.as_at_first(self._box_of(quad)):
                continue  # a pattern of the cloth: it lay there before anything was played
            elif unknown is None or hidden_share(unknown, quad / self._geometry.scale) <= FULL:
                jobs.append(job)
            elif on is None:
                self.lost.append(_pixels_of(quad))
        jobs += self._shaped(found, unknown)
        jobs += self._not_found([*jobs, *known], found.boxes, hidden)
        return self._free(jobs, unknown, hidden, now)

    def _shaped(self, found: Found, unknown: Mask | None) -> list[Job]:
        """What has a card's shape where no card was found or known."""
        jobs = [(quad, self._geometry.laid(quad)) for quad in found.shapes]
        return [
            job
            for quad, laid in jobs
            if laid is not None and self._geometry.zones.at(laid.x, laid.y) is not None
            if self._spot_at(job := Job("found", quad, laid, 1.0, by_shape=True)) is None
            if not any(overlap(quad, other) > _ONE_CARD for other in found.quads)
            if unknown is None or hidden_share(unknown, quad / self._geometry.scale) <= FULL
        ]

    def _not_found(self, found: Sequence[Job], boxes: Sequence[Box], hidden: Container[Spot]) -> list[Job]:
        """Spots where nothing was found though it was looked, and some of those that are to be read again."""
        near = self._geometry.zones.card_mm[0] / 2
        places = [(job.laid.x, job.laid.y) for job in found]
        missed, again = list[Job](), list[Job]()
        for outline in self._tracker.outlines:
            if outline.spot in hidden or any(
                math.dist((outline.x, outline.y), place) < near for place in places
            ):
                continue
            quad = self._geometry.quad((outline.x, outline.y), outline.angle)
            looked = any(contains(box, quad) for box in boxes)
            laid = DealtCard(outline.x, outline.y, outline.angle)
            if looked and (outline.unsure or outline.spot in self._uncovered or not outline.gone):
                missed.append(Job("missed", quad, laid, 1.0, outline.spot))
            elif outline.unsure or outline.spot in self._uncovered:
                again.append(Job("again", quad, laid, 1.0, outline.spot))
        again.sort(key=self._urgency)
        return missed + again[:_ONCE_MORE]

    def _urgency(self, job: Job) -> tuple[int, float]:
        """New cards wait for a second look at them; then what was under a hand; then the longest unread."""
        if job.spot == centre_spot(0):
            return 0, 0.0
        assert job.spot is not None
        if job.spot in self._uncovered:
            return 1, float(list(self._uncovered).index(job.spot))
        return 2, self._read_at.get(job.spot, -math.inf)

    def _free(
        self, jobs: Sequence[Job], unknown: Mask | None, hidden: dict[Spot, Hidden], now: float
    ) -> list[Job]:
        """Jobs on cards that lie free; one that a hand touches may be held, and must lie still for longer."""
        if unknown is None:
            self.owed.difference_update(job.spot or self._spot_at(job) for job in jobs if job.why != "again")
            return list(jobs)
        free = []
        for job in jobs:
            larger = job.quad.mean(axis=0) + (job.quad - job.quad.mean(axis=0)) * _LARGER
            touched = hidden_share(unknown, larger / self._geometry.scale) > _TOUCHES
            since = self._change.still_since(self._box_of(job.quad))[0]
            spot = job.spot or self._spot_at(job)
            if not touched or now - since >= HELD:
                free.append(job)
                if spot is not None and job.why != "again":
                    self.owed.discard(spot)
            elif spot is not None:
                hidden[spot] = self._arms.now_over((job.laid.x, job.laid.y))
                if job.why != "again" and spot != centre_spot(0):
                    self.owed.add(spot)
            else:
                self.later.append((since + HELD, self._box_of(job.quad)))
        return free

    def _box_of(self, quad: Quad) -> Box:
        """The cells around a card."""
        low, high = quad.min(axis=0), quad.max(axis=0)
        return self._geometry.cell_box((*low, *high), self._change.shape)

    def _spot_at(self, job: Job) -> Spot | None:
        """The known spot on which a found card lies."""
        near = _ON_SPOT * self._geometry.zones.card_mm[0]
        for each in self._tracker.outlines:
            known = (each.spot.stack or not each.spot.is_centre) and not each.gone
            if known and math.dist((each.x, each.y), (job.laid.x, job.laid.y)) < near:
                return each.spot
        return None

    def surer(
        self,
        jobs: Sequence[Job],
        readings: Sequence[CardReading],
        read: Callable[[list[Quad]], list[CardReading]],
        fitted: Callable[[Quad], Quad | None],
    ) -> list[CardReading]:
        """What is not plain is read once more, with corners as a card of known size must have them: about the
        same middle, and `fitted` to its own edges."""
        better = list(readings)
        doubtful = [i for i, job in enumerate(jobs) if job.why == "found" and not _plain(readings[i])]
        if doubtful:
            again = [(i, self._geometry.quad(*_lies(jobs[i]))) for i in doubtful]
            again += [(i, quad) for i in doubtful if (quad := fitted(jobs[i].quad)) is not None]
            for (i, _), reading in zip(again, read([quad for _, quad in again]), strict=True):
                if _chance(reading) > _chance(better[i]):
                    better[i] = reading
        return better

    def laid(
        self, jobs: Sequence[Job], readings: Sequence[CardReading], hidden: dict[Spot, Hidden], now: float
    ) -> tuple[list[LaidCard], list[Bare]]:
        """Cards and bare spots; a spot of which neither is plain counts as hidden, and is tried again."""
        cards, bare = list[LaidCard](), list[Bare]()
        for job, reading in zip(jobs, readings, strict=True):
            t, frame = self._change.still_since(self._box_of(job.quad))
            spot = job.spot or self._spot_at(job)
            uncovered = spot in self._uncovered
            if spot is not None:
                self._uncovered.pop(spot, None)
                self._read_at[spot] = now
            if spot is not None and self._unread(job, reading, spot):
                hidden.setdefault(spot, Hidden())
            elif job.why == "found":
                card = self._card(job, reading, t, frame, spot)
                if reading.side != "none" and self._believed(job, reading, card, spot):
                    self.taken.append(job.quad)
                    self._told(spot, hidden)
                    cards.append(card)
                elif spot is not None:
                    self._told_nothing(spot, hidden)
                elif reading.side != "none" and not job.by_shape:
                    self.lost.append(_pixels_of(job.quad))
            elif _plain(reading, _MISSED) or (
                _seems_a_face(reading) and (job.why == "missed" or spot == centre_spot(0))
            ):
                cards.append(self._card(job, reading, t, frame, spot))
                self._told(spot, hidden)
            elif job.why == "missed" and spot is not None:
                self._read_at.pop(spot, None)
                if self._change.glare(self._box_of(job.quad)) < GLARE:
                    bare.append(Bare(spot, t, frame))
                    self._told(spot, hidden)
                else:
                    self._told_nothing(spot, hidden)
            elif (
                uncovered
                and spot is not None
                and spot != centre_spot(0)
                and not self._still_bare(spot, reading)
            ):
                # A glance at where its card lay does not tell whether that is the one that lies there now.
                self.owed.add(spot)
                hidden.setdefault(spot, Hidden())
        return cards, bare

    def _believed(self, job: Job, reading: CardReading, card: LaidCard, spot: Spot | None) -> bool:
        """Whether it is a card; one that is new must be plain, or somebody must have been there to lay it."""
        if spot is not None or _plain(reading):
            return True
        by_nobody = self._from_start and not card.reach
        return reading.sure_of_side and not job.by_shape and not by_nobody

    def _told(self, spot: Spot | None, hidden: dict[Spot, Hidden]) -> None:
        if spot in self.unseen:
            self.unseen.remove(spot)
            hidden.pop(spot, None)

    def _told_nothing(self, spot: Spot, hidden: dict[Spot, Hidden]) -> None:
        hidden.setdefault(spot, Hidden())
        if spot != centre_spot(0):  # that is no spot of its own, and gone when its card is
            self.unseen.add(spot)

    def _in_doubt(self, spot: Spot) -> bool:
        return any(each.doubtful for each in self._tracker.outlines if each.spot == spot)

    def _still_bare(self, spot: Spot, reading: CardReading) -> bool:
        bare = any(each.bare for each in self._tracker.outlines if each.spot == spot)
        return bare and reading.side == "none"

    def _unread(self, job: Job, reading: CardReading, spot: Spot) -> bool:
        """Whether a look tells too little, and another one soon may tell more; not for ever."""
        if job.why == "again":
            return False
        found = job.why == "found"
        enough = _plain(reading) if found else _plain(reading, _MISSED) or not _seems_a_face(reading)
        if enough or self.tries[spot] >= (_TRIES if found else _MORE_TRIES):
            del self.tries[spot]
            return False
        self.tries[spot] += 1
        return True

    def _card(self, job: Job, reading: CardReading, t: float, frame: int, spot: Spot | None) -> LaidCard:
        shows: Literal["face", "back"] = "back" if reading.side == "back" else "face"
        at = (job.laid.x, job.laid.y)
        since, before = (None, Hidden())
        if spot is not None and self._in_doubt(spot):
            since, before = self._arms.before(at, job.laid.angle, t, _TOUCHES)
        elif spot is None:
            since, before = self._arms.before(at, job.laid.angle, t)
            bare = self._change.bare_until(self._arms.cells(at, job.laid.angle))
            if bare < since - _LAY_THERE:  # something did already, and was not found
                since = bare
        return LaidCard(
            *at,
            job.laid.angle,
            shows,
            face_chances(reading),
            back_chances(reading),
            t,
            frame,
            job.visible,
            since,
            before.reach,
            before.hand,
        )


def _lies(job: Job) -> tuple[tuple[float, float], float]:
    return (job.laid.x, job.laid.y), job.laid.angle


def _pixels_of(quad: Quad) -> Box:
    low, high = quad.min(axis=0), quad.max(axis=0)
    return int(low[0]), int(low[1]), int(high[0]) + 1, int(high[1]) + 1


def _seems_a_face(reading: CardReading) -> bool:
    return reading.side == "face" and reading.sure_of_side


def _chance(reading: CardReading) -> float:
    """That of the likeliest face."""
    return reading.face_guesses[0][1] if reading.side == "face" and reading.face_guesses else 0.0


def _plain(reading: CardReading, chance: float = _PLAIN) -> bool:
    """Whether a face was read beyond much doubt."""
    return _chance(reading) > chance
