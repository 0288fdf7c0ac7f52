"""Ways in which cards lie on a table, for stills: from a single card to a whole game."""

import math
from collections.abc import Callable, Sequence
from dataclasses import dataclass, field

import numpy as np

from finito.virtual_table.scene import CARD_THICKNESS, Card
from finito.virtual_table.surface_patterns import Rng


@dataclass(frozen=True)
class Layout:
    """Cards in stacking order and half the width and height of the table part worth filming, in mm."""

    cards: tuple[Card, ...]
    half: tuple[float, float]
    zones: dict[str, tuple[tuple[float, float], ...]] = field(default_factory=dict)


@dataclass
class Dealer:
    """Draws cards at random from a deck and names them one after the other."""

    rng: Rng
    faces: Sequence[str]
    backs: Sequence[str]
    card_mm: tuple[float, float]
    dealt: int = 0

    def card(
        self, x: float, y: float, angle: float, z: float = 0.0, side: str | None = None, back: str = ""
    ) -> Card:
        """A card lying somewhere; its side is open or closed by chance unless said."""
        rng = self.rng
        self.dealt += 1
        bend = float(rng.normal(0, 2.2)) if rng.random() < 0.15 else 0.0
        return Card(
            name=f"card{self.dealt}",
            side=side or ("face" if rng.random() < 0.6 else "back"),
            face=self.faces[int(rng.integers(len(self.faces)))],
            back=back or self.backs[int(rng.integers(len(self.backs)))],
            x=x,
            y=y,
            angle=angle,
            z=z,
            bend=max(-6.0, min(6.0, bend)),
            sheen=float(rng.uniform(0.1, 0.8)) if rng.random() < 0.05 else 0.0,
        )

    def side(self) -> str | None:
        """All open, all closed or mixed: one choice for a whole arrangement."""
        return [None, "face", "face", "back"][self.rng.integers(4)]


def stacked(cards: list[Card], card_mm: tuple[float, float]) -> tuple[Card, ...]:
    """The same cards, each resting on those before it that it overlaps."""
    reach = math.hypot(*card_mm) * 0.62
    done: list[Card] = []
    for card in cards:
        z = card.z
        for other in done:
            if abs(other.x - card.x) + abs(other.y - card.y) < reach:
                z = max(z, other.z + other.thickness)
        done.append(Card(**{**card.__dict__, "z": z}))
    return tuple(done)


def pile(deal: Dealer, x: float, y: float, angle: float, count: int, side: str, back: str = "") -> list[Card]:
    """A pile with sloppy edges: the lower cards are one block, the upper ones lie each as they fell."""
    rng = deal.rng
    slop, turn = rng.uniform(0.3, 4), rng.uniform(0.3, 6)
    shown = min(count, 5)
    z = 0.0
    cards = []
    for i in range(shown):
        card = deal.card(
            x + rng.normal(0, slop), y + rng.normal(0, slop), angle + rng.normal(0, turn), z, side, back
        )
        block = (count - shown + 1) * CARD_THICKNESS if i == 0 else CARD_THICKNESS
        cards.append(
            Card(**{**card.__dict__, "thickness": block, "bend": 0.0 if i < shown - 1 else card.bend})
        )
        z += block
    return cards


def _one(deal: Dealer) -> Layout:
    """A single large card, as in photos of one card; another may peep in."""
    rng = deal.rng
    w, h = deal.card_mm
    cards = []
    if rng.random() < 0.15:
        turn = rng.uniform(0, 2 * math.pi)
        cards.append(deal.card(math.cos(turn) * h * 1.1, math.sin(turn) * h * 1.1, rng.uniform(0, 360)))
    side = "face" if rng.random() < 0.8 else "back"
    angle = (
        float(rng.choice([0, 90, 180, 270])) + rng.normal(0, 12)
        if rng.random() < 0.8
        else rng.uniform(0, 360)
    )
    cards.append(deal.card(0, 0, angle, side=side))
    half = max(w, h) * float(rng.choice([rng.uniform(0.42, 0.75), rng.uniform(0.7, 1.8)]))
    return Layout(tuple(cards), (half * rng.uniform(0.8, 1.6), half))


