"""How well a card fits upon what a pile may show, and what the pile may show afterwards."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Final

from referee.cards import Face
from referee.rules.pile_fit import PileLaw
from referee.state import Top, top
from vision.inference.beliefs import Belief, Faces
from vision.inference.table import Tops

_MOST_TOPS: Final = 6
_LEAST: Final = 1e-4
_LIKELY: Final = 3e-4  # the second guess of a clear reading is worth keeping: the next card may fit it
BARE: Final[Tops] = ((None, 1.0),)


@dataclass(frozen=True)
class Fitting:
    """The law of the centre over beliefs; a card that does not fit is rare, not impossible."""

    law: PileLaw
    faces: Faces
    misfit: float
    _fits: dict[Top | None, tuple[bool, ...]] = field(default_factory=dict, compare=False)
    _after: dict[Top | None, tuple[tuple[bool, int], ...]] = field(default_factory=dict, compare=False)
    _numbers: dict[Top | None, int] = field(default_factory=dict, compare=False)
    _tops: list[Top | None] = field(default_factory=list, compare=False)

    def fitting(self, below: Top | None) -> tuple[bool, ...]:
        found = self._fits.get(below)
        if found is None:
            found = tuple(self.law.breach(below, face) is None for face in self.faces.all)
            self._fits[below] = found
        return found

    def usual(self, tops: Tops) -> Belief:
        """For every face how usual it is that it is laid here: 1 where it fits, little where not."""
        if not tops:
            return (0.5,) * len(self.faces.all)
        rare = self.misfit
        if len(tops) == 1:
            return tuple([1.0 if fits else rare for fits in self.fitting(tops[0][0])])
        weights = [rare] * len(self.faces.all)
        for below, chance in tops:
            gain = (1.0 - rare) * chance
            for number, fits in enumerate(self.fitting(below)):
                if fits:
                    weights[number] += gain
        return tuple(weights)

    def chance_of_fit(self, tops: Tops, faces: Belief, usual: Belief) -> float:
        """The chance that the card, believed to be one of these faces, fits what lay there."""
        if not tops:
            return 0.5
        rare = self.misfit
        chances = [c * (1.0 - rare / rate) for c, rate in zip(faces, usual, strict=True) if c > _LEAST]
        return sum(chances) / (1.0 - rare)

    def after(self, tops: Tops, faces: Belief) -> Tops:
        """What the pile may show once the card lies there; a card that does not fit may be called off it."""
        found: dict[int, float] = {}
        piles = [(self._grown(below), self._number(below), weight) for below, weight in tops or BARE]
        for face, chance in enumerate(faces):
            if chance < _LIKELY:
                continue
            for grown, before, weight in piles:
                fits, new = grown[face]
                if fits:
                    found[new] = found.get(new, 0.0) + chance * weight
                else:
                    share = chance * weight * self.misfit / 2
                    found[new] = found.get(new, 0.0) + share
                    found[before] = found.get(before, 0.0) + share
        return _normalised({self._tops[number]: weight for number, weight in found.items()})

    def _grown(self, below: Top | None) -> tuple[tuple[bool, int], ...]:
        """For every face whether it fits there, and the number of what the pile shows then."""
        known = self._after.get(below)
        if known is None:
            cards = zip(self.faces.all, self.fitting(below), strict=True)
            tops = [(fits, self.law.after(below, card) if fits else _as_it_is(card)) for card, fits in cards]
            known = self._after[below] = tuple([(fits, self._number(new)) for fits, new in tops])
        return known

    def _number(self, shown: Top | None) -> int:
        """What a pile shows, by a number: this is asked for all the time."""
        number = self._numbers.get(shown)
        if number is None:
            number = self._numbers[shown] = len(self._tops)
            self._tops.append(shown)
        return number

    def seen(self, faces: Belief) -> Tops:
        """What a pile may show of which only the top card is known."""
        likely = {card: chance for card, chance in zip(self.faces.all, faces, strict=True) if chance > 0.02}
        if len(likely) > _MOST_TOPS or not likely or any(self.law.is_joker(card) for card in likely):
            return ()
        return _normalised({_as_it_is(card): chance for card, chance in likely.items()})


def _as_it_is(card: Face) -> Top:
    assert card.number is not None
    return top(card.number, card.colour)


def _normalised(weights: dict[Top | None, float]) -> Tops:
    best = sorted(weights.items(), key=lambda item: -item[1])[:_MOST_TOPS]
    total = sum(weight for _, weight in best)
    return tuple((each, weight / total) for each, weight in best if weight / total > _LEAST)
