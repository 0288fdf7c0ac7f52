"""Nobody is accused of what was not plain to see: what an accusation must rest on, rule by rule."""

from __future__ import annotations

from typing import Final

from finito.live.entries import Entry
from finito.live.table_rules import StackSeenEmpty
from referee.actions import Play, Refill
from referee.cards import Face
from referee.places import ESPRESSO, HAND
from referee.verdicts import Rule, Verdict, unsure
from vision.inference.inferred import Inferred, PileSeen
from vision.inference.reaching import arm_alone, nobody_there

SURE: Final = 0.99
_MOMENT: Final = 1.0
_GLANCE_AWAY: Final = 1.5
_THERE_TOO: Final = 0.4  # the share of an arm at a place where that of the owner may be as well
_ABROAD: Final = 0.33  # the share of an arm at somebody else's place that has not just passed by there
_OVER_PILE: Final = 0.2  # the same over a pile, which others reach for as well
_PASSING: Final = 0.1  # the share of an arm that only passes by
_READ: Final = 0.6
OF_THE_PILE: Final = frozenset(
    {
        Rule.MUST_START_WITH_ZERO,
        Rule.WRONG_NUMBER,
        Rule.WRONG_COLOUR,
        Rule.PILE_COMPLETE,
        Rule.TOO_LATE,
        Rule.JOKER_ON_EIGHT,
        Rule.JOKER_ON_JOKER,
    }
)


def fair(entry: Entry, verdict: Verdict) -> Verdict:
    """The verdict, or `unsure` where an accusation would rest on too little."""
    if entry.settled_by_hand or entry.inferred is None:
        return verdict
    if verdict.legal and entry.inferred.order_unknown and isinstance(entry.what, Play):
        return unsure(Rule.TOO_LATE, "maybe-fits", entry.what.face, entry.what.pile)  # or the other one was
    if not verdict.illegal:
        return verdict
    return verdict if _proven(entry, verdict) else doubtful(entry, verdict)


def _proven(entry: Entry, verdict: Verdict) -> bool:
    said, what, rule = entry.inferred, entry.what, verdict.rule
    assert said is not None
    if isinstance(what, PileSeen | StackSeenEmpty) or rule is None:
        return False
    # What else lies on the pile is no matter to rules that ask only who laid which card.
    if (said.confidence if rule in OF_THE_PILE else max(said.confidence, said.done)) < SURE:
        return False
    if rule in OF_THE_PILE:
        plain = not said.unseen and not said.order_unknown and _straight(said) and _pile_in_view(said)
        plain = plain and isinstance(what, Play) and _somebody_there(said) and _read_there(said, what.face)
        return said.fits <= 1.0 - SURE and plain
    if rule is Rule.TWO_HANDS:
        return said.hand_looks > 1
    if rule is Rule.NOT_YOURS:
        return isinstance(what, Play) and _by_this_arm(said, what.player, what.owner or what.player)
    if rule is Rule.NOT_OPEN:
        return isinstance(what, Play) and what.source == HAND and _read_there(said, what.face)
    if rule is Rule.REFILL_SOURCE:
        elsewhere = isinstance(what, Refill) and what.source != ESPRESSO and _read_there(said, what.face)
        return elsewhere and _somebody_there(said)
    if rule is Rule.TURN_COUNT:
        return False  # from above nobody sees how many were turned
    if rule is Rule.IMPOSSIBLE_CARD:
        return isinstance(what, Play) and _read_there(said, what.face)
    return True


def _by_this_arm(said: Inferred, player: str, owner: str) -> bool:
    """Whether the player's arm was over the place that the card left and over the pile, and once alone.

    Where the owner's was hardly over the pile, the owner did not lay it, and less of the other's will do.
    """
    first, last = said.looks[0], said.looks[-1]
    if first is last or not (arm_alone(first, player) or arm_alone(last, player)):
        return False
    home, pile = (dict(look.reach).get(player, 0.0) for look in (first, last))
    if dict(last.reach).get(owner, 0.0) <= _PASSING:
        return home >= _ABROAD and pile >= _OVER_PILE
    return min(home, pile) >= _THERE_TOO


def _straight(said: Inferred) -> bool:
    """Whether the card was seen to leave its place no more than a moment before."""
    return said.looks[-1].since - said.looks[0].t < _MOMENT


def _pile_in_view(said: Inferred) -> bool:
    """Whether the pile was seen so shortly before that nothing else can have come to lie upon it."""
    return said.looks[-1].t - said.looks[-1].since < _GLANCE_AWAY


def _somebody_there(said: Inferred) -> bool:
    """Whether an arm was over the pile, or it was out of view: otherwise its card was read anew, not laid."""
    return not nobody_there(said.looks[-1])


def _read_there(said: Inferred, card: Face) -> bool:
    """Whether it was read as this card where it came to lie: in glare nobody can tell what lay there before.

    What it is taken for only later, by another reading of the same card, accuses nobody.
    """
    faces = said.looks[-1].faces
    return bool(faces) and faces[0][0] == str(card) and faces[0][1] > _READ


def doubtful(entry: Entry, verdict: Verdict) -> Verdict:
    """The same matter as a question."""
    what = entry.what
    if verdict.rule in OF_THE_PILE and isinstance(what, Play):
        return unsure(verdict.rule, "maybe-fits", what.face, what.pile)
    if verdict.rule is Rule.HELP_NOT_REFILLED:
        return unsure(verdict.rule, "maybe-not-refilled", *verdict.reason.values)
    return unsure(verdict.rule, "order-unknown", verdict.reason)
