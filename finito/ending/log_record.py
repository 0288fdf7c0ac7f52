"""What the log of a watched round says of the count: cards by back, and what of it is open.

A pile of a log in which nothing was missed has as many cards as its top says. Where it has not, or where it
is open whose card was laid, that is the question to ask: not what a photo of many cards is unsure of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence

from finito.ending.at_home import HomeLooks
from finito.ending.reconciling import Record
from finito.ending.whose_cards import came_second, open_owners
from finito.live.entries import Entry
from finito.live.judged_log import JudgedLog
from referee.actions import Play, TakeBack
from referee.cards import Face
from referee.language import words_of


def record_of(
    log: JudgedLog,
    players: Sequence[str],
    tops: Mapping[int, int | None],
    homes: HomeLooks,
    strayed: Sequence[tuple[str, Face]] = (),
) -> Record:
    """`tops` is how many cards each pile holds by what shows on top of it; None: that was not read.

    Stacks that are no pile of the log have numbers below zero. `strayed` are cards, by their owner, that left
    their place in the round and were seen nowhere since: perhaps they were laid where nobody looked.
    """
    state = log.state
    by_back = {name: side.centre for name, side in zip(players, state.sides, strict=True)}
    read = [cards for cards in tops.values() if cards is not None]
    total = sum(read) if len(read) == len(tops) else None
    entries = [entry for entry in log.entries if not entry.void]
    lost = [_where_is(owner, face) for owner, face in strayed]
    whose = open_owners(entries, state, players, homes)
    questions = () if state.late else (*_piles_that_differ(entries, tops), *whose, *lost)
    return Record(by_back, total, state.late, questions)


def _where_is(owner: str, face: Face) -> str:
    card = words_of("en").card(face.colour, face.number)
    return f"the {card} of {owner} left its place and was seen nowhere since; was it laid?"


def _piles_that_differ(entries: Sequence[Entry], tops: Mapping[int, int | None]) -> list[str]:
    """Piles on which more or fewer cards were seen laid than their tops stand for.

    Where a card was called off, it is open whether it stayed: there the total must do.
    """
    laid, called_off = _laid(entries)
    asked = []
    for pile in sorted({*laid, *tops} - called_off):
        cards = tops.get(pile)
        if pile < 0:
            asked.append("a pile lies there that nobody was seen to begin; how many cards does it hold?")
            continue
        seen = f"{laid[pile]} cards were seen laid on pile {pile}"
        if cards is None:
            asked.append(f"{seen} and its top was not read; how many lie there?")
        elif cards != laid[pile]:
            asked.append(f"{seen} and by its top it holds {cards}; count pile {pile}")
    return asked


def _laid(entries: Sequence[Entry]) -> tuple[Counter[int], set[int]]:
    """How many cards were laid on each pile, and the piles off which some were called or taken."""
    laid: Counter[int] = Counter()
    called_off: set[int] = set()
    for entry in entries:
        what = entry.what
        if isinstance(what, Play) and what.pile is not None:
            laid[what.pile] += 1
            if came_second(entry) or (entry.verdict is not None and entry.verdict.illegal):
                called_off.add(what.pile)
        elif isinstance(what, TakeBack):
            called_off.add(what.pile)
    return laid, called_off
