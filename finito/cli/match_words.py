"""The words of `finito match`: players, variants and counts as they are typed."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from finito.errors import BadInput
from referee.match import Match, find_player
from referee.match_events import Player, RoundSheet, Tally
from referee.places import Seat

NOBODY: Final = "none"


@dataclass(frozen=True, slots=True)
class RoundWords:
    """A round as typed: counts such as pizza=12, who called Finito, and what else was noted."""

    amounts: Sequence[str]
    finito: str | None
    points: bool
    left: Sequence[str]
    illegal: Sequence[str]


def parse_players(text: str) -> tuple[Player, ...]:
    """NAME:BACK:SEAT, NAME:BACK, BACK:SEAT or BACK, divided by commas."""
    return tuple(_parse_player(word.strip()) for word in text.split(","))


def _parse_player(word: str) -> Player:
    parts = [part.strip() for part in word.split(":")]
    seat = parts.pop() if len(parts) > 1 and parts[-1] in set(Seat) else None
    if not all(parts) or len(parts) > 2:
        raise BadInput(
            f"the player {word!r} cannot be read: write NAME:BACK, NAME:BACK:SEAT, BACK:SEAT or BACK"
        )
    return Player(back=parts[-1], name=parts[0], seat=seat)


def split_words(words: Sequence[str]) -> tuple[list[str], list[str]]:
    """The names that come first, and the counts that follow."""
    return [word for word in words if "=" not in word], [word for word in words if "=" in word]


def parse_amounts(match: Match, words: Sequence[str]) -> dict[str, int]:
    """Numbers by back from PLAYER=N."""
    amounts: dict[str, int] = {}
    for word in words:
        name, _, digits = word.partition("=")
        try:
            number = int(digits)
        except ValueError:
            raise BadInput(
                f"{word!r} cannot be read: write a player and a whole number, as in pizza=12"
            ) from None
        back = find_player(match, name.strip()).back
        if back in amounts:
            raise BadInput(f"{word!r} gives a second number for {name.strip()}: give one")
        amounts[back] = number
    return amounts


def sheet_of(match: Match, words: RoundWords, before: RoundSheet | None = None) -> RoundSheet:
    """The round that the words tell; what they leave out stays as it was before."""
    amounts = parse_amounts(match, words.amounts)
    left, illegal = parse_amounts(match, words.left), parse_amounts(match, words.illegal)
    old = {tally.back: tally for tally in before.tallies} if before else {}
    tallies: list[Tally] = []
    for back in [player.back for player in match.players if player.back in old or player.back in amounts]:
        tally = old.get(back, Tally(back))
        if back in amounts and (words.points or tally.points is not None):
            tally = replace(tally, points=amounts[back], cards=None)
        elif back in amounts:
            tally = replace(tally, cards=amounts[back])
        race_left, wrong = left.get(back, tally.race_left), illegal.get(back, tally.illegal)
        tallies.append(replace(tally, race_left=race_left, illegal=wrong))
    return RoundSheet(tuple(tallies), _caller(match, words.finito, before))


def _caller(match: Match, word: str | None, before: RoundSheet | None) -> str | None:
    if word is None:
        return before.finito if before else None
    return None if word == NOBODY else find_player(match, word).back
