"""How much the finder and how much the reader is believed on whether something is a card."""

from __future__ import annotations

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray
from scipy.optimize import minimize

from finito.virtual_table.played_stills import STILLS_OF_A_GAME, played_still
from finito.virtual_table.scene import Rendered
from models.evaluation.finding_truth import MET, SEEN_ENOUGH, met, overlap
from vision.card_finder import CardFinder
from vision.card_reader import CardReader
from vision.table_reader import LEAST_WORTH_READING, card_clues

Rows: TypeAlias = NDArray[np.float64]
_SIZES = ((1280, 720), (960, 540))
_GAMES = 160
_HARDLY = 0.15
_WORSE = 3.0  # how much worse a false card is than one that is missed: the next look may find that one
# Not fitted: in games all cards are of one size, and a fit would trust that where a card lies alone, too.
_OFF_SIZE = -2.0


def card_or_not(reader: CardReader, seed: int, finder: CardFinder | None = None) -> list[float]:
    """Weights of the card clues, fitted on validation stills of games that nothing else was chosen on."""
    finder = finder or CardFinder(least_score=LEAST_WORTH_READING, one_size=False)
    # Each of another game: a few odd tables must not decide.
    stills = (
        played_still(seed + 77, "validation", _SIZES, game * STILLS_OF_A_GAME) for game in range(_GAMES)
    )
    parts = [_labelled(finder, reader, rendered) for rendered in stills]
    given, right, weight = (np.concatenate([part[i] for part in parts]) for i in range(3))
    sign, off_size = 2 * right - 1, _OFF_SIZE * given[:, 3]

    def cost(weights: Rows) -> float:
        margin = sign * (given[:, :3] @ weights + off_size)
        return float((weight * np.logaddexp(0, -margin)).sum() / weight.sum())

    return [*(float(value) for value in minimize(cost, np.zeros(3)).x), _OFF_SIZE]


def _labelled(finder: CardFinder, reader: CardReader, rendered: Rendered) -> tuple[Rows, Rows, Rows]:
    """The clues of everything found in a still, whether it is a card, and how much that counts."""
    found = finder.find(rendered.picture)
    readings = reader.read(rendered.picture, [card.corners for card in found])
    truths = [card for card in rendered.cards if card.visible > 0]
    quads = [np.asarray(card.corners, np.float32) for card in truths]
    pairs = met(quads, found).pairs
    right, weight = np.zeros(len(found)), np.full(len(found), _WORSE)
    for i, card in enumerate(found):
        if any(overlap(quad, card.corners) >= MET for quad in quads):
            weight[i] = _HARDLY  # a second outline: it is left out where it lies upon the first
    for truth, i, _ in pairs:
        right[i] = 1
        weight[i] = 1 if truths[truth].visible >= SEEN_ENOUGH else _HARDLY
    return card_clues(found, readings, max(rendered.picture.shape)), right, weight
