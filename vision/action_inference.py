"""From looks to actions: `ActionInference` keeps beliefs, waits for evidence, and says what was done.

Pure: it has no clock but the times of the observations, and sees nothing but them.
"""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from referee.actions import RoundHeader
from referee.places import ESPRESSO, HELPS, WASTE
from referee.rules.espresso import rules_for
from vision.inference.beliefs import Belief, Faces, together
from vision.inference.causes import Setting, Use
from vision.inference.deciding import Decision, decisions
from vision.inference.fitting import Fitting
from vision.inference.homes import home_reading, look_home, same_card
from vision.inference.inferred import Inferred
from vision.inference.owing import kept_cards
from vision.inference.priors import Priors
from vision.inference.rereading import read_again, read_again_at_home
from vision.inference.rivals import beaten_due, came_home
from vision.inference.settling import Settling
from vision.inference.table import Change, Departure, Layer, Place, Stack, TableBelief
from vision.inference.turning import turns_due
from vision.inference.worlds import World, worlds
from vision.observations import Covered, Gap, Look, Observation, Tick

_PAUSE: Final = 0.12  # seconds after which what is pending is weighed again though nothing was told


class ActionInference:
    """Takes observations in the order in which they are told; answers with the actions that are decided."""

    def __init__(self, header: RoundHeader, priors: Priors | None = None) -> None:
        rules = rules_for(header)
        self.priors = priors or Priors()
        self.players = header.players
        faces = Faces(rules.law.faces)
        self.table = TableBelief()
        fitting = Fitting(rules.law, faces, self.priors.misfit)
        self.setting = Setting(header.players, rules.chaos, faces, fitting, self.priors, self.table)
        for player in header.players:
            for name in (ESPRESSO, *HELPS[: rules.helps], WASTE):
                self.table.places[player, name] = Place(player, name)
        self.now = float("-inf")
        self._began: float | None = None
        self._pending: list[Change] = []
        self._settling = Settling(self.setting, rules.game.stock_turn)
        self._numbers = 0
        self.strayed: list[Departure] = []  # cards that left a stack or a slot and were seen nowhere since
        self._beam: list[World] = []
        self._stirred = False  # something was told that may decide what is pending
        self._next = float("-inf")

    @property
    def adopting(self) -> bool:
        """Whether what is seen still counts as having been there before."""
        return self._began is None or self.now < self._began + self.priors.adopt

    def place(self, player: str, name: str) -> Place:
        return self.table.places[player, name]

    def stacks(self) -> list[Stack]:
        return sorted(self.table.stacks.values(), key=lambda stack: stack.pile)

    @property
    def pending(self) -> int:
        """How many changes still wait for their cause."""
        return len(self._pending)

    @property
    def unexplained(self) -> set[int]:
        """Stacks that have turned up and of which it is not decided yet how."""
        shown = (change.look.spot for change in self._pending if change.reading is not None)
        return {spot.stack for spot in shown if spot.is_centre and spot.stack not in self.table.stacks}

    def feed(self, observation: Observation) -> list[Inferred]:
        """The actions that this observation decides, amends or withdraws."""
        if isinstance(observation, Tick):
            return self._tick(observation.t)
        if isinstance(observation, Look):
            self.now = max(self.now, observation.t)
            self._stirred = True
            if self._began is None:
                self._began = observation.t
            return self._look(observation)
        if isinstance(observation, Covered):
            self._covered(observation)
        elif isinstance(observation, Gap):
            self._gap(observation)
        return []

    def _tick(self, t: float) -> list[Inferred]:
        self.now = max(self.now, t)
        if self._began is None:
            self._began = t
        said = kept_cards(self.setting, self._settling, self.now)
        if said:
            self._pending = self._settling.reopened() + self._pending
        if self._pending and (self._stirred or self.now >= self._next):
            self._stirred, self._next = False, self.now + _PAUSE
            while (decision := self._next_decision()) is not None:
                self._pending.remove(decision.change)
                said += self._settling.settle(decision)
                self._pending = self._settling.reopened() + self._pending
        if self.table.departures:
            wanted = self._wanted()
            said += beaten_due(self.setting, self._settling, self.now, wanted)
            said += turns_due(self.setting, self._settling, self.now, wanted)
            self._forget_departures()
        return said

    def _forget_departures(self) -> None:
        oldest = self.now - self.priors.slow_flight
        self.strayed += [
            gone
            for gone in self.table.open_departures()
            if gone.t <= oldest and gone.deed is None and gone.place != WASTE
        ]
        self.table.departures = [gone for gone in self.table.departures if gone.t > oldest]

    def _next_decision(self) -> Decision | None:
        if not self._pending:
            return None
        self._beam = worlds(self.setting, self._pending, self.now)
        return next(decisions(self.setting, self._beam, self._pending, self.now), None)

    def _wanted(self) -> set[Use]:
        """The cards that a likely story of what is pending makes use of."""
        if not self._pending:
            return set()
        return {use for world in self._beam if world.weight > 0.1 for use in world.used}

    def landed(self, player: str, name: str) -> float:
        """The chance that the card that left a place bare has been seen to go somewhere.

        Those that left before it are not on their way back: the same hand has taken this one since.
        """
        gone = {
            each.number
            for each in self.table.open_departures()
            if (each.owner, each.place) == (player, name) and each.reveals is None
        }
        if not gone:
            return 1.0
        return sum(world.weight for world in self._beam if gone <= world.used) if self._pending else 0.0

    def _look(self, look: Look) -> list[Inferred]:
        if look.again:
            return self._again(look)
        if look.spot.is_centre:
            self._centre(look)
            return []
        place = self.table.places.get((look.spot.player or "", look.spot.place))
        if place is None:
            return []  # the hand, or a place this game does not have
        news = look_home(self.setting, place, look, self._number())
        said: list[Inferred] = []
        if news.disproved is not None:
            said += came_home(self.setting, self._settling, news.disproved, look.t)
            self._pending = self._settling.reopened() + self._pending
        if news.filled is not None:
            self._pending.append(Change(self._number(), look, news.filled, self.now))
        if news.turned is not None:
            said.append(self._settling.turned(place, look, news.turned))
        return said

    def _centre(self, look: Look) -> None:
        reading = None if look.shows == "nothing" else self._read(look)
        number = look.spot.stack
        if self.adopting:
            if reading is not None:
                self._settling.adopt(number, look, reading)
            return
        stack = self.table.stacks.get(number)
        if reading is None and stack is None and not self._waiting(number):
            return
        if reading is None and stack is not None:
            stack.gone_at = look.t  # the tracker may have given it another number
        self._pending.append(Change(self._number(), look, reading, self.now))

    def _read(self, look: Look) -> Belief:
        return self.setting.faces.read(look.faces if look.shows == "face" else ())

    def _waiting(self, stack: int) -> bool:
        return any(change.key == stack for change in self._pending)

    def _again(self, look: Look) -> list[Inferred]:
        """A better reading of cards that lie there already: of a pending change, or of what was decided."""
        if look.shows != "face":
            return []
        for n, change in enumerate(self._pending):
            if change.look.spot == look.spot and change.look.t == look.t:
                reading = self._read(look)
                self._pending[n] = replace(change, reading=reading)
                break
        else:
            if look.spot.is_centre:
                return self._again_in_centre(look)
        return [] if look.spot.is_centre else self._again_at_home(look)

    def _again_at_home(self, look: Look) -> list[Inferred]:
        place = self.table.places.get((look.spot.player or "", look.spot.place))
        if place is None or place.look is None or place.look.t != look.t or place.shown is None:
            return []
        reading = home_reading(self.setting, look)
        assert reading is not None
        apart = None if place.apart == self.setting.faces.unknown else place.apart
        if apart is not None and not same_card(self.setting, place, look, apart):
            place.shown = place.apart  # what was taken for the old card is another one
            return self._look(replace(look, again=False))
        place.shown = reading if place.apart is None else together(place.apart, reading)
        return read_again_at_home(self._settling, place)

    def settled_by_person(self, number: int) -> None:
        """What a person has ruled on is not explained anew, whatever is read later."""
        self._settling.keep(number)

    def judged(self, number: int, legal: bool) -> None:
        """The referee's word on a deed: what was called, or asked about, may be taken back."""
        if legal:
            self.setting.called.discard(number)
        else:
            self.setting.called.add(number)

    def _again_in_centre(self, look: Look) -> list[Inferred]:
        stack = self.table.stacks.get(look.spot.stack)
        if stack is None or not stack.layers or stack.layers[-1].look.t != look.t:
            return []
        said = read_again(self._settling, stack, self._read(look))
        self._pending = self._settling.reopened() + self._pending
        return said

    def _covered(self, covered: Covered) -> None:
        self.now = max(self.now, covered.t)
        if covered.spot.is_centre:
            stack = self.table.stacks.get(covered.spot.stack)
            if stack is not None:
                stack.cover(covered.since, covered.t, covered.reach)
            return
        place = self.table.places.get((covered.spot.player or "", covered.spot.place))
        if place is not None:
            place.cover(covered.since, covered.t)

    def _gap(self, gap: Gap) -> None:
        """Whatever changed meanwhile will be looked at anew; the tracker may number the stacks anew."""
        self.now = max(self.now, gap.t)
        self.setting.gaps.append((gap.since, gap.t))
        for place in self.table.places.values():
            place.cover(gap.since, gap.t)
        for stack in self.table.stacks.values():
            stack.gone_at = gap.t

    def _number(self) -> int:
        self._numbers += 1
        return self._numbers

    def top_of(self, pile: int) -> Layer | None:
        """The card on top of a pile, if it lies there still."""
        for stack in self.table.stacks.values():
            if stack.pile == pile and stack.layers:
                return stack.layers[-1]
        return None
