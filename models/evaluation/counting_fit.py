"""Fits what makes an outline a card when backs are counted: `python -m models.evaluation.counting_fit`.

Uses validation decks and scenes; prints the weights for vision/counting/card_chance.py.
"""

from __future__ import annotations

import argparse
import sys

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from finito.virtual_table.decks import random_deck
from models.evaluation.counting_scenes import counting_photo
from models.evaluation.finding_truth import met
from models.evaluation.reading_sets import enrolled_from_photos
from vision.back_counter import BackCounter
from vision.card_finder import FoundCard
from vision.card_reader import CardReader
from vision.counting.card_chance import WEIGHTS, chances
from vision.onnx_model import load

SEED = 3030
_HOLD = 0.5


def examples(photos: int) -> tuple[NDArray[np.float64], NDArray[np.bool_]]:
    """Features of outlines and whether they are cards."""
    net, reader = load("finder"), CardReader()
    rows, labels = [], []
    for number in range(photos):
        deck = random_deck(SEED + number // 2, "validation")
        enrolled = enrolled_from_photos(deck.name, reader.look, reader.model_hash)
        rendered = counting_photo(deck, SEED + number, number % 2 == 1).rendered
        weighed = BackCounter(net, reader, enrolled).weighed(rendered.picture)
        truths = [card.corners.astype(np.float32) for card in rendered.cards]
        found = [FoundCard(quad, 1.0, 1.0) for quad in weighed.quads]
        hits = {index for _, index, _ in met(truths, found).pairs}
        rows.append(weighed.features)
        labels += [index in hits for index in range(len(found))]
    return np.concatenate(rows), np.array(labels)


def fitted(rows: NDArray[np.float64], labels: NDArray[np.bool_]) -> NDArray[np.float64]:
    """Weights by logistic regression, held near zero in units of each feature's spread."""
    spread = np.append(np.maximum(rows.std(axis=0), 1e-6), 1.0)

    def surprise(scaled: NDArray[np.float64]) -> float:
        right = np.clip(chances(rows, list(scaled / spread)), 1e-9, 1 - 1e-9)
        loss = -np.log(np.where(labels, right, 1 - right)).sum()
        return float(loss + _HOLD * (scaled[:-1] ** 2).sum())

    return np.asarray(minimize(surprise, np.array(WEIGHTS) * spread, method="BFGS").x / spread)


def main() -> None:
    parser = argparse.ArgumentParser(prog="python -m models.evaluation.counting_fit", description=__doc__)
    parser.add_argument("--photos", type=int, default=40)
    rows, labels = examples(parser.parse_args().photos)
    weights = fitted(rows, labels)
    for name, given in (("before", list(WEIGHTS)), ("fitted", list(weights))):
        said = chances(rows, given) >= 0.5
        wrong = (said & ~labels).sum(), (~said & labels).sum()
        sys.stdout.write(f"{name}: {wrong[0]} false and {wrong[1]} missed of {labels.sum()} cards\n")
    sys.stdout.write("WEIGHTS: Final = (" + ", ".join(f"{weight:.2f}" for weight in weights) + ")\n")


if __name__ == "__main__":
    main()
