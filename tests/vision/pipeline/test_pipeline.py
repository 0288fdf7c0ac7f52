"""The pipeline on a filmed table, with eyes that make no mistakes: what it looks at, and what it tells."""

from __future__ import annotations

import threading
import time
from collections.abc import Iterator
from typing import Self

import cv2
import numpy as np
import pytest

from finito.live_setup import TableSetUp
from referee.actions import Play, Turn
from tests.vision.pipeline.filmed import Piece, looks, piece, watched
from tests.vision.pipeline.perfect_eye import PerfectEye
from tests.vision.pipeline.still_table import Noting
from vision.frame import Frame
from vision.observations import Gap, Observation, Tick
from vision.pipeline import Pipeline
from vision.pipelining.known_size import Box, Part
from vision.pipelining.watching import watched as told_by
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


@pytest.fixture(scope="module")
def busy() -> tuple[Noting, TableSetUp]:
    """Five seconds in which something changes and comes to rest beside untouched cards in every frame."""
    film = piece(-1.0, -0.2)
    eye = Noting(film.lines)
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
    busy: tuple[Noting, TableSetUp],
) -> None:
    eye, ready = busy
    places = [place for seat in ready.setting.zones.seats for place in seat.places]
    for x, y in ready.setting.plane.pixels(np.array([(place.x, place.y) for place in places])):
        assert any(box[0] <= x <= box[2] and box[1] <= y <= box[3] for box in eye.boxes)


def test_cards_that_nobody_touched_are_not_read_with_every_look_beside_them(
    busy: tuple[Noting, TableSetUp],
) -> None:
    eye, ready = busy
    places = [place for seat in ready.setting.zones.seats for place in seat.places]
    assert eye.reads < 3 * len(places)
