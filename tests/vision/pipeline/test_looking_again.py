"""What changed and came to rest with no card found there is looked at again soon, at another size."""

from __future__ import annotations

import numpy as np

from vision.pipelining.looking_again import LooksAgain

CARD = (50.0, 77.0)
BOX = (600, 300, 655, 380)


def card_at(x: float, y: float) -> np.ndarray:
    return np.array([(x - 25, y - 38), (x + 25, y - 38), (x + 25, y + 38), (x - 25, y + 38)], np.float32)


def test_a_place_where_nothing_was_found_is_looked_at_twice_within_a_third_of_a_second() -> None:
    looks = LooksAgain((1280, 720))
    looks.found(2.0, [BOX], [], CARD)
    assert looks.due(2.05) == []
    (first,) = looks.due(2.15)
    (second,) = looks.due(2.3)
    assert first.larger > 1 > second.larger
    assert looks.due(9.0) == []


def test_the_second_look_takes_in_more_of_the_table_and_stays_in_the_picture() -> None:
    looks = LooksAgain((1280, 720))
    looks.found(0.0, [(5, 600, 60, 719)], [], CARD)
    for look in looks.due(1.0):
        assert look.box[0] == 0
        assert look.box[3] == 720
        assert look.box[1] < 600 - CARD[1] / 2


def test_where_a_card_was_found_no_second_look_is_needed() -> None:
    looks = LooksAgain((1280, 720))
    looks.found(0.0, [BOX], [card_at(628, 340)], CARD)
    assert looks.due(1.0) == []


def test_a_card_that_is_found_meanwhile_makes_the_second_look_needless() -> None:
    looks = LooksAgain((1280, 720))
    looks.found(0.0, [BOX], [], CARD)
    looks.found(0.1, [BOX], [card_at(628, 340)], CARD)
    assert looks.due(1.0) == []


def test_an_arm_that_rests_is_too_large_to_be_a_card_nobody_found() -> None:
    looks = LooksAgain((1280, 720))
    looks.found(0.0, [(200, 0, 700, 400)], [], CARD)
    assert looks.due(1.0) == []
