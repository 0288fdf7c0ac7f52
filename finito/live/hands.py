"""Which hand each player plays with: learnt from many looks, so that one wrong look accuses nobody."""

from __future__ import annotations

from collections import Counter
from dataclasses import replace
from typing import Final

from finito.live.entries import Entry
from finito.live.table_rules import Happening
from referee.actions import Hand, Play
from vision.inference.reaching import arm_alone
from vision.observations import Look

_ENOUGH: Final = 3
_CLEARLY: Final = 4
_AT_FIRST: Final = (0.5, 4.0)  # looks that do not tell the hand of an arm in plain view, and looks that do
_TOLD_OFTEN: Final = 8.0  # so many that do show that hands can be told at this table at all
_RARELY: Final = 0.008  # so rarely one hand must go untold all along for a question about two


class PlayingHands:
    """The hands seen so far, by player."""

    def __init__(self) -> None:
        self._seen: dict[str, Counter[Hand]] = {}
        self._known: dict[str, Hand] = {}
        self._waiting: dict[str, list[tuple[Entry, Hand]]] = {}
        self._untold, self._told = _AT_FIRST
        self._counted: set[tuple[str, Look]] = set()  # a play told anew shows no more than it did

    def taken(self, entry: Entry) -> list[Entry]:
        """Keeps hands back until the usual one is known; the earlier plays that may tell theirs now."""
        play, said = entry.what, entry.inferred
        if not isinstance(play, Play) or said is None:
            return []
        entry.handless = self._untold_all_along(play.player, said.looks)
        fresh = self._fresh(play.player, said.looks)
        self._count(play.player, fresh)
        if play.hand is None:
            return []
        name, hand = play.player, play.hand
        if name in self._known:
            return []  # one look that says otherwise makes a doubt, two make a case
        seen = self._seen.setdefault(name, Counter())
        seen[hand] += min(said.hand_looks, len(fresh))
        entry.what = replace(play, hand=None)
        self._waiting.setdefault(name, []).append((entry, hand))
        usual, times = seen.most_common(1)[0]
        if usual == "both" or times < _ENOUGH or times < _CLEARLY * (seen.total() - times):
            return []
        self._known[name] = usual
        return self._tell(name)

    def amended(self, entry: Entry) -> None:
        """Asks anew whether a hand goes untold, of a play that is told otherwise by now."""
        play, said = entry.what, entry.inferred
        if isinstance(play, Play) and said is not None:
            entry.handless = self._untold_all_along(play.player, said.looks)

    def _untold_all_along(self, player: str, looks: tuple[Look, ...]) -> bool:
        """Whether no look of a play tells the hand, though its arm alone was there in all of them.

        Two arms of one player show no shoulder. But how often does a single one show none at this table?
        """
        untold = _hands_alone(player, looks).count(None)
        if not 1 < len(looks) == untold:
            return False
        rate = self._untold / (self._untold + self._told)
        return self._told >= _TOLD_OFTEN and rate**untold < _RARELY

    def _fresh(self, player: str, looks: tuple[Look, ...]) -> tuple[Look, ...]:
        """Those of the looks that no play of this player was counted by."""
        fresh = tuple(look for look in looks if (player, look) not in self._counted)
        self._counted.update((player, look) for look in fresh)
        return fresh

    def _count(self, player: str, looks: tuple[Look, ...]) -> None:
        hands = _hands_alone(player, looks)
        untold = hands.count(None)
        self._untold += untold
        self._told += len(hands) - untold

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


def _hands_alone(player: str, looks: tuple[Look, ...]) -> list[Hand | None]:
    """The hands told in looks in which this player's arm was alone."""
    return [look.hand for look in looks if arm_alone(look, player)]


def with_hand_of(before: Happening, action: Happening) -> Happening:
    """The action read anew, with the hand as it was told so far."""
    if isinstance(before, Play) and isinstance(action, Play):
        return replace(action, hand=before.hand)
    return action
