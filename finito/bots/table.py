"""The true table: every hidden card is known. It does not use the judge, which it is there to test."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

from referee.actions import Hand
from referee.cards import Colour, Face, face
from referee.places import ESPRESSO, HAND, HELP_INDEX, HELPS, WASTE
from referee.rules.parameters import PileGame

ON_TABLE: Final = (ESPRESSO, *HELPS, WASTE)


@dataclass(slots=True)
class Pile:
    """A stack in the centre. `colour` is None where any colour may follow."""

    number: int
    next: int
    colour: Colour | None = None
    cards: list[tuple[str, Face]] = field(default_factory=list)
    laps: int = 0
    joker_by: str | None = None
    before_joker: tuple[int, Colour | None] | None = None
    stray: tuple[str, Face] | None = None  # a card that does not fit and will be taken back

    @property
    def top(self) -> Face:
        return self.cards[-1][1]

    @property
    def busy(self) -> bool:
        return self.stray is not None or self.joker_by is not None


@dataclass(slots=True)
class Home:
    """One player's cards; the last of each list lies on top."""

    name: str
    side: Hand
    espresso: list[Face]
    helps: list[list[Face]]
    hand: list[Face]
    waste: list[Face] = field(default_factory=list)
    has_played: bool = False
    turns: int = 0  # of this pass through the hand
    first_pass: bool = True
    fruitful: bool = False  # a card of the waste was played in this pass
    twos: bool = False  # edition forum-1996: turns two cards until a play succeeds
    joker_pile: int | None = None
    emptied: bool = False
    seen: set[Face] = field(default_factory=set)
    swapped: Face | None = None  # the card in whose place one of a second deck lies

    def cards_at(self, place: str) -> list[Face]:
        if place == ESPRESSO:
            return self.espresso
        if place == WASTE:
            return self.waste
        return self.hand if place == HAND else self.helps[HELP_INDEX[place]]

    def open_places(self) -> Iterator[tuple[str, Face]]:
        """The cards that may be played, and where they lie: Espresso stack first, waste last."""
        if self.espresso:
            yield ESPRESSO, self.espresso[-1]
        for name, cards in zip(HELPS, self.helps, strict=False):
            if cards:
                yield name, cards[-1]
        if self.waste:
            yield WASTE, self.waste[-1]

    def slot_to_fill(self) -> str | None:
        """The first empty help slot, as long as the Espresso stack has cards for it."""
        if not self.espresso:
            return None
        return next((name for name, cards in zip(HELPS, self.helps, strict=False) if not cards), None)

    def card_count(self) -> int:
        return sum(map(len, self.helps)) + len(self.espresso) + len(self.waste) + len(self.hand)


@dataclass(slots=True)
class Table:
    """Everything that lies on the table."""

    game: PileGame
    zero: bool
    chaos: bool
    eights_go_on: bool  # edition forum-1996: a 0 on an 8 of the same colour
    homes: dict[str, Home]
    piles: dict[int, Pile] = field(default_factory=dict)
    needs: dict[Face, list[int]] = field(default_factory=dict)
    locks: dict[tuple[str, str], str] = field(default_factory=dict)
    laid: set[tuple[str, Face]] = field(default_factory=set)
    started: bool = False
    finito: str | None = None

    def opens(self, card: Face) -> bool:
        """Whether the rules let this card open a pile."""
        return card.number == self.game.first_number or (self.zero and card.number == 1)

    def is_joker(self, card: Face) -> bool:
        return self.zero and card.number == 0

    def fits_on(self, card: Face) -> list[int]:
        """The quiet piles on which this card is next, jokers aside."""
        return [number for number in self.needs.get(card, ()) if not self.piles[number].busy]

    def new_pile(self) -> Pile:
        pile = Pile(len(self.piles) + 1, self.game.first_number)
        self.piles[pile.number] = pile
        return pile

    def lay(self, pile: Pile, owner: str, card: Face, player: str) -> None:
        """Lays a card that fits."""
        self._forget(pile)
        pile.joker_by = None
        if self.is_joker(card):
            pile.before_joker = (pile.next, pile.colour)
            pile.next, pile.colour, pile.joker_by = pile.next + 1, None, player
            self.homes[player].joker_pile = pile.number
        else:
            assert card.number is not None
            if pile.cards and card.number == self.game.first_number:
                pile.laps += 1
            pile.next, pile.colour = card.number + 1, card.colour
            if self.homes[player].joker_pile == pile.number:
                self.homes[player].joker_pile = None
        pile.cards.append((owner, card))
        self.laid.add((owner, card))
        self._remember(pile)

    def lift_joker(self, pile: Pile) -> None:
        """Takes back a joker that nobody followed."""
        assert pile.joker_by is not None
        assert pile.before_joker is not None
        self.homes[pile.joker_by].joker_pile = None
        self.laid.discard(pile.cards.pop())
        pile.joker_by = None
        pile.next, pile.colour = pile.before_joker
        self._remember(pile)

    def _forget(self, pile: Pile) -> None:
        if pile.colour is not None and (waiting := self.needs.get(self._wanted(pile))):
            waiting.remove(pile.number)

    def _remember(self, pile: Pile) -> None:
        if pile.colour is not None and pile.cards:
            self.needs.setdefault(self._wanted(pile), []).append(pile.number)

    def _wanted(self, pile: Pile) -> Face:
        if pile.next > self.game.last_number and self.eights_go_on and not self.zero:
            return face(pile.colour, self.game.first_number)
        return face(pile.colour, pile.next)

    def cards_of(self, back: str) -> int:
        """All cards with that back, wherever they are."""
        return self.centre_count(back) + self.homes[back].card_count()

    def centre_count(self, back: str) -> int:
        strays = (pile.stray for pile in self.piles.values() if pile.stray)
        laid = sum(owner == back for pile in self.piles.values() for owner, _ in pile.cards)
        return laid + sum(owner == back for owner, _ in strays)
