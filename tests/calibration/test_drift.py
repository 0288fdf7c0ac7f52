"""A bumped camera is noticed and the table found again within two seconds; play is not mistaken for it."""

from __future__ import annotations

import time
from collections.abc import Iterator
from dataclasses import replace

import cv2
import numpy as np
import pytest

from calibration.drift import Drift, DriftWatch, Steadiness
from calibration.markers import find_markers
from calibration.table_plane import TablePlane, plane_from_cards, plane_from_markers
from finito.virtual_table.camera import Camera
from finito.virtual_table.conditions import Conditions, Event
from finito.virtual_table.film import Film
from finito.virtual_table.scene import Hand, Scene
from tests.calibration.photos import DECK, lens_of, photo, table_scene, without_cards

SIZE = (1280, 720)
RATE = 8
BUMP_AT = 1.0
SPOTS = np.array([[x, y, 0.0] for x in (-250, 0, 250) for y in (-130, 0, 130)])


def set_up(seed: int, markers: bool) -> tuple[Scene, TablePlane]:
    scene = table_scene(seed, SIZE, cards=12, markers=markers)
    lens = lens_of(scene.camera)
    if markers:
        return scene, plane_from_markers(find_markers(without_cards(scene)), SIZE, lens)
    return scene, plane_from_cards(np.array([card.corners for card in photo(scene).cards]), SIZE, lens)


def filmed(
    scene: Scene, plane: TablePlane, seconds: float, conditions: Conditions, play: bool = True
) -> Iterator[tuple[Drift, Camera]]:
    """What the watch says of each frame, with the true camera; hands move about and cards disappear."""
    film = Film(DECK)
    watch = DriftWatch(film.frame(scene).picture, plane)
    assert watch.anchored
    for number in range(1, int(seconds * RATE)):
        t = number / RATE
        now = conditions.at(scene, t, number)
        if play:
            hands = (Hand(3, -200 + 100 * t, -20, 10, 25), Hand(2, 200 - 90 * t, 90, 170, 25))
            now = replace(now, hands=hands, cards=now.cards[min(4, int(t * 2)) :])
        yield watch.look(film.frame(now).picture, t), now.camera


@pytest.mark.parametrize(
    ("seed", "bump", "markers"),
    [
        (0, (8.0, -5.0, 0.7), True),
        (3, (3.0, 2.0, 0.2), True),
        (1, (10.0, 6.0, -0.6), False),
        (4, (60.0, 30.0, 3.0), True),
    ],
    ids=["markers", "slight", "cards only", "far"],
)
def test_a_bump_is_noticed_and_registered_again_within_two_seconds(
    seed: int, bump: tuple[float, float, float], markers: bool
) -> None:
    scene, plane = set_up(seed, markers)
    noticed = registered = None
    looks = list(filmed(scene, plane, 3.4, Conditions(bumps=(Event(BUMP_AT, bump),))))
    for drift, _ in looks:
        if drift.t <= BUMP_AT:
            assert drift.state is Steadiness.STEADY
        elif drift.state is not Steadiness.STEADY and noticed is None:
            noticed = drift.t
        if drift.state is Steadiness.MOVED:
            registered = drift.t
    assert noticed is not None
    assert noticed - BUMP_AT < 0.8
    assert registered is not None
    assert registered - BUMP_AT <= 2.0
    drift, camera = looks[-1]
    before, after = plane.mm(scene.camera.project(SPOTS)), drift.plane.mm(camera.project(SPOTS))
    assert np.abs(before - after).max() < 2.5, "millimetres stay the same millimetres"


def test_hands_cards_and_changing_light_are_no_bump() -> None:
    scene, plane = set_up(2, False)
    conditions = Conditions(
        drift=0.1,
        exposure_jumps=(Event(0.5, (0.2, 0, 0)),),
        white_balance_jumps=(Event(1.0, (0.1, 0, -0.1)),),
    )
    states = [drift.state for drift, _ in filmed(scene, plane, 3.0, conditions)]
    assert Steadiness.MOVED not in states
    assert Steadiness.LOST not in states
    assert states.count(Steadiness.STEADY) > len(states) * 0.8


def test_a_covered_camera_is_reported_lost_within_two_seconds_and_found_when_free() -> None:
    scene, plane = set_up(0, True)
    picture = photo(scene).picture
    dark = np.full_like(picture, 12)
    watch = DriftWatch(picture, plane)
    states = {}
    for number in range(1, 40):
        t = number / RATE
        drift = watch.look(dark if 1.0 <= t < 3.5 else picture, t)
        states[t] = drift.state
        assert drift.state is not Steadiness.MOVED
        if drift.state is Steadiness.LOST:
            assert "free the view" in drift.why
    assert states[3.0] is Steadiness.LOST
    assert states[39 / RATE] is Steadiness.STEADY


def test_a_camera_that_creeps_is_registered_again_although_no_look_sees_a_jump() -> None:
    scene, plane = set_up(3, True)
    watch = DriftWatch(photo(scene).picture, plane)
    creeping = scene
    moved = []
    for number in range(1, 13):
        creeping = replace(scene, camera=scene.camera.bumped(0.4 * number, 0.0))
        drift = watch.look(photo(creeping).picture, number * 0.3)
        moved.append(drift.state)
    assert Steadiness.MOVED in moved
    off = watch.plane.pixels(plane.mm(scene.camera.project(SPOTS))) - creeping.camera.project(SPOTS)
    assert np.linalg.norm(off, axis=1).max() < 4.0


def test_an_empty_plain_table_is_said_to_be_unwatchable() -> None:
    _, plane = set_up(0, True)
    assert not DriftWatch(np.full((720, 1280, 3), 140, np.uint8), plane).anchored


def test_the_watch_costs_a_fraction_of_decoding_the_frames() -> None:
    scene = table_scene(0, cards=12)
    picture = photo(scene).picture
    plane = plane_from_markers(find_markers(without_cards(scene)), scene.camera.size, lens_of(scene.camera))
    watch = DriftWatch(picture, plane)
    jpeg = cv2.imencode(".jpg", picture, [cv2.IMWRITE_JPEG_QUALITY, 90])[1]
    looking, decoding = [], []
    for number in range(90):  # three seconds at 30 frames a second, interleaved
        start = time.process_time()
        cv2.imdecode(jpeg, cv2.IMREAD_COLOR)
        middle = time.process_time()
        watch.look(picture, (number + 1) / 30)
        looking.append(time.process_time() - middle)
        decoding.append(middle - start)
    assert sum(looking) < 0.5 * sum(decoding)
