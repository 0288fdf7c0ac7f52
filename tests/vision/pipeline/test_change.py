"""What changed and what settled, on drawn pictures: a card comes, a hand passes, a lamp goes up."""

from __future__ import annotations

import numpy as np
import pytest

from vision.change import Change, ChangeWatch
from vision.frame import Picture

FPS = 15
CARD = (slice(100, 150), slice(200, 235))  # rows and columns
HAND = (slice(90, 270), slice(190, 250))


def table() -> Picture:
    rng = np.random.default_rng(1)
    return np.clip(rng.normal(120, 6, (270, 480, 3)), 0, 255).astype(np.uint8)


def noisy(picture: Picture, seed: int) -> Picture:
    rng = np.random.default_rng(seed)
    return np.clip(picture + rng.normal(0, 1.2, picture.shape), 0, 255).astype(np.uint8)


def with_card(picture: Picture) -> Picture:
    made = picture.copy()
    made[CARD] = (40, 40, 220)
    return made


def with_hand(picture: Picture, shift: int) -> Picture:
    made = picture.copy()
    rows, columns = HAND
    made[rows.start + shift : rows.stop, columns] = (150, 190, 235)
    return made


class Watching:
    def __init__(self, picture: Picture) -> None:
        self.watch = ChangeWatch(noisy(picture, 0), 0.0, 0)
        self.frame = 0

    def see(self, picture: Picture, times: int = 1) -> Change:
        for _ in range(times):
            self.frame += 1
            change = self.watch.look(noisy(picture, self.frame), self.frame / FPS, self.frame)
        return change


def test_a_table_on_which_nothing_happens_is_idle() -> None:
    watching = Watching(table())
    assert watching.see(table(), 40).idle


def test_a_card_wants_a_look_only_after_it_has_come_to_rest() -> None:
    watching = Watching(table())
    watching.see(table(), 5)
    change = watching.see(with_card(table()))
    assert change.loose[CARD].mean() > 250
    assert not change.pending.any()
    change = watching.see(with_card(table()), 3)
    assert change.pending[CARD].mean() > 200
    (box,) = watching.watch.regions(change.pending, 100)
    assert abs(box[0] - CARD[1].start) <= 3
    assert abs(box[3] - CARD[0].stop) <= 3


def test_the_rest_of_a_card_is_told_from_its_first_still_frame() -> None:
    watching = Watching(table())
    watching.see(table(), 5)
    change = watching.see(with_card(table()), 4)
    (box,) = watching.watch.regions(change.pending, 100)
    assert watching.watch.still_since(box)[1] == 6


def test_what_was_looked_at_wants_no_second_look() -> None:
    watching = Watching(table())
    watching.see(with_card(table()), 4)
    watching.watch.looked((190, 90, 245, 160), np.zeros((70, 55), np.uint8))
    assert watching.see(with_card(table()), 3).idle


def test_a_moving_hand_is_in_front_of_the_table_and_never_settled() -> None:
    watching = Watching(table())
    for shift in range(80, 0, -10):
        change = watching.see(with_hand(table(), shift))
    assert change.foreign[HAND[0].start + 12 : HAND[0].stop - 2, 200:240].mean() > 240
    assert change.loose[HAND[0].start + 12 : HAND[0].start + 22, 200:240].mean() > 240


def test_a_resting_hand_stays_in_front_of_the_table_after_it_was_looked_at() -> None:
    watching = Watching(table())
    watching.see(with_hand(table(), 0), 4)
    hidden = np.full((180, 60), 255, np.uint8)
    watching.watch.looked((190, 90, 250, 270), hidden)
    watching.see(with_hand(table(), 0), 2)
    away = with_hand(table(), 0)
    away[0:20, 0:20] = 255  # something else happens
    assert watching.see(away).foreign[HAND].mean() > 240


def test_a_slow_change_of_light_is_no_change() -> None:
    watching = Watching(table())
    for step in range(60):
        lit = np.clip(table() * (1 + 0.004 * step), 0, 255).astype(np.uint8)
        change = watching.see(lit)
    assert not change.pending.any()


def test_a_change_too_small_for_a_card_is_taken_as_it_is_in_time() -> None:
    watching = Watching(table())
    crumb = table()
    crumb[50:55, 50:55] = 0
    change = watching.see(crumb, 5)
    assert watching.watch.regions(change.pending, 100) == []
    change = watching.see(crumb, 20)
    watching.watch.regions(change.pending, 100)
    assert watching.see(crumb, 2).idle


def test_a_change_that_nobody_wants_to_look_at_does_not_keep_the_table_busy() -> None:
    watching = Watching(table())
    change = watching.see(with_card(table()), 5)
    watching.watch.forgive(change.pending)
    assert not watching.see(with_card(table())).idle  # it may still become something
    change = watching.see(with_card(table()), 16)
    watching.watch.forgive(change.pending)
    assert watching.see(with_card(table()), 2).idle


def test_where_a_card_lies_is_not_bare_since_it_came() -> None:
    watching = Watching(table())
    watching.see(table(), 5)
    watching.see(with_card(table()), 10)
    rows, columns = CARD
    corners = [(columns.start, rows.start), (columns.stop, rows.start), (columns.stop, rows.stop)]
    outline = np.array([*corners, (columns.start, rows.stop)], float)
    assert abs(watching.watch.bare_until(outline) - 5 / FPS) < 1.5 / FPS
    assert watching.watch.bare_until(outline + 100) > 13 / FPS


def test_in_glare_nobody_can_tell_since_when_a_place_is_bare() -> None:
    lit = table()
    lit[80:170, 180:260] = 255
    watching = Watching(lit)
    watching.see(lit, 10)
    busy = lit.copy()
    busy[0:20, 0:20] = 255
    watching.see(busy, 2)
    outline = np.array([(200, 100), (235, 100), (235, 150), (200, 150)], float)
    assert watching.watch.bare_until(outline) == 0.0
    assert watching.watch.glare((200, 100, 235, 150)) > 0.9
    assert watching.watch.glare((20, 200, 60, 240)) == 0.0


@pytest.mark.parametrize("off", [(0, 300), (0, -300), (600, 0), (-600, 0)])
def test_nobody_can_tell_since_when_a_place_outside_the_picture_is_bare(off: tuple[int, int]) -> None:
    outline = np.array([(200, 100), (235, 100), (235, 150), (200, 150)], float)
    assert Watching(table()).watch.bare_until(outline + off) == np.inf


def test_after_a_bump_nothing_counts_as_put_where_it_lay_before() -> None:
    watching = Watching(table())
    watching.see(with_card(table()), 10)
    assert watching.watch.put_there().any()
    watching.watch.forget()
    watching.see(table(), 10)
    assert not watching.watch.put_there().any()


def test_glare_that_was_there_from_the_start_was_not_put_there() -> None:
    lit = table()
    lit[80:170, 180:260] = 255
    watching = Watching(lit)
    busy = lit.copy()
    busy[0:20, 0:20] = 255
    watching.see(busy, 10)
    assert not watching.watch.put_there()[60:190, 160:280].any()
