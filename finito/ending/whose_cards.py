"""Whose the cards in the centre are: the least surprising owners of all equal cards that lie there.

Each back has every card once. So of the equal cards in the centre each has another owner; a card that is
seen at home after it is said to have been laid was not laid; and one that left its place and was seen nowhere
since lies where a card came that nobody saw laid.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from finito.ending.at_home import Card, HomeLooks
from finito.ending.lying import Lying
from finito.live.entries import Entry
from referee.actions import Interval, Play
from referee.language import words_of
from referee.places import HAND
from referee.verdicts import Rule

# Of 200 rounds of looks, 8 of 9,100 plays that seemed legal had a wrong owner. Of 13 cards that perhaps came
# from a hand one was somebody else's, of 41 that perhaps did not lie open one, of 4 seen at home still two.
_HARDLY: Final = 1e-4  # the chance of any other owner of a card that was plainly seen laid
_RARELY: Final = 1e-3  # and of one that was not
_FROM_HAND: Final = (0.2, 0.01)  # of a card from no open place: of each who had it open, of each other
_NOT_OPEN: Final = (0.03, 0.005)
_KEPT: Final = (0.3, 0.05)  # of one that is at home still, as it seems
_UNSEEN: Final = (0.3, 0.03)  # of one that nobody saw laid
_STRAYED: Final = 1.0  # and of whom it had left its place
_SLOWER: Final = 0.3  # of the other of two equal cards for one pile
_SEEN_HOME: Final = 0.02  # a card is misread as one that lies in the centre; each time anew
_IMPOSSIBLE: Final = 1e-3  # a deck has a card twice, or a card in the centre was taken for another
_SEEN_TWICE: Final = 0.3  # the same where the referee takes it to be possible
_LATELY: Final = 10.0  # seconds for which a card lies open before it is laid, as a rule
_PLAIN: Final = 0.99
_DOUBTED: Final = 0.4
_LEAST: Final = 0.02


@dataclass(frozen=True)
class Owned:
    """All equal cards of the centre, and who laid them: the likeliest owners, and who may have instead."""

    cards: tuple[Lying, ...]
    owners: tuple[str, ...]
    instead: frozenset[str]
    risk: float  # the chance that others have a card there

    def question(self) -> str:
        card = self.cards[-1]
        name = words_of("en").card(card.face.colour, card.face.number)
        one, other = sorted(set(self.owners) - self.instead), sorted(self.instead - set(self.owners))
        first, second = one[0] if one else self.owners[-1], other[0] if other else "somebody else"
        return f"was the {name} on pile {card.pile} a card of {first} or of {second}?"


@dataclass(frozen=True)
class Evidence:
    """What speaks for one owner or another: plays by their deeds, looks at homes, cards that went astray."""

    players: tuple[str, ...]
    plays: Mapping[int, Entry]
    homes: HomeLooks
    strayed: Collection[Card]

    def owned(self, cards: Sequence[Lying]) -> Owned:
        """The likeliest owners of equal cards, each with one of its own."""
        copies = [owner for card in cards for owner in self._second_copy(card)]
        laid = [self._laid(card) for card in cards if not self._second_copy(card)]
        weights = [self._at_home(card, chances) for card, chances in laid]
        sets = {frozenset[str](): 1.0}
        for each in weights:
            grown: dict[frozenset[str], float] = {}
            for some, owner in itertools.product(sets, each):
                if owner not in some:
                    grown[some | {owner}] = grown.get(some | {owner}, 0.0) + sets[some] * each[owner]
            sets = grown
        ranked = sorted(sets.items(), key=lambda each: -each[1])
        if not ranked:  # more equal cards than players
            return Owned(tuple(cards), self.players, frozenset(), 1.0)
        best, chance = ranked[0]
        odd = self._odd(cards) * math.prod(max(each.values()) for _, each in laid)
        instead = ranked[1][0] if len(ranked) > 1 else frozenset[str]()
        owners = (*sorted(best), *copies)
        return Owned(tuple(cards), owners, instead, 1.0 - chance / (sum(sets.values()) + odd))

    def _odd(self, cards: Sequence[Lying]) -> float:
        """How likely it is that the owners are as told, though one of them has one of these cards twice."""
        told = [self.plays[deed] for card in cards for deed in card.deeds[:1] if deed in self.plays]
        twice = len({owner_of(each) for each in told}) < len(told)
        return _SEEN_TWICE if twice and any(map(_twice_perhaps, told)) else _IMPOSSIBLE

    def _second_copy(self, card: Lying) -> list[str]:
        """Its owner, where it was proved that this back has the card twice."""
        entries = [self.plays[deed] for deed in card.deeds if deed in self.plays]
        return [owner_of(each) for each in entries if _ruled(each, Rule.IMPOSSIBLE_CARD, sure=True)]

    def _laid(self, card: Lying) -> tuple[Lying, dict[str, float]]:
        """By the log alone, how likely each player's card it is."""
        entries = [self.plays[deed] for deed in card.deeds if deed in self.plays]
        if not entries:
            return card, self._unseen(card)
        chances = dict.fromkeys(self.players, _HARDLY)
        for entry in entries:
            for owner, chance in self._told(card, entry).items():
                chances[owner] = max(chances[owner], chance / len(entries))
        for rival in self.plays.values():
            if rival not in entries and _raced(rival, entries, card):
                slower = _LEAST if _ruled(rival, Rule.TOO_LATE, sure=True) else _SLOWER
                chances[owner_of(rival)] = max(chances[owner_of(rival)], slower)
        return card, chances

    def _told(self, card: Lying, entry: Entry) -> dict[str, float]:
        """What was told of a play, with all that it may have been instead."""
        owner, said = owner_of(entry), entry.inferred
        plain = entry.confidence > _PLAIN
        chances = dict.fromkeys(self.players, _HARDLY if plain else _RARELY)
        for other in () if said is None else said.alternatives:
            what = other.action
            if isinstance(what, Play) and what.face.could_be(card.face):
                whose = what.owner or what.player
                chances[whose] = chances[whose] + other.chance
        chances[owner] = max(_LEAST, 1.0 - sum(chances.values()) + chances[owner])
        open_, closed = _doubt(entry)
        for other_owner in self.players:
            if other_owner != owner:
                lately = self._open(other_owner, card)
                chances[other_owner] = max(chances[other_owner], open_ if lately else closed)
        return chances

    def _unseen(self, card: Lying) -> dict[str, float]:
        """A card that nobody saw laid."""
        open_, closed = _UNSEEN
        chances = {owner: open_ if self._open(owner, card) else closed for owner in self.players}
        return chances | {owner: _STRAYED for owner, face in self.strayed if face is card.face}

    def _open(self, owner: str, card: Lying) -> bool:
        """Whether the owner had the card open, or what may be it, shortly before it was laid."""
        return self.homes.open_between((owner, card.face), card.since - _LATELY, card.t)

    def _at_home(self, card: Lying, chances: Mapping[str, float]) -> dict[str, float]:
        """Less likely each time that the card is seen at home later."""
        return {
            owner: chance * _SEEN_HOME ** self.homes.times_home((owner, card.face), card.t)
            for owner, chance in chances.items()
        }


