"""How cells, heads and shared light are weighed: only what tells designs apart gets weight."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from models.training.reader.cell_fitting import Example, fitted, pictured, with_light
from models.training.reader.limits import threshold
from vision.reading.cell_match import CLUES, Comparison

RNG = np.random.default_rng(3)
TELLS = CLUES.index("fit")


def example(number: int, light: float = 0.0) -> Example:
    """Of three designs the first two are twins but for the light; only one clue tells the third apart."""
    truth = int(RNG.integers(2))
    clues = RNG.normal(0, 1, (3, len(CLUES)))
    clues[:, TELLS] = np.array([0.0, 0.0, -2.0]) + RNG.normal(0, 0.8, 3)
    lights = np.zeros((3, 3))
    lights[:, 1] = light + np.where(np.arange(3) == truth, 0.0, 0.5 * (1 if truth else -1))
    lights[2, 1] = 3.0
    return Example(
        f"picture {number // 8}",
        Comparison(clues, lights, np.zeros(3, bool)),
        RNG.normal(0, 1, (3, 1)),
        truth,
    )


def test_only_the_clue_that_tells_gets_weight() -> None:
    weights = fitted([example(number) for number in range(600)])
    others = np.delete(weights.clues, TELLS)
    assert weights.clues[TELLS] > 0.5
    assert np.abs(others).max() < 0.2
    assert np.abs(weights.heads).max() < 0.2


def test_twins_that_no_card_alone_can_tell_apart_are_told_apart_by_the_light_of_all() -> None:
    examples = [example(number, light=0.2 * (number // 8 % 3)) for number in range(160)]
    weights = [fitted(examples)] * len(examples)
    shared = with_light(weights, examples)
    alone = pictured(weights, examples)
    together = pictured([replace(one, shared=shared) for one in weights], examples)
    assert hits(together, examples) > 0.9 > hits(alone, examples)


def hits(shares: list[NDArray[np.float64]], examples: list[Example]) -> float:
    return float(np.mean([s.argmax() == e.truth for s, e in zip(shares, examples, strict=True)]))


def test_the_limit_lets_no_more_wrong_answers_through_than_allowed() -> None:
    shares = [np.array([0.9, 0.1])] * 90 + [np.array([0.7, 0.3])] * 10
    truths = [0] * 90 + [1] * 10
    limit = threshold(shares, truths, wrong=0.05)
    assert 0.7 < limit <= 0.9
