"""Filming repaints only what changed, and shows what a fresh rendering shows."""

from dataclasses import replace

import numpy as np
import pytest

from finito.virtual_table.camera import Camera
from finito.virtual_table.conditions import Conditions, Event, random_conditions
from finito.virtual_table.decks import house_deck
from finito.virtual_table.film import Film
from finito.virtual_table.render import render
from finito.virtual_table.scene import HAND, Card, Clutter, Hand, Light, Rendered, Scene, Sensor, Surface

DECK = house_deck()
SIZE = (480, 270)


def table_of(count: int) -> Scene:
    rng = np.random.default_rng(count)
    cards = tuple(
        Card(
            f"c{i}",
            "face" if i % 3 else "back",
            DECK.faces[i % len(DECK.faces)],
            DECK.backs[i % len(DECK.backs)],
            float(rng.uniform(-300, 300)),
            float(rng.uniform(-150, 150)),
            float(rng.uniform(0, 360)),
            0.35 * (i % 12),
        )
        for i in range(count)
    )
    return Scene(
        Camera(SIZE, distance=850, tilt=20, k1=-0.05, k2=0.01),
        Surface("wood", 2, 0.8),
        lights=(Light(-300, -400, 1500), Light(500, 100, 1200, 0.4)),
        cards=cards,
        clutter=(Clutter("mug", 1, 200, -120), Clutter("pen", 4, -50, 20, 30, above=True)),
        sensor=Sensor(noise=3, defocus=0.5, seed=1),
    )


def assert_same(filmed: Rendered, fresh: Rendered) -> None:
    assert np.array_equal(filmed.picture, fresh.picture)
    assert [truth.card for truth in filmed.cards] == [truth.card for truth in fresh.cards]
    for one, other in zip(filmed.cards, fresh.cards, strict=True):
        assert np.array_equal(one.corners, other.corners)
        assert (one.visible, one.cut_off) == (other.visible, other.cut_off)


def test_a_film_of_moving_hands_and_cards_equals_fresh_renderings() -> None:
    film = Film(DECK)
    scene = table_of(30)
    for step in range(8):
        at = -200.0 + 45 * step
        held = Card("held", "face", "R5", DECK.backs[0], at, -30, 10, lift=25, pitch=8, motion=(6.0, 0.0))
        hand = Hand(3, at, 0, 5, 25, "carry", held=(held,), motion=(6.0, 0.0))
        cards = list(scene.cards)
        del cards[step * 2 : step * 2 + 2]
        cards.append(Card(f"laid{step}", "face", "B3", DECK.backs[1], at, 40, 15, 0.35 * step))
        if step == 5:
            cards[2], cards[20] = cards[20], cards[2]
        now = replace(scene, cards=tuple(cards), hands=(hand,))
        assert_same(film.frame(now), render(now, DECK))


def test_a_bumped_camera_shows_everything_elsewhere() -> None:
    film = Film(DECK)
    scene = table_of(12)
    before = film.frame(scene)
    bumped = replace(scene, camera=scene.camera.bumped(8, -5, 0.7))
    after = film.frame(bumped)
    assert_same(after, render(bumped, DECK))
    moved = np.linalg.norm(after.cards[0].corners - before.cards[0].corners, axis=1)
    assert moved.min() > 2


def test_a_card_keeps_its_number_from_hand_to_table() -> None:
    film = Film(DECK)
    scene = table_of(5)
    card = Card("travelling", "face", "G4", DECK.backs[0], 0, 0, lift=30)
    carried = film.frame(replace(scene, hands=(Hand(1, 0, 30, pose="carry", held=(card,)),)))
    laid = film.frame(replace(scene, cards=(*scene.cards, replace(card, lift=0.0))))
    numbers = [shown.cards[-1].number for shown in (carried, laid)]
    assert numbers[0] == numbers[1]
    assert (laid.ids == numbers[1]).any()


@pytest.mark.parametrize(("angle", "edge"), [(0, "bottom"), (90, "left"), (180, "top"), (270, "right")])
def test_an_arm_enters_from_its_owners_side_and_hides_what_is_under_it(angle: float, edge: str) -> None:
    scene = table_of(0)
    card = Card("under", "face", "R1", DECK.backs[0], 0, 0)
    hand = Hand(4, 0, 0, angle)
    shown = Film(DECK).frame(replace(scene, cards=(card,), hands=(hand,)))
    hands = shown.ids == HAND
    borders = {"top": hands[0], "bottom": hands[-1], "left": hands[:, 0], "right": hands[:, -1]}
    assert [name for name, border in borders.items() if border.any()] == [edge]
    assert shown.cards[0].visible < 0.9
    assert np.array_equal(shown.occluders & hands, hands)


def test_a_held_card_is_partly_under_the_fingers() -> None:
    card = Card("held", "back", "R1", DECK.backs[0], 0, -20, lift=30)
    for pose in ("carry", "hold"):
        hand = Hand(4, 0, 0, z=28, pose=pose, held=(card,))
        truth = render(replace(table_of(0), hands=(hand,)), DECK).cards[0]
        assert 0.3 < truth.visible < 0.99


def test_light_exposure_focus_and_camera_change_over_time_and_repeatably() -> None:
    scene = table_of(3)
    jump, hunt = Event(5.0, (0.2, 0.0, 0.0)), Event(2.0, (3.0, 0.0, 0.0))
    conditions = Conditions(1, 0.1, (jump,), (), (hunt,), (Event(8.0, (4.0, 2.0, 0.5)),))
    early, hunting, late = (conditions.at(scene, t, int(t * 30)) for t in (0.0, 2.55, 20.0))
    assert hunting.sensor.defocus > early.sensor.defocus + 2
    assert late.sensor.exposure == pytest.approx(1.2 * early.sensor.exposure)
    assert early.camera == scene.camera
    assert late.camera == scene.camera.bumped(4.0, 2.0, 0.5)
    assert late.lights != early.lights
    assert random_conditions(3, 60) == random_conditions(3, 60)
    assert random_conditions(3, 60, roughness=0).at(scene, 30, 1).camera == scene.camera
