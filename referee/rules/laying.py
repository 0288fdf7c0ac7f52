"""Laying a card into the centre: the checks in the order in which they decide, and what they leave behind."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from referee.actions import Play
from referee.cards import Face
from referee.places import HAND, HELP_INDEX
from referee.rules.home import card_at, contradicts, elsewhere
from referee.rules.pile_fit import PileLaw
from referee.state import Pile, RoundState, Side, Top
from referee.verdicts import Rule, Verdict, illegal, legal, unsure


@dataclass(slots=True)
class Laying:
    """A play with what it means in the state at hand. `card` is the reading and what its place tells."""

    law: PileLaw
    chaos: bool
    names: tuple[str, ...]
    state: RoundState
    play: Play
    number: int
    pile: Pile
    player: Side
    owner: Side
    card: Face
    unseen_tops: tuple[Top, ...]

    @property
    def mismatch(self) -> Face | None:
        """The card that its place showed, where that is surely another one and not lying there still."""
        lying = card_at(self.owner, self.play.source)
        if lying is None or not lying.bit or lying.could_be(self.card) or lying is self.play.reveals:
            return None
        return lying

    @property
    def name(self) -> str:
        return self.names[self.player.index]


def fits(law: PileLaw, tops: tuple[Top, ...], card: Face) -> list[Top]:
    """The tops a known card may leave behind, for those of the given tops upon which it fits."""
    if not tops:
        return [] if law.breach(None, card) else [law.after(None, card)]
    return [law.after(below, card) for below in tops if law.breach(below, card) is None]


def possible_cards(laying: Laying) -> tuple[Face, ...]:
    if laying.card.known:
        return (laying.card,)
    return laying.law.candidates(laying.card, laying.owner.seen_centre)


def check_phase(it: Laying) -> Verdict | None:
    state = it.state
    if not state.started:
        return illegal(Rule.BEFORE_START, "before-start", it.name, it.card)
    if state.caller is None:
        return None
    caller = it.names[state.caller]
    if state.caller_sure:
        return illegal(Rule.AFTER_FINITO, "after-finito", caller, it.name, it.card)
    return unsure(Rule.AFTER_FINITO, "maybe-after-finito", caller, it.name, it.card)


def check_owner(it: Laying) -> Verdict | None:
    if it.owner is it.player or it.chaos:
        return None
    return illegal(Rule.NOT_YOURS, "not-yours", it.card, it.names[it.owner.index], it.name)


def check_hand(it: Laying) -> Verdict | None:
    hand = it.play.hand
    if hand is None or hand == it.player.playing_hand:
        return None
    if hand == "both":
        return illegal(Rule.TWO_HANDS, "both-hands", it.name)
    if it.player.playing_hand is None:
        return None
    return illegal(Rule.TWO_HANDS, "two-hands", it.name, hand, it.player.playing_hand)


def check_copies(it: Laying) -> Verdict | None:
    extinct = not it.card.bit and not possible_cards(it)
    if extinct or elsewhere(it.owner, it.card, it.play.source):
        make = unsure if it.owner.vague else illegal  # what was seen of a vague side may be out of date
        return make(Rule.IMPOSSIBLE_CARD, "impossible-card", it.names[it.owner.index], it.card)
    return None


def check_pile(it: Laying) -> Verdict | None:
    law, tops = it.law, it.pile.tops
    if it.card.known and len(tops) <= 1:
        below = tops[0] if tops else None
        breach = law.breach(below, it.card)
        return _interrupted(it) if breach is None else _breached(it, breach, below)
    cards = possible_cards(it)
    breaches = [law.breach(below, card) for below in tops or (None,) for card in cards]
    if all(breach is None for breach in breaches) and breaches:
        return _interrupted(it)
    if any(breach is None for breach in breaches):
        return unsure(None, "maybe-fits", it.card, it.number)
    worst = _named(breaches, it)
    return _breached(it, worst, tops[0] if tops else None)


def _named(breaches: list[Rule | None], it: Laying) -> Rule:
    """One name for a card that breaks a rule whatever it is: the one that its read part shows."""
    broken = {breach for breach in breaches if breach is not None}
    if len(broken) == 1:
        return broken.pop()
    if Rule.WRONG_COLOUR in broken and it.card.number is None:
        return Rule.WRONG_COLOUR
    return Rule.TOO_LATE if Rule.TOO_LATE in broken and it.card.known else Rule.WRONG_NUMBER


def _breached(it: Laying, rule: Rule, below: Top | None) -> Verdict:
    if any(fits(it.law, (doubt,), card) for doubt in it.pile.doubts for card in possible_cards(it)):
        return unsure(rule, "unsettled-pile", it.card, it.number)
    if it.player.joker == it.number and rule in (Rule.WRONG_NUMBER, Rule.WRONG_COLOUR, Rule.TOO_LATE):
        make = illegal if it.player.joker_sure else unsure
        return make(Rule.JOKER_NOT_FOLLOWED, "joker-not-followed", it.name, it.number)
    if rule is Rule.MUST_START_WITH_ZERO:
        key = "must-start-zero-or-one" if it.law.zero else rule.value
        return illegal(rule, key, it.card, it.law.game.first_number)
    if rule is Rule.JOKER_NOT_FOLLOWED:
        return illegal(rule, "joker-never-followed", it.card, it.number, it.law.game.last_number)
    return illegal(rule, rule.value, it.number, it.card, below)


def _interrupted(it: Laying) -> Verdict | None:
    """The card fits; but somebody else's joker lies there and still waits for its own follower."""
    if not it.law.zero:
        return None
    for side in it.state.sides:
        if side.joker == it.number and side is not it.player:
            make = illegal if side.joker_sure else unsure
            return make(Rule.JOKER_NOT_FOLLOWED, "joker-interrupted", it.names[side.index], it.number)
    return None