def owner_of(entry: Entry) -> str:
    assert isinstance(entry.what, Play)
    return entry.what.owner or entry.what.player


def _raced(entry: Entry, others: Sequence[Entry], card: Lying) -> bool:
    """Whether an equal card came to the same pile at the same time, as it is said, one perhaps too late."""
    what = entry.what
    late = any(_ruled(each, Rule.TOO_LATE) for each in (entry, *others))
    if not isinstance(what, Play) or what.t is None or not late:
        return False
    same = what.face is card.face and what.pile == card.pile
    return same and what.t.overlaps(Interval(card.since, card.t))


def _ruled(entry: Entry, rule: Rule, sure: bool = False) -> bool:
    verdict = entry.verdict
    return verdict is not None and verdict.rule is rule and (verdict.illegal or not sure)


def _twice_perhaps(entry: Entry) -> bool:
    verdict = entry.verdict
    return verdict is not None and verdict.unsure and verdict.rule is Rule.IMPOSSIBLE_CARD


def _doubt(entry: Entry) -> tuple[float, float]:
    """How likely it was the card of somebody else, who had it open or not, by where it seems to come from."""
    assert isinstance(entry.what, Play)
    said, verdict = entry.inferred, entry.verdict
    owner = owner_of(entry)
    for other in () if said is None else said.alternatives:
        what = other.action
        if not isinstance(what, Play) or (what.owner or what.player) != owner:
            continue
        if what.source == HAND and other.chance >= _DOUBTED:
            return _KEPT
    if verdict is None or not verdict.unsure:
        return 0.0, 0.0
    if entry.what.source == HAND:
        return _FROM_HAND
    return _NOT_OPEN if verdict.rule in (Rule.NOT_OPEN, Rule.IMPOSSIBLE_CARD) else (0.0, 0.0)
