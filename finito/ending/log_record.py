"""What the log of a watched round says of the count: cards by back, and what of it is open.

Log, tops of the piles and looks at homes are taken together: each pile holds what must lie below its top, and
each card there is given to whom it is least surprising to have laid it. Only what stays open is asked.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Mapping, Sequence
from typing import Final

from finito.ending.at_home import Card, HomeLooks
from finito.ending.lying import Lying, Top, cards_on
from finito.ending.reconciling import Record
from finito.ending.whose_cards import Evidence, Owned
from finito.live.entries import Entry
from finito.live.judged_log import JudgedLog
from referee.actions import Play
from referee.cards import Face
from referee.language import words_of
from referee.verdicts import Rule

# Of 600 rounds of looks, 27 plays left a chance of 0.05 to 0.1 to a card not seen at home later, and in
# one of them it was that card; of the 28 with 0.1 to 0.3 it was in three.
_OPEN: Final = 0.1  # the chance of another owner from which on it is open whose card was laid
_OPEN_IN_ALL: Final = 0.3  # and that of all cards together
_OF_PILES: Final = frozenset(
    {Rule.MUST_START_WITH_ZERO, Rule.WRONG_NUMBER, Rule.WRONG_COLOUR, Rule.PILE_COMPLETE}
)


def record_of(
    log: JudgedLog,
    players: Sequence[str],
    piles: Mapping[int, Sequence[Top] | None],
    homes: HomeLooks,
    strayed: Sequence[Card] = (),
) -> Record:
    """`piles` are the cards that were on top of each pile, one after the other; None: of it nothing is known.

    `strayed` are cards, by their owner, that left their place in the round and were seen nowhere since:
    perhaps they were laid where nobody looked.
    """
    state = log.state
    told = {name: side.centre for name, side in zip(players, state.sides, strict=True)}
    entries = [entry for entry in log.entries if not entry.void and isinstance(entry.what, Play)]
    called = {entry.inferred.number for entry in entries if entry.inferred is not None and _misfit(entry)}
    lying = {
        pile: None if tops is None or _called_off(tops, called) else cards_on(pile, tops, log.rules.law)
        for pile, tops in piles.items()
    }
    read = [cards for cards in lying.values() if cards is not None]
    total = sum(map(len, read)) if len(read) == len(lying) else None
    if state.late:
        return Record(told, total, joined_late=True)
    owned = _owned(entries, players, read, homes, strayed)
    by_back = Counter(owner for each in owned for owner in each.owners)
    laid = {(owner, each.cards[0].face) for each in owned for owner in each.owners}
    lost = [_where_is(owner, face) for owner, face in strayed if (owner, face) not in laid]
    unclear = [_how_many(entries, pile) for pile, cards in lying.items() if cards is None]
    questions = (*unclear, *_open_owners(owned), *lost)
    plain = not unclear and not any(map(_corrected, log.entries))
    return Record({name: by_back[name] for name in players} if plain else told, total, False, questions)


def _corrected(entry: Entry) -> bool:
    """Whether a person said that a play was another one, or none: that goes before what eyes make likely."""
    undone = entry.void and entry.inferred is not None and entry.inferred.said != "withdrawn"
    return isinstance(entry.what, Play) and (entry.settled_by_hand or undone)


def _misfit(entry: Entry) -> bool:
    """Whether it is called for not fitting upon its pile."""
    return entry.verdict is not None and entry.verdict.illegal and entry.verdict.rule in _OF_PILES


def _called_off(tops: Sequence[Top], called: Collection[int]) -> bool:
    """Whether a card that was called for not fitting lies there still: then nobody knows upon what."""
    return any(top.deed in called for top in tops)


def _owned(
    entries: Sequence[Entry],
    players: Sequence[str],
    piles: Sequence[Sequence[Lying]],
    homes: HomeLooks,
    strayed: Sequence[Card],
) -> list[Owned]:
    """Whose the equal cards of each kind are."""
    equal: dict[Face, list[Lying]] = {}
    for card in (card for pile in piles for card in pile):
        equal.setdefault(card.face, []).append(card)
    plays = {entry.inferred.number: entry for entry in entries if entry.inferred is not None}
    evidence = Evidence(tuple(players), plays, homes, strayed)
    return [evidence.owned(cards) for cards in equal.values()]


def _open_owners(owned: Sequence[Owned]) -> list[str]:
    """A question for each card of which it is open whose it is, the worst first."""
    worst = sorted(owned, key=lambda each: -each.risk)
    enough = sum(each.risk for each in worst) <= _OPEN_IN_ALL
    return [each.question() for each in worst if each.risk > (_OPEN if enough else _OPEN / 10)]


def _where_is(owner: str, face: Face) -> str:
    card = words_of("en").card(face.colour, face.number)
    return f"the {card} of {owner} left its place and was seen nowhere since; was it laid?"


def _how_many(entries: Sequence[Entry], pile: int) -> str:
    if pile < 0:
        return "a pile lies there that nobody was seen to begin; how many cards does it hold?"
    laid = sum(isinstance(entry.what, Play) and entry.what.pile == pile for entry in entries)
    return f"{laid} cards were seen laid on pile {pile} that do not follow each other; count pile {pile}"
