"""The standing of a round: a fold of actions over frozen values.

Uncertainty is kept where it arises. A pile knows its possible tops; a place holds a face with unknown
parts; a count may have a lower bound. So the state stands for every world still possible and stays small.
"""

from __future__ import annotations

from dataclasses import dataclass
from functools import cache
from typing import Any, Final, TypeVar

from referee.cards import UNKNOWN, Colour, Face


@dataclass(frozen=True, slots=True)
class Top:
    """What a pile's top stands for. No colour: any may follow, as upon a joker."""

    number: int
    colour: Colour | None
    joker: bool = False


@cache
def top(number: int, colour: Colour | None, joker: bool = False) -> Top:
    return Top(number, colour, joker)


@dataclass(frozen=True)
class Pile:
    """A pile in the centre, as a chain: each layer keeps what lies below it, so a card can be taken back.

    `tops` are the tops it may have; none means that nothing valid lies there. `doubts` are the tops it
    would have if the last call or reading were wrong: they turn an accusation into `unsure`, no more.
    """

    tops: tuple[Top, ...]
    doubts: tuple[Top, ...] = ()
    face: Face = UNKNOWN
    owner: int = -1
    player: int = -1
    source: str = ""
    below: Pile | None = None
    height: int = 0
    called: bool = False  # the top card fits, but was called illegal: it may be taken back without a word


EMPTY_PILE: Final = Pile(())


@dataclass(frozen=True, slots=True)
class Loose:
    """A card called off its pile and not yet seen taken back. By the rules it is back in its place.

    `gone`: later deeds show that it stayed in the centre, upon its pile or beside it.
    """

    face: Face
    place: str
    pile: int
    player: int
    reveals: Face = UNKNOWN
    gone: bool = False


@dataclass(frozen=True)
class Side:
    """One player's side of the table. The counts of a back always add up to its whole deck."""

    index: int
    espresso: int
    espresso_least: int
    top: Face
    helps: tuple[Face | None, ...]  # None: the slot is empty
    under: tuple[tuple[Face, ...], ...]  # what lies below each help card, in games with home building
    waste: tuple[Face, ...]  # the last is the open one
    hand: int
    centre: int
    seen_centre: int = 0  # masks of this back's faces by where they were seen
    seen_race: int = 0
    seen_stock: int = 0
    disputed: int = 0  # faces seen in two places at once: one reading was wrong, so neither counts
    playing_hand: str | None = None
    fruitful: bool = False  # a card of the waste was played in this pass through the hand
    twos: bool = False  # the last pass was fruitless: the next may go in twos where the edition says so
    stolen: int = 0  # mask of help slots emptied by somebody else
    joker: int = 0  # the pile upon which this player's joker waits for its follower
    joker_sure: bool = False  # False while the card itself was not read
    loose: tuple[Loose, ...] = ()
    vague: bool = False  # not seen from the deal on: hand and waste are not known apart
    undealt: bool = False  # nobody wrote down the deal: cards may lie on the waste that nobody wrote of

    @property
    def cards(self) -> int:
        """All cards of this back, wherever they lie."""
        open_helps = sum(slot is not None for slot in self.helps)
        below = sum(map(len, self.under))
        return self.espresso + open_helps + below + len(self.waste) + self.hand + self.centre


@dataclass(frozen=True)
class RoundState:
    """Everything the rules need to judge what comes next."""

    sides: tuple[Side, ...]
    piles: tuple[Pile, ...] = ()
    started: bool = False
    caller: int | None = None  # who called Finito validly, or perhaps validly
    caller_sure: bool = False
    partial: bool = False  # some player was not dealt in: piles may exist that nobody announced
    late: bool = False  # the record begins in the middle of the round

    def with_side(self, side: Side) -> RoundState:
        return changed(self, sides=with_side(self.sides, side))


def with_side(sides: tuple[Side, ...], side: Side) -> tuple[Side, ...]:
    return (*sides[: side.index], side, *sides[side.index + 1 :])


def with_pile(piles: tuple[Pile, ...], number: int, pile: Pile) -> tuple[Pile, ...]:
    if number > len(piles):
        piles = (*piles, *[EMPTY_PILE] * (number - len(piles)))
    return (*piles[: number - 1], pile, *piles[number:])


Frozen = TypeVar("Frozen", Side, Pile, RoundState)


def changed(value: Frozen, **changes: Any) -> Frozen:
    """A copy with some fields changed; ten times quicker than dataclasses.replace, and hot."""
    copy = object.__new__(value.__class__)
    object.__setattr__(copy, "__dict__", value.__dict__ | changes)
    return copy
