"""English."""

from __future__ import annotations

from typing import Final

from referee.cards import Colour
from referee.language.words import Twists, Words
from referee.places import HELPS
from referee.verdicts import Rule

COLOURS: Final = {Colour.RED: "red", Colour.YELLOW: "yellow", Colour.GREEN: "green", Colour.BLUE: "blue"}


def _a(number: int) -> str:
    return f"an {number}" if number == 8 else f"a {number}"


def _card(colour: Colour | None, number: int | None) -> str:
    if colour is None:
        return "an unread card" if number is None else f"{_a(number)} of unread colour"
    return f"a {COLOURS[colour]} card of unread number" if number is None else f"{COLOURS[colour]} {number}"


def _cards(count: int) -> str:
    return {0: "no cards", 1: "1 card"}.get(count, f"{count} cards")


SENTENCES: Final = {
    "started": "the round is open",
    "running": "the round is open already",
    "opens": "{0} opens pile {1}",
    "joker": "{0} lies on pile {1} as a joker for the {2}",
    "fits": "{0} follows on pile {1}",
    "refilled": "{1} goes to {2:place} {0:of}",
    "turned": "{0} turns {1:cards} from the hand",
    "recycled": "{0} takes up the waste ({1:cards})",
    "taken-back": "{0} takes {1} back from pile {2}",
    "built": "{0} is built onto {1:place} {2:of}",
    "finito": "the {race} stack {0:of} is empty: {call}",
    "finito-late": "{1} called {call} first: the call {0:of} no longer counts",
    "undone": "line {0} is taken out",
    "amended": "line {0} is put right",
    "before-start": "{0} plays {1} before the shout",
    "after-finito": "{0} called {call}: {1} may no longer play {2}",
    "not-yours": "{0} belongs to {1}, not to {2}",
    "two-hands": "{0} plays with the {1:hand} hand after playing with the {2:hand} one",
    "both-hands": "{0} plays with both hands",
    "impossible-card": "{1} {0:of} cannot be there: what was seen before rules it out",
    "must-start-with-zero": "a pile starts with a {1}, not with {0}",
    "must-start-zero-or-one": "a pile starts with a 0 or a 1, not with {0}",
    "wrong-number": "pile {0}: {2:next} is next, not {1}",
    "wrong-colour": "pile {0} is {2:colour}: {2:next} is next, not {1}",
    "pile-complete": "pile {0} is complete with {2}: {1} may not go there",
    "too-late": "{1} is too late: pile {0} already has that number, so the card goes back",
    "joker-on-eight": "pile {0} is complete with {2}: no joker may go there",
    "joker-on-joker": "pile {0} has a joker on top: no joker on a joker",
    "joker-never-followed": "{0} would stand for the {2} on pile {1}, and nothing follows the {2}",
    "joker-not-followed": "the joker {0:of} on pile {1} is not followed at once by the card that fits",
    "joker-interrupted": "a joker {0:of} waits on pile {1}: only {0} may lay the next card there",
    "from-hand": "{0} comes from the hand {1:of}: only turned cards are open",
    "nothing-there": "{0} cannot come {2:from} {1:of}: nothing lies open there",
    "not-open": "{0} is not open: {2:place} {1:of} shows {3}",
    "help-not-refilled": "{1:place} {0:of} is empty: refill it from the {race} stack first",
    "refill-source": "{1:place} {0:of} is filled {2:from}, not from the {race} stack",
    "refill-from-empty": "{1:place} {0:of} cannot be filled: the {race} stack is empty",
    "refill-not-top": "{1:place} {0:of} is filled with {2}, but the {race} stack shows {3}",
    "turn-count": "{0} turns {1:cards}: with {3:cards} in hand it must be {2}",
    "false-finito": "{0} calls {call} with {1:cards} left on the {race} stack",
    "home-order": "{0} may not go onto {2} in {1:place}: down by one, boys and girls in turn",
    "home-empty": "{1:place} {0:of} is empty: it is filled from the {race} stack",
    "maybe-after-finito": "{0} may have called {call} validly: then {2} {1:of} is too late",
    "maybe-fits": "it was not seen clearly whether {0} fits on pile {1}",
    "unsettled-pile": "an earlier card of pile {1} is in doubt: {0} may be right",
    "maybe-not-refilled": "{1:place} {0:of} is empty; whether it had to be refilled is not certain",
    "maybe-elsewhere": "it was not seen clearly where {0} came from, nor who laid it",
    "maybe-both-hands": "it was not seen which hand {0} played with: perhaps with both",
    "maybe-turn-count": "{0} turns {1:cards} instead of {2}; how many were in hand is not known",
    "maybe-finito": "how many cards {0} has left on the {race} stack is not certain",
    "maybe-home": "it was not seen clearly whether {0} fits in {1:place}",
    "slot-not-empty": "{1:place} {0:of} still shows {2}",
    "nothing-to-take": "{1} does not lie on pile {2}: {0} cannot take it back",
    "other-took-back": "{1} on pile {2} was laid by {3}, not by {0}",
    "order-unknown": "which came first is not known; in one order the call would be: {0}",
    "too-many-orders": "more than {0} actions at the same time: their order cannot be told",
}

