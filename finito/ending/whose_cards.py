"""Of which cards in the centre it is open whose they are, each as a question."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence, Set
from typing import Final

from finito.ending.at_home import Card, HomeLooks
from finito.live.entries import Entry
from referee.actions import Play, TakeBack
from referee.cards import Face
from referee.language import words_of
from referee.state import RoundState
from referee.verdicts import Rule

# Of 600 rounds of looks, 27 plays left a chance of 0.05 to 0.1 to a card not seen at home later, and in
# one of them it was that card; of the 28 with 0.1 to 0.3 it was in three.
_OPEN: Final = 0.1  # the chance of another back from which on it is open whose card was laid
_OPEN_IN_ALL: Final = 0.3  # and that of all plays together


def open_owners(
    entries: Sequence[Entry], state: RoundState, players: Sequence[str], homes: HomeLooks
) -> list[str]:
    """A question for each play whose owner is open, and for each race that nobody saw decided."""
    plays = [entry for entry in entries if isinstance(entry.what, Play)]
    open_ = [*_open_plays(plays, _still_lying(entries), homes), *_open_races(plays, homes, state, players)]
    return [*open_, *(_whose(entry, "somebody else") for entry in plays if _seen_twice(entry))]


def came_second(entry: Entry) -> bool:
    """Whether an equal card lay there before, or perhaps: one of the two does not stay."""
    return entry.verdict is not None and entry.verdict.rule is Rule.TOO_LATE


def _seen_twice(entry: Entry) -> bool:
    """Whether the card was perhaps seen elsewhere: then it is not that player's."""
    verdict = entry.verdict
    return verdict is not None and verdict.unsure and verdict.rule is Rule.IMPOSSIBLE_CARD


def _open_plays(plays: Sequence[Entry], lying: Set[Card], homes: HomeLooks) -> list[str]:
    """Plays of which it is open whose card was laid, the worst first."""
    chances = [(_other_back(entry, lying, homes), entry) for entry in plays]
    worst = sorted(
        ((chance, name, entry) for (chance, name), entry in chances if chance > 0), key=lambda each: -each[0]
    )
    enough = sum(chance for chance, _, _ in worst) <= _OPEN_IN_ALL
    return [_whose(entry, name) for chance, name, entry in worst if chance > _OPEN or not enough]


def _still_lying(entries: Sequence[Entry]) -> set[Card]:
    """The cards that were played, and neither called off nor taken back."""
    piles: dict[Card, int | None] = {}
    for entry in entries:
        what = entry.what
        if isinstance(what, Play) and (entry.verdict is None or not entry.verdict.illegal):
            piles[_card(what)] = what.pile
        elif isinstance(what, TakeBack):
            piles = {card: at for card, at in piles.items() if (card[1], at) != (what.face, what.pile)}
    return set(piles)


def _other_back(entry: Entry, lying: Set[Card], homes: HomeLooks) -> tuple[float, str]:
    """The chance that the card was of another back than it is said to be, and of which.

    Nobody has a card twice: one that was played anyway can but have changed places with this one, and one
    that is seen at home later was not laid.
    """
    said, what = entry.inferred, entry.what
    assert isinstance(what, Play)
    chances: Counter[str] = Counter()
    for other in () if said is None else said.alternatives:
        if not isinstance(other.action, Play) or _owner(other.action) == _owner(what):
            continue
        card = _card(other.action)
        elsewhere = card in lying or homes.came_home(card, what.t)
        if not other.action.face.known or not elsewhere:
            chances[_owner(other.action)] += other.chance  # type: ignore[assignment]
    if not chances:
        return 0.0, ""
    name, _ = chances.most_common(1)[0]
    return float(chances.total()), name


def _open_races(
    plays: Sequence[Entry], homes: HomeLooks, state: RoundState, players: Sequence[str]
) -> list[str]:
    """Equal cards of two players that came to one pile at once, unless one of them is seen at home again.

    Were that one counted all the same, there would be more cards than the tops of the piles stand for.
    """
    asked: dict[tuple[int | None, Face], str] = {}
    for second in filter(came_second, plays):
        for first in plays:
            if not _raced(first.what, second.what):
                continue
            both = [entry.what for entry in (first, second) if isinstance(entry.what, Play)]
            left = [play for play in both if not homes.came_home(_card(play), play.t)]
            if len(left) != 1 or not _is_counted(left[0], state, players):
                asked.setdefault((both[0].pile, both[0].face), _whose(first, _owner(both[1])))
    return list(asked.values())


def _raced(one: object, other: object) -> bool:
    """Whether both are said to have laid the same card on one pile, in either order."""
    if not isinstance(one, Play) or not isinstance(other, Play) or one.t is None or other.t is None:
        return False
    same = (one.pile, one.face) == (other.pile, other.face) and _owner(one) != _owner(other)
    return same and one.t.overlaps(other.t)


def _is_counted(play: Play, state: RoundState, players: Sequence[str]) -> bool:
    return bool(state.sides[players.index(_owner(play))].seen_centre & play.face.bit)


def _owner(play: Play) -> str:
    return play.owner or play.player


def _card(play: Play) -> Card:
    return _owner(play), play.face


def _whose(entry: Entry, other: str) -> str:
    play = entry.what
    assert isinstance(play, Play)
    card = words_of("en").card(play.face.colour, play.face.number)
    where = "a pile" if play.pile is None else f"pile {play.pile}"
    return f"was the {card} on {where} a card of {_owner(play)} or of {other}?"
