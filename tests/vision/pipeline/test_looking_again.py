"""What is new and came to rest with no card found there is looked at again soon, at another size."""

from __future__ import annotations

import numpy as np

from vision.observations import Spot, centre_spot
from vision.pipelining.looking_again import LooksAgain
from vision.pipelining.uncovering import Uncovering

CARD = (50.0, 77.0)
BOX = (600, 300, 655, 380)
PILE = centre_spot(1)


def card_at(x: float, y: float) -> np.ndarray:
    return np.array([(x - 25, y - 38), (x + 25, y - 38), (x + 25, y + 38), (x - 25, y + 38)], np.float32)


def test_a_place_where_nothing_was_found_is_looked_at_twice_within_a_third_of_a_second() -> None:
    looks = LooksAgain((1280, 720))
    looks.wanted(2.0, [BOX], CARD)
    assert looks.due(2.05) == []
    (first,) = looks.due(2.15)
    (second,) = looks.due(2.3)
    assert first.larger > 1 > second.larger


def test_a_place_that_never_gives_a_card_is_given_up_after_a_second() -> None:
    looks = LooksAgain((1280, 720))
    looks.wanted(2.0, [BOX], CARD)
    assert 3 <= len(looks.due(3.2)) <= 5
    assert looks.due(9.0) == []


def test_one_place_is_not_asked_for_twice_at_once() -> None:
    looks = LooksAgain((1280, 720))
    looks.wanted(2.0, [BOX], CARD)
    once = len(looks.due(4.0))
    looks.wanted(4.1, [BOX], CARD)
    looks.wanted(4.2, [(603, 302, 650, 377)], CARD)
    assert len(looks.due(9.0)) == once


def test_the_second_look_takes_in_more_of_the_table_and_stays_in_the_picture() -> None:
    looks = LooksAgain((1280, 720))
    looks.wanted(0.0, [(5, 600, 60, 719)], CARD)
    for look in looks.due(0.3):
        assert look.box[0] == 0
        assert look.box[3] == 720
        assert look.box[1] < 600 - CARD[1] / 2


def test_a_card_that_is_found_meanwhile_makes_further_looks_needless() -> None:
    looks = LooksAgain((1280, 720))
    looks.wanted(0.0, [BOX], CARD)
    looks.found([card_at(900, 340)], CARD[1])
    assert looks.due(0.15)
    looks.found([card_at(628, 340)], CARD[1])
    assert looks.due(2.0) == []


def test_an_arm_that_rests_is_too_large_to_be_a_card_nobody_found() -> None:
    looks = LooksAgain((1280, 720))
    looks.wanted(0.0, [(200, 0, 700, 400)], CARD)
    assert looks.due(1.0) == []


def test_a_spot_that_stays_hidden_though_nothing_moves_is_looked_at_soon_and_then_less_often() -> None:
    uncovering = Uncovering()
    looked = []
    for i in range(100):
        t = i / 15
        uncovering.hidden(t, [PILE])
        looked += [t for spot in uncovering.due(t) if spot == PILE]
    assert looked[0] < 0.35
    assert looked[1] < 0.9
    assert len(looked) <= 6


def test_a_spot_that_was_in_sight_meanwhile_is_looked_at_soon_again() -> None:
    uncovering = Uncovering()
    for i in range(60):
        uncovering.hidden(i / 15, [PILE])
        uncovering.due(i / 15)
    uncovering.hidden(4.1, [Spot("pizza", "help1")])
    uncovering.hidden(4.2, [PILE])
    assert uncovering.due(4.45) == {PILE}
