"""The result of a watched round in the book of matches."""

from __future__ import annotations

from collections.abc import Mapping

from finito.store.match_book import KeptMatch, MatchBook
from referee.actions import RoundHeader
from referee.match import standing
from referee.match_commands import add_round, create_match
from referee.match_events import Player, RoundSheet, Tally
from referee.places import Seat


def match_of(book: MatchBook, header: RoundHeader, named: str | None = None) -> KeptMatch | None:
    """The match that is asked for, or the latest unfinished one of these players."""
    if named is not None:
        return book.find(named)
    for kept in book.newest_first():
        same = {player.back for player in kept.match.players} == set(header.players)
        if same and _alike(kept, header) and standing(kept.match).winner is None:
            return kept
    return None


def new_match(book: MatchBook, header: RoundHeader, seats: Mapping[str, Seat | None]) -> KeptMatch:
    players = tuple(Player(name, name, seats.get(name)) for name in header.players)
    return book.create(
        lambda at: create_match(
            players, game=header.game, variant=header.variant, edition=header.edition, at=at
        )
    )


def _alike(kept: KeptMatch, header: RoundHeader) -> bool:
    made = kept.match.created
    return (made.game, made.variant, made.edition) == (header.game, header.variant, header.edition)


def totals_of(kept: KeptMatch) -> dict[str, int]:
    return dict(standing(kept.match).totals)


def keep_round(
    book: MatchBook,
    kept: KeptMatch,
    by_back: Mapping[str, int],
    finito: str | None,
    illegal: Mapping[str, int],
) -> KeptMatch:
    """Adds a round that was counted."""
    tallies = tuple(Tally(back, cards, None, 0, illegal.get(back, 0)) for back, cards in by_back.items())
    sheet = RoundSheet(tallies, finito)
    return book.change(kept.id, lambda match, at: add_round(match, sheet, at))
