"""Fits how clusters are scored, on validation stills."""

import sys
from collections.abc import Iterable

import numpy as np
from scipy.optimize import minimize

from models.evaluation.finding_truth import MET, SEEN_ENOUGH, overlap
from models.training.finder.stills_cache import Sample
from vision.card_finder import CardFinder
from vision.finding.maps import Array
from vision.finding.selection import WEIGHTS, features, terms
from vision.onnx_model import OnnxModel

_PULL = 1e-4


def labelled(finder: CardFinder, sample: Sample) -> tuple[Array, Array, Array]:
    """Features of the clusters of a still, whether each is a card, and how much each counts."""
    clusters, *_ = finder.clusters(sample.picture)
    right, weight = np.zeros(len(clusters)), np.ones(len(clusters))
    best: dict[int, int] = {}
    for i, cluster in enumerate(clusters):
        table = [overlap(cluster.corners.astype(np.float32), truth) for truth in sample.corners]
        if table and max(table) >= MET:
            card = int(np.argmax(table))
            if card not in best or clusters[best[card]].seen < cluster.seen:
                best[card] = i
            if sample.visible[card] < SEEN_ENOUGH:
                # Nobody asks for a card of which little shows; finding it is right all the same.
                weight[i] = 0.15
    for i in best.values():
        right[i] = 1
    return features(clusters), right, weight


def fitted(rows: Array, right: Array, weight: Array) -> Array:
    """Logistic regression on the features and their products, pulled to zero."""
    given = terms(rows)
    sign = 2 * right - 1

    def cost(weights: Array) -> tuple[float, Array]:
        margin = sign * (given @ weights)
        slope = -sign * weight / (1 + np.exp(np.clip(margin, -50, 50))) / weight.sum()
        total = float((weight * np.logaddexp(0, -margin)).sum() / weight.sum())
        return total + _PULL * float((weights**2).sum()), given.T @ slope + 2 * _PULL * weights

    return np.asarray(minimize(cost, np.zeros(given.shape[1]), jac=True, options={"maxiter": 2000}).x)


def score_weights(content: bytes, stills: Iterable[Sample], long_side: int) -> Array:
    """The weights for the manifest; says on standard error how well they do on stills held out."""
    finder = CardFinder(OnnxModel(content), [0.0] * WEIGHTS, long_side=long_side)
    parts = [labelled(finder, sample) for sample in stills]
    _say_held_out(parts)
    return fitted(*(np.concatenate([part[i] for part in parts]) for i in range(3)))


def _say_held_out(parts: list[tuple[Array, Array, Array]]) -> None:
    """How a fit to two thirds of the stills does on the others."""
    learnt, held = ([p for i, p in enumerate(parts) if (i % 3 == 0) is out] for out in (False, True))
    weights = fitted(*(np.concatenate([part[i] for part in learnt]) for i in range(3)))
    rows, right, weight = (np.concatenate([part[i] for part in held]) for i in range(3))
    said = terms(rows) @ weights > 0
    wrong, lost = int((said & (right == 0)).sum()), int((~said & (right == 1) & (weight == 1)).sum())
    asked = int(((right == 1) & (weight == 1)).sum())
    sys.stderr.write(f"{len(held)} stills held out: {asked} cards, {lost} lost, {wrong} false\n")
