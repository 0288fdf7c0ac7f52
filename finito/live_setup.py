"""Set-up of a round with no clicks: from the dealt table to plane, places, and who sits where."""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import linear_sum_assignment

from calibration.dealt_table import DealtCard, dealt_card, propose_zones
from calibration.deck_enrolment import EnrolledDeck
from calibration.errors import CalibrationError
from calibration.markers import find_markers
from calibration.profiles import TableProfile
from calibration.table_plane import CARD_MM, LEAST_MARKERS, TablePlane, plane_from_cards, plane_from_markers
from calibration.zones import CENTRE, TableZones
from finito.errors import BadInput
from referee.places import Seat
from vision.frame import Frame
from vision.observations import Observation
from vision.pipeline import Pipeline, Setting
from vision.pipelining.eye import Eye
from vision.sources import Event, Gap
from vision.table_reader import SeenCard, TableReader

Array: TypeAlias = NDArray[Any]

_EVERY: Final = 0.4  # seconds between two tries
_AGREE: Final = 15.0  # millimetres within which two proposals are one
_IN_ROW: Final = (1.35, 0.4)  # card widths beside, card heights before or behind: neighbours of one row
_TURNED: Final = 25.0
_FREE: Final = 0.55  # of a card must be seen for it to count
_COMPASS: Final = tuple(Seat)


@dataclass(frozen=True)
class Guest:
    """A player as named on the command line; the seat may be left to the camera."""

    name: str
    seat: Seat | None = None


@dataclass(frozen=True)
class TableSetUp:
    """A table ready to be refereed; `remarks` are sentences about what the deal looked like."""

    setting: Setting
    late: bool
    remarks: tuple[str, ...]
    t: float


def parse_guests(text: str) -> tuple[Guest, ...]:
    """`pizza:south,gelato:north`, or names alone."""
    guests = []
    for word in (part.strip() for part in text.split(",") if part.strip()):
        name, _, seat = word.partition(":")
        if seat and seat not in tuple(Seat):
            raise BadInput(f"--players: {seat!r} is no seat; the seats are {', '.join(Seat)}")
        guests.append(Guest(name.strip(), Seat(seat) if seat else None))
    names = [guest.name for guest in guests]
    seats = [guest.seat for guest in guests if guest.seat]
    if not 2 <= len(guests) <= 6 or not all(names):
        raise BadInput("--players names two to six players, such as pizza:south,gelato:north")
    if len(set(names)) < len(names) or len(set(seats)) < len(seats):
        raise BadInput(f"--players {text!r} names a player or a seat twice; each sits in one place")
    return tuple(guests)


class RoundSetUp:
    """Looks at frames until the table is dealt. Two looks must agree: hands are still dealing."""

    def __init__(
        self,
        eyes: TableReader,
        guests: Sequence[Guest],
        deck: EnrolledDeck | None = None,
        profile: TableProfile | None = None,
    ) -> None:
        self._eyes = eyes
        self._guests = tuple(guests)
        self._deck = deck
        self._profile = profile or TableProfile()
        self._tried = -math.inf
        self._proposed: TableZones | None = None
        self._plane = self._profile.plane
        self.why = "nothing was looked at yet"

    def look(self, frame: Frame) -> TableSetUp | None:
        """The set-up, once it is plain; until then `why` says what is missing."""
        if frame.t - self._tried < _EVERY:
            return None
        self._tried = frame.t
        try:
            found = self._proposal(frame)
        except CalibrationError as problem:
            self.why, self._proposed = str(problem), None
            return None
        before, self._proposed = self._proposed, found.setting.zones
        if self._profile.zones is None and not (before and _same(before, self._proposed)):
            return None
        return found

    def _proposal(self, frame: Frame) -> TableSetUp:
        cards = [card for card in self._eyes.read(frame.picture, self._deck) if card.visible >= _FREE]
        faces = [card for card in cards if card.reading.side == "face"]
        plane = self._plane or self._found_plane(frame, faces)
        laid, card_mm = _on_table(plane, faces, None if self._deck is None else self._deck.aspect)
        zones = self._profile.zones
        if zones is None:
            zones = propose_zones(_in_rows(laid, card_mm), len(self._guests), 3, card_mm)
        seated = self._seated(zones, plane, cards)
        zones = _renamed(zones, seated)
        if plane.found_by == "markers":
            self._plane = plane
        played = [card for card in laid if _in_centre(zones, card)]
        return TableSetUp(
            Setting(plane, zones, dict(_names(seated))),
            bool(played),
            _remarks(zones, laid, played),
            frame.t,
        )

    def _found_plane(self, frame: Frame, faces: Sequence[SeenCard]) -> TablePlane:
        size = (frame.picture.shape[1], frame.picture.shape[0])
        lens = self._profile.lens
        markers = find_markers(frame.picture)
        if len(markers) >= LEAST_MARKERS:
            return plane_from_markers(markers, size, lens)
        quads = np.array([card.corners for card in faces]).reshape(-1, 4, 2)
        return plane_from_cards(quads, size, lens)

    def _seated(
        self, zones: TableZones, plane: TablePlane, cards: Sequence[SeenCard]
    ) -> dict[str, tuple[Seat, str]]:
        """For each proposed seat its name as the players say, and who sits there."""
        asked = [guest for guest in self._guests if guest.seat]
        left = [zone.seat for zone in zones.seats]
        seated: dict[str, tuple[Seat, str]] = {}
        cost = np.array([[_apart(seat, guest.seat) for seat in left] for guest in asked if guest.seat])
        if asked:
            rows, columns = linear_sum_assignment(cost)
            for row, column in zip(rows, columns, strict=True):
                guest = asked[int(row)]
                assert guest.seat is not None
                seated[left[int(column)]] = (guest.seat, guest.name)
        free = [seat for seat in left if seat not in seated]
        rest = [guest.name for guest in self._guests if not guest.seat]
        for seat, name in _by_backs(zones, plane, cards, free, rest):
            seated[seat] = (seat, name)
        return seated


