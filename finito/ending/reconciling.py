"""The live log, the last tops of the piles and the counted backs held against each other. Pure.

Two that agree are believed; where none do, one precise question is left, and nothing is guessed in silence.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from referee.cards import parse_face
from vision.counting.tally import CountedCard, Doubt, Tally, tally
from vision.observations import Counted, Look, Observation, Spot

_READ: Final = 0.9  # chance from which on the top of a pile counts as read
_TWICE: Final = 2  # looks that must agree where the log says something else
_UNCLEAR: Final = 3  # looks at cards at rest that leave doubts, before log and tops are taken for it
_WHOLE_PILE: Final = 9  # cards; one more begins anew, where the edition lets it


@dataclass(frozen=True)
class Record:
    """What was seen during the round: cards played by back, and how many the tops of the piles stand for."""

    by_back: Mapping[str, int]
    tops: int | None = None
    joined_late: bool = False
    sure: bool = True  # who played what was plain in every play

    @property
    def stands_alone(self) -> bool:
        """Whether log and tops agree, with nothing doubtful between them."""
        return self.sure and not self.joined_late and self.tops == self.total

    @property
    def total(self) -> int:
        return sum(self.by_back.values())

    @property
    def expected(self) -> int | None:
        """How many cards must lie face down at the end; None where nobody can know."""
        if self.tops is not None:
            return self.tops
        return None if self.joined_late else self.total


@dataclass(frozen=True)
class Reconciled:
    """The count by back; `question` is what a person must settle, None where all is plain.

    `settled`: no other look at the cards is needed. `by_log`: the cards lay too close to be counted, and log
    and tops of the piles agree.
    """

    by_back: Mapping[str, int]
    question: str | None = None
    settled: bool = False
    by_log: bool = False


class PileTops:
    """How many cards the piles hold by the last tops that were seen on them."""

    def __init__(self) -> None:
        self._cards: dict[Spot, int | None] = {}

    def feed(self, observation: Observation) -> None:
        if not isinstance(observation, Look) or not observation.spot.is_centre or observation.shows != "face":
            return
        spot, before = observation.spot, self._cards.get(observation.spot)
        face, chance = observation.faces[0] if observation.faces else ("??", 0.0)
        number = parse_face(face).number if chance >= _READ else None
        if number is None:
            self._cards[spot] = None
        elif number == 0 and before and not observation.again:
            self._cards[spot] = before + 1  # a joker, or a pile that begins anew upon its 8
        else:
            whole = before is not None and before > _WHOLE_PILE
            self._cards[spot] = number + 1 + (_WHOLE_PILE if whole else 0)

    @property
    def total(self) -> int | None:
        """None where the top of a pile was not read."""
        cards = [each for each in self._cards.values() if each is not None]
        return sum(cards) if len(cards) == len(self._cards) else None


def reconcile(record: Record, counted: Iterable[Counted], most_per_back: int) -> Reconciled:
    """The count that agrees with the record; of several looks at the cards the one that agrees best."""
    backs = list(record.by_back)
    looks = [(_tallied(look, backs, most_per_back, record.expected), look.t) for look in counted]
    if not looks:
        return Reconciled(dict(record.by_back), _uncounted(record))
    agreed = [_by_back(each, backs) for each, _ in looks if _agrees(each, record, backs)]
    if agreed:
        # What most looks say; every one of them has as many cards as there must be.
        most = max(agreed, key=agreed.count)
        return Reconciled(most, settled=most == dict(record.by_back) or agreed.count(most) >= _TWICE)
    if len(looks) >= _UNCLEAR and all(_unclear(each, record, backs) for each, _ in looks[-_UNCLEAR:]):
        return Reconciled(dict(record.by_back), settled=True, by_log=True)
    best, _ = min(looks, key=lambda look: (_off(look[0], record, backs), len(look[0].unsure), -look[1]))
    return Reconciled(_by_back(best, backs), _question(best, record, backs))


def _agrees(count: Tally, record: Record, backs: Sequence[str]) -> bool:
    """No doubt in the count itself, and the log or the tops of the piles know of as many cards."""
    if _by_back(count, backs) == dict(record.by_back):
        return all(doubt.what != "back" for doubt in count.unsure)
    return not count.unsure and record.expected is not None and count.total == record.expected


def _unclear(count: Tally, record: Record, backs: Sequence[str]) -> bool:
    """Whether the count is in doubt by itself, and what is sure in it does not speak against the log.

    A count that is sure of itself and finds too few or too many is another matter: that is asked.
    """
    counted = _by_back(count, backs)
    doubted = any(doubt.what == "card" for doubt in count.unsure)
    return record.stands_alone and doubted and all(counted[back] <= record.by_back[back] for back in backs)


def _tallied(look: Counted, backs: Sequence[str], most: int, expected: int | None) -> Tally:
    cards = [CountedCard("", (), chance, shares) for chance, shares in look.cards if shares]
    return tally(cards, [Doubt("card", why) for why in look.doubts], backs, most, expected)


def _by_back(count: Tally, backs: Sequence[str]) -> dict[str, int]:
    return dict.fromkeys(backs, 0) | dict(count.counts)


def _off(count: Tally, record: Record, backs: Sequence[str]) -> int:
    counted = _by_back(count, backs)
    return sum(abs(counted[back] - record.by_back[back]) for back in backs)


def _uncounted(record: Record) -> str:
    seen = ", ".join(f"{cards} of {back}" for back, cards in record.by_back.items())
    return f"the cards were not counted: is it right that {seen} were played?"


def _question(count: Tally, record: Record, backs: Sequence[str]) -> str:
    """About the back on which count and log are farthest apart, or about what the count is unsure of."""
    counted = _by_back(count, backs)
    apart = {back: counted[back] - record.by_back[back] for back in backs}
    worst = max(backs, key=lambda back: abs(apart[back]))
    if not apart[worst]:
        return count.unsure[0].why
    said = f"{counted[worst]} cards of {worst} are counted and {record.by_back[worst]} were seen played"
    if apart[worst] < 0:
        return f"{said}; are {-apart[worst]} hidden under others? spread the cards of {worst}"
    return f"{said}; count the cards of {worst} once more"
