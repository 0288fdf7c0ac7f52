"""Fits how much the cells of a card, the heads of the net and the shared light say for enrolled designs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize
from scipy.special import log_softmax, softmax

from vision.reading.cell_evidence import CellWeights
from vision.reading.cell_match import Comparison
from vision.reading.cell_shares import together
from vision.reading.shared_light import SharedLight

Floats = NDArray[np.float64]

_START = SharedLight(spread=0.1, strength=0.3, others=1.0, own=1.0, stray=0.03)
_DECAY = 1e-4
_FIRST_STEP = 0.5  # of the logarithms
_MISSING = -1e4


@dataclass(frozen=True, eq=False)
class Example:
    """A card compared with its likeliest designs; `truth` is one of them, or -1."""

    picture: str
    seen: Comparison
    heads: Floats  # designs × heads
    truth: int


def fitted(examples: Sequence[Example]) -> CellWeights:
    """The weights under which the right designs are likeliest, each card by itself."""
    known = [example for example in examples if example.truth >= 0]
    rows = [np.hstack([e.seen.clues, e.heads]) for e in known]
    apart = np.concatenate([row - row[e.truth] for row, e in zip(rows, known, strict=True)])
    scale = np.maximum(np.sqrt((apart**2).mean(axis=0)), 1e-6)
    given = np.zeros((len(known), max(map(len, rows)), len(scale)))
    missing = np.full(given.shape[:2], _MISSING)
    for number, (row, example) in enumerate(zip(rows, known, strict=True)):
        given[number, : len(row)] = (row - row[example.truth]) / scale
        missing[number, : len(row)] = 0
    truth = np.array([example.truth for example in known])
    each = np.arange(len(truth))

    def surprise(weights: Floats) -> tuple[float, Floats]:
        scores = given @ weights + missing
        slope = np.einsum("nd,ndk->k", softmax(scores, axis=1), given) / len(truth)
        lost = -log_softmax(scores, axis=1)[each, truth].mean()
        return float(lost + _DECAY * (weights**2).sum()), slope + 2 * _DECAY * weights

    start = np.full(len(scale), 0.3)
    found = minimize(surprise, start, jac=True, method="L-BFGS-B", bounds=[(0, None)] * len(scale)).x / scale
    clues = known[0].seen.clues.shape[1]
    return CellWeights(found[:clues], found[clues:])


def with_light(weights: Sequence[CellWeights], examples: Sequence[Example]) -> SharedLight:
    """How much the light may differ and is believed; each example is scored by the weights given for it."""

    def made(numbers: Floats) -> SharedLight:
        spread, strength, others, own, stray = (float(number) for number in np.exp(numbers))
        return SharedLight(spread, strength, others, own, min(stray, 0.5))

    def surprise(numbers: Floats) -> float:
        light = made(numbers)
        shares = pictured([replace(one, shared=light) for one in weights], examples)
        right = [np.log(s[e.truth] + 1e-9) for s, e in zip(shares, examples, strict=True) if e.truth >= 0]
        return float(-np.mean(right))

    start = np.log([_START.spread, _START.strength, _START.others, _START.own, _START.stray])
    around = np.vstack([start, start + _FIRST_STEP * np.eye(len(start))])
    found = minimize(
        surprise, start, method="Nelder-Mead", options={"maxiter": 80, "initial_simplex": around}
    )
    return made(found.x)


def pictured(weights: Sequence[CellWeights], examples: Sequence[Example]) -> list[Floats]:
    """The shares of every example's designs, those of one picture together."""
    pictures: dict[str, list[int]] = {}
    for i, example in enumerate(examples):
        pictures.setdefault(example.picture, []).append(i)
    made: list[Floats] = [np.zeros(0)] * len(examples)
    for members in pictures.values():
        most = max(len(examples[i].heads) for i in members)
        scores, lights = np.full((len(members), most), _MISSING), np.zeros((len(members), most, 3))
        for row, i in enumerate(members):
            count = len(examples[i].heads)
            scores[row, :count] = weights[i].score(examples[i].seen, examples[i].heads)
            lights[row, :count] = examples[i].seen.light
        shares = together(scores, lights, weights[members[0]])
        for row, i in enumerate(members):
            made[i] = shares[row, : len(examples[i].heads)]
    return made
