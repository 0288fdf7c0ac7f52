"""How exactly people lay cards: not very."""

from __future__ import annotations

from dataclasses import dataclass, field

from finito.virtual_table.choreography.homes import Home, Point
from finito.virtual_table.choreography.moves import Lie
from finito.virtual_table.choreography.piles import next_spot
from finito.virtual_table.surface_patterns import Rng
from referee.places import HAND, WASTE

# Millimetres and degrees by which cards miss the middle of their place.
_TIDY = (1.6, 1.8)
_WASTE = (2.6, 4.0)
_PILE = (3.6, 8.0)
HELD_HEIGHT = 34.0


@dataclass
class Slop:
    """Decides where a card comes to lie; piles get their spot when first aimed at."""

    rng: Rng
    homes: dict[str, Home]
    free: list[Point]
    piles: dict[str, Lie] = field(default_factory=dict)

    def lie(self, place: str, player: str, height: float) -> Lie:
        """How a card that `player` lays onto a place will lie."""
        if place.startswith("pile "):
            return self._on_pile(place, player, height)
        owner, name = place.rsplit(" ", 1)
        home = self.homes[owner]
        if name == HAND:
            return self.deck(owner)
        x, y = home.place(name)
        return self._off(Lie(x, y, home.angle, height), *(_WASTE if name == WASTE else _TIDY))

    def deck(self, player: str) -> Lie:
        """The deck in a player's hand."""
        home = self.homes[player]
        x, y = home.place(HAND)
        return Lie(x, y, home.angle + 14.0 * home.handed, HELD_HEIGHT)

    def goal(self, place: str, player: str) -> Lie:
        """The middle of a place, for a hand that only aims at it."""
        if place.startswith("pile "):
            return self._pile(place, player)
        return self.lie(place, player, 0.0)

    def _pile(self, place: str, player: str) -> Lie:
        if place not in self.piles:
            spot = next_spot(self.rng, self.free, self.homes[player])
            self.free.remove(spot)
            angle = self.homes[player].angle + float(self.rng.normal(0, 14))
            self.piles[place] = Lie(*spot, angle)
        return self.piles[place]

    def _on_pile(self, place: str, player: str, height: float) -> Lie:
        pile = self._pile(place, player)
        apart = (self.homes[player].angle - pile.angle + 180) % 360 - 180
        # A card may lie upside down on the one below: players lay it as they see it.
        angle = pile.angle if abs(apart) <= 90 else pile.angle + 180
        return self._off(Lie(pile.x, pile.y, angle, height), *_PILE)

    def _off(self, lie: Lie, far: float, turned: float) -> Lie:
        dx, dy = (float(v) for v in self.rng.normal(0, far, 2).clip(-2.5 * far, 2.5 * far))
        turn = float(self.rng.normal(0, turned))
        return Lie(lie.x + dx, lie.y + dy, lie.angle + max(-2.5 * turned, min(2.5 * turned, turn)), lie.z)
