"""The table as it is believed to be: what each place shows, what left it, and the stacks in the centre."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final, TypeAlias

from referee.state import Top
from vision.inference.beliefs import Belief
from vision.observations import Chances, Look

Tops: TypeAlias = tuple[tuple[Top | None, float], ...]
"""What a pile's top may stand for, with chances; None is the bare table. Nothing at all: nobody knows."""

PlaceKey: TypeAlias = tuple[str, str]

_GLIMPSE: Final = 0.45  # seconds between two covers in which nothing can be seen and told
_ON_THE_WAY: Final = 0.1  # seconds that a hand needs at least from a pile to a place
_HOMEWARD: Final = 1.2  # and at most
_THERE: Final = 0.15  # the share from which on an arm was over a stack, and not just beside it


@dataclass(frozen=True, slots=True)
class Cover:
    """A time for which a stack was hidden, and whose arms did it."""

    since: float
    t: float
    reach: Chances = ()

    def by(self, player: str) -> bool:
        return dict(self.reach).get(player, 0.0) >= _THERE


@dataclass(slots=True)
class Departure:
    """A card that no longer lies on top of its place. It was taken, or, on the waste, perhaps buried."""

    number: int
    owner: str
    place: str
    faces: Belief
    since: float
    t: float
    look: Look
    reveals: Belief | None = None  # what shows now; None: nothing
    spent: bool = False  # explained: it was seen somewhere else, or is back
    perhaps: bool = False  # it may as well lie below the card that is back upon it, or be that card
    chance: float = 1.0  # that there was such a card at all
    deed: int | None = None  # the turn it was taken for
    beaten: bool = False  # or it was taken to lie upon its like


@dataclass(slots=True)
class Place:
    """A place of a player. `shown` is None while nothing lies there."""

    player: str
    name: str
    seen: bool = False
    shown: Belief | None = None
    apart: Belief | None = None  # what would be believed without the latest reading
    look: Look | None = None
    t: float = float("-inf")
    hidden_since: float = float("-inf")
    hidden_until: float = float("-inf")
    covers: list[tuple[float, float]] = field(default_factory=list)  # the times it was hidden
    looks: list[Look] = field(default_factory=list)  # all of them, the last being `look`
    changes: list[Look] = field(default_factory=list)  # those of them that showed something new
    owed: int | None = None  # the deed that took its card, though nobody saw the card leave
    deed: int | None = None  # the turn or refill that brought the card that shows

    @property
    def key(self) -> PlaceKey:
        return self.player, self.name

    def cover(self, since: float, t: float) -> None:
        """Something hides it; covers with hardly a glimpse between them are one."""
        self.hidden_since, self.hidden_until = since, t
        if self.covers and since <= self.covers[-1][1] + _GLIMPSE:
            first, until = self.covers[-1]
            self.covers[-1] = (min(first, since), max(until, t))
        else:
            self.covers.append((since, t))

    def out_of_view(self, since: float, t: float) -> float:
        """The longest time for which it was hidden, of all covers that reach into that interval."""
        spans = [until - first for first, until in self.covers if first < t and until > since]
        return max(spans, default=0.0)

    def out_of_view_until(self, since: float, t: float) -> float:
        """The same for what had to be done by then."""
        spans = [min(until, t) - first for first, until in self.covers if first < t and until > since]
        return max(spans, default=0.0)

    def visited_after(self, since: float, t: float, home: float) -> bool:
        """Whether a hand came to it straight from where it had been from then to then.

        By the look that showed its card home at that time: it may have been taken up again since.
        """
        look = self._look_by(home)
        if look is not None and look.since > t + _HOMEWARD:
            return False  # long after that it did not show what it shows now
        if any(since + _ON_THE_WAY < first < home for first, _ in self.covers):
            return True
        return look is not None and look.since > since - _GLIMPSE

    def bare_until(self, since: float, home: float) -> bool:
        """Whether the card that lies there again came no more than a glimpse before then."""
        look = self._look_by(home)
        return look is not None and look.shows == "face" and look.since > since - _GLIMPSE

    def _look_by(self, t: float) -> Look | None:
        return next((look for look in reversed(self.looks) if look.t <= t), None)

    def known_at(self, t: float) -> bool:
        """Whether anybody had seen by then what it shows."""
        return bool(self.looks) and self.looks[0].t <= t

    def idle_visits(self, since: float, t: float) -> int:
        """How often it was hidden in that time without anything new being seen there afterwards.

        What changed only after that time tells nothing of what was done before, under one long cover.
        """
        spans = [(a, b) for a, b in self.covers if a < t and b > since]
        seen = [(look.since, look.t) for look in self.looks if look.t > since and look.since < t]
        return sum(not any(start <= b and end >= a for start, end in seen) for a, b in spans)

    def looked_at(self, since: float, t: float) -> bool:
        """Whether something may have happened there just then, for it was looked at anew."""
        return any(look.t > since and look.since < t for look in self.looks)

    def hidden(self, now: float, holds: float) -> bool:
        return self.hidden_until + holds >= now and self.hidden_until > self.t

    def shut(self, since: float, t: float, hidden: bool) -> float:
        """The longest time within that interval in which it may have shown what nobody saw.

        A cover that is over, with the same card below it, hid nothing.
        """
        spans = []
        for look in reversed(self.changes):
            if look.t <= since:
                break
            spans.append((look.since, look.t))
        if hidden:
            spans.append((self.hidden_since, self.hidden_until))
        return max((min(b, t) - max(a, since) for a, b in spans), default=0.0)

    def clear_at(self, now: float, holds: float, settle: float) -> float:
        """The latest moment at which it surely still showed what it shows."""
        last = self.hidden_since if self.hidden(now, holds) else now - settle
        return max(self.t, last)


