"""Whether the table is being cleared: what vanishes then was not played, and no empty stack is a Finito."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from referee.places import ESPRESSO, WASTE
from vision.observations import Look, Observation, Shown, Spot

_TOOK_ALL: Final = 3  # of a player's four open places are empty: nobody plays like that
_TURNED: Final = 2  # piles that show backs


class Clearing:
    """Hears every observation of a round and knows which places are bare and which piles lie face down."""

    def __init__(self, players: Sequence[str]) -> None:
        self._players = tuple(players)
        self._shows: dict[Spot, Shown] = {}
        self._piles: set[Spot] = set()  # a deck that somebody laid down is none

    def feed(self, observation: Observation) -> None:
        if isinstance(observation, Look) and observation.spot.place != WASTE:
            self._shows[observation.spot] = observation.shows
            if observation.spot.is_centre and observation.shows == "face":
                self._piles.add(observation.spot)

    @property
    def begun(self) -> bool:
        """Something looks like the end: worth counting, too little to end a round by it."""
        return self._cleared() > 0 or self._turned() > 0

    def over(self, caller: str | None) -> bool:
        """Whether the round is over; after a valid call one cleared place or turned pile shows it.

        The caller's own places show nothing: the stack is empty, and helps that were played stay so.
        """
        if caller is not None:
            return self._cleared(but_for=caller) > 0 or self._turned() > 0
        return self._cleared() + self._turned() >= _TURNED

    def _cleared(self, but_for: str | None = None) -> int:
        """Players who have taken up what lay open in front of them."""
        others = (player for player in self._players if player != but_for)
        return sum(self._open_and_gone(player) >= _TOOK_ALL for player in others)

    def _open_and_gone(self, player: str) -> int:
        return sum(
            shows != "face"
            for spot, shows in self._shows.items()
            if spot.player == player and (spot.place == ESPRESSO or spot.place.startswith("help"))
        )

    def _turned(self) -> int:
        return sum(self._shows[spot] == "back" for spot in self._piles)
