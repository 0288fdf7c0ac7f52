"""Which hand each player plays with: learnt from many looks, so that one wrong look accuses nobody."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Final

from finito.live.entries import Entry
from finito.live.table_rules import Happening
from referee.actions import Hand, Play

_ENOUGH: Final = 3
_CLEARLY: Final = 4


class PlayingHands:
    """The hands seen so far, by player."""

    def __init__(self) -> None:
        self._seen: dict[str, Counter[Hand]] = {}
        self._known: dict[str, Hand] = {}
        self._waiting: dict[str, list[tuple[Entry, Hand]]] = {}

    def taken(self, entry: Entry) -> list[Entry]:
        """Keeps hands back until the usual one is known; the earlier plays that may tell theirs now."""
        play, said = entry.what, entry.inferred
        if not isinstance(play, Play) or play.hand is None or said is None:
            return []
        name, hand = play.player, play.hand
        if name in self._known:
            return []  # one look that says otherwise makes a doubt, two make a case
        seen = self._seen.setdefault(name, Counter())
        seen[hand] += said.hand_looks
        entry.what = replace(play, hand=None)
        self._waiting.setdefault(name, []).append((entry, hand))
        usual, times = seen.most_common(1)[0]
        if usual == "both" or times < _ENOUGH or times < _CLEARLY * (seen.total() - times):
            return []
        self._known[name] = usual
        return self._tell(name)

    def _tell(self, name: str) -> list[Entry]:
        told: list[Entry] = []
        usual = self._known[name]
        waiting = sorted(self._waiting.pop(name), key=lambda each: each[0].moment)
        for entry, hand in waiting:
            # The usual hand comes first: what was done before it shows nobody which hand is right.
            if isinstance(entry.what, Play) and (hand == usual or told):
                entry.what = replace(entry.what, hand=hand)
                told.append(entry)
        return told


def with_hand_of(before: Happening, action: Happening) -> Happening:
    """The action read anew, with the hand as it was told so far."""
    if isinstance(before, Play) and isinstance(action, Play):
        return replace(action, hand=before.hand)
    return action
