"""What the table must have shown before anybody is accused of what lies at home, rule by rule.

An accusation that rests on a place having kept its card, or having been empty, needs that place in plain
view: what was covered, looked at anew or told late makes it a question.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from finito.live.copies import AT_ONCE, GLANCE_AWAY, first_copy_sure
from finito.live.entries import Entry
from finito.live.fairness import OF_THE_PILE, SURE, doubtful, fair
from finito.live.given_up import given_up
from finito.live.lying_open import LONG_HIDDEN, SWEPT, TURNED_UNSEEN, open_perhaps, plainly_read
from finito.live.table_rules import goes_before, grows_to, judge, with_slot_filled
from referee.actions import Play, Refill, Turn
from referee.cards import Face, parse_face
from referee.places import ESPRESSO, HAND, WASTE
from referee.rules.pile_game import PileRules
from referee.state import RoundState
from referee.verdicts import Rule, Verdict, illegal, legal, unsure
from vision.action_inference import ActionInference
from vision.inference.table import Departure, Layer, Place
from vision.observations import Look

_ABOUT_THEN: Final = 0.6
_NEVER: Final = 1e-3  # the chance below which a pile did not show that
_MISREAD: Final = 0.01  # the chance from which on a card may be another than it was read as
_PERHAPS: Final = 0.02  # the chance from which on a card may be the one that fits
_SHOUTED: Final = 0.4  # seconds after our call in which the player's own shout may still come
_HEARD: Final = 0.1  # seconds after a call in which nobody has heard it yet
_IN_TIME: Final = 0.15  # a slot that was open to view no later than this before a deed was filled in time
_ANOTHER_STORY: Final = 0.14  # the chance of breaches from which on a play is not simply legal
_CALLED_OFF: Final = 12.0  # seconds after which no card comes home from a pile any more
_HARDLY: Final = 0.5  # the chance below which a card did not fit
_ONE_CARD: Final = 0.005  # the chance from which on two readings may be of one card


class Evidence:
    """Weighs accusations against all that was seen of the places they rest on."""

    def __init__(self, inference: ActionInference) -> None:
        self.inference = inference
        self.called: float | None = None  # when Finito was called validly
        self._rules: PileRules | None = None
        self._entries: Sequence[Entry] = ()

    def opened(self, rules: PileRules, entries: Sequence[Entry]) -> None:
        self._rules, self._entries = rules, entries

    def checked(self, entry: Entry, verdict: Verdict, state: RoundState) -> Verdict:
        """The verdict, or a question where what was seen does not bear it out."""
        if entry.inferred is None or entry.settled_by_hand:
            return verdict
        if verdict.legal and entry.handless and isinstance(entry.what, Play):
            return unsure(Rule.TWO_HANDS, "maybe-both-hands", entry.what.player)
        if verdict.legal:
            return self._other_stories(entry, verdict)
        if verdict.rule is Rule.HELP_NOT_REFILLED:
            return self._slot_checked(entry, verdict, state)
        if verdict.rule is Rule.TURN_COUNT:
            return legal("running")  # from above nobody sees how many were turned
        if verdict.rule is Rule.IMPOSSIBLE_CARD and verdict.unsure:
            return self._second_copy(entry, verdict)
        if verdict.rule is Rule.AFTER_FINITO and verdict.unsure:
            return self._given_up(entry, verdict)
        if not verdict.illegal:
            return verdict
        if entry.unproven is not entry.inferred and self._borne_out(entry, verdict.rule):
            return verdict
        # What speaks for the player may be out of mind when it is judged anew.
        if verdict.rule in OF_THE_PILE or (verdict.rule is Rule.NOT_OPEN and self._lay_below(entry)):
            entry.unproven = entry.inferred
        return doubtful(entry, verdict)

    def _other_stories(self, entry: Entry, verdict: Verdict) -> Verdict:
        """Not simply legal where a story in which it is not is hardly less likely."""
        assert entry.inferred is not None
        if not isinstance(entry.what, Play):
            return verdict
        chance = {Rule.NOT_OPEN: 0.0, Rule.NOT_YOURS: 0.0}
        for other in entry.inferred.alternatives:
            if not isinstance(other.action, Play):
                continue
            if other.action.source == HAND:
                chance[Rule.NOT_OPEN] += other.chance
            elif other.action.owner is not None and not self.inference.setting.chaos:
                chance[Rule.NOT_YOURS] += other.chance
        rule = max(chance, key=lambda name: chance[name])
        if sum(chance.values()) < _ANOTHER_STORY:
            return verdict
        return unsure(rule, "maybe-elsewhere", entry.what.face)

    def _borne_out(self, entry: Entry, rule: Rule | None) -> bool:
        if rule is Rule.REFILL_SOURCE:
            held = self._held_before(entry)
            return held and not self._from_stack_perhaps(entry) and not self._came_back(entry)
        if rule is Rule.NOT_OPEN:
            return not self._lay_below(entry) and not open_perhaps(self.inference, self._entries, entry)
        if rule is Rule.IMPOSSIBLE_CARD:
            return first_copy_sure(self.inference, self._entries, entry)
        if rule is Rule.AFTER_FINITO:
            return self._after_call(entry) or given_up(self.inference, self._entries, entry)
        if rule is Rule.JOKER_NOT_FOLLOWED:
            assert entry.inferred is not None
            # What looks like a turn may yet prove the very card that follows.
            return not self._play_perhaps(entry, max(look.t for look in entry.inferred.looks))
        return rule not in OF_THE_PILE or (self._pile_was_read(entry) and not self._read_as_fitting(entry))

    def _pile_was_read(self, entry: Entry) -> bool:
        """Whether no card that fits can have come to the pile under a hand since it was read.

        One that left its place about then and may be the card that goes before this one is enough.
        """
        what = entry.what
        assert entry.inferred is not None
        if not isinstance(what, Play) or what.face.number is None or what.face.number == 0:
            return True
        if entry.inferred.before and not any(
            grows_to(top, what.face) for top, chance in entry.inferred.before if chance > _NEVER
        ):
            return True  # no cards that fit lead from what lay there to what this one needs
        look, faces = entry.inferred.looks[-1], self.inference.setting.faces.all
        before = [i for i, face in enumerate(faces) if goes_before(face, what.face)]
        piles = [stack for stack in self.inference.stacks() if stack.pile == what.pile]
        if any(_misread_since(stack.below(look), what.face) for stack in piles):
            return False
        if any(self._went_astray(stack.below(look), look, before) for stack in piles):
            return False
        hidden = [cover for stack in piles for cover in stack.hidden_before(look)]
        return not any(
            gone.since < until + _ABOUT_THEN
            and gone.t > since - AT_ONCE
            and sum(gone.faces[i] for i in before) > _PERHAPS
            and not self._laid_elsewhere(gone, what.pile)
            for gone in self.inference.table.departures
            for since, until in hidden
        )

    def _went_astray(self, below: Layer | None, look: Look, before: Sequence[int]) -> bool:
        """Whether the card that goes before this one left its place and was seen nowhere since.

        Then it lies below: the eyes have missed it, whether they saw a hand there or not.
        """
        since = float("-inf") if below is None else below.laid.t - AT_ONCE
        lost = (*self.inference.strayed, *self.inference.table.open_departures())
        return any(
            since < gone.t and gone.since < look.t and sum(gone.faces[i] for i in before) > _HARDLY
            for gone in lost
            if gone.deed is None
        )

    def _laid_elsewhere(self, gone: Departure, pile: int | None) -> bool:
        """Whether a card that left its place was plainly seen to go to another pile."""
        return any(
            isinstance(each.what, Play)
            and each.inferred is not None
            and each.inferred.looks[0] is gone.look
            and not each.void
            and each.what.pile != pile
            and each.confidence >= SURE
            for each in self._entries
        )

    def _read_as_fitting(self, entry: Entry) -> bool:
        """Whether the card on the pile, read by itself, may be one that fits.

        A card that is misread is misread wherever it lies: that it was read so at home proves nothing.
        """
        said, setting = entry.inferred, self.inference.setting
        assert said is not None
        fits = [setting.fitting.fitting(top) for top, chance in said.before if chance > _PERHAPS]
        index = setting.faces.index
        named = [(index.get(parse_face(name)), chance) for name, chance in said.looks[-1].faces]
        return any(
            sum(chance for number, chance in named if number is not None and each[number]) > _MISREAD
            for each in fits
        )

    def _after_call(self, entry: Entry) -> bool:
        """Whether the call was out while the card was still seen at home, or well before it was laid."""
        assert entry.inferred is not None
        when, looks = entry.inferred.action.t, entry.inferred.looks
        if when is None or self.called is None:
            return False
        at_home = len(looks) > 1 and looks[0].since >= self.called + _HEARD
        return at_home or when.start >= self.called + _SHOUTED

    def _slot_checked(self, entry: Entry, verdict: Verdict, state: RoundState) -> Verdict:
        """Empty if the next look at the slot says so; filled in time if that look leaves it open."""
        player, slot = (str(value) for value in verdict.reason.values[:2])
        assert entry.inferred is not None
        done = max(look.t for look in entry.inferred.looks)
        if verdict.unsure and self._stack_seen(player, entry.inferred.looks[0].since, done, state):
            verdict = fair(entry, illegal(Rule.HELP_NOT_REFILLED, "help-not-refilled", player, slot))
        place = self.inference.place(player, slot)
        before = [look for look in place.looks if look.t <= done][-1:]
        later = next((look for look in place.looks if look.t > done), None)
        if before and before[0].shows == "face" and place.owed is None:
            return self._filled_in_time(entry, state, player, slot)  # it was never seen empty
        if later is None or not before or before[0].shows != "nothing":
            return doubtful(entry, verdict)
        began = entry.inferred.looks[0].since
        if began < (before[0].t - _IN_TIME if isinstance(entry.what, Turn) else before[0].since):
            return doubtful(entry, verdict)  # perhaps it was done before the slot was emptied
        if later.since >= done:
            plain = self._straight_there(entry) and not self._read_anew(entry)
            stayed = self._stayed_empty(place, before[0], began, done)
            plain = plain and (stayed or self._stack_kept(player, before[0].since, done))
            plain = plain and not self._play_perhaps(entry, done)
            plain = plain and not self._card_on_its_way(player, before[0].since, done)
            return verdict if plain else doubtful(entry, verdict)
        if done - later.since < _IN_TIME:
            return doubtful(entry, verdict)
        return self._filled_in_time(entry, state, player, slot)

    def _stack_seen(self, player: str, began: float, done: float, state: RoundState) -> bool:
        """Whether cards were seen on the stack all the while, however many are left by what was counted."""
        assert self._rules is not None
        side = state.sides[self._rules.index[player]]
        looks = self.inference.place(player, ESPRESSO).looks
        then = [look for look in looks if look.t <= began][-1:]
        then += [look for look in looks if began < look.t <= done + AT_ONCE]
        known = not side.stolen and not side.joker and bool(then)
        return known and all(look.shows != "nothing" for look in then)

    def _read_anew(self, entry: Entry) -> bool:
        """Whether what is taken for a turn may be the same card, read once as this and once as that."""
        if not isinstance(entry.what, Turn):
            return False
        assert entry.inferred is not None
        look, looks = entry.inferred.looks[0], self.inference.place(entry.what.player, WASTE).looks
        if not plainly_read(look):
            return True
        before = [each for each in looks if each.t < look.t][-1:]
        now = dict(look.faces)
        return any(
            sum(chance * now.get(name, 0.0) for name, chance in each.faces) > _ONE_CARD
            for each in before
            if each.faces and look.faces
        )

    def _stayed_empty(self, place: Place, seen: Look, began: float, done: float) -> bool:
        """Whether the slot was in view about then: under a hand it may have been filled and emptied again."""
        return place.out_of_view(max(seen.since, began), done) < TURNED_UNSEEN

    def _stack_kept(self, player: str, since: float, done: float) -> bool:
        """Whether no card can have left the stack meanwhile: then none came to the slot either."""
        stack = self.inference.place(player, ESPRESSO)
        return not stack.looked_at(since, done) and stack.out_of_view(since, done) < LONG_HIDDEN

    def _card_on_its_way(self, player: str, since: float, done: float) -> bool:
        """Whether a card had left the stack that was not seen to go straight to a pile.

        It may have lain in the slot by then, though nobody looked.
        """
        straight = [
            each.inferred.looks[0]
            for each in self._entries
            if isinstance(each.what, Play)
            and each.inferred is not None
            and not each.void
            and (each.what.owner or each.what.player, each.what.source) == (player, ESPRESSO)
            and self._straight_there(each)
        ]
        looks = self.inference.place(player, ESPRESSO).looks
        return any(look.t > since and look.since < done and look not in straight for look in looks)

    def _play_perhaps(self, entry: Entry, done: float) -> bool:
        """Whether what is taken for a turn may yet prove a play: its card is seen by the slow sweep only."""
        return isinstance(entry.what, Turn) and self.inference.now - done < SWEPT

    def _filled_in_time(self, entry: Entry, state: RoundState, player: str, slot: str) -> Verdict:
        assert self._rules is not None
        state = state.with_side(with_slot_filled(state.sides[self._rules.index[player]], slot))
        verdict = fair(entry, judge(self._rules, state, entry.what))
        # Another slot may seem empty as well, and needs as much proof.
        return (
            self._slot_checked(entry, verdict, state) if verdict.rule is Rule.HELP_NOT_REFILLED else verdict
        )

    def _second_copy(self, entry: Entry, verdict: Verdict) -> Verdict:
        """However little is known of a player's hand: a card seen to lie in the centre is not there twice."""
        if verdict.reason.key != "impossible-card":
            return verdict
        known = fair(entry, illegal(Rule.IMPOSSIBLE_CARD, verdict.reason.key, *verdict.reason.values))
        return known if known.illegal and first_copy_sure(self.inference, self._entries, entry) else verdict

    def _given_up(self, entry: Entry, verdict: Verdict) -> Verdict:
        """However uncertain when Finito was called: who takes the card home says that it came after."""
        if verdict.reason.key != "maybe-after-finito":
            return verdict
        known = fair(entry, illegal(Rule.AFTER_FINITO, Rule.AFTER_FINITO.value, *verdict.reason.values))
        return known if known.illegal and given_up(self.inference, self._entries, entry) else verdict

    def _from_stack_perhaps(self, entry: Entry) -> bool:
        """Whether a card may have left the player's stack about when the slot was filled.

        A look at the stack that seems to show the same card may be the first at another one.
        """
        what, said = entry.what, entry.inferred
        assert isinstance(what, Refill)
        assert said is not None
        look = said.looks[-1]
        if what.source == WASTE and len(said.looks) > 1:
            return False  # this very card was seen to leave the waste
        stack = self.inference.place(what.player, ESPRESSO)
        since = look.since - _ABOUT_THEN
        if look.t - look.since > GLANCE_AWAY:
            return True
        return stack.looked_at(since, look.t) or stack.out_of_view(since, look.t) > LONG_HIDDEN

    def _lay_below(self, entry: Entry) -> bool:
        """Whether the card may have come before a wrong one that the pile showed until it was taken off."""
        assert entry.inferred is not None
        lower = (stack.below(entry.inferred.looks[-1]) for stack in self.inference.stacks())
        return any(layer is not None and layer.fits < _HARDLY for layer in lower)

    def _held_before(self, entry: Entry) -> bool:
        """Whether the slot was seen to hold a card before: otherwise it may be its own, put down again."""
        what, said = entry.what, entry.inferred
        assert isinstance(what, Refill)
        assert said is not None
        looks = self.inference.place(what.player, what.slot).looks
        return any(look.shows != "nothing" and look.t < said.looks[-1].t for look in looks)

    def _came_back(self, entry: Entry) -> bool:
        """Whether the card had lain in this very slot before: then it was laid, called off and put back.

        Even a card that was read for sure may be that one, as long as the reading names it at all.
        """
        what, said = entry.what, entry.inferred
        assert isinstance(what, Refill)
        assert said is not None
        named = {name for name, _ in said.looks[-1].faces} | {str(what.face)}
        return any(
            isinstance(old.what, Play)
            and entry.moment - _CALLED_OFF < old.moment < entry.moment
            and (old.what.owner or old.what.player, old.what.source) == (what.player, what.slot)
            and str(old.what.face) in named
            for old in self._entries
        )

    def _straight_there(self, entry: Entry) -> bool:
        """Whether the card went from its place to the pile at once, with no stay in a slot.

        What lay open on the waste does not come to a slot; any other card must be seen to leave its place.
        """
        assert entry.inferred is not None
        first, last = entry.inferred.looks[0], entry.inferred.looks[-1]
        seen_to_leave = first is not last or not isinstance(entry.what, Play) or entry.what.source == WASTE
        return seen_to_leave and last.since - first.since < AT_ONCE


def _misread_since(top: Layer | None, card: Face) -> bool:
    """Whether what was taken for the top of a pile, moved, may be the card that goes before this one.

    Somebody laid it and it was misread as the one below: any guess of the reading that names it will do.
    """
    if top is None or top.first is None:
        return False
    return any(goes_before(parse_face(name), card) for name, _ in top.look.faces)
