"""Whose the cards of a row are: each back is compared with what shows where it fits best.

Backs with small patterns fit only within a pixel; a card that was laid by one back is no place to try others.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from itertools import product
from typing import Any, Final, TypeAlias

import numpy as np
from numpy.typing import NDArray

from vision.counting.between_backs import between_backs
from vision.counting.flat_sheet import FlatSheet, placed
from vision.counting.known_backs import Fit, KnownBacks
from vision.counting.laid_rows import fit_worth
from vision.counting.whole_cards import LaidCard, climbed

Array: TypeAlias = NDArray[Any]

_ROUGHLY: Final = 2.5
_MOST_WAYS: Final = 5
_WORTH_TRYING: Final = 0.35  # so much worse, roughly, a back may fit than the best
_STEP: Final = 1.5
# A card that fits worse is looked for in places around: pixels, and radians.
_POOR: Final = 0.6
_AROUND: Final = np.array(
    list(product((-4.0, 0.0, 4.0), (-4.0, 0.0, 4.0), (-0.05, -0.025, 0.0, 0.025, 0.05)))
)
_FEWEST_POINTS: Final = 40


def told_apart(sheet: FlatSheet, backs: KnownBacks, cards: Sequence[LaidCard]) -> list[LaidCard]:
    """The same cards with the fit of each back at its best."""
    told: dict[int, LaidCard] = {}
    for card in cards:  # those above come before those beneath
        above = card.beneath
        told[id(card)] = replace(
            _told(sheet, backs, card), beneath=None if above is None else told.get(id(above), above)
        )
    return list(told.values())


def _told(sheet: FlatSheet, backs: KnownBacks, card: LaidCard) -> LaidCard:
    where = placed(card.pose, backs.points)[0]
    shown = np.ones(len(where), bool)
    above = card.beneath
    while above is not None:
        shown &= ~sheet.under(above.pose, where)
        above = above.beneath
    if shown.sum() < _FEWEST_POINTS:
        return card
    rough = backs.fit(sheet, card.pose, shown, _ROUGHLY)
    first = backs.fit(sheet, card.pose, shown)
    best, likeness = first.fits, first.likeness
    pose, highest = card.pose, float(best.max())
    ways = [
        way
        for way in np.argsort(-rough.fits)[:_MOST_WAYS].tolist()
        if rough.fits[way] >= rough.best - _WORTH_TRYING
    ]
    seen = np.tile(shown, (len(ways), 1))
    start = np.tile(card.pose, (len(ways), 1))
    if first.best < _POOR:  # a repeating pattern may have held it a little off
        around = np.tile(card.pose + _AROUND, (len(ways), 1, 1))
        worth = backs.sums(sheet, around, ways, seen, _ROUGHLY)
        start = around[np.arange(len(ways)), worth.argmax(axis=1)]
        start = climbed(start, lambda near: backs.sums(sheet, near, ways, seen, _ROUGHLY), _ROUGHLY)
    for tried in climbed(start, lambda near: backs.sums(sheet, near, ways, seen), _STEP):
        fit = backs.fit(sheet, tried, shown)
        fits = fit.fits
        best, likeness = np.maximum(best, fits), np.maximum(likeness, fit.likeness)
        if float(fits.max()) > highest:
            pose, highest = tried, float(fits.max())
    likeness = np.maximum(likeness, _in_other_lights(sheet, backs, pose, shown))
    fit = Fit(best, int(shown.sum()), likeness)
    gain = card.gain + max(
        0.0, fit_worth(fit) - fit_worth(card.fit)
    )  # small patterns fit only within a pixel
    return replace(card, pose=pose, fit=fit, gain=gain, between=_between(sheet, backs, pose, shown, likeness))


def _between(sheet: FlatSheet, backs: KnownBacks, pose: Array, shown: Array, likeness: Array) -> Array:
    """What is said between the ways in each light that is likely."""
    chosen, said = backs.cast, []
    for cast in (chosen, *backs.other_casts):
        backs.cast = cast
        said.append(between_backs(backs, sheet, pose, shown, likeness))
    backs.cast = chosen
    return np.stack(said)


def _in_other_lights(sheet: FlatSheet, backs: KnownBacks, pose: Array, shown: Array) -> Array:
    """How alike each way is in the likeliest of the other lights: backs that differ in hue alone may swap."""
    chosen = backs.cast
    alike = np.full(2 * len(backs.names), -np.inf)
    for cast in backs.other_casts:
        backs.cast = cast
        alike = np.maximum(alike, backs.fit(sheet, pose, shown).likeness)
    backs.cast = chosen
    return alike
