"""The pipeline on a filmed table, with eyes that make no mistakes: what it looks at, and what it tells."""

from __future__ import annotations

import json
import math
import threading
import time
from collections.abc import Iterator, Sequence
from dataclasses import replace
from typing import Self

import cv2
import numpy as np
import pytest

from finito.live_setup import TableSetUp
from referee.actions import Play, Turn
from referee.cards import parse_face
from tests.vision.pipeline.filmed import Piece, looks, piece, watched
from tests.vision.pipeline.perfect_eye import PerfectEye
from vision.card_finder import FoundCard
from vision.card_reader import CardReading
from vision.frame import Frame
from vision.observations import Gap, Look, Observation, Tick
from vision.pipeline import Pipeline
from vision.pipelining.known_size import Box, Part
from vision.pipelining.watching import watched as told_by
from vision.reading.crops import Quad, upright_quad
from vision.sources.events import Event


@pytest.fixture(scope="module")
def opening() -> tuple[Piece, list[Observation]]:
    """The last moments before the shout and the first plays."""
    film = piece(-1.0, 4.2)
    ready: list[TableSetUp] = []
    return film, [each for _, told in watched(film, film.eye(), ready) for each in told]


def test_every_open_card_of_the_deal_is_told_first(opening: tuple[Piece, list[Observation]]) -> None:
    film, told = opening
    for dealt in film.session.cast.played.deals:
        for place, face in (
            ("espresso", dealt.top),
            *((f"help{i}", f) for i, f in enumerate(dealt.helps, 1)),
        ):
            first = next(
                each for each in looks(told) if (each.spot.player, each.spot.place) == (dealt.player, place)
            )
            assert (first.shows, first.faces[0][0]) == ("face", str(face))


def test_the_waste_is_told_to_be_empty_before_the_first_turn(
    opening: tuple[Piece, list[Observation]],
) -> None:
    _, told = opening
    wastes = [each for each in looks(told) if each.spot.place == "waste"]
    assert [each.shows for each in wastes[:2]] == ["nothing", "nothing"]


def test_plays_and_turns_are_told_with_their_card_time_and_player(
    opening: tuple[Piece, list[Observation]],
) -> None:
    film, told = opening
    ended = film.frames[-1].t - 0.8
    deeds = [
        deed
        for deed in film.session.cast.played.actions
        if isinstance(deed, Play | Turn) and deed.t is not None and deed.t.end < ended
    ]
    assert any(isinstance(deed, Play) for deed in deeds)
    for deed in deeds:
        assert deed.t is not None
        face = str(deed.face if isinstance(deed, Play) else deed.top)
        shown = [each for each in looks(told) if each.faces[:1] and each.faces[0][0] == face]
        near = [each for each in shown if -0.2 < each.t - deed.t.end < 1.0]
        assert near, deed
        assert near[0].reach[0][0] == deed.player
        assert near[0].since <= deed.t.end


def test_time_goes_on_and_nothing_is_told_of_the_past(opening: tuple[Piece, list[Observation]]) -> None:
    ticked = 0.0
    for each in opening[1]:
        if isinstance(each, Tick):
            assert each.t > ticked
            ticked = each.t
    first = [each for each in looks(opening[1]) if not each.again]
    assert all(look.since <= look.t for look in first)


def test_where_nothing_happens_hardly_anything_is_looked_at() -> None:
    film = piece(-1.0, -0.2)
    eye = film.eye()
    still = film.frames[-1]
    ready: list[TableSetUp] = []
    list(watched(film, eye, ready))
    pipeline = Pipeline(ready[0].setting, eye, still)
    frames = [Frame(still.picture, still.t + i / 15, still.number) for i in range(1, 46)]
    pipeline.see(frames[0])
    eye.looks = 0
    for frame in frames[1:]:
        pipeline.see(frame)
    assert eye.looks <= 6  # the sweep


def test_a_bumped_camera_is_a_gap_after_which_the_same_cards_lie_where_they_lay() -> None:
    film = piece(-1.0, -0.2)
    eye = film.eye()
    still = film.frames[-1]
    ready: list[TableSetUp] = []
    list(watched(film, eye, ready))
    pipeline = Pipeline(ready[0].setting, eye, still)
    push = np.array([[1.0, 0.0, 3.0], [0.0, 1.0, 2.0]])
    told: list[Observation] = []
    for i in range(1, 40):
        picture = still.picture if i < 8 else cv2.warpAffine(still.picture, push, (480, 270))
        told += pipeline.see(Frame(np.asarray(picture, np.uint8), still.t + i / 15, still.number))
    (gap,) = (each for each in told if isinstance(each, Gap))
    assert "bumped" in gap.why
    after = [each for each in looks(told) if each.t > gap.t and not each.again]
    assert all(each.shows != "nothing" or each.spot.place == "waste" for each in after)