@dataclass(frozen=True, slots=True)
class Layer:
    """A card on a pile: what it is believed to be and whose deed it was."""

    tops: Tops
    faces: Belief
    apart: Belief  # the faces without the latest reading of this card
    fits: float  # the chance that it fitted upon what lay below
    look: Look
    below: Tops = ()
    deed: int | None = None
    player: str | None = None
    owner: str | None = None
    place: str = ""
    share: float = 0.0  # how sure it is who laid it
    first: Look | None = None  # the look it was laid under, where it was taken to be the same card since

    @property
    def laid(self) -> Look:
        return self.first or self.look


@dataclass(slots=True)
class Stack:
    """A stack in the centre, by the tracker's number, and the pile it is to the referee."""

    number: int
    pile: int
    layers: tuple[Layer, ...] = ()
    gone_at: float | None = None
    covers: tuple[Cover, ...] = ()  # the times it was hidden

    def cover(self, since: float, t: float, reach: Chances = ()) -> None:
        """Something hides it from then on; told again and again while it lasts."""
        before = (
            self.covers[:-1] if self.covers and abs(self.covers[-1].since - since) < 1e-3 else self.covers
        )
        self.covers = (*before, Cover(since, t, reach))

    def reached(self, player: str, since: float, t: float) -> Iterator[Cover]:
        """The times from then to then that this player's arm hid it."""
        return (each for each in self.covers if since <= each.since < t and each.by(player))

    def below(self, look: Look) -> Layer | None:
        """The card upon which that of a look was laid."""
        pairs = itertools.pairwise(self.layers)
        return next((lower for lower, upper in pairs if upper.laid == look), None)

    def hidden_before(self, look: Look) -> list[tuple[float, float]]:
        """When it was hidden after the card below that of a look was laid.

        What was taken for that card, pushed aside, may be the next one, misread.
        """
        below = self.below(look)
        if below is None:
            return []
        read = below.laid.t
        return [(each.since, each.t) for each in self.covers if each.since > read and each.t <= look.since]


@dataclass(slots=True)
class TableBelief:
    """Everything that is settled, and the departures that are not."""

    places: dict[PlaceKey, Place] = field(default_factory=dict)
    stacks: dict[int, Stack] = field(default_factory=dict)
    departures: list[Departure] = field(default_factory=list)
    laid: dict[str, set[int]] = field(default_factory=dict)  # faces of each back in the centre, by index
    piles: int = 0

    def open_departures(self) -> list[Departure]:
        """The cards that surely left their places and have to be somewhere."""
        return [gone for gone in self.departures if not gone.spent and not gone.perhaps]


@dataclass(frozen=True, slots=True)
class Change:
    """A look that needs a cause: a card come to a stack or a help slot, or gone from a stack."""

    number: int
    look: Look
    reading: Belief | None  # None: nothing lies there
    told: float  # when it was heard of
    again: bool = False  # it was taken for something else before

    @property
    def key(self) -> PlaceKey | int:
        spot = self.look.spot
        return spot.stack if spot.player is None else (spot.player, spot.place)

    @property
    def reach(self) -> Chances:
        return self.look.reach
