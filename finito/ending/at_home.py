"""Cards that are seen open before their owner: while one lies there, it does not lie in the centre."""

from __future__ import annotations

from typing import Final, TypeAlias

from referee.actions import Interval
from referee.cards import Face
from vision.observations import Look, Observation

Card: TypeAlias = tuple[str, Face]  # of whom, and which

_PLAINLY: Final = 0.97  # chance from which on a card at home is taken for what it seems


class HomeLooks:
    """Hears every observation of a round, and knows when each card was last laid open at home."""

    def __init__(self) -> None:
        self._laid_open: dict[tuple[str, str], float] = {}
        self._seen: dict[tuple[str, str], dict[str, float]] = {}  # of each card the places, and when last

    def feed(self, observation: Observation) -> None:
        if not isinstance(observation, Look) or observation.spot.player is None or not observation.faces:
            return
        face, chance = observation.faces[0]
        if observation.shows == "face" and chance >= _PLAINLY:
            card = observation.spot.player, face
            self._laid_open[card] = max(observation.since, self._laid_open.get(card, observation.since))
            self._seen.setdefault(card, {})[observation.spot.place] = observation.t

    def came_home(self, card: Card, t: Interval | None) -> bool:
        """Whether the card came to lie open at home after that time: it was not laid then, or taken back."""
        owner, face = card
        return t is not None and self._laid_open.get((owner, str(face)), float("-inf")) >= t.end

    def moved(self, card: Card, place: str, t: float) -> bool:
        """Whether a card that left that place then is seen at another of its owner's."""
        owner, face = card
        seen = self._seen.get((owner, str(face)), {})
        return any(at >= t for other, at in seen.items() if other != place)
