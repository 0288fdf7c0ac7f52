"""What is decided becomes belief, and is put into words: the deeds, numbered for good."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from referee.actions import Interval, Play, Refill, TakeBack, Turn
from referee.cards import UNKNOWN, Face
from referee.places import ESPRESSO, WASTE
from vision.inference.beliefs import Belief, agreement, normalised, read_twice
from vision.inference.causes import Cause, Laid, Setting, layer_of
from vision.inference.decided import (
    alternatives,
    blended,
    filled_elsewhere,
    hand_of,
    share_of,
    tops_in_doubt,
)
from vision.inference.deciding import Decision
from vision.inference.inferred import Inferred, PileSeen
from vision.inference.laid_under import come_to_light
from vision.inference.rivals import came_home, is_pair, yielded
from vision.inference.table import Change, Departure, Layer, Place, PlaceKey, Stack
from vision.observations import Look

_READ = 0.5  # from this chance on a face is named
_SECOND_THOUGHT = 0.95  # what was first taken for something else accuses nobody


class Settling:
    """Carries decisions into the table and remembers what was said of them."""

    def __init__(self, setting: Setting, stock_turn: int) -> None:
        self.setting = setting
        self.table = setting.table
        self.stock_turn = stock_turn
        self._said: dict[int, Inferred] = {}
        self._deeds = 0
        self._home_early: set[PlaceKey] = set()
        self._changes: dict[int, Change] = {}  # by the deed that was found for them
        self._reopened: list[Change] = []

    def settle(self, decision: Decision) -> list[Inferred]:
        """Takes a decision in and says what was done."""
        change, cause = decision.change, decision.cause
        self._spend(cause)
        if not change.look.spot.is_centre:
            return list(self._withdrawn_uses(cause)) + self._filled(decision)
        said = list(self._withdrawn_uses(cause))
        stack = self._stack(change.look.spot.stack, cause)
        seen = () if change.reading is None else self.setting.fitting.seen(change.reading)
        tops = tops_in_doubt(decision, stack.layers, seen)
        if cause.kind == "same":
            self._seen_again(stack, change.look, change.reading)
        elif cause.kind == "taken_back":
            said += self._taken_back(decision, stack)
        elif cause.kind == "cleared":
            stack.gone_at = change.look.t
        elif cause.kind == "renamed":
            self._seen_again(stack, change.look, change.reading)
        elif cause.kind == "adopted":
            said.append(self._adopted(decision, stack))
        else:
            said += self._laid(decision, stack)
        if change.reading is not None:
            stack.gone_at = None
        if tops is not None and stack.layers:
            stack.layers = (*stack.layers[:-1], replace(stack.layers[-1], tops=tops))
        return said

    def _spend(self, cause: Cause) -> None:
        for use in cause.uses:
            if isinstance(use, tuple):
                continue
            for gone in self.table.departures:
                if gone.number == use:
                    gone.spent = True

    def _withdrawn_uses(self, cause: Cause) -> Iterator[Inferred]:
        """A card taken to be buried by a turn has turned up: there was no turn."""
        for laid in cause.laid:
            if laid.departure is not None and laid.departure.deed is not None:
                yield from self.withdrawn(laid.departure.deed)
                laid.departure.deed = None

    def _stack(self, number: int, cause: Cause) -> Stack:
        stack = self.table.stacks.get(number)
        if cause.stack:  # the tracker has given it another number
            old = self.table.stacks.pop(cause.stack)
            stack = Stack(number, old.pile, old.layers, covers=old.covers)
            self.table.stacks[number] = stack
        if stack is None:
            self.table.piles += 1
            stack = Stack(number, self.table.piles)
            self.table.stacks[number] = stack
        return stack

    def adopt(self, number: int, look: Look, reading: Belief) -> None:
        """A pile that was there before."""
        stack = self._stack(number, Cause("adopted", 1.0))
        tops = self.setting.fitting.seen(reading)
        stack.layers = (Layer(tops, reading, self.setting.faces.unknown, 1.0, look),)

    def _adopted(self, decision: Decision, stack: Stack) -> Inferred:
        look, reading = decision.change.look, decision.change.reading
        assert reading is not None
        tops = self.setting.fitting.seen(reading)
        number = self.new_deed()
        layer = Layer(tops, reading, self.setting.faces.unknown, 1.0, look, deed=number)
        stack.layers = (*stack.layers, layer)
        seen = PileSeen(stack.pile, tops, Interval(look.since, look.t))
        return self.say(Inferred(number, seen, decision.share, look.t, look.frames, (look,)))

    def _seen_again(self, stack: Stack, look: Look, reading: Belief | None) -> None:
        """The same top in a new place, or read once more."""
        if reading is None or not stack.layers:
            return
        top = stack.layers[-1]
        faces = read_twice(top.faces, reading)
        again = replace(top, faces=faces, apart=top.faces, look=look, first=top.laid)
        stack.layers = (*stack.layers[:-1], again)

    def _laid(self, decision: Decision, stack: Stack) -> list[Inferred]:
        said = []
        look = decision.change.look
        for laid in blended(decision):
            number = self.new_deed()
            if len(decision.cause.laid) == 1:
                self._changes[number] = decision.change
            opens = not stack.layers
            layer = layer_of(laid, look, number)
            stack.layers = (*stack.layers, replace(layer, share=decision.share))
            face, chance = self.setting.faces.best(laid.faces)
            self.table.laid.setdefault(laid.owner, set()).add(self.setting.faces.index[face])
            place = self.table.places.get((laid.owner, laid.place))
            if laid.departure is None and place is not None and decision.cause.uses:
                self._owes(place, number, laid, look)
            said.append(self.say(self.play(decision, laid, stack, number, opens, face, chance)))
        return said

    def _owes(self, place: Place, number: int, laid: Laid, look: Look) -> None:
        """A card left a place that was not seen to change: the next look will tell, or the last one did."""
        last = place.look
        doubtful = place.apart is not None and last is not None and len(last.faces) > 0
        if not doubtful or last is None or max(self.setting.faces.read(last.faces)) > 0.9 or last.t > look.t:
            place.owed = number
            return
        gone, _ = self.setting.faces.best(laid.faces)
        left = list(self.setting.faces.read(last.faces))
        left[self.setting.faces.index[gone]] *= 0.01  # what was taken for the same card was the next one
        place.shown, place.apart = normalised(left), None

    def play(
        self,
        decision: Decision,
        laid: Laid,
        stack: Stack,
        number: int,
        opens: bool,
        face: Face,
        chance: float,
    ) -> Inferred:
        """A play in words."""
        look, gone = decision.change.look, laid.departure
        start = look.since if gone is None else min(look.t, max(look.since, gone.since))
        moment = look.t if gone is None else min(look.t, max(look.since, gone.t))
        hand, hands = hand_of(look, gone, laid.player)
        most = _SECOND_THOUGHT if decision.change.again else 1.0
        play = Play(
            player=laid.player,
            face=face if chance > _READ else UNKNOWN,
            source=laid.place,
            pile=stack.pile,
            t=Interval(start, look.t),
            owner=None if laid.owner == laid.player else laid.owner,
            hand=hand,
            opens=opens,
        )
        return Inferred(
            number=number,
            action=play,
            confidence=min(most, decision.share) * chance,
            moment=moment,
            seen=look.frames if gone is None else (min(gone.look.frames[0], look.frames[0]), look.frames[1]),
            looks=(look,) if gone is None else (gone.look, look),
            alternatives=alternatives(self.setting, decision, play),
            done=min(most, share_of(decision, laid)) * chance,
            fits=laid.fits,
            before=laid.below,
            unseen=laid.unseen,
            hand_looks=hands,
            order_unknown=decision.cause.kind == "contested",
        )

    def _taken_back(self, decision: Decision, stack: Stack) -> list[Inferred]:
        look, cause = decision.change.look, decision.cause
        top = stack.layers[-1]
        said: list[Inferred] = []
        if is_pair(stack.layers):  # by the rules the slower card, but either may lie on top
            top = next((each for each in stack.layers[-2:] if each.player == cause.player), top)
            assert top.deed is not None
            said = yielded(self, stack, top.deed, decision.share, self._owned(top, cause.player, look))
        else:
            stack.layers = stack.layers[:-1]
        face, chance = self.setting.faces.best(top.faces)
        lower: list[Inferred] = []
        if cause.laid:
            lower = come_to_light(self, decision, stack, top)
        elif stack.layers:
            self._seen_again(stack, look, decision.change.reading)
        if top.owner is not None:
            self.table.laid.get(top.owner, set()).discard(self.setting.faces.index[face])
            self._under_way(top, look)
        action = TakeBack(cause.player, face, stack.pile, Interval(look.since, look.t))
        number = self.new_deed()
        confidence = decision.share * chance
        taken = self.say(Inferred(number, action, confidence, look.t, look.frames, (look,)))
        return [*said, taken, *lower]

    def _owned(self, top: Layer, taker: str, look: Look) -> bool:
        """Whether its own player took it off the pile, and it has come home since."""
        home = self.table.places.get((top.owner or "", top.place))
        return home is not None and taker == top.player and home.bare_until(look.since, float("inf"))

    def _under_way(self, top: Layer, look: Look) -> None:
        """The card taken back is on its way home, if it does not lie there already."""
        place = self.table.places.get((top.owner or "", top.place))
        if place is None:
            return
        there = place.shown is not None and agreement(place.shown, top.faces) > 3.0
        if there and (place.name in (ESPRESSO, WASTE) or place.key in self._home_early):
            self._home_early.discard(place.key)
            return
        back = Departure(-1 - self._deeds, place.player, place.name, top.faces, look.since, look.t, look)
        self.table.departures.append(back)

    def _filled(self, decision: Decision) -> list[Inferred]:
        look, cause = decision.change.look, decision.cause
        place = self.table.places[cause.player, cause.place]
        if cause.kind == "returned":
            if not cause.uses:
                return self._back_home(place, decision.change)
            gone = next((each for each in self.table.departures if each.number in cause.uses), None)
            if gone is None or gone.deed is None:
                return []
            return came_home(self.setting, self, gone.deed, look.t)
        laid = cause.laid[0]
        face, chance = self.setting.faces.best(laid.faces)
        number = self.new_deed()
        if place.look is look:
            place.shown, place.apart, place.deed = laid.faces, laid.apart, number
        origin = self.table.places.get((cause.player, laid.place))
        if laid.departure is None and cause.uses and origin is not None:
            self._owes(origin, number, laid, look)
        gone = laid.departure
        start = look.since if gone is None else min(look.t, max(look.since, gone.since))
        action = Refill(
            cause.player,
            cause.place,
            face if chance > _READ else UNKNOWN,
            Interval(start, look.t),
            source=laid.place,
        )
        looks = (look,) if gone is None else (gone.look, look)
        moment = look.t if gone is None else min(look.t, max(look.since, gone.t))
        share = decision.share
        if laid.place != ESPRESSO:  # wherever else it came from
            share += sum(part for other, part in decision.others if filled_elsewhere(other))
        share = min(1.0, share)
        inferred = Inferred(number, action, share * chance, moment, look.frames, looks, done=share)
        return [self.say(inferred)]

    def _back_home(self, place: Place, seen: Change) -> list[Inferred]:
        """A card said to lie on a pile is at home: called off it, or it never lay there."""
        assert seen.reading is not None
        for stack in self.table.stacks.values():
            for depth, layer in enumerate(stack.layers[-2:][::-1]):
                if (
                    (layer.owner, layer.place) != place.key
                    or layer.deed is None
                    or layer.look.t > seen.look.t
                ):
                    continue
                if agreement(layer.faces, seen.reading) > 3.0:
                    said = self._never_laid(stack, layer, depth, place, seen.look.t)
                    if said:
                        return said
        self._home_early.add(place.key)
        return []

    def _never_laid(self, stack: Stack, layer: Layer, depth: int, place: Place, t: float) -> list[Inferred]:
        """Takes a card off a pile again where an equal card of somebody else explains what was seen."""
        assert layer.deed is not None
        said = self._said[layer.deed]
        change = self._changes.get(layer.deed)
        if said.order_unknown and is_pair(stack.layers):
            return came_home(self.setting, self, layer.deed, t)
        called_off = layer.fits < 0.5 or layer.deed in self.setting.called
        if change is None or depth or called_off or not self._others_card(layer, place):
            return []  # or the pile itself will show that the card is gone
        return self.never_laid(stack, layer.deed)

    def keep(self, deed: int) -> None:
        """The deed stays as it is: its change is not sought a cause for again."""
        self._changes.pop(deed, None)

    def may_reopen(self, deed: int) -> bool:
        """Whether another cause may be sought: the deed explains one card alone, and none was sought yet."""
        change = self._changes.get(deed)
        return change is not None and not change.again

    def never_laid(self, stack: Stack, deed: int) -> list[Inferred]:
        """What was seen on the pile was another card: its cause is sought anew."""
        top, change = stack.layers[-1] if stack.layers else None, self._changes.get(deed)
        if top is not None and top.deed == deed and change is not None:
            stack.layers = stack.layers[:-1]
            self._reopened.append(replace(change, again=True))
            face, _ = self.setting.faces.best(top.faces)
            self.table.laid.get(top.owner or "", set()).discard(self.setting.faces.index[face])
        return self.withdrawn(deed)

    def explained_anew(self, stack: Stack, reading: Belief) -> list[Inferred]:
        """The top of a pile is another card than the one it was taken for: all that it used is free again."""
        top = stack.layers[-1]
        if top.deed is None or top.deed not in self._changes:
            return []
        said, change = self._said[top.deed], self._changes[top.deed]
        if said.said == "withdrawn":
            return []
        for gone in self.table.departures:
            if gone.look is said.looks[0]:
                gone.spent = False
        for place in self.table.places.values():
            if place.owed == top.deed:
                place.owed = None
        self._changes[top.deed] = replace(change, reading=reading)
        return self.never_laid(stack, top.deed)

    def alone(self, deed: int | None) -> list[Inferred]:
        """One of two equal cards, now that the other was none."""
        said = None if deed is None else self._said.get(deed)
        if said is None or said.said == "withdrawn":
            return []
        return [self.say(replace(said, fits=1.0, order_unknown=False, said="amended"))]

    def _others_card(self, top: Layer, place: Place) -> bool:
        """Whether an equal card of somebody else has left its place and not been seen since."""
        return any(
            (gone.owner, gone.place) != place.key and agreement(gone.faces, top.faces) > 3.0
            for gone in self.table.open_departures()
        )

    def reopened(self) -> list[Change]:
        """Changes that need another cause than the one they were given."""
        again, self._reopened = self._reopened, []
        return again

    def turned(self, place: Place, look: Look, shown: Belief) -> Inferred:
        """Cards turned onto an empty waste."""
        number = self.new_deed()
        place.deed = number
        action = Turn(place.player, self.stock_turn, Interval(look.since, look.t), self.top_face(shown))
        return self.say(Inferred(number, action, 0.995, look.t, look.frames, (look,)))

    def top_face(self, shown: Belief) -> Face:
        face, chance = self.setting.faces.best(shown)
        return face if chance > 0.98 else UNKNOWN

    def said(self, deed: int) -> Inferred | None:
        """The last word on a deed."""
        return self._said.get(deed)

    def withdrawn(self, number: int) -> list[Inferred]:
        said = self._said.get(number)
        if said is None or said.said == "withdrawn":
            return []
        return [self.say(replace(said, said="withdrawn"))]

    def say(self, inferred: Inferred) -> Inferred:
        self._said[inferred.number] = inferred
        return inferred

    def new_deed(self) -> int:
        self._deeds += 1
        return self._deeds
