"""A table in the middle of a game: seats with Espresso, three helps and waste, piles in the centre."""

import math
from collections.abc import Iterator

from finito.virtual_table.layouts import Dealer, Layout, pile
from finito.virtual_table.scene import CARD_THICKNESS, Card

Polygon = tuple[tuple[float, float], ...]
_SLOT_GAP = 12.0
# Where each seat sits, clockwise from south, for two to six players: degrees as seen from above.
_SEATS = {
    2: (0, 180),
    3: (0, 120, 240),
    4: (0, 90, 180, 270),
    5: (0, 72, 144, 216, 288),
    6: (0, 50, 130, 180, 230, 310),
}


def seat_angles(players: int) -> tuple[int, ...]:
    """The direction in which each player sits, 0 being south and 90 west."""
    return _SEATS[players]


def table_game_like(deal: Dealer) -> Layout:
    """A random moment of a game, with the zones of all places."""
    rng = deal.rng
    angles = seat_angles(int(rng.integers(2, 7)))
    wide, tall = rng.uniform(300, 460), rng.uniform(190, 320)
    backs = [str(back) for back in rng.permutation(list(deal.backs))]
    cards: list[Card] = []
    zones: dict[str, Polygon] = {}
    for i, angle in enumerate(angles):
        back = backs[i % len(backs)]
        for place, x, y in _places(deal, angle, wide, tall):
            zones[f"{back} {place}"] = _zone(deal, x, y, angle)
            cards += _cards_of(deal, place, x, y, angle, back)
    cards += _centre(deal, wide * 0.5, tall * 0.42, len(angles), zones)
    return Layout(tuple(cards), (wide + 70, tall + 60), zones)


def _places(deal: Dealer, angle: float, wide: float, tall: float) -> Iterator[tuple[str, float, float]]:
    """The places of a seat with their middles; left to right as the player sees them."""
    turn = math.radians(angle)
    out = (-math.sin(turn) * wide, math.cos(turn) * tall)
    right = (math.cos(turn), math.sin(turn))
    gap = deal.card_mm[0] + _SLOT_GAP + deal.rng.uniform(-4, 6)
    for i, place in enumerate(("espresso", "help1", "help2", "help3", "waste")):
        along = (i - 2) * gap
        yield place, out[0] + right[0] * along, out[1] + right[1] * along


def _zone(deal: Dealer, x: float, y: float, angle: float) -> Polygon:
    w, h = (n / 2 + 8 for n in deal.card_mm)
    cos, sin = math.cos(math.radians(angle)), math.sin(math.radians(angle))
    return tuple(
        (x + u * cos - v * sin, y + u * sin + v * cos) for u, v in ((-w, -h), (w, -h), (w, h), (-w, h))
    )


def _cards_of(deal: Dealer, place: str, x: float, y: float, angle: float, back: str) -> list[Card]:
    rng = deal.rng
    x, y, turn = x + rng.normal(0, 5), y + rng.normal(0, 5), angle + rng.normal(0, 5)
    if place == "espresso":
        return pile(deal, x, y, turn, int(rng.integers(1, 10)), "face", back) if rng.random() < 0.9 else []
    if place == "waste":
        return pile(deal, x, y, turn, int(rng.integers(1, 25)), "face", back) if rng.random() < 0.75 else []
    return [deal.card(x, y, turn, side="face", back=back)] if rng.random() < 0.92 else []


def _centre(deal: Dealer, wide: float, tall: float, players: int, zones: dict[str, Polygon]) -> list[Card]:
    rng = deal.rng
    cards: list[Card] = []
    taken: list[tuple[float, float]] = []
    for number in range(1, int(rng.integers(1, players * 4 + 1)) + 1):
        for _ in range(20):
            x, y = rng.uniform(-wide, wide), rng.uniform(-tall, tall)
            if all(math.hypot(x - a, y - b) > 85 for a, b in taken):
                break
        else:
            continue
        taken.append((x, y))
        turn = rng.uniform(0, 360)
        zones[f"pile {number}"] = _zone(deal, x, y, turn)
        cards += _grown(deal, x, y, turn, int(rng.integers(1, 10)))
    return cards


def _grown(deal: Dealer, x: float, y: float, angle: float, count: int) -> list[Card]:
    """A centre pile: each card came from another player and lies as it was thrown."""
    rng = deal.rng
    slop, turn = rng.uniform(2, 7), rng.uniform(4, 25)
    return [
        deal.card(
            x + rng.normal(0, slop),
            y + rng.normal(0, slop),
            angle + rng.normal(0, turn),
            i * CARD_THICKNESS,
            "face",
        )
        for i in range(count)
    ]
