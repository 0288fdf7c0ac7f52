"""Finding on renders of decks and tables that no training saw."""

from __future__ import annotations

import time
from collections.abc import Iterator
from typing import Any

import numpy as np

from finito.virtual_table.stills import still
from models.evaluation.finding_truth import SEEN_ENOUGH, corner_error, met
from vision.card_finder import CardFinder

SEED = 4040
_SIZES = ((1280, 720), (960, 540), (1024, 768), (768, 1024))
# A card cut off by the frame counts as long as this much of it lies within.
_MOST_CUT_OFF = 0.5


def render_rows(finder: CardFinder, count: int, seed: int = SEED) -> Iterator[dict[str, Any]]:
    """One row per still."""
    for index in range(count):
        rendered = still(seed, "test", _SIZES[index % len(_SIZES)], index)
        started = time.perf_counter()
        found = finder.find(rendered.picture)
        spent = time.perf_counter() - started
        # Anything that meets a true card, however little of it shows, is not false.
        truths = [card for card in rendered.cards if card.visible > 0]
        asked = [card.visible >= SEEN_ENOUGH and card.cut_off <= _MOST_CUT_OFF for card in truths]
        first = met([c.corners.astype(np.float32) for c, a in zip(truths, asked, strict=True) if a], found)
        wanted = [c for c, a in zip(truths, asked, strict=True) if a]
        errors = [corner_error(wanted[t].corners, found[f].corners) for t, f, _ in first.pairs]
        rest = [card for i, card in enumerate(found) if i not in {f for _, f, _ in first.pairs}]
        hardly = [c.corners.astype(np.float32) for c, a in zip(truths, asked, strict=True) if not a]
        yield {
            "index": index,
            "cards": len(wanted),
            "met": len(first.pairs),
            "found": len(found),
            "false": met(hardly, rest).false,
            "corner_error": round(float(np.mean(errors)), 4) if errors else "",
            "ms": round(1000 * spent, 1),
        }
