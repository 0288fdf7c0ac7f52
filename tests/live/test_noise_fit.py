"""The noise of looks is found again in looks that were made with it."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from random import Random

from finito.bots import play_round
from models.evaluation.inferring_fit import counted, fitted
from models.evaluation.inferring_looks import observations
from models.evaluation.inferring_noise import NoiseModel
from models.evaluation.inferring_table import true_table


def figures(noise: NoiseModel) -> dict[str, float]:
    count: Counter[str] = Counter()
    for seed in range(5, 11):
        played = play_round(seed, 3)
        rng = Random(seed)
        table = true_table(played, noise, rng)
        count += counted(played, observations(table, played.header.players, noise, rng), table.renamed)
    return {row.name: row.films for row in fitted(count)}


def test_poor_readings_and_missed_arms_are_found_in_their_rates() -> None:
    bad = replace(NoiseModel(), poor=0.3, fair=0.2, unread=0.1, arm_missed=0.25, hand_told=0.5)
    found = figures(bad)
    assert abs(found["poor"] - 0.3) < 0.1
    assert abs(found["fair"] - 0.2) < 0.1
    assert abs(found["unread"] - 0.1) < 0.07
    assert abs(found["right_poor"] - 0.65) < 0.15
    assert abs(found["arm_missed"] - 0.25) < 0.1
    assert found["hand_told"] < 0.65


def test_with_the_model_as_it_is_nearly_every_look_is_clear_and_right() -> None:
    found = figures(NoiseModel())
    assert found["right_clear"] > 0.97
    assert found["unread"] < 0.05
    assert found["missed"] < 0.12
