"""What the log of a watched round says of the count: cards by back, and what of it is open.

A pile of a log in which nothing was missed has as many cards as its top says. Where it has not, or where it
is open whose card was laid, that is the question to ask: not what a photo of many cards is unsure of.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence, Set
from typing import Final

from finito.ending.reconciling import Record
from finito.live.entries import Entry
from finito.live.judged_log import JudgedLog
from referee.actions import Play, TakeBack
from referee.cards import Face
from referee.language import words_of

_OPEN: Final = 0.05  # the chance of another back from which on it is open whose card was laid
_OPEN_IN_ALL: Final = 0.3  # and that of all plays together


def record_of(
    log: JudgedLog,
    players: Sequence[str],
    tops: Mapping[int, int | None],
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
    questions = () if state.late else (*_piles_that_differ(entries, tops), *_open_plays(entries), *lost)
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
            if entry.verdict is not None and entry.verdict.illegal:
                called_off.add(what.pile)
        elif isinstance(what, TakeBack):
            called_off.add(what.pile)
    return laid, called_off


def _open_plays(entries: Sequence[Entry]) -> list[str]:
    """Plays of which it is open whose card was laid, the worst first."""
    played = _still_lying(entries)
    chances = [(_other_back(entry, played), entry) for entry in entries if isinstance(entry.what, Play)]
    worst = sorted(
        ((chance, name, entry) for (chance, name), entry in chances if chance > 0), key=lambda each: -each[0]
    )
    enough = sum(chance for chance, _, _ in worst) <= _OPEN_IN_ALL
    return [_whose(entry, name) for chance, name, entry in worst if chance > _OPEN or not enough]


def _still_lying(entries: Sequence[Entry]) -> set[tuple[str, Face]]:
    """The cards that were played, and neither called off nor taken back."""
    piles: dict[tuple[str, Face], int | None] = {}
    for entry in entries:
        what = entry.what
        if isinstance(what, Play) and (entry.verdict is None or not entry.verdict.illegal):
            piles[_card(what)] = what.pile
        elif isinstance(what, TakeBack):
            piles = {card: at for card, at in piles.items() if (card[1], at) != (what.face, what.pile)}
    return set(piles)


def _other_back(entry: Entry, played: Set[tuple[str, Face]]) -> tuple[float, str]:
    """The chance that the card was of another back than it is said to be, and of which.

    Nobody has a card twice: one that was played anyway can but have changed places with this one.
    """
    said, what = entry.inferred, entry.what
    assert isinstance(what, Play)
    chances: Counter[str] = Counter()
    for other in () if said is None else said.alternatives:
        if not isinstance(other.action, Play) or _owner(other.action) == _owner(what):
            continue
        if not other.action.face.known or _card(other.action) not in played:
            chances[_owner(other.action)] += other.chance  # type: ignore[assignment]
    if not chances:
        return 0.0, ""
    name, _ = chances.most_common(1)[0]
    return float(chances.total()), name


def _owner(play: Play) -> str:
    return play.owner or play.player


def _card(play: Play) -> tuple[str, Face]:
    return _owner(play), play.face


def _whose(entry: Entry, other: str) -> str:
    play = entry.what
    assert isinstance(play, Play)
    card = words_of("en").card(play.face.colour, play.face.number)
    where = "a pile" if play.pile is None else f"pile {play.pile}"
    return f"was the {card} on {where} a card of {_owner(play)} or of {other}?"
