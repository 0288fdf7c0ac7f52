"""Whole rounds of bots, seen through noisy eyes: the bench in small."""

from __future__ import annotations

from dataclasses import replace

import pytest

from models.evaluation.inferring import planned, rounds, table
from models.evaluation.inferring_noise import NoiseModel
from models.evaluation.inferring_round import RoundScore, score_round

CLEAR = NoiseModel(
    fair=0.0,
    poor=0.0,
    unread=0.0,
    right_clear=1.0,
    missed=0.0,
    looked_twice=0.0,
    arm_missed=0.0,
    arm_invented=0.0,
    hand_told=1.0,
    hand_wrong=0.0,
    arm_over_own=0.0,
    arm_over_pile=0.0,
    hand_over_neighbour=0.0,
    rests_per_minute=0.0,
    sleeves_per_minute=0.0,
    onlookers_per_minute=0.0,
    pushes_per_minute=0.0,
    straightens_per_minute=0.0,
)


def played(seed: int, players: int, *faults: str, noise: NoiseModel = CLEAR) -> RoundScore:
    return score_round(seed, players, faults, ("normalo",), "amigo-1995", noise)


@pytest.mark.parametrize("players", [2, 4, 6])
def test_with_clear_eyes_every_play_is_found_and_nobody_is_accused(players: int) -> None:
    score = played(7, players)
    assert score.found == score.plays == score.said
    assert score.right_player >= 0.98 * score.plays
    assert score.false_accusations == 0
    assert score.finito_in_time == score.finito
    assert score.finito_false == 0


@pytest.mark.parametrize(
    "fault",
    [
        "wrong-number",
        "wrong-colour",
        "pile-complete",
        "must-start-with-zero",
        "before-start",
        "not-yours",
        "two-hands",
        "refill-source",
        "false-finito",
    ],
)
def test_with_clear_eyes_a_fault_is_called_by_its_name(fault: str) -> None:
    scores = [played(seed, 3, fault) for seed in (11, 12)]
    assert sum(score.faults for score in scores) > 0
    assert sum(score.named + score.doubted for score in scores) == sum(score.faults for score in scores)
    assert sum(score.named for score in scores) >= 1
    assert sum(score.false_accusations for score in scores) == 0


def test_through_noisy_eyes_most_is_found_and_nobody_is_accused() -> None:
    scores = [played(seed, 4, noise=NoiseModel()) for seed in (21, 22)]
    plays = sum(score.plays for score in scores)
    assert sum(score.found for score in scores) >= 0.97 * plays
    assert sum(score.false_accusations for score in scores) == 0
    assert sum(score.finito_false for score in scores) == 0


def test_shut_eyes_find_little_so_the_bench_can_fail() -> None:
    blind = replace(CLEAR, missed=1.0, sweep=(900.0, 901.0))
    score = played(7, 2, noise=blind)
    assert score.found < 0.5 * score.plays


def test_an_equal_card_laid_the_same_way_is_no_look_but_a_question() -> None:
    """The bench tells no more than the tracker would, and yet the slower of two is not simply passed."""
    scores = [played(seed, 4, "too-late") for seed in range(31, 37)]
    assert sum(score.faults for score in scores) > 2
    named, doubted = (sum(getattr(score, name) for score in scores) for name in ("named", "doubted"))
    assert named + doubted == sum(score.faults for score in scores)
    assert sum(score.false_accusations for score in scores) == 0


def test_the_bench_resumes_where_it_stopped(tmp_path) -> None:  # type: ignore[no-untyped-def]
    path = tmp_path / "rounds.csv"
    first = list(rounds(40, 30, path, variants=False, notes=False))
    again = list(rounds(40, 30, path, variants=False, notes=False))
    assert [row["seed"] for row in first] == [int(row["seed"]) for row in again]
    assert path.read_text().count("\n") == len(first) + 1
    assert "false accusations" in table(again)


def test_every_second_round_has_faults_and_all_tables_are_played() -> None:
    plans = [planned(seed, variants=True) for seed in range(60)]
    assert {plan.players for plan in plans} == {2, 3, 4, 5, 6}
    assert all(bool(plan.faults) == bool(plan.seed % 2) for plan in plans)
    assert {plan.variant for plan in plans} == {("normalo",), ("zero",), ("chaos",)}
