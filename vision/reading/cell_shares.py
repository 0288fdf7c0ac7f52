"""The chance of every enrolled design, from the cards of one picture beside it and the net's heads."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import numpy as np
from numpy.typing import NDArray

from vision.reading.cell_evidence import CellWeights
from vision.reading.cell_match import Comparison, compare
from vision.reading.cells import cells_of
from vision.reading.deck_cells import Designs
from vision.reading.looking import Looks
from vision.reading.softmax import softmax

Floats = NDArray[np.float64]
# Cards and as many designs, as crops, to the odds that they are of one print.
Twin = Callable[[NDArray[np.uint8], NDArray[np.uint8]], list[NDArray[Any]]]

_MOST, _FEWEST = 12, 4  # designs that are compared with a card
_UNLIKELY: Final = 0.001
_PLAIN: Final = 0.9995  # a card that is as plain as that to the heads need not be compared with others
_NEVER: Final = 1e-12


def likeliest(first: Floats) -> NDArray[np.intp]:
    """The designs a card is compared with, by the shares that the heads give to all."""
    likely = int((first >= _UNLIKELY).sum())
    return np.argsort(-first)[: min(max(likely, _FEWEST), _MOST)]


def compared(crop: NDArray[np.uint8], known: Designs, upright: float, twin: Twin | None = None) -> Comparison:
    """A crop with designs; `upright` is the chance that it stands. A net for twins adds a clue of its own."""
    both_ways = np.stack([crop, crop[::-1, ::-1]])
    seen = compare(cells_of(both_ways), known.cells, upright)
    if twin is None:
        return seen
    (odds,) = twin(both_ways[seen.turned.astype(np.intp)], known.crops)
    return replace(seen, clues=np.hstack([seen.clues, odds.astype(np.float64)[:, None]]))


def shares(
    looks: Looks,
    heads: Floats,
    first: Floats,
    known: Designs,
    weights: CellWeights,
    twin: Twin | None = None,
) -> Floats:
    """n × designs. A design that is not among a card's likeliest is no likelier than the last of them."""
    scores, lights = np.zeros(first.shape), np.zeros((*first.shape, 3))
    plain = first.max(axis=1) >= _PLAIN
    for card in range(len(first)):
        if plain[card] and not weights.shared:
            continue
        designs = likeliest(first[card])[: 1 if plain[card] else None]
        seen = compared(looks.crops[card], known[designs], float(looks.upright[card]), twin)
        score = weights.score(seen, heads[card, designs])
        scores[card], lights[card] = score.min(), seen.light[score.argmax()]
        scores[card, designs], lights[card, designs] = score, seen.light
    scores[plain] = np.log(first[plain] + _NEVER)
    return together(scores, lights, weights)


def together(scores: Floats, lights: Floats, weights: CellWeights) -> Floats:
    """Shares of the designs (n × designs), when all cards lie in one picture."""
    alone = softmax(scores)
    return softmax(scores + weights.shared.speaks_for(alone, lights)) if weights.shared else alone