class _Films:
    """A source of drawn frames; `live` ones come whether or not anybody looks."""

    name, dropped = "a film", 0

    def __init__(self, events: list[Event], live: bool) -> None:
        self._events = iter(events)
        self.live = live
        self.closed = threading.Event()

    def __iter__(self) -> Iterator[Event]:
        return self

    def __next__(self) -> Event:
        return next(self._events)

    def close(self) -> None:
        self.closed.set()

    def __enter__(self) -> Self:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()


def _frames(count: int) -> list[Event]:
    return [Frame(np.zeros((9, 16, 3), np.uint8), i / 15, i) for i in range(count)]


def test_a_slow_listener_does_not_hold_up_a_live_camera() -> None:
    seen: list[int] = []

    def see(event: Event) -> list[Observation]:
        assert isinstance(event, Frame)
        seen.append(event.number)
        return [Tick(event.t, event.number)]

    telling = told_by(_Films(_frames(200), live=True), see)
    first = next(telling)
    deadline = time.monotonic() + 5
    while len(seen) < 200 and time.monotonic() < deadline:
        time.sleep(0.01)
    assert len(seen) == 200
    assert [first.frame, *(each.frame for each in telling)] == list(range(200))


def test_what_goes_wrong_while_seeing_reaches_the_listener_and_the_source_is_closed() -> None:
    source = _Films(_frames(5), live=False)

    def see(_: Event) -> list[Observation]:
        raise ValueError("a broken picture")

    with pytest.raises(ValueError, match="broken picture"):
        list(told_by(source, see))
    assert source.closed.is_set()


class _Clumsy(PerfectEye):
    """Misses every card of the centre for half a second, or takes it for something in front of the table."""

    def __init__(self, lines: tuple[str, ...], misses: bool) -> None:
        super().__init__(lines)
        self._misses = misses
        self._first: dict[tuple[int, int], float] = {}

    def look(self, frame: Frame, box: Box, width: float) -> Part:
        part = super().look(frame, box, width)
        kept, occluders = [], part.occluders.copy()
        for card in part.cards:
            x, y = card.corners.mean(axis=0)
            first = self._first.setdefault((round(x / 12), round(y / 12)), frame.t)
            if frame.t - first > 0.5 or not _amid(x, y):
                kept.append(card)
            elif not self._misses:
                kept.append(card)
                quad = np.round((card.corners - box[:2]) / part.cell).astype(np.int32)
                cv2.fillConvexPoly(occluders, quad, 1.0)
        return Part(kept, occluders, part.cell)


def _amid(x: float, y: float) -> bool:
    return bool(140 < x < 340 and 95 < y < 175)


@pytest.mark.parametrize("misses", [True, False])
def test_a_card_that_was_missed_or_taken_for_a_hand_at_first_is_told_soon_after(misses: bool) -> None:
    film = piece(-1.0, 4.2)
    eye = _Clumsy(film.lines, misses)
    told = [(frame.t, look) for frame, each in watched(film, eye, []) for look in looks(each)]
    plays = [deed for deed in film.session.cast.played.actions if isinstance(deed, Play)]
    late = []
    for deed in plays:
        assert deed.t is not None
        if deed.t.end > film.frames[-1].t - 1.4:
            continue
        shown = [t for t, look in told if look.spot.is_centre and look.faces[0][0] == str(deed.face)]
        if not shown or shown[0] - deed.t.end > 1.3:
            late.append((deed, shown[:1]))
    assert not late


class _Blind(PerfectEye):
    """Finds no card in the centre, however often it looks; it reads what it is shown."""

    def look(self, frame: Frame, box: Box, width: float) -> Part:
        part = super().look(frame, box, width)
        kept = [card for card in part.cards if not _amid(*card.corners.mean(axis=0))]
        return Part(kept, part.occluders, part.cell)


def test_a_card_that_is_never_found_begins_a_pile_by_its_shape() -> None:
    film = piece(-1.0, 4.2)
    told = [look for _, each in watched(film, _Blind(film.lines), []) for look in looks(each)]
    first = next(deed for deed in film.session.cast.played.actions if isinstance(deed, Play))
    assert first.t is not None
    shown = [look for look in told if look.spot.is_centre]
    assert shown[0].faces[0][0] == str(first.face)
    assert shown[0].since <= first.t.end <= shown[0].t + 0.1


