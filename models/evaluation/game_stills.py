"""Stills of simulated games, as a camera over the table sees them between the deal and the last card.

The stills of `rendered_set` are of the kind that nets learn from, drawn far wider than life: rows that cross
each other, heaps, lamps that burn cards out, figures under other cards, backs that hardly differ. These are
what people sit at: two to six players, a deck, a table, lamps and a camera of their own for every game, hands
at work. Nothing is left out of a game; how its cards are counted at the end is an exam of its own.
"""

from __future__ import annotations

from collections.abc import Iterator
from random import Random
from typing import Final

from finito.virtual_table.choreography import Session, Wish, plan_session
from finito.virtual_table.film import Film
from finito.virtual_table.scene import Rendered

STILLS_OF_A_GAME: Final = 3
_GAMES_OF_A_SEED: Final = 1000
_SECONDS: Final = 60.0
_SIZES: Final = ((1920, 1080), (1280, 720))
_DECKS_APART: Final = 40  # a table of six takes the first deck from its number on that has six backs
_PLAYERS: Final = (2, 3, 4, 5, 6)
_ROUGHNESS: Final = (0.3, 1.0)  # from a good camera in good light to a kitchen; the films' bench has the same
_FPS: Final = 15
_LOOKED_AT_AFTER: Final = 1.0


def game_stills(stills: int, seed: int) -> Iterator[tuple[str, Rendered]]:
    """So many stills, some of every game; the same seed, the same stills."""
    for first in range(0, stills, STILLS_OF_A_GAME):
        game = first // STILLS_OF_A_GAME
        number = seed * _GAMES_OF_A_SEED + game
        rng = Random(f"game stills {number}")
        session = plan_session(_wish(number, game, rng))
        film = Film(session.deck)
        for index in range(first, min(stills, first + STILLS_OF_A_GAME)):
            frame = int(rng.uniform(0, _over(session)) * _FPS)
            scene = session.show.moment(frame / _FPS, frame).scene
            yield f"game-{seed}-{game}-{index - first}", film.frame(scene)


def _wish(number: int, game: int, rng: Random) -> Wish:
    return Wish(
        players=_PLAYERS[game % len(_PLAYERS)],
        seconds=_SECONDS,
        seed=number,
        deck=f"random:{_DECKS_APART * number}",
        size=_SIZES[game % len(_SIZES)],
        fps=_FPS,
        roughness=round(rng.uniform(*_ROUGHNESS), 2),
    )


def _over(session: Session) -> float:
    """When the last card has been laid and looked at."""
    return max(action.t.end for action in session.cast.played.actions if action.t) + _LOOKED_AT_AFTER
