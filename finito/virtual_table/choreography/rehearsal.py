"""From a played round to a show: homes, piles, moves, the ending and the room."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

import numpy as np

from finito.bots import BotRound
from finito.virtual_table.choreography.ending import perform_ending
from finito.virtual_table.choreography.errands import errand
from finito.virtual_table.choreography.homes import Home, box_around, home_zones, homes
from finito.virtual_table.choreography.piles import centre_points, centre_zone, pile_spots
from finito.virtual_table.choreography.setting import random_room
from finito.virtual_table.choreography.show import Show
from finito.virtual_table.choreography.slop import Slop
from finito.virtual_table.choreography.stage import Stage
from finito.virtual_table.decks import Deck
from referee.places import HAND

_CENTRE_HALF: Final = (430.0, 200.0)


def rehearse(
    played: BotRound,
    deck: Deck,
    seed: int,
    size: tuple[int, int],
    roughness: float = 1.0,
    markers: bool = True,
) -> Show:
    """The show of a round; same arguments, same show."""
    rng = np.random.default_rng([seed, 31])
    around = homes([(dealt.player, dealt.side) for dealt in played.hidden], deck.card_mm)
    zones = home_zones(around)
    points = centre_points([zone for name, zone in zones.items() if not name.endswith(HAND)], _CENTRE_HALF)
    spots = pile_spots(rng, points, max(1, *(motion.target.pile or 0 for motion in played.motions)))
    stage = _stage(played, Slop(rng, around, [(float(x), float(y)) for x, y in spots]))
    stage.perform([errand(motion) for motion in played.motions])
    over = max(motion.home for motion in played.motions)
    ending = perform_ending(stage, around, rng, over)
    moves, epochs = stage.finished()
    room = random_room(
        np.random.default_rng([seed, 37]),
        {**zones, "centre": centre_zone(points)},
        size,
        ending.ends,
        roughness,
        markers,
    )
    piles = {
        name: box_around((lie.x, lie.y), lie.angle, deck.card_mm) for name, lie in stage.slop.piles.items()
    }
    return Show(
        homes=around,
        room=room,
        moves=moves,
        epochs=epochs,
        ending=ending,
        looks=_looks(rng, list(around.values())),
        backs=stage.backs,
        faces=stage.faces,
        zones={**zones, "centre": centre_zone(points), **piles},
    )


def _stage(played: BotRound, slop: Slop) -> Stage:
    """Before the deal everybody holds all of their cards."""
    backs: dict[str, str] = {}
    faces: dict[str, str] = {}
    stacks: dict[str, list[str]] = {}
    for dealt in played.hidden:
        cards = (*dealt.espresso, *dealt.helps, *dealt.hand)
        names = [f"{dealt.player}-{number:02d}" for number in range(1, len(cards) + 1)]
        backs |= dict.fromkeys(names, dealt.player)
        faces |= dict(zip(names, map(str, cards), strict=True))
        stacks[f"{dealt.player} {HAND}"] = names
    return Stage(slop, backs, faces, stacks)


def _looks(rng: np.random.Generator, everybody: Sequence[Home]) -> dict[str, int]:
    """A pair of hands for everybody."""
    return {home.player: int(rng.integers(1 << 20)) for home in everybody}
