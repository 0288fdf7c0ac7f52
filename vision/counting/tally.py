"""From cards that were seen to counts by back; what is not sure is asked, never guessed. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final

Corners = tuple[tuple[float, float], ...]

SURE_CARD: Final = 0.5  # chance from which on something is a card
CLEAR: Final = 0.85  # and from which on nobody need be asked whether it is one
SURE_BACK: Final = 0.9  # chance from which on a back is whose it seems to be
NO_CARD: Final = "no card"
NOT_COUNTED: Final = "a card"  # what may be one beside those that are counted
_WORTH_NAMING: Final = 0.02


@dataclass(frozen=True)
class CountedCard:
    """A face-down card in a photo: the chance that it is one, and of whom; the likeliest first."""

    photo: str
    corners: Corners
    chance: float
    shares: tuple[tuple[str, float], ...]

    @property
    def back(self) -> str | None:
        """Whose card it is, if that is clear."""
        name, share = self.shares[0]
        return name if share >= SURE_BACK else None


@dataclass(frozen=True)
class Doubt:
    """What a person should look at: a card, a back or the whole count, and between what it is open."""

    what: str  # card, back, total or photos
    why: str
    between: tuple[str | int, ...] = ()
    photo: str | None = None
    corners: Corners | None = None
    back: str | None = None


@dataclass(frozen=True)
class Tally:
    """Cards by back without those in doubt."""

    counts: tuple[tuple[str, int], ...]
    unsure: tuple[Doubt, ...]

    @property
    def total(self) -> int:
        return sum(count for _, count in self.counts)


def tally(
    cards: Sequence[CountedCard],
    doubts: Sequence[Doubt],
    backs: Sequence[str],
    most_per_back: int,
    expected: int | None = None,
) -> Tally:
    """Counts in the order of the deck.

    How many cards there should be settles what may be a card or not, as long as it cannot be right by chance.
    """
    sure = [card for card in cards if card.chance >= SURE_CARD]
    weak = [card for card in cards if card.chance < SURE_CARD]
    open_doubts = list(doubts)
    # Where a counted card may be none, another may be missed: the right number of the wrong backs.
    if expected is not None and not any(_may_be_none(doubt) for doubt in doubts):
        if len(sure) == expected:
            weak, open_doubts = [], _not_of_number(doubts)
        elif len(sure) + len(weak) == expected:
            sure, weak, open_doubts = [*sure, *weak], [], _not_of_number(doubts)
    counts = Counter(card.back for card in sure if card.back is not None)
    unsure = [
        *(_maybe_a_card(card) for card in weak),
        *(_whose(card) for card in sure if card.back is None),
        *open_doubts,
        *_too_many(counts, most_per_back),
        *_not_as_expected(len(sure), len(weak), expected),
    ]
    return Tally(tuple((back, counts[back]) for back in backs if counts[back]), tuple(unsure))


def _maybe_a_card(card: CountedCard) -> Doubt:
    name = card.shares[0][0]
    why = f"this may be a card of {name} or none; lay the cards farther apart, or count it by hand"
    return Doubt("card", why, (name, NO_CARD), card.photo, card.corners)


def _may_be_none(doubt: Doubt) -> bool:
    """Whether it asks if a card that is counted is one."""
    return NO_CARD in doubt.between and NOT_COUNTED not in doubt.between


def _not_of_number(doubts: Sequence[Doubt]) -> list[Doubt]:
    """Those that the right number does not settle."""
    return [doubt for doubt in doubts if NO_CARD not in doubt.between]


def _whose(card: CountedCard) -> Doubt:
    near = [name for name, share in card.shares if share >= _WORTH_NAMING][:3]
    names = near if len(near) > 1 else [name for name, _ in card.shares[:2]]
    why = f"this card may be of {' or '.join(names)}; show more of it, or count it by hand"
    return Doubt("card", why, tuple(names), card.photo, card.corners)


def _too_many(counts: Counter[str], most: int) -> list[Doubt]:
    return [
        Doubt("back", f"{count} cards of {back} were counted and there are only {most}", (most,), back=back)
        for back, count in counts.items()
        if count > most
    ]


def _not_as_expected(seen: int, maybe: int, expected: int | None) -> list[Doubt]:
    if expected is None or seen == expected:
        return []
    cards = "1 card is" if seen == 1 else f"{seen} cards are"
    off = abs(expected - seen)
    if seen < expected:
        help_ = "spread the cards so that 12 mm of each show, and look below and beside the photo"
        why = f"{cards} seen and {expected} expected: {off} missing; {help_}"
    else:
        why = f"{cards} seen and {expected} expected: {off} too many; check for cards photographed twice"
    return [Doubt("total", why, (*((seen,) if not maybe else (seen, seen + maybe)), expected))]