class Counting(Protocol):
    """Counts what lies face down once the table is cleared."""

    def see(
        self, frame: Frame, told: Iterable[Observation], plane: TablePlane, zones: TableZones
    ) -> list[Observation]: ...


class LiveTable:
    """A table under a camera: first it is set up, then it is seen. Feed it what a source gives."""

    def __init__(
        self,
        set_up: RoundSetUp,
        eye: Eye,
        on_ready: Callable[[TableSetUp], None],
        counting: Counting | None = None,
        known: Setting | None = None,
        before: Iterable[Observation] = (),
    ) -> None:
        """`known` is a table that was set up before, and `before` what was told of it then."""
        self._set_up = set_up
        self._known, self._before = known, before
        self._eye = eye
        self._on_ready = on_ready
        self._counting = counting
        self.pipeline: Pipeline | None = None

    @property
    def why(self) -> str:
        """What the set-up still waits for."""
        return self._set_up.why

    @property
    def dazzled(self) -> tuple[str, ...]:
        """Players whose Espresso place lies in glare, so that their Finito cannot be seen."""
        return () if self.pipeline is None else self.pipeline.dazzled

    @property
    def centre_burnt_out(self) -> bool:
        """Whether cards in the centre lie in such glare that they cannot be read."""
        return self.pipeline is not None and self.pipeline.centre_burnt_out

    def see(self, event: Event) -> list[Observation]:
        """The observations of a frame or gap; none before the table is set up."""
        if isinstance(event, Gap):
            if self.pipeline is None or event.end is None:
                return []
            return self.pipeline.gap(event.start, event.end, event.why)
        if self.pipeline is None:
            ready = self._set_up.look(event) if self._known is None else _as_it_was(self._known, event)
            if ready is None:
                return []
            self.pipeline = Pipeline(ready.setting, self._eye, event, from_start=not ready.late)
            self.pipeline.tracker.recall(self._before)
            self._on_ready(ready)
        told = self.pipeline.see(event)
        if self._counting is None:
            return told
        zones = self.pipeline.setting.zones
        return [*told, *self._counting.see(event, told, self.pipeline.plane, zones)]


def _as_it_was(setting: Setting, frame: Frame) -> TableSetUp:
    return TableSetUp(setting, True, (), frame.t)


def _names(seated: dict[str, tuple[Seat, str]]) -> list[tuple[str, str]]:
    return [(seat.value, name) for seat, name in seated.values()]


def _apart(one: Seat, other: Seat) -> float:
    steps = abs(_COMPASS.index(one) - _COMPASS.index(other))
    return float(min(steps, len(_COMPASS) - steps) ** 2)


def _renamed(zones: TableZones, seated: dict[str, tuple[Seat, str]]) -> TableZones:
    """Seats called as the players call them; all at once, since they may swap names."""
    return replace(zones, seats=tuple(replace(zone, seat=seated[zone.seat][0]) for zone in zones.seats))


