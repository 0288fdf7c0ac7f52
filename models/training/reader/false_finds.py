"""What the finder takes for cards and is none: the reader learns to say so."""

from __future__ import annotations

from pathlib import Path

import numpy as np
from numpy.typing import NDArray

from finito.virtual_table.scene import Rendered
from finito.virtual_table.stills import still
from models.evaluation.finding_truth import overlap
from models.training.reader.still_bank import HEIGHT, WIDTH, long_side, wide_crop
from vision.card_finder import CardFinder
from vision.reading.crops import light_of, upright_quad

_SIZES = ((1280, 720), (960, 540), (640, 360))
_LEAST_SCORE = 0.08
_NO_CARD = 0.35  # overlap with any card below which a quad is none
_PER_STILL = 8
_FRESH = 12


def false_finds(
    folder: Path, split: str, seed: int, stills: int, finder: CardFinder | None = None
) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    """Crops as in the bank of stills, and the light of their pictures; drawn where they are missing."""
    path = folder / f"false-{split}-{seed}-{stills}.npz"
    if not path.exists():
        folder.mkdir(parents=True, exist_ok=True)
        finder = finder or CardFinder(least_score=_LEAST_SCORE)
        pictures, lights = [], []
        for index in range(stills):
            rng = np.random.default_rng([seed, index, 78])
            size = _SIZES[int(rng.integers(len(_SIZES)))]
            rendered = still(seed * 10_000 + 7_000 + index // _FRESH, split, size, index % _FRESH)
            quads = _no_cards(rendered, finder)
            for i in rng.permutation(len(quads))[:_PER_STILL]:
                pictures.append(wide_crop(rendered.picture, quads[int(i)]))
                lights.append(light_of(rendered.picture))
        np.savez(path, pictures=np.array(pictures, np.uint8).reshape(-1, HEIGHT, WIDTH, 3), light=lights)
    kept = np.load(path)
    return kept["pictures"], kept["light"].astype(np.float32)


def _no_cards(rendered: Rendered, finder: CardFinder) -> list[NDArray[np.float32]]:
    cards = [np.asarray(card.corners, np.float32) for card in rendered.cards if card.visible > 0]
    quads = []
    for found in finder.find(rendered.picture):
        nearest = max((overlap(found.corners, card) for card in cards), default=0.0)
        if nearest < _NO_CARD and long_side(found.corners) > 16:
            quads.append(upright_quad(found.corners))
    return quads
