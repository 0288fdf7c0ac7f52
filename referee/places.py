"""Where people sit and where cards lie."""

from __future__ import annotations

from enum import StrEnum
from typing import Final


class Seat(StrEnum):
    """Places around the table; south is the bottom edge of the camera picture, then clockwise."""

    SOUTH = "south"
    SOUTH_WEST = "south-west"
    WEST = "west"
    NORTH_WEST = "north-west"
    NORTH = "north"
    NORTH_EAST = "north-east"
    EAST = "east"
    SOUTH_EAST = "south-east"


ESPRESSO: Final = "espresso"
WASTE: Final = "waste"
HAND: Final = "hand"
MOST_HELPS: Final = 5
HELPS: Final = tuple(f"help{n}" for n in range(1, MOST_HELPS + 1))
HELP_INDEX: Final = {name: index for index, name in enumerate(HELPS)}
PLACES: Final = (ESPRESSO, *HELPS, WASTE, HAND)