def _by_backs(
    zones: TableZones,
    plane: TablePlane,
    cards: Sequence[SeenCard],
    free: Sequence[Seat],
    names: Sequence[str],
) -> list[tuple[Seat, str]]:
    """Who sits at a free seat, by the back of the deck that is held there; one that is left sits last."""
    if not names:
        return []
    votes = np.zeros((len(free), len(names)))
    for card in cards:
        if card.reading.side != "back":
            continue
        x, y = plane.mm(card.corners).mean(axis=0)
        seat = min(zones.seats, key=lambda zone: min(math.dist((x, y), (p.x, p.y)) for p in zone.places))
        for name, chance in card.reading.back_guesses:
            if seat.seat in free and name in names:
                votes[free.index(seat.seat), names.index(name)] += chance
    unseen = int((votes.max(axis=1) < 0.5).sum())
    if unseen > 1:
        raise CalibrationError(
            "it cannot be seen whose back is where; hold the hand decks into the picture, backs up, or say "
            "who sits where with --players name:seat"
        )
    rows, columns = linear_sum_assignment(-votes)
    return [(free[int(row)], names[int(column)]) for row, column in zip(rows, columns, strict=True)]


def _on_table(
    plane: TablePlane, faces: Sequence[SeenCard], aspect: float | None
) -> tuple[list[DealtCard], tuple[float, float]]:
    """Where the open cards lie, and how large a card is; its proportions are best known from enrolment."""
    corners = [plane.mm(card.corners) for card in faces]
    corners = [quad for quad in corners if np.isfinite(quad).all()]
    if not corners:
        raise CalibrationError("no open cards are seen on the table; deal, and leave the view free")
    sides = np.linalg.norm(np.roll(corners, -1, axis=1) - corners, axis=2)
    pairs = np.sort(np.stack([sides[:, 0] + sides[:, 2], sides[:, 1] + sides[:, 3]], axis=1) / 2, axis=1)
    width, height = (float(v) for v in np.median(pairs, axis=0))
    if plane.found_by != "markers":
        width, height = CARD_MM
    elif aspect is not None:
        area = float(np.median(pairs.prod(axis=1)))
        width, height = math.sqrt(area * aspect), math.sqrt(area / aspect)
    usual = np.abs(np.log(pairs / (width, height))).max(axis=1) < 0.25
    kept = [dealt_card(quad) for quad, good in zip(corners, usual, strict=True) if good]
    return kept, (round(width, 1), round(height, 1))


def _in_rows(cards: Sequence[DealtCard], card_mm: tuple[float, float]) -> list[DealtCard]:
    """Cards that lie side by side with three others; piles in the centre do not."""
    left, rows = list(cards), list[list[DealtCard]]()
    while left:
        row, todo = [], [left.pop()]
        while todo:
            card = todo.pop()
            row.append(card)
            beside = [other for other in left if _beside(card, other, card_mm)]
            left = [other for other in left if other not in beside]
            todo += beside
        rows.append(row)
    return [card for row in rows if len(row) >= 4 for card in row]


def _beside(a: DealtCard, b: DealtCard, card_mm: tuple[float, float]) -> bool:
    if abs((a.angle - b.angle + 90) % 180 - 90) > _TURNED:
        return False
    turn = math.radians(a.angle)
    dx, dy = b.x - a.x, b.y - a.y
    along, across = dx * math.cos(turn) + dy * math.sin(turn), dy * math.cos(turn) - dx * math.sin(turn)
    return abs(across) < _IN_ROW[0] * card_mm[0] * 1.4 and abs(along) < _IN_ROW[1] * card_mm[1]


def _in_centre(zones: TableZones, card: DealtCard) -> bool:
    return zones.at(card.x, card.y) == (None, CENTRE)


def _same(one: TableZones, other: TableZones) -> bool:
    if [zone.seat for zone in one.seats] != [zone.seat for zone in other.seats]:
        return False
    return all(
        math.dist((a.x, a.y), (b.x, b.y)) < _AGREE
        for first, second in zip(one.seats, other.seats, strict=True)
        for a, b in zip(first.places, second.places, strict=True)
    )


def _remarks(zones: TableZones, laid: Sequence[DealtCard], played: Sequence[DealtCard]) -> tuple[str, ...]:
    remarks = []
    if played:
        remarks.append(
            f"{len(played)} stacks lie in the centre already: the round is joined late, what is under them "
            "is unknown"
        )
    for seat in zones.seats:
        here = [card for card in laid if (at := zones.at(card.x, card.y)) and at[0] == seat.seat]
        if len(here) < 4 and not played:
            remarks.append(f"{seat.seat} shows {len(here)} open cards instead of four")
    remarks.append("that an Espresso stack holds nine cards cannot be counted from above")
    return tuple(remarks)
