"""English."""

from __future__ import annotations

from typing import Final

from referee.cards import Colour
from referee.language.words import Words
from referee.verdicts import Rule

COLOURS: Final = {Colour.RED: "red", Colour.YELLOW: "yellow", Colour.GREEN: "green", Colour.BLUE: "blue"}


def _card(colour: Colour | None, number: int | None) -> str:
    if colour is None:
        return "an unread card" if number is None else f"a {number} of unread colour"
    return f"{COLOURS[colour]} {'of unread number' if number is None else number}"


SENTENCES: Final = {
    "started": "the round is open",
    "running": "the round is open already",
    "opens": "{0} opens pile {1}",
    "joker": "{0} lies on pile {1} as a joker for {2}",
    "fits": "{0} follows on pile {1}",
    "refilled": "{1} becomes {2} of {0}",
    "turned": "{0} turns {1} from the hand",
    "recycled": "{0} takes up the waste ({1})",
    "taken-back": "{0} takes {1} back from pile {2}",
    "built": "{0} is built onto {1} of {2}",
    "finito": "the Espresso stack of {0} is empty: Finito",
    "finito-late": "{1} called first: no bonus for {0}",
    "undone": "line {0} is taken out",
    "amended": "line {0} is put right",
    "before-start": "{0} plays {1} before the shout",
    "after-finito": "{0} called Finito: {1} may no longer play {2}",
    "not-yours": "{0} belongs to {1}, not to {2}",
    "two-hands": "{0} plays with the {1} hand and has played with the {2} one",
    "both-hands": "{0} plays with both hands",
    "impossible-card": "the only {1} of {0} was seen elsewhere",
    "must-start-with-zero": "a pile starts with a {1}, not with {0}",
    "must-start-zero-or-one": "a pile starts with a 0 or a 1, not with {0}",
    "wrong-number": "pile {0}: {2:next} is next, not {1}",
    "wrong-colour": "pile {0} is {2:colour}: {2:next} is next, not {1}",
    "pile-complete": "pile {0} is complete: {1} cannot lie on a {2:number}",
    "too-late": "pile {0} already has its {1:number}: {1} is too late and goes back",
    "joker-on-eight": "pile {0} is complete: a joker cannot lie on a {2:number}",
    "joker-on-joker": "pile {0} has a joker on top: no joker on a joker",
    "joker-never-followed": "{0} would stand for the {2} on pile {1}, and nothing follows an {2}",
    "joker-not-followed": "the joker of {0} on pile {1} is not followed at once by the card that fits",
    "joker-interrupted": "the joker on pile {1} must be followed by {0}, who laid it",
    "from-hand": "{0} comes from the hand of {1}: only turned cards are open",
    "nothing-there": "{0} cannot come from {2} of {1}: nothing lies open there",
    "not-open": "{0} is not open: {2} of {1} shows {3}",
    "help-not-refilled": "{1} of {0} is empty: refill it from the Espresso stack first",
    "refill-source": "{1} of {0} is filled from {2}, not from the Espresso stack",
    "refill-from-empty": "{1} of {0} cannot be filled: the Espresso stack is empty",
    "refill-not-top": "{1} of {0} is filled with {2}, but the Espresso stack shows {3}",
    "turn-count": "{0} turns {1}: {2} it must be, {3} are in hand",
    "false-finito": "{0} calls Finito with {1} left on the Espresso stack",
    "home-order": "{0} does not go onto {2} on {1}: one lower, boys and girls in turn",
    "home-empty": "{1} of {0} is empty: it is filled from the race stack",
    "maybe-after-finito": "{0} may have called Finito validly: {2} of {1} may be too late",
    "maybe-fits": "it was not seen clearly whether {0} fits on pile {1}",
    "unsettled-pile": "an earlier card of pile {1} is in doubt: {0} may be right",
    "maybe-not-refilled": "{1} of {0} is empty; whether it had to be refilled is not certain",
    "maybe-turn-count": "{0} turns {1} instead of {2}; how many were in hand is not known",
    "maybe-finito": "how many cards {0} has left on the Espresso stack is not certain",
    "maybe-home": "it was not seen clearly whether {0} fits on {1}",
    "slot-not-empty": "{1} of {0} still shows {2}",
    "nothing-to-take": "{1} does not lie on pile {2}: {0} cannot take it back",
    "other-took-back": "{1} on pile {2} was laid by {3}, not by {0}",
    "order-unknown": "which came first is not known; in one order {0}",
    "too-many-orders": "more than {0} actions at the same time: their order cannot be told",
}

RULES: Final = {
    Rule.MUST_START_WITH_ZERO: "A pile in the centre starts with the first number: a 0 (Zero: a 0 or a 1).",
    Rule.WRONG_NUMBER: "Only the next number may be laid on a pile.",
    Rule.WRONG_COLOUR: "A pile has one colour: the next number must be of that colour.",
    Rule.PILE_COMPLETE: "A pile that has reached its last number takes no more cards.",
    Rule.NOT_OPEN: "Only open cards may be played: the top of the Espresso stack, a help card, "
    "or the top of the waste.",
    Rule.NOT_YOURS: "The cards of others are taboo, unless Chaos is played.",
    Rule.HELP_NOT_REFILLED: "An empty help slot is refilled from the stack before its player goes on.",
    Rule.REFILL_SOURCE: "A help slot is filled with the top card of the Espresso stack and no other.",
    Rule.TURN_COUNT: "Hand cards are turned three at a time; fewer only when fewer are left.",
    Rule.TWO_HANDS: "Cards are played with one hand, the same all round; the other holds the deck.",
    Rule.BEFORE_START: "Nobody plays before the shout.",
    Rule.AFTER_FINITO: "After Finito nobody plays.",
    Rule.FALSE_FINITO: "Finito is called when the Espresso stack is empty, not before.",
    Rule.JOKER_ON_EIGHT: "A joker may lie on any card but an 8.",
    Rule.JOKER_ON_JOKER: "A joker may not lie on a joker.",
    Rule.JOKER_NOT_FOLLOWED: "Who lays a joker lays the card that fits upon it at once.",
    Rule.TOO_LATE: "Of two equal cards on one pile the slower goes back.",
    Rule.IMPOSSIBLE_CARD: "Each back has each card once: a second one cannot be there.",
    Rule.HOME_ORDER: "At home cards are built downwards, boys and girls in turn.",
}

ENGLISH: Final = Words(
    code="en",
    colours=COLOURS,
    places={
        "espresso": "the Espresso stack",
        "waste": "the waste",
        "hand": "the hand",
        **{f"help{n}": f"help card {n}" for n in range(1, 6)},
    },
    hands={"left": "left", "right": "right", "both": "both"},
    card=_card,
    any_colour=lambda number: f"a {number} of any colour",
    sentences=SENTENCES,
    rules=RULES,
)