def _scattered(deal: Dealer) -> Layout:
    """Cards thrown over the table, more or less over each other."""
    rng = deal.rng
    count = int(rng.choice([2, 3, 4, 6, 8, 10, 15, 20, 30, 45, 60, 80], p=_COUNTS))
    spread = math.sqrt(count) * deal.card_mm[1] * rng.uniform(0.35, 0.95)
    wide, tall = spread * rng.uniform(0.9, 1.5), spread * rng.uniform(0.5, 0.9)
    side = deal.side()
    neat = float(rng.choice([4, 20, 360]))
    cards = [
        deal.card(rng.uniform(-wide, wide), rng.uniform(-tall, tall), rng.uniform(-neat, neat) / 2, side=side)
        for _ in range(count)
    ]
    return Layout(stacked(cards, deal.card_mm), (wide + 60, tall + 60))


_COUNTS = [0.12, 0.1, 0.12, 0.12, 0.1, 0.1, 0.1, 0.08, 0.06, 0.04, 0.03, 0.03]


def _grid(deal: Dealer) -> Layout:
    """Rows of cards, straight or nearly so, as somebody lays them out to be photographed."""
    rng = deal.rng
    rows, columns = int(rng.integers(1, 6)), int(rng.integers(2, 11))
    w, h = deal.card_mm
    dx, dy = w * rng.uniform(1.0, 1.5), h * rng.uniform(1.0, 1.35)
    slop, turn = rng.uniform(0, 5), rng.uniform(0.2, 6)
    side = deal.side()
    cards = [
        deal.card(
            (c - (columns - 1) / 2) * dx + rng.normal(0, slop),
            (r - (rows - 1) / 2) * dy + rng.normal(0, slop),
            rng.normal(0, turn) + 180 * (rng.random() < 0.1),
            side=side,
        )
        for r in range(rows)
        for c in range(columns)
    ]
    return Layout(stacked(cards, deal.card_mm), (columns * dx / 2 + 15, rows * dy / 2 + 15))


def fan(deal: Dealer, x: float, y: float, towards: float, side: str | None, back: str = "") -> list[Card]:
    """Cards spread around a point near their lower end, as in a hand."""
    rng = deal.rng
    count = int(rng.integers(2, 12))
    radius = rng.uniform(60, 190)
    step = rng.uniform(9, 24) / (radius + 40) * 180 / math.pi
    order = 1 if rng.random() < 0.7 else -1
    cards = []
    for i in range(count):
        turn = towards + (i - (count - 1) / 2) * step * order + rng.normal(0, 1.2)
        out = math.radians(turn)
        cards.append(
            deal.card(
                x + radius * math.sin(out) + rng.normal(0, 1),
                y - radius * math.cos(out) + rng.normal(0, 1),
                turn,
                side=side,
                back=back,
            )
        )
    return cards


def _fans(deal: Dealer) -> Layout:
    rng = deal.rng
    count = int(rng.integers(1, 4))
    cards: list[Card] = []
    for i in range(count):
        at = (i - (count - 1) / 2) * rng.uniform(150, 330)
        cards += fan(
            deal, at, rng.normal(40, 30), rng.normal(0, 30) + 180 * (rng.random() < 0.3), deal.side()
        )
    centre = np.array([[card.x, card.y] for card in cards]).mean(axis=0)
    moved = [Card(**{**card.__dict__, "x": card.x - centre[0], "y": card.y - centre[1]}) for card in cards]
    reach = [max(abs(getattr(card, axis)) for card in moved) + 40 for axis in ("x", "y")]
    return Layout(stacked(moved, deal.card_mm), (reach[0], reach[1]))