RULES: Final = {
    Rule.MUST_START_WITH_ZERO: "A pile in the centre starts with a {first}.",
    Rule.WRONG_NUMBER: "Only the next number may be laid on a pile.",
    Rule.WRONG_COLOUR: "A pile has one colour: the next number must be of that colour.",
    Rule.PILE_COMPLETE: "A pile that has reached the {last} takes no more cards.",
    Rule.NOT_OPEN: "Only open cards may be played: the top of the {race} stack, a help card, "
    "or the top of the waste.",
    Rule.NOT_YOURS: "The cards of others are taboo, unless Chaos is played.",
    Rule.HELP_NOT_REFILLED: "An empty help slot is refilled from the {race} stack before its player goes on.",
    Rule.REFILL_SOURCE: "A help slot is filled with the top card of the {race} stack and no other.",
    Rule.TURN_COUNT: "Hand cards are turned {turn} at a time; fewer only when fewer are left.",
    Rule.TWO_HANDS: "Cards are played with one hand, the same all round; the other holds the deck.",
    Rule.BEFORE_START: "Nobody plays before the shout.",
    Rule.AFTER_FINITO: "After a valid {call} nobody plays.",
    Rule.FALSE_FINITO: "{call} is called when the {race} stack is empty, not before.",
    Rule.JOKER_ON_EIGHT: "A joker may lie on any card but the {last}.",
    Rule.JOKER_ON_JOKER: "A joker may not lie on a joker.",
    Rule.JOKER_NOT_FOLLOWED: "Who lays a joker lays the card that fits upon it at once.",
    Rule.TOO_LATE: "Of two equal cards on one pile the slower goes back.",
    Rule.IMPOSSIBLE_CARD: "Each back has each card once: a second one cannot be there.",
    Rule.HOME_ORDER: "At home cards are built downwards by one, boys and girls in turn.",
}

TWISTS: Final = Twists(
    zero={
        Rule.MUST_START_WITH_ZERO: "A pile in the centre starts with a {first} or a {second}.",
        Rule.WRONG_COLOUR: "The next number must be of the pile's colour; upon a joker any colour will do.",
        Rule.HELP_NOT_REFILLED: "An empty help slot is refilled from the {race} stack before its player "
        "goes on; only the card that follows a joker may be played first.",
    },
    restart_on_last={
        Rule.PILE_COMPLETE: "A pile that has reached the {last} takes no more cards, "
        "except a {first} of the same colour.",
    },
    twos_after_fruitless={
        Rule.TURN_COUNT: "Hand cards are turned {turn} at a time, fewer only when fewer are left; after a "
        "pass without a play 2 at a time are allowed, until a card is played.",
    },
)

ENGLISH: Final = Words(
    code="en",
    name="English",
    colours=COLOURS,
    other_colour="of another colour",
    places={
        "espresso": "the {race} stack",
        "waste": "the waste",
        "hand": "the hand",
        **{place: f"help slot {n}" for n, place in enumerate(HELPS, 1)},
    },
    origins={
        "espresso": "from the {race} stack",
        "waste": "from the waste",
        "hand": "from the hand",
        **{place: f"from help slot {n}" for n, place in enumerate(HELPS, 1)},
    },
    hands={"left": "left", "right": "right"},
    card=_card,
    any_colour=lambda number: f"{_a(number)} of any colour",
    other_card="another card",
    cards=_cards,
    of=lambda name: f"of {name}",
    sentences=SENTENCES,
    rules=RULES,
    twists=TWISTS,
)
