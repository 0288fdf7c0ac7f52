"""Fits how clusters are scored, on validation stills: python -m models.training.finder.scores ONNX FOLDER.

FOLDER holds stills drawn by stills_cache with --split validation. Prints the weights for selection.py.
"""

import argparse
import sys
from pathlib import Path

import numpy as np
from scipy.optimize import minimize

from models.evaluation.finding_truth import MET, SEEN_ENOUGH, overlap
from models.training.finder.stills_cache import Sample, unpacked
from vision.card_finder import CardFinder
from vision.finding.maps import Array
from vision.finding.selection import features
from vision.onnx_model import OnnxModel

_PULL = 0.01


def labelled(finder: CardFinder, sample: Sample) -> tuple[Array, Array, Array]:
    """Features of the clusters of a still, whether each is a card, and how much each counts."""
    clusters, _ = finder.clusters(sample.picture)
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
    """Logistic regression, slightly pulled to zero."""
    given = np.hstack([rows, np.ones((len(rows), 1))])
    sign = 2 * right - 1

    def cost(weights: Array) -> float:
        return float(
            (weight * np.logaddexp(0, -sign * (given @ weights))).sum() / weight.sum()
        ) + _PULL * float((weights**2).mean())

    return np.asarray(minimize(cost, np.zeros(given.shape[1])).x)


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("onnx", type=Path)
    parser.add_argument("folder", type=Path)
    given = parser.parse_args()
    finder = CardFinder(OnnxModel(given.onnx.read_bytes()))
    stills = [unpacked(path.read_bytes()) for path in sorted(given.folder.glob("*.still"))]
    parts = [labelled(finder, sample) for sample in stills]
    rows, right, weight = (np.concatenate([part[i] for part in parts]) for i in range(3))
    weights = fitted(rows, right, weight)
    said = 1 / (1 + np.exp(-(rows @ weights[:-1] + weights[-1])))
    wrong = int(((said > 0.5) & (right == 0)).sum())
    lost = int(((said <= 0.5) & (right == 1) & (weight == 1)).sum())
    sys.stdout.write(f"{len(rows)} clusters, {int(right.sum())} right, {wrong} wrong kept, {lost} lost\n")
    sys.stdout.write(f"WEIGHTS: tuple[float, ...] = ({', '.join(f'{w:.3f}' for w in weights)})\n")


if __name__ == "__main__":
    main()