def check_open(it: Laying) -> Verdict | None:
    source = it.play.source
    lying = card_at(it.owner, source)
    if lying is not None and lying.could_be(it.card):
        return None
    owner = it.names[it.owner.index]
    if source == HAND:
        return illegal(Rule.NOT_OPEN, "from-hand", it.card, owner)
    if lying is None:
        return illegal(Rule.NOT_OPEN, "nothing-there", it.card, owner, source)
    return illegal(Rule.NOT_OPEN, "not-open", it.card, owner, source, lying)


def check_joker(it: Laying) -> Verdict | None:
    """A joker of the same player still waits on another pile."""
    waiting = it.player.joker
    if not waiting or waiting == it.number:
        return None
    return waiting_joker(it.player, it.name)


def waiting_joker(side: Side, name: str) -> Verdict | None:
    if not side.joker:
        return None
    make = illegal if side.joker_sure else unsure
    return make(Rule.JOKER_NOT_FOLLOWED, "joker-not-followed", name, side.joker)


def check_refilled(it: Laying) -> Verdict | None:
    follows_joker = it.player.joker == it.number
    if follows_joker and it.player.joker_sure:
        return None
    return empty_help(it.player, it.name, doubtful=follows_joker)


def empty_help(side: Side, name: str, doubtful: bool = False) -> Verdict | None:
    """The breach of going on while a help slot is empty and the Espresso stack is not."""
    if None not in side.helps or not side.espresso:
        return None
    own = next((n for n, card in enumerate(side.helps) if card is None and not side.stolen >> n & 1), None)
    slot = side.helps.index(None) if own is None else own
    if own is None or not side.espresso_least or doubtful:
        return unsure(Rule.HELP_NOT_REFILLED, "maybe-not-refilled", name, f"help{slot + 1}")
    return illegal(Rule.HELP_NOT_REFILLED, "help-not-refilled", name, f"help{slot + 1}")


def check_reveals(it: Laying) -> Verdict | None:
    source = it.play.source
    if source in HELP_INDEX or not contradicts(it.owner, it.play.reveals, source):
        return None
    return illegal(Rule.IMPOSSIBLE_CARD, "impossible-card", it.names[it.owner.index], it.play.reveals)


CHECKS: Final[tuple[Callable[[Laying], Verdict | None], ...]] = (
    check_phase,
    check_owner,
    check_hand,
    check_copies,
    check_pile,
    check_open,
    check_joker,
    check_refilled,
    check_reveals,
)


def judge_laying(it: Laying) -> Verdict:
    """The first rule surely broken decides; a possible breach is `unsure`; else the play is legal."""
    if _plain(it):
        return legal("fits" if it.pile.tops else "opens", it.card, it.number)
    return _weighed(it)


def _plain(it: Laying) -> bool:
    """Most plays are plainly right: told without asking every rule, and in doubt left to the rules."""
    state, side, play, card, tops = it.state, it.player, it.play, it.card, it.pile.tops
    return (
        state.started
        and state.caller is None
        and it.owner is side
        and (play.hand is None or play.hand == side.playing_hand)
        and card.bit != 0
        and len(tops) <= 1
        and not it.law.zero
        and not side.loose
        and card_at(side, play.source) is card
        and None not in side.helps
        and it.law.breach(tops[0] if tops else None, card) is None
        and (play.source in HELP_INDEX or not contradicts(side, play.reveals, play.source))
    )


def _weighed(it: Laying) -> Verdict:
    doubt: Verdict | None = None
    for check in CHECKS:
        verdict = check(it)
        if verdict is None:
            continue
        if verdict.illegal:
            return verdict
        doubt = doubt or verdict
    if doubt is not None:
        return doubt
    if not it.pile.tops:
        return legal("opens", it.card, it.number)
    if it.law.is_joker(it.card):
        return legal("joker", it.card, it.number, it.pile.tops[0].number + 1)
    return legal("fits", it.card, it.number)
