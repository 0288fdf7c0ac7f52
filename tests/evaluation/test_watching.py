"""The bench of filmed games: what it films, and what it holds against the truth."""

from __future__ import annotations

from pathlib import Path

from finito.virtual_table.choreography import plan_session
from models.evaluation.watching import Film, seed_of, wish
from models.evaluation.watching_looks import renamed_stacks
from referee.actions import Play
from vision.observations import Look, centre_spot


def test_every_second_filmed_round_has_faults_and_every_round_its_own_seed() -> None:
    film = Film(75.0, (1280, 720), 15, Path("films"))
    seeds = [seed_of(i, 990_000, 3, film) for i in range(3)]
    assert [len(wish(seed, 3, film).faults) for seed in seeds] == [0, 2, 0]
    assert [(seed - 990_000) // 40 for seed in seeds] == [0, 1, 2]


def test_two_equal_cards_that_two_players_lay_at_once_are_two_piles() -> None:
    film = Film(75.0, (1280, 720), 15, Path("films"))
    played = plan_session(wish(110_000, 4, film)).cast.played
    laid = [deed for deed in played.actions if isinstance(deed, Play)][1:3]
    assert laid[0].face is laid[1].face
    looks = []
    for number, deed in enumerate(laid, start=7):
        assert deed.t is not None
        t = max(each.t.end for each in laid if each.t)  # both are seen when the last hand is off
        reach = ((deed.player, 0.9),)
        looks.append(Look(centre_spot(number), t - 0.3, t, "face", ((str(deed.face), 0.99),), reach=reach))
    assert renamed_stacks(played, looks) == {7: 2, 8: 3}
