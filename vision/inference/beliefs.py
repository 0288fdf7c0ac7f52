"""How likely each face is at one place: a chance for every face of the deck, in the deck's order."""

from __future__ import annotations

from dataclasses import dataclass, field
from functools import cached_property
from operator import mul
from typing import Final, TypeAlias

from referee.cards import Face, parse_face
from referee.errors import RefereeError
from vision.observations import Chances

Belief: TypeAlias = tuple[float, ...]
_LEAST_DOUBT: Final = 1e-4  # no reading is taken to be surer than this
_SURE: Final = 0.9  # chance from which on a reading leaves hardly any doubt
_NOT_NAMED: Final = 0.3  # of what a reading leaves open most belongs to the faces it names


@dataclass(frozen=True)
class Faces:
    """The faces of a game and the arithmetic of beliefs on them."""

    all: tuple[Face, ...]
    _parsed: dict[str, tuple[int, ...]] = field(default_factory=dict, compare=False)

    @cached_property
    def unknown(self) -> Belief:
        return (1.0 / len(self.all),) * len(self.all)

    @cached_property
    def index(self) -> dict[Face, int]:
        return {face: number for number, face in enumerate(self.all)}

    def read(self, chances: Chances) -> Belief:
        """A reading as a belief; what it leaves open, and a least doubt, is spread over all faces."""
        if not chances:
            return self.unknown
        named = sum(chance for _, chance in chances)
        scale = 1.0 if named <= 1.0 else 1.0 / named
        size = len(self.all)
        rest = max(_NOT_NAMED * (1.0 - named * scale), _LEAST_DOUBT)
        belief = [rest / size] * size
        for name, chance in chances:
            among = self._among(name)
            for number in among:
                belief[number] += chance * scale / len(among)
        return normalised(belief)

    def _among(self, name: str) -> tuple[int, ...]:
        """The faces a name may stand for: one for `R5`, a row for `R?`; none for what this game lacks."""
        found = self._parsed.get(name)
        if found is None:
            try:
                said = parse_face(name)
                found = tuple(n for n, face in enumerate(self.all) if said.could_be(face))
            except RefereeError:
                found = ()
            self._parsed[name] = found
        return found

    def best(self, belief: Belief) -> tuple[Face, float]:
        """The likeliest face and its chance."""
        chance = max(belief)
        return self.all[belief.index(chance)], chance

    def only(self, face: Face) -> Belief:
        number = self.index[face]
        return tuple(1.0 if n == number else 0.0 for n in range(len(self.all)))


def normalised(weights: list[float] | tuple[float, ...]) -> Belief:
    total = sum(weights)
    return tuple([weight / total for weight in weights])


def agreement(one: Belief, other: Belief) -> float:
    """How much likelier both are of one card than of two cards picked at random."""
    both: float = sum(map(mul, one, other))
    return len(one) * both


def together(one: Belief, other: Belief) -> Belief:
    """What two independent readings of one card say."""
    product = list(map(mul, one, other))
    total = sum(product)
    return tuple([weight / total for weight in product]) if total > 0.0 else other


def read_twice(one: Belief, other: Belief) -> Belief:
    """What two readings say of a card that lies there all the while, under one light and another.

    Where both are sure and contradict each other, one of them is wrong as a whole, and nobody knows which.
    """
    if min(max(one), max(other)) < _SURE or one.index(max(one)) == other.index(max(other)):
        return together(one, other)
    return tuple([(a + b) / 2.0 for a, b in zip(one, other, strict=True)])
