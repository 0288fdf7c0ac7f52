"""From cards in table millimetres to looks at spots, over time. Pure: no picture, no clock, no file.

A card half under a hand is not a change, a spot under a hand is unknown and not empty. Stacks in the centre
are numbered in the order in which they appear and keep their number when they are pushed aside.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, replace
from typing import Final

from calibration.zones import CENTRE, TableZones
from referee.places import ESPRESSO
from vision.observations import Covered, Gap, Look, Observation, Spot, Tick, centre_spot
from vision.tracking.lying import Lying
from vision.tracking.sighting import Bare, LaidCard, Sighting

_ON_STACK: Final = 0.62  # card widths between the middles of a card and of the stack it lies on
_SAME_PLACE: Final = 10.0  # millimetres between two looks at a card that is new to the centre
_TIMES: Final = 2  # looks that must agree before a stack is begun, or a spot is bare without a disturbance
_FADES: Final = 1.5  # seconds after which a card seen once is forgotten
_HOLDS: Final = 0.35  # seconds for which all waits for a second sight of a new card
_PATIENCE: Final = 1.0  # seconds a new card waits for a hidden stack of which it may be the top
_FIRST_TOLD: Final = 0.1  # seconds a spot is hidden before that is told
_TOLD_EVERY: Final = 0.2
_TICK_EVERY: Final = 0.1


@dataclass(frozen=True)
class Outline:
    """Where a spot is to be looked for: the middle and turn of the card on it."""

    spot: Spot
    x: float
    y: float
    angle: float
    unsure: bool
    doubtful: bool  # the last look did not fit: look closely once more
    bare: bool  # nothing was seen to lie there

    @property
    def gone(self) -> bool:
        """Whether it is a stack that is no more: nothing is expected here."""
        return self.bare and self.spot.is_centre


@dataclass(frozen=True)
class _Newcomer:
    """A card in the centre where there was none, not yet believed."""

    card: LaidCard
    frame: int
    t: float
    times: int


class Tracker:
    """The spots of one table. `players` names who sits where."""

    def __init__(self, zones: TableZones, players: Mapping[str, str]) -> None:
        self._zones = zones
        self._players = dict(players)
        self._spots: dict[Spot, Lying] = {}
        for seat in zones.seats:
            player = self._players[seat.seat]
            for place in seat.places:
                spot = Spot(player, place.place)
                self._spots[spot] = Lying(spot, (place.x, place.y), (place.angle + 90) % 180)
        self._newcomers: list[_Newcomer] = []
        self._stacks = 0
        self._ticked = -math.inf

    @property
    def outlines(self) -> tuple[Outline, ...]:
        """Every spot, for those who look: also the places of cards not yet believed."""
        known = tuple(
            Outline(
                each.spot,
                *each.at,
                each.angle,
                each.unsure,
                each.doubt > 0,
                each.shows == "nothing",
            )
            for each in self._spots.values()
        )
        return known + tuple(
            Outline(centre_spot(0), new.card.x, new.card.y, new.card.angle, True, False, False)
            for new in self._newcomers
        )

    @property
    def doubtful(self) -> bool:
        return any(lying.doubt for lying in self._spots.values())

    def recall(self, told: Iterable[Observation]) -> None:
        """Takes up what was told before: spots show what they showed, stacks keep their numbers."""
        for look in told:
            if not isinstance(look, Look):
                continue
            if look.spot.is_centre and look.spot not in self._spots:
                self._spots[look.spot] = Lying(look.spot, look.at, look.angle)
                self._stacks = max(self._stacks, look.spot.stack)
            if look.spot in self._spots:
                self._spots[look.spot].recall(look)

    def feed(self, sighting: Sighting) -> list[Observation]:
        """What the next frame tells that was not told yet."""
        told: list[Observation] = []
        for spot, hidden in sighting.hidden.items():
            if spot in self._spots:
                self._spots[spot].hide(hidden, sighting.t)
        looked: set[Spot] = set()
        placed, new = self._assigned(sighting.cards)
        for lying, card in placed:
            if lying.spot not in sighting.hidden:
                looked.add(lying.spot)
                told += self._seen(lying, card)
        for bare in sighting.bare:
            if bare.spot in self._spots and bare.spot not in looked and bare.spot not in sighting.hidden:
                looked.add(bare.spot)
                told += self._bare(self._spots[bare.spot], bare)
        for card in new:  # after all else: what vanished elsewhere may have been pushed here
            told += self._new_in_centre(card, sighting)
        told += self._pass_time(sighting, looked)
        return told

    def gap(self, since: float, t: float, why: str) -> list[Observation]:
        """Nothing was seen for a while: everything may have changed."""
        for lying in self._spots.values():
            lying.disturbed = True
            lying.reach.clear()
            lying.hands.clear()
        self._newcomers.clear()
        return [Gap(since, t, why)]

    def _assigned(self, cards: Iterable[LaidCard]) -> tuple[list[tuple[Lying, LaidCard]], list[LaidCard]]:
        """Cards with their spots, of several on one the most visible; and cards new to the centre."""
        best: dict[Spot, tuple[Lying, LaidCard]] = {}
        new: list[LaidCard] = []
        for card in sorted(cards, key=lambda card: -card.visible):
            zone = self._zones.at(card.x, card.y)
            if zone is None:
                continue
            seat, place = zone
            lying = (
                self._stack_at(card)
                if seat is None and place == CENTRE
                else self._spots[Spot(self._players[str(seat)], place)]
            )
            if lying is None:
                new.append(card)
            elif lying.spot not in best:
                best[lying.spot] = (lying, card)
        return list(best.values()), new

    def _stack_at(self, card: LaidCard) -> Lying | None:
        near = self._zones.card_mm[0] * _ON_STACK
        apart = [
            (math.hypot(card.x - lying.at[0], card.y - lying.at[1]), i)
            for i, lying in enumerate(self._spots.values())
            if lying.spot.is_centre and lying.shows != "nothing"
        ]
        closest = min(apart, default=(math.inf, -1))
        return list(self._spots.values())[closest[1]] if closest[0] < near else None

    def _seen(self, lying: Lying, card: LaidCard) -> list[Observation]:
        lying.clear()
        same = lying.shows_same(card)
        if same and (lying.lies_same(card) or not lying.disturbed):
            again = lying.look_again(card)
            lying.quietly(card.t)
            return [again] if again else []
        if lying.lies_across(card):
            # The half of a card beside an arm looks like a card that lies across, and reads like any.
            return self._believed(lying, card)
        if not lying.disturbed and lying.shows is not None:
            return self._doubted(lying, card)
        return [lying.replace_top(card)]

    def _doubted(self, lying: Lying, card: LaidCard) -> list[Observation]:
        """Nothing hid it, and yet it reads otherwise: more of a misreading than of a change.

        But a card may be laid exactly upon another under a finger; then it reads so again and again.
        """
        if lying.shows == card.shows and lying.lies_same(card) and not lying.contradicts(card):
            again = lying.look_again(card)
            return [again] if again else []
        return self._believed(lying, card)

    def _believed(self, lying: Lying, card: LaidCard) -> list[Observation]:
        """Another card, once it was seen so again and again."""
        if lying.doubted(card.t) <= _TIMES:
            return []
        if not lying.disturbed:
            lying.reached(card)
        return [lying.replace_top(replace(card, t=min(card.t, lying.doubted_from)))]

    def _bare(self, lying: Lying, bare: Bare) -> list[Observation]:
        lying.clear()
        if lying.shows == "nothing":
            lying.quietly(bare.t)
            return []
        doubted = lying.doubted(bare.t)
        # An empty stack ends the round: one look more.
        needed = _TIMES + (not lying.disturbed) + (lying.spot.place == ESPRESSO)
        if doubted < needed and lying.shows is not None:
            return []
        return [lying.empty(min(bare.t, lying.doubted_from), bare.frame)]

    def _new_in_centre(self, card: LaidCard, sighting: Sighting) -> list[Observation]:
        """A new stack, or one that was pushed aside; believed when it is seen twice."""
        if self._stack_at(card) is not None:  # found twice in this frame: the first made it a stack
            return []
        for i, new in enumerate(self._newcomers):
            if math.hypot(card.x - new.card.x, card.y - new.card.y) > _SAME_PLACE:
                continue
            if new.frame == sighting.frame:
                return []
            times = new.times + 1
            self._newcomers[i] = _Newcomer(new.card, sighting.frame, sighting.t, times)
            if times < _TIMES or self._may_be_pushed(card, new.card.t, sighting):
                return []
            told = self._settle_newcomer(new.card, card)
            self._newcomers = [other for other in self._newcomers if self._stack_at(other.card) is None]
            return told
        self._newcomers.append(_Newcomer(card, sighting.frame, sighting.t, 1))
        return []

    def _may_be_pushed(self, card: LaidCard, since: float, sighting: Sighting) -> bool:
        """Whether a stack with the same card on top is hidden: it may be this one, and that shows soon."""
        return sighting.t - since < _PATIENCE and any(
            lying.shows == "face" and lying.faces.agrees(card.faces) > 0.5
            for lying in self._spots.values()
            if lying.spot.is_centre and (lying.spot in sighting.hidden or lying.doubt)
        )

    def _settle_newcomer(self, at_first: LaidCard, card: LaidCard) -> list[Observation]:
        lying = self._pushed(card)
        if lying is None:
            self._stacks += 1
            spot = centre_spot(self._stacks)
            since = at_first.t if at_first.since is None else at_first.since
            lying = Lying(spot, (card.x, card.y), card.angle, clear_at=since)
            for name, chance in at_first.reach:
                lying.reach[name] += chance
            if at_first.reach and at_first.hand is not None:
                lying.hands[at_first.reach[0][0], at_first.hand] += 1
            self._spots[spot] = lying
        lying.clear()
        told: list[Observation] = [lying.replace_top(at_first)]
        again = lying.look_again(card)
        return [*told, again] if again else told

    def _pushed(self, card: LaidCard) -> Lying | None:
        """A stack with that card on top which lately vanished from its own place."""
        gone = [
            lying
            for lying in self._spots.values()
            if lying.spot.is_centre and lying.shows == "nothing" and abs(card.t - lying.t) < _FADES
            if lying.before.agrees(card.faces) > 0.5
        ]
        return max(gone, key=lambda lying: lying.t, default=None)

    def _pass_time(self, sighting: Sighting, looked: set[Spot]) -> list[Observation]:
        """What lies in sight untouched is as it was; what is hidden is told from time to time."""
        now, told = sighting.t, list[Observation]()
        for spot, lying in self._spots.items():
            if spot not in sighting.hidden:
                lying.clear()
                if spot not in looked and lying.shows is not None and not lying.doubt:
                    lying.quietly(now)
            elif lying.hidden_for(now) >= _FIRST_TOLD and now - lying.told_hidden >= _TOLD_EVERY:
                lying.told_hidden = now
                told.append(Covered(spot, now - lying.hidden_for(now), now, lying.reached_by()[0]))
        self._newcomers = [new for new in self._newcomers if now - new.t < _FADES]
        until = now if sighting.told_until is None else min(now, sighting.told_until)
        waiting = [new.card.t for new in self._newcomers if now - new.t < _HOLDS]
        waiting += [lying.doubted_from for lying in self._spots.values() if lying.doubt]
        until = min(until, max(now - _PATIENCE, min(waiting, default=now)))
        if until - self._ticked >= _TICK_EVERY or (told and until > self._ticked):
            self._ticked = until
            told.append(Tick(round(until, 4), sighting.frame))
        return told
