"""Cards of one deck and side, each as it was enrolled and as it is met later."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeVar

import numpy as np
from numpy.typing import NDArray

from models.training.reader.card_bank import CardBank
from models.training.reader.samples import Sample, Sampler
from models.training.reader.still_bank import StillBank
from vision.reading.answers import SIDES

_MOST, _FEWEST = 6, 3  # designs of one group
_DRAWN: Final = 0.4  # of the groups; the others are cut from stills
_UPSIDE_DOWN: Final = 0.05  # which way up a card lies is sometimes mistaken
# A crop of a still that may pass for an enrolled one.
_WHOLE, _LARGE = 0.97, 70.0
_CARD, _SIDE, _UPRIGHT = 1, 2, 5

Crops = NDArray[np.uint8]
Print = tuple[NDArray[np.intp], NDArray[np.intp]]  # crops that show it whole, and all of it
T = TypeVar("T")


@dataclass(frozen=True)
class Group:
    """Row i of the cards is of the same print as row i of the designs."""

    cards: Crops
    designs: Crops


class GroupMaker:
    def __init__(self, cards: CardBank, stills: StillBank) -> None:
        self._sampler = Sampler(cards, stills)
        self._drawn = [half for deck in cards.by_deck for half in _sides(deck, cards.labels)]
        shown = np.flatnonzero(stills.labels[:, 0] >= 0)
        order = shown[np.argsort(stills.labels[shown, 0], kind="stable")]
        starts = np.flatnonzero(np.diff(stills.labels[order, 0])) + 1
        decks = [half for deck in np.split(order, starts) for half in _sides(deck, stills.labels)]
        self._cut = [prints for deck in decks if len(prints := self._prints(deck)) >= _FEWEST]

    def group(self, rng: np.random.Generator) -> Group:
        pairs = self._from_drawings(rng) if rng.random() < _DRAWN else self._from_stills(rng)
        cards = [card[::-1, ::-1] if rng.random() < _UPSIDE_DOWN else card for card, _ in pairs]
        return Group(np.stack(cards), np.stack([design for _, design in pairs]))

    def _prints(self, rows: NDArray[np.intp]) -> list[Print]:
        """The designs of a deck that at least one crop shows whole, and at least two show."""
        stills = self._sampler.stills
        whole = (stills.visible[rows] >= _WHOLE) & (stills.height[rows] >= _LARGE)
        names = stills.labels[rows, _CARD]
        prints = [(rows[whole & (names == name)], rows[names == name]) for name in np.unique(names[whole])]
        return [(enrolled, shown) for enrolled, shown in prints if len(shown) > 1]

    def _from_drawings(self, rng: np.random.Generator) -> list[tuple[Crops, Crops]]:
        rows = _chosen(self._drawn, rng)
        some = rng.choice(rows, min(_MOST, len(rows)), replace=False)
        return [
            (_upright(self._sampler.drawn(int(i), rng)), _upright(self._sampler.enrolled(int(i), rng)))
            for i in some
        ]

    def _from_stills(self, rng: np.random.Generator) -> list[tuple[Crops, Crops]]:
        prints = _chosen(self._cut, rng)
        some = rng.choice(len(prints), min(_MOST, len(prints)), replace=False)
        return [self._met_again(prints[int(i)], rng) for i in some]

    def _met_again(self, known: Print, rng: np.random.Generator) -> tuple[Crops, Crops]:
        enrolled = int(rng.choice(known[0]))
        met = int(rng.choice(known[1][known[1] != enrolled]))
        crops = [
            self._sampler.cut_upright(row, rng, lightly=bool(rng.random() < part))[0]
            for row, part in ((met, 0.7), (enrolled, 0.5))
        ]
        return crops[0], crops[1]


def _sides(rows: NDArray[np.intp], labels: NDArray[np.int32]) -> list[NDArray[np.intp]]:
    """The faces and the backs among them, where there are enough."""
    parts = [rows[labels[rows, _SIDE] == SIDES.index(side)] for side in ("face", "back")]
    return [part for part in parts if len(part) >= _FEWEST]


def _chosen(groups: list[T], rng: np.random.Generator) -> T:
    return groups[int(rng.integers(len(groups)))]


def _upright(sample: Sample) -> Crops:
    return sample.crop[::-1, ::-1] if sample.label[_UPRIGHT] == 0 else sample.crop
