"""The live log, the last tops of the piles and the counted backs held against each other. Pure.

Two that agree are believed; where none do, one precise question is left, and nothing is guessed in silence.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from vision.counting.tally import CLEAR, SURE_BACK, SURE_CARD, CountedCard, Doubt, Tally, tally
from vision.observations import Counted

_TWICE: Final = 2  # looks that must agree where the log says something else
_ONE_MOVED: Final = 2  # by how much backs differ where the log gave one card to the wrong player
_MAY_BE: Final = 0.25  # chance from which on something may well be a card
_LIKELY: Final = 0.05  # share of a back that a card of no clear back may be of
_UNCLEAR: Final = 3  # looks at cards at rest that leave doubts, before log and tops are taken for it


@dataclass(frozen=True)
class Record:
    """What was seen during the round: cards played by back, and how many the tops of the piles stand for."""

    by_back: Mapping[str, int]
    tops: int | None = None
    joined_late: bool = False
    questions: tuple[str, ...] = ()  # what the log itself leaves open: whose card, how many on a pile

    @property
    def stands_alone(self) -> bool:
        """Whether log and tops agree, with nothing doubtful between them: that is the count.

        No card at all is no count: a round of which nothing was seen looks the same.
        """
        return not self.questions and not self.joined_late and 0 < self.total == self.tops

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

    `settled`: no other look at the cards is needed. `by_log`: log and tops of the piles agree, and the cards
    lay too close to be counted, or were not shown.
    """

    by_back: Mapping[str, int]
    question: str | None = None
    settled: bool = False
    by_log: bool = False


def reconcile(record: Record, counted: Iterable[Counted], most_per_back: int) -> Reconciled:
    """The count that agrees with the record; of several looks at the cards the one that agrees best."""
    backs, looked = list(record.by_back), list(counted)
    looks = [(_tallied(look, backs, most_per_back, record.expected), look.t) for look in looked]
    pairs = [(each, look) for (each, _), look in zip(looks, looked, strict=True)]
    agreed = [_by_back(each, backs) for each, look in pairs if _agrees(each, look, record, backs)]
    if agreed and (more := _one_more(pairs[-_UNCLEAR:], record)) is not None:
        return Reconciled(_by_back(more, backs), _question(more, record, backs))
    if agreed:
        # What most looks say; every one of them has as many cards as there must be.
        most = max(agreed, key=agreed.count)
        return Reconciled(most, settled=most == dict(record.by_back) or agreed.count(most) >= _TWICE)
    if record.stands_alone and not _against(pairs[-_UNCLEAR:], record):
        return Reconciled(dict(record.by_back), settled=len(looks) >= _UNCLEAR, by_log=True)
    if not looks:
        return Reconciled(dict(record.by_back), _of_log(record) or _uncounted(record))
    best, _ = min(looks, key=lambda look: (_off(look[0], record, backs), len(look[0].unsure), -look[1]))
    return Reconciled(_by_back(best, backs), _question(best, record, backs))


def _agrees(count: Tally, look: Counted, record: Record, backs: Sequence[str]) -> bool:
    """The log knows of just these cards; or the tops of the piles know of as many, and where log and count
    differ the count is in no doubt.

    What is faint of other backs is confirmed by the log; who joined late has none that confirms anything.
    """
    counted = _by_back(count, backs)
    if counted == dict(record.by_back):
        return all(doubt.what != "back" for doubt in count.unsure)
    moved = _ONE_MOVED * (1 + len(record.questions))
    if not record.joined_late and _off(count, record, backs) > moved:
        return False  # as many cards by chance: where both missed some, they missed different ones
    if count.unsure or record.expected is None or count.total != record.expected:
        return False
    differ = {back for back in backs if record.joined_late or counted[back] != record.by_back[back]}
    return not differ & _faint(look)


def _one_more(looks: Sequence[tuple[Tally, Counted]], record: Record) -> Tally | None:
    """A look that finds all that were played, and more.

    Where the last card of a pile was not seen, log and tops miss it together; a look that misses the same
    one agrees with them by chance.
    """
    most = max(record.total, record.expected or 0)
    for count, look in looks:
        found = Counter(shares[0][0] for chance, shares in look.cards if shares and chance >= SURE_CARD)
        whole = all(found[back] >= held for back, held in record.by_back.items())
        if whole and found.total() > most and not record.joined_late:
            return count
    return None


def _against(looks: Sequence[tuple[Tally, Counted]], record: Record) -> bool:
    """Whether counts speak against the log: they are sure of themselves, or all find as many cards as were
    played, or more, but others; or all find what may be more of a back than were played.

    One that is in doubt by itself and finds too few has not seen them all; and what one look finds and the
    next does not was no card of that back.
    """
    counts = [each for each, _ in looks]
    sure = [each for each, look in looks if _is_sure(each, look)]
    if counts and len(sure) >= min(_TWICE, len(counts)):
        return True
    if counts and all(each.total >= record.total for each in counts):
        return True
    perhaps = [_perhaps(look) for _, look in looks]
    return any(
        min((each[back] for each in perhaps), default=0) > held for back, held in record.by_back.items()
    )


def _is_sure(count: Tally, look: Counted) -> bool:
    return all(doubt.what != "card" for doubt in count.unsure) and not _faint(look)


def _faint(look: Counted) -> set[str]:
    """The backs of cards that are hard to see, or to tell."""
    return {
        back
        for chance, shares in look.cards
        if shares and (chance < CLEAR or shares[0][1] < SURE_BACK)
        for back, share in shares[:2]
        if share >= _LIKELY
    }


def _perhaps(look: Counted) -> Counter[str]:
    """The likeliest backs of all that may well be cards."""
    return Counter(shares[0][0] for chance, shares in look.cards if shares and chance >= _MAY_BE)


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


def _of_log(record: Record) -> str | None:
    """The one thing that the log itself leaves open."""
    return record.questions[0] if record.questions else None


def _question(count: Tally, record: Record, backs: Sequence[str]) -> str:
    """What the log leaves open, where the count is in doubt, too, and cannot settle it; otherwise the back on
    which count and log are farthest apart, or what the count is unsure of."""
    if any(doubt.what == "card" for doubt in count.unsure) and (asked := _of_log(record)) is not None:
        return asked
    counted = _by_back(count, backs)
    apart = {back: counted[back] - record.by_back[back] for back in backs}
    worst = max(backs, key=lambda back: abs(apart[back]))
    if not apart[worst]:
        return count.unsure[0].why
    said = f"{counted[worst]} cards of {worst} are counted and {record.by_back[worst]} were seen played"
    if apart[worst] < 0:
        return f"{said}; are {-apart[worst]} hidden under others? spread the cards of {worst}"
    return f"{said}; count the cards of {worst} once more"
