"""Counts cards that are dealt one by one past a camera or in a video."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from typing import Final

import numpy as np

from calibration.deck_enrolment import EnrolledDeck
from vision.counting.dealt_counter import Dealt, DealtCard, DealtCounter
from vision.counting.tally import CountedCard
from vision.frame import Frame
from vision.sources import Source
from vision.table_reader import SeenCard, TableReader

_LOOK_EVERY: Final = 0.12  # seconds; a card must lie still for three looks
_PATIENCE: Final = 15.0  # seconds without a new card after which a live count is over


def count_dealt(
    source: Source, table: TableReader, deck: EnrolledDeck, tell: Callable[[Dealt], None]
) -> list[CountedCard]:
    """Every card that came to rest face down, until the source ends, rests or the user stops it."""
    counter, cards = DealtCounter(), list[CountedCard]()
    looked = last = -np.inf
    with source, suppress(KeyboardInterrupt):
        for event in source:
            if not isinstance(event, Frame) or event.t - looked < _LOOK_EVERY:
                continue
            looked = event.t
            backs = [card for card in table.read(event.picture, deck) if card.reading.side == "back"]
            for dealt in counter.feed(event.t, [_dealt(card) for card in backs]):
                last = event.t
                cards.append(_counted(source.name, dealt))
                tell(dealt)
            if source.live and cards and event.t - last > _PATIENCE:
                break
    return cards


def _dealt(card: SeenCard) -> DealtCard:
    x, y = card.corners.mean(axis=0)
    width = float(np.linalg.norm(card.corners[1] - card.corners[0]))
    return DealtCard(float(x), float(y), width, dict(card.reading.back_guesses))


def _counted(name: str, dealt: Dealt) -> CountedCard:
    if dealt.back is not None:
        return CountedCard(name, (), 1.0, ((dealt.back, 1.0),))
    return CountedCard(name, (), 1.0, tuple((back, 1 / len(dealt.between)) for back in dealt.between))