def ladder(
    deal: Dealer, x: float, y: float, angle: float, count: int, strip: float, side: str | None
) -> list[Card]:
    """A row of cards of which each covers the one before but for a strip."""
    rng = deal.rng
    along = math.radians(angle + float(rng.choice([0, 90])))
    back = str(rng.choice(deal.backs)) if rng.random() < 0.6 else ""
    lean, slop = rng.normal(0, 8), rng.uniform(0, 2.5)
    return [
        deal.card(
            x + (i - (count - 1) / 2) * strip * math.cos(along) + rng.normal(0, slop),
            y + (i - (count - 1) / 2) * strip * math.sin(along) + rng.normal(0, slop),
            angle + lean + rng.normal(0, slop),
            side=side,
            back=back,
        )
        for i in range(count)
    ]


def _ladders(deal: Dealer) -> Layout:
    rng = deal.rng
    rows = int(rng.integers(1, 5))
    cards: list[Card] = []
    longest = 0.0
    turned = rng.random() < 0.3
    gap = deal.card_mm[1] * rng.uniform(0.75, 1.3)
    side = deal.side()
    for row in range(rows):
        count, strip = int(rng.integers(2, 14)), rng.uniform(9, 40)
        longest = max(longest, count * strip)
        cards += ladder(
            deal,
            rng.normal(0, 15),
            (row - (rows - 1) / 2) * gap,
            rng.normal(0, 4) + 90 * turned,
            count,
            strip,
            side,
        )
    half = (longest / 2 + 50, rows * gap / 2 + 40)
    return Layout(stacked(cards, deal.card_mm), (max(half), max(half)) if turned else half)


def _counting(deal: Dealer) -> Layout:
    """Backs sorted by player and spread to be counted: touching, overlapping or fanned."""
    rng = deal.rng
    cards: list[Card] = []
    groups = int(rng.integers(2, 7))
    chosen = rng.permutation(list(deal.backs))[:groups]
    gap = deal.card_mm[1] * rng.uniform(0.85, 1.25)
    longest = 0.0
    for row, back in enumerate(chosen):
        count = int(rng.integers(1, 17))
        strip = deal.card_mm[0] * rng.uniform(0.2, 1.05)
        longest = max(longest, count * strip)
        y = (row - (len(chosen) - 1) / 2) * gap
        for i in range(count):
            x = (i - (count - 1) / 2) * strip + rng.normal(0, 2)
            cards.append(deal.card(x, y + rng.normal(0, 4), rng.normal(0, 4), side="back", back=str(back)))
    return Layout(stacked(cards, deal.card_mm), (longest / 2 + 40, len(chosen) * gap / 2 + 15))


def _heap(deal: Dealer) -> Layout:
    rng = deal.rng
    count = int(rng.integers(4, 40))
    wide = rng.uniform(25, 110)
    side = deal.side()
    cards = [
        deal.card(rng.normal(0, wide), rng.normal(0, wide), rng.uniform(0, 360), side=side)
        for _ in range(count)
    ]
    return Layout(stacked(cards, deal.card_mm), (wide * 1.6 + 50, wide * 1.4 + 50))


def _piles(deal: Dealer) -> Layout:
    rng = deal.rng
    cards: list[Card] = []
    columns, rows = int(rng.integers(1, 5)), int(rng.integers(1, 4))
    gap = rng.uniform(80, 150)
    for r in range(rows):
        for c in range(columns):
            x, y = ((n - (m - 1) / 2) * gap + rng.normal(0, 8) for n, m in ((c, columns), (r, rows)))
            side = "face" if rng.random() < 0.7 else "back"
            cards += pile(deal, x, y * 1.2, rng.uniform(0, 360), int(rng.integers(1, 31)), side)
    return Layout(tuple(cards), (columns * gap / 2 + 40, rows * gap * 0.6 + 40))


def _nothing(deal: Dealer) -> Layout:
    half = deal.rng.uniform(90, 600)
    return Layout((), (half * 1.4, half))


LAYOUTS: dict[str, tuple[float, Callable[[Dealer], Layout]]] = {
    "one": (0.2, _one),
    "scattered": (0.2, _scattered),
    "grid": (0.08, _grid),
    "fans": (0.1, _fans),
    "ladders": (0.09, _ladders),
    "counting": (0.08, _counting),
    "heap": (0.05, _heap),
    "piles": (0.06, _piles),
    "nothing": (0.04, _nothing),
}
