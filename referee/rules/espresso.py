"""Espresso and its cousins by name: games, variants and editions made into one rule set for a round."""

from __future__ import annotations

from typing import Final

from referee.actions import RoundHeader
from referee.errors import NotationError
from referee.rules.parameters import game_parameters
from referee.rules.pile_game import PileRules

VARIANTS: Final = ("normalo", "zero", "chaos")
EDITIONS: Final = ("amigo-1995", "forum-1996", "escale")
DEFAULT_EDITION: Final = "amigo-1995"


def rules_for(header: RoundHeader) -> PileRules:
    """The rules of a round; unknown or contradictory words are refused with what would help."""
    game = game_parameters(header.game)
    _check_players(header, game.min_players, game.max_players)
    for variant in header.variant:
        if variant not in VARIANTS:
            raise NotationError(f"the variant {variant!r} is not known; known are {', '.join(VARIANTS)}")
    if "normalo" in header.variant and len(header.variant) > 1:
        raise NotationError('"normalo" is the game without variants; leave it out or leave the others out')
    if header.edition not in EDITIONS:
        raise NotationError(f"the edition {header.edition!r} is not known; known are {', '.join(EDITIONS)}")
    zero = "zero" in header.variant
    if zero and game.first_number != 0:
        raise NotationError(f"the variant zero needs cards with a 0; {game.name} has none")
    forum = header.edition == "forum-1996" and game.name == "espresso"
    return PileRules(
        game=game,
        players=header.players,
        zero=zero,
        chaos="chaos" in header.variant,
        # Forum knows no Zero variant: where it is played all the same, the German text keeps jokers off an 8.
        restart_on_last=forum and not zero,
        twos_after_fruitless=forum,
    )


def _check_players(header: RoundHeader, least: int, most: int) -> None:
    players = header.players
    if not least <= len(players) <= most:
        raise NotationError(f"{header.game} is for {least} to {most} players; the round names {len(players)}")
    odd = next((name for name in players if not name.isprintable()), None)
    if odd is not None:
        raise NotationError(f"the player name {odd!r} has characters that cannot be shown; leave them out")
    twice = next((name for name in players if players.count(name) > 1), None)
    if twice is not None:
        raise NotationError(f"the player {twice!r} is named twice; each needs a back of their own")
