"""Cards that are seen open before their owner: while one lies there, it does not lie in the centre."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, TypeAlias

from referee.cards import Face
from vision.observations import Look, Observation

Card: TypeAlias = tuple[str, Face]  # of whom, and which

_PLAINLY: Final = 0.97  # chance from which on a card at home is taken for what it seems
_PERHAPS: Final = 0.25  # and from which on it may be that card


@dataclass(frozen=True, slots=True)
class Sighting:
    """A card that was seen at a place of its owner from `t` on, and not yet at `since`."""

    place: str
    since: float
    t: float
    chance: float


class HomeLooks:
    """Hears every observation of a round, and knows when each card was laid open at home."""

    def __init__(self) -> None:
        self._seen: dict[tuple[str, str], dict[tuple[str, float], Sighting]] = {}

    def feed(self, observation: Observation) -> None:
        if not isinstance(observation, Look) or observation.spot.player is None:
            return
        if observation.shows != "face":
            return
        place = observation.spot.place
        for (owner, _), seen in self._seen.items():
            if owner == observation.spot.player:
                seen.pop((place, observation.t), None)  # read again, it may prove to be another card
        for face, chance in observation.faces:
            if chance >= _PERHAPS:
                sighting = Sighting(place, observation.since, observation.t, chance)
                seen = self._seen.setdefault((observation.spot.player, face), {})
                seen[place, observation.t] = sighting

    def times_home(self, card: Card, t: float) -> int:
        """How often the card came to lie open at home after that time: not laid then, or taken back."""
        return sum(each.since >= t and each.chance >= _PLAINLY for each in self._of(card))

    def open_between(self, card: Card, since: float, t: float) -> bool:
        """Whether the card, or what may be it, came to lie open at home in that time."""
        return any(since <= each.t <= t for each in self._of(card))

    def moved(self, card: Card, place: str, t: float) -> bool:
        """Whether a card that left that place then is seen at another of its owner's."""
        return any(each.t >= t and each.place != place and each.chance >= _PLAINLY for each in self._of(card))

    def _of(self, card: Card) -> list[Sighting]:
        owner, face = card
        return list(self._seen.get((owner, str(face)), {}).values())
