"""What may be asked of a match: each command answers with the event to record, or says why not."""

from __future__ import annotations

from dataclasses import replace
from typing import Final

from referee.actions import RoundHeader
from referee.match import Match, find_player, label, require_round, standing
from referee.match_events import (
    MatchConflict,
    MatchCreated,
    MatchError,
    MatchRenamed,
    Player,
    RoundAdded,
    RoundEdited,
    RoundRestored,
    RoundSheet,
    RoundUndone,
    Tally,
)
from referee.places import Seat
from referee.rules.espresso import DEFAULT_EDITION, rules_for

LONGEST_NAME: Final = 40
LONGEST_TITLE: Final = 600  # holds the names of twelve players
HIGHEST_TARGET: Final = 10_000
MOST_POINTS: Final = 1_000  # of one player in one round, when points are entered by hand
MOST_ILLEGAL: Final = 1_000


def create_match(
    players: tuple[Player, ...],
    *,
    game: str = "espresso",
    variant: tuple[str, ...] = ("normalo",),
    edition: str = DEFAULT_EDITION,
    target: int | None = None,
    name: str = "",
    at: str = "",
) -> MatchCreated:
    """The first event of a match, or the reason why it cannot be played."""
    rules = rules_for(RoundHeader(game, variant, edition, tuple(player.back for player in players)))
    _verify_players(players)
    goal = rules.game.target if target is None else target
    if not 1 <= goal <= HIGHEST_TARGET:
        raise MatchError(f"the target {goal} is out of range: give 1 to {HIGHEST_TARGET} points")
    title = name or " – ".join(player.name for player in players)
    return MatchCreated(players, game, variant or ("normalo",), edition, goal, _verified_title(title), at)


def add_round(match: Match, sheet: RoundSheet, at: str = "") -> RoundAdded:
    """The event that adds a round, or the reason why it cannot be added."""
    decided = standing(match)
    if decided.winner is not None:
        total = decided.totals[decided.winner]
        raise MatchConflict(
            f"the match is over: {label(match, decided.winner)} won with {total} points in round "
            f"{decided.decided_in}; edit or undo a round, or start a new match"
        )
    return RoundAdded(_verified_sheet(match, sheet), at)


def edit_round(match: Match, number: int, sheet: RoundSheet, at: str = "") -> RoundEdited:
    """The event that replaces what was counted in a past round."""
    require_round(match, number)
    if number in match.undone:
        raise MatchConflict(f"round {number} is undone: restore it before editing it")
    return RoundEdited(number, _verified_sheet(match, sheet), at)


def undo_round(match: Match, number: int | None = None, at: str = "") -> RoundUndone:
    """The event that strikes a round out: the latest that still stands, or any by its number."""
    standing_rounds = [n for n in range(1, len(match.sheets) + 1) if n not in match.undone]
    if number is None and not standing_rounds:
        raise MatchConflict("there is no round to undo")
    chosen = standing_rounds[-1] if number is None else number
    require_round(match, chosen)
    if chosen in match.undone:
        raise MatchConflict(f"round {chosen} is already undone")
    return RoundUndone(chosen, at)


def restore_round(match: Match, number: int | None = None, at: str = "") -> RoundRestored:
    """The event that takes an undo back: the latest one, or that of any round by its number."""
    if number is None and not match.undone:
        raise MatchConflict("no round is undone, so there is nothing to restore")
    chosen = match.undone[-1] if number is None else number
    require_round(match, chosen)
    if chosen not in match.undone:
        raise MatchConflict(f"round {chosen} is not undone, so there is nothing to restore")
    return RoundRestored(chosen, at)


def rename_match(name: str, at: str = "") -> MatchRenamed:
    """The event that gives the match another name."""
    return MatchRenamed(_verified_title(name), at)


def _verify_players(players: tuple[Player, ...]) -> None:
    for player in players:
        _verify_label("the back", player.back)
        _verify_label("the name", player.name)
        if player.seat is not None and player.seat not in set(Seat):
            raise MatchError(f"the seat {player.seat!r} does not exist; seats are {', '.join(Seat)}")
    labels = [word for p in players for word in {p.back.casefold(), p.name.casefold()}]
    seats = [player.seat for player in players if player.seat]
    for word in (*labels, *seats):
        if labels.count(word) > 1 or seats.count(word) > 1:
            raise MatchError(f"{word!r} is given to two players: every back, name and seat belongs to one")


def _verify_label(what: str, word: str) -> None:
    # A leading letter or digit also keeps spreadsheet programs from taking an exported name for a formula.
    if not (word[:1].isalnum() and word.isprintable() and len(word) <= LONGEST_NAME):
        raise MatchError(
            f"{what} {word[:LONGEST_NAME]!r} will not do: "
            f"begin with a letter or digit and use at most {LONGEST_NAME} printable characters"
        )
    if "=" in word or "," in word or ":" in word:
        raise MatchError(f"{what} {word!r} will not do: leave out '=', ',' and ':'")


def _verified_title(title: str) -> str:
    title = title.strip()
    if not (title[:1].isalnum() and title.isprintable() and len(title) <= LONGEST_TITLE):
        raise MatchError(
            f"the match name {title[:LONGEST_NAME]!r} will not do: "
            f"begin with a letter or digit and use at most {LONGEST_TITLE} printable characters"
        )
    return title


def _verified_sheet(match: Match, sheet: RoundSheet) -> RoundSheet:
    """The sheet with one tally for each player in the order of the match."""
    by_back: dict[str, Tally] = {}
    for tally in sheet.tallies:
        back = find_player(match, tally.back).back
        if back in by_back:
            raise MatchError(f"{label(match, back)} is given twice in this round")
        _verify_tally(match, replace(tally, back=back))
        by_back[back] = replace(tally, back=back)
    missing = [label(match, player.back) for player in match.players if player.back not in by_back]
    if missing:
        raise MatchError(f"the round lacks {', '.join(missing)}: give 0 for a player who laid nothing")
    finito = None if sheet.finito is None else find_player(match, sheet.finito).back
    if finito and by_back[finito].race_left:
        raise MatchError(f"{label(match, finito)} cannot call Finito with race cards left")
    return RoundSheet(tuple(by_back[player.back] for player in match.players), finito)


def _verify_tally(match: Match, tally: Tally) -> None:
    who, game = label(match, tally.back), match.game
    if (tally.cards is None) == (tally.points is None):
        raise MatchError(f"{who} needs either cards counted in the centre or points, not both or neither")
    _verify_range(tally.points, -MOST_POINTS, MOST_POINTS, f"points of {who} in a round")
    _verify_range(tally.race_left, 0, game.race_stack, f"race cards left of {who}")
    _verify_range(tally.illegal, 0, MOST_ILLEGAL, f"illegal plays of {who}")
    _verify_range(tally.cards, 0, game.cards_per_back - tally.race_left, f"centre cards of {who}")


def _verify_range(value: int | None, least: int, most: int, what: str) -> None:
    if value is not None and not least <= value <= most:
        raise MatchError(f"{value} {what}: only {least} to {most} are possible")
