"""Where piles may be begun: in the middle, clear of everybody's places."""

from __future__ import annotations

import numpy as np
import pytest

from finito.virtual_table.choreography.homes import home_zones, homes
from finito.virtual_table.choreography.piles import centre_points, pile_spots
from referee.places import HAND


@pytest.mark.parametrize("players", [2, 3, 4, 5, 6])
def test_no_pile_is_begun_behind_or_among_the_places_of_a_player(players: int) -> None:
    everybody = homes([(f"player{i}", "right") for i in range(players)], (59.0, 91.0))
    places = [zone for name, zone in home_zones(everybody).items() if not name.endswith(HAND)]
    points = centre_points(places, (430.0, 200.0))
    for seed in range(40):
        spots = pile_spots(np.random.default_rng(seed), points, 18)
        apart = np.linalg.norm(spots[:, None] - points[None], axis=2).min(axis=1)
        assert apart.max() < 16  # the grid, and how untidily cards are laid
