"""Stills of simulated games for learning: what people sit at, hands with decks in them and all.

A still follows from (seed, split, index) alone. Some stills in a row are of one game: its deck, its table and
its first frame cost more than all the others.
"""

from functools import lru_cache

import numpy as np

from finito.virtual_table.choreography import Session, Wish, plan_session
from finito.virtual_table.film import Film
from finito.virtual_table.scene import Rendered

STILLS_OF_A_GAME = 8
_SECONDS = 60.0
_PLAYERS = (2, 3, 4, 5, 6)
_FPS = 15
_GAMES_OF_A_SEED = 1_000_000
_DECKS_APART = 40  # a table of six takes the first deck from its number on that has six backs


def played_still(seed: int, split: str, sizes: tuple[tuple[int, int], ...], index: int) -> Rendered:
    """Any moment of a game, from the deal to the count; its size is one of those given."""
    game = index // STILLS_OF_A_GAME
    session, film = _filmed(seed, split, sizes, game)
    rng = np.random.default_rng([seed, game, index])
    frame = int(rng.uniform(0, session.show.seconds) * _FPS)
    return film.frame(session.show.moment(frame / _FPS, frame).scene)


@lru_cache(maxsize=1)
def _filmed(seed: int, split: str, sizes: tuple[tuple[int, int], ...], game: int) -> tuple[Session, Film]:
    rng = np.random.default_rng([seed, game])
    number = seed * _GAMES_OF_A_SEED + game
    session = plan_session(
        Wish(
            players=int(rng.choice(_PLAYERS)),
            seconds=_SECONDS,
            seed=number,
            deck=f"{split}:{_DECKS_APART * number}",
            size=sizes[int(rng.integers(len(sizes)))],
            fps=_FPS,
            roughness=float(rng.uniform(0, 1)),
            markers=bool(rng.random() < 0.5),
        )
    )
    return session, Film(session.deck)