class _Noting(PerfectEye):
    """Remembers where it looked, and how much it read."""

    def __init__(self, lines: tuple[str, ...]) -> None:
        super().__init__(lines)
        self.boxes: list[Box] = []
        self.reads = 0

    def read(self, frame: Frame, quads: Sequence[Quad]) -> list[CardReading]:
        self.reads += len(quads)
        return super().read(frame, quads)

    def look(self, frame: Frame, box: Box, width: float) -> Part:
        self.boxes.append(box)
        return super().look(frame, box, width)


@pytest.fixture(scope="module")
def busy() -> tuple[_Noting, TableSetUp]:
    """Five seconds in which something changes and comes to rest beside untouched cards in every frame."""
    film = piece(-1.0, -0.2)
    eye = _Noting(film.lines)
    still = film.frames[-1]
    ready: list[TableSetUp] = []
    list(watched(film, eye, ready))
    pipeline = Pipeline(ready[0].setting, eye, still)
    for i in range(1, 4):
        pipeline.see(Frame(still.picture, still.t + i / 100, still.number))
    eye.boxes.clear()
    eye.reads = 0
    picture = still.picture.copy()
    for i in range(80):
        which, grey = i % 4, 40 if (i // 4) % 2 else 210
        cv2.rectangle(picture, (190 + 25 * which, 120), (205 + 25 * which, 150), (grey, grey, grey), -1)
        pipeline.see(Frame(picture.copy(), still.t + (i + 1) / 15, still.number))
    assert len(eye.boxes) > 40
    return eye, ready[0]


def test_the_slow_sweep_goes_on_while_there_is_something_to_look_at_in_every_frame(
    busy: tuple[_Noting, TableSetUp],
) -> None:
    eye, ready = busy
    places = [place for seat in ready.setting.zones.seats for place in seat.places]
    for x, y in ready.setting.plane.pixels(np.array([(place.x, place.y) for place in places])):
        assert any(box[0] <= x <= box[2] and box[1] <= y <= box[3] for box in eye.boxes)


def test_cards_that_nobody_touched_are_not_read_with_every_look_beside_them(
    busy: tuple[_Noting, TableSetUp],
) -> None:
    eye, ready = busy
    places = [place for seat in ready.setting.zones.seats for place in seat.places]
    assert eye.reads < 3 * len(places)


class _Fooled(PerfectEye):
    """Takes a spot of the cloth in the middle of the table for a card."""

    def __init__(self, lines: tuple[str, ...], cloth: Quad) -> None:
        super().__init__(lines)
        self._cloth = cloth
        self._last = json.loads(lines[-1])["frame"]

    def look(self, frame: Frame, box: Box, width: float) -> Part:
        part = super().look(replace(frame, number=self._last), box, width)
        cloth = FoundCard(upright_quad(self._cloth), 0.99, 1.0)
        return Part([*part.cards, cloth], part.occluders, part.cell)

    def read(self, frame: Frame, quads: Sequence[Quad]) -> list[CardReading]:
        readings = super().read(replace(frame, number=self._last), quads)
        face = parse_face("R4")
        four = CardReading("face", face, ((face, 0.98),), confidence=0.98, sure_of_side=True)
        return [
            four if math.dist(quad.mean(axis=0), self._cloth.mean(axis=0)) < 8 else reading
            for quad, reading in zip(quads, readings, strict=True)
        ]


@pytest.mark.parametrize("from_start", [True, False])
def test_a_pattern_of_the_cloth_that_lay_there_from_the_start_is_no_pile(from_start: bool) -> None:
    film = piece(-1.0, -0.2)
    ready: list[TableSetUp] = []
    list(watched(film, film.eye(), ready))
    setting = ready[0].setting
    cloth = setting.plane.card_outline(10.0, 5.0, 20.0, setting.zones.card_mm)
    eye = _Fooled(film.lines, np.asarray(cloth, np.float32))
    pipeline = Pipeline(setting, eye, film.frames[-1], from_start=from_start)
    told: list[Observation] = []
    for i in range(1, 30):
        still = film.frames[-1]
        told += pipeline.see(Frame(still.picture, still.t + i / 15, still.number + i))
    assert any(look.spot.is_centre for look in looks(told)) == (not from_start)


class _Glancing(PerfectEye):
    """Sees another card at a spot from some moment on; without a close look it is hardly sure of it."""

    def __init__(self, lines: tuple[str, ...], spot: Quad, from_then: float) -> None:
        super().__init__(lines)
        self._spot, self._from_then = spot, from_then
        self._last = json.loads(lines[-1])["frame"]
        self._looked = -1.0

    def look(self, frame: Frame, box: Box, width: float) -> Part:
        x, y = self._spot.mean(axis=0)
        if box[0] <= x <= box[2] and box[1] <= y <= box[3]:
            self._looked = frame.t
        return super().look(replace(frame, number=self._last), box, width)

    def read(self, frame: Frame, quads: Sequence[Quad]) -> list[CardReading]:
        readings = super().read(replace(frame, number=self._last), quads)
        if frame.t < self._from_then:
            return readings
        face, chance = parse_face("R4"), 0.98 if self._looked == frame.t else 0.94
        four = CardReading("face", face, ((face, chance),), confidence=chance, sure_of_side=True)
        return [
            four if math.dist(quad.mean(axis=0), self._spot.mean(axis=0)) < 8 else reading
            for quad, reading in zip(quads, readings, strict=True)
        ]


def test_a_card_laid_under_a_hand_that_a_glance_does_not_name_is_looked_at_closely_at_once() -> None:
    film = piece(-1.0, -0.2)
    ready: list[TableSetUp] = []
    list(watched(film, film.eye(), ready))
    setting, still = ready[0].setting, film.frames[-1]
    slot = setting.zones.seats[0].place("help2")
    quad = np.asarray(
        setting.plane.card_outline(slot.x, slot.y, slot.angle, setting.zones.card_mm), np.float32
    )
    gone = still.t + 1.5
    eye = _Glancing(film.lines, quad, gone - 0.2)
    pipeline = Pipeline(setting, eye, still)
    told: list[tuple[float, Observation]] = []
    for i in range(1, 40):
        t, picture = still.t + i / 15, still.picture.copy()
        if gone - 0.5 < t < gone:  # a hand that moves
            x, y = (round(float(v)) for v in quad.mean(axis=0))
            cv2.rectangle(
                picture, (x - 20, y - 24 + i % 3 * 5), (x + 20, y + 24), (40, 60, 90 + i % 2 * 40), -1
            )
        told += [(t, each) for each in pipeline.see(Frame(picture, t, still.number + i))]
    seen = [t for t, each in told if isinstance(each, Look) and each.faces[:1] and each.faces[0][0] == "R4"]
    assert seen
    assert seen[0] < gone + 0.5


class _Late(_Fooled):
    """Finds a card in the middle of the table only from some moment on."""

    from_then = math.inf

    def look(self, frame: Frame, box: Box, width: float) -> Part:
        part = super().look(frame, box, width)
        return part if frame.t >= self.from_then else Part(part.cards[:-1], part.occluders, part.cell)


@pytest.mark.parametrize("missed", [True, False])
def test_a_place_is_not_bare_until_the_hand_comes_if_a_card_lay_there_that_was_not_found(
    missed: bool,
) -> None:
    film = piece(-1.0, -0.2)
    ready: list[TableSetUp] = []
    list(watched(film, film.eye(), ready))
    setting, still = ready[0].setting, film.frames[-1]
    place = np.asarray(setting.plane.card_outline(10.0, 5.0, 20.0, setting.zones.card_mm), np.float32)
    eye = _Late(film.lines, place)
    pipeline = Pipeline(setting, eye, still, from_start=True)
    first, hand = still.t + 0.6, still.t + 2.0
    eye.from_then = hand + 0.4
    told: list[Observation] = []
    for i in range(1, 50):
        t, picture = still.t + i / 15, still.picture.copy()
        if t > (first if missed else hand):
            cv2.fillConvexPoly(picture, np.round(place).astype(np.int32), (235, 240, 240))
        if hand < t < hand + 0.4:
            x, y = (round(float(v)) for v in place.mean(axis=0))
            cv2.rectangle(picture, (x - 16, y - 22 + i % 3 * 3), (x + 16, 269), (40, 60, 90 + i % 2 * 40), -1)
        told += pipeline.see(Frame(picture, t, still.number + i))
    (look,) = (each for each in looks(told) if each.spot.is_centre and not each.again)
    assert look.since == pytest.approx(first if missed else hand, abs=0.15)
