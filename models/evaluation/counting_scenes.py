"""Rendered photos of backs to be counted: spread, or fanned and laddered so that 12 mm of each show."""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Final

import numpy as np

from finito.virtual_table.decks import Deck
from finito.virtual_table.layouts import stacked
from finito.virtual_table.render import render
from finito.virtual_table.scene import Card, Rendered, Scene, Sensor
from finito.virtual_table.stills import still

LEAST_STRIP: Final = 12.0
FEWEST, MOST = 20, 60
_SIZE: Final = (1920, 1080)
_PER_BACK: Final = 36

Rng = np.random.Generator


@dataclass(frozen=True)
class CountingPhoto:
    """A photo and how many cards of each back it shows."""

    rendered: Rendered
    counts: dict[str, int]


def counting_photo(deck: Deck, seed: int, fanned: bool) -> CountingPhoto:
    """20 to 60 backs of two to six players on some table in some light; the same seed, the same photo."""
    rng = np.random.default_rng([seed, int(fanned)])
    backs = _dealt_backs(rng, deck)
    cards = (_fans if fanned else _spread)(rng, backs, deck.card_mm)
    rendered = render(_scene(rng, seed, stacked(cards, deck.card_mm)), deck)
    return CountingPhoto(rendered, {back: backs.count(back) for back in sorted(set(backs))})


def _dealt_backs(rng: Rng, deck: Deck) -> list[str]:
    """Which backs lie there in order: by player, as counted piles lie, or mixed."""
    players = [str(back) for back in rng.permutation(list(deck.backs))[: int(rng.integers(2, 7))]]
    count = min(int(rng.integers(FEWEST, MOST + 1)), _PER_BACK * len(players))
    pool = [player for player in players for _ in range(_PER_BACK)]
    drawn = [str(back) for back in rng.permutation(pool)[:count]]
    return sorted(drawn) if rng.random() < 0.6 else drawn


def _spread(rng: Rng, backs: list[str], card_mm: tuple[float, float]) -> list[Card]:
    """Rows of cards side by side: apart, touching, or their edges over each other."""
    columns = math.ceil(math.sqrt(len(backs) * 2.4))
    wide, tall = card_mm[0] * rng.uniform(0.9, 1.2), card_mm[1] * rng.uniform(0.97, 1.2)
    slop, turn = rng.uniform(0.5, 4), rng.uniform(0.5, 5)
    return [
        _card(
            i,
            back,
            (i % columns) * wide + rng.normal(0, slop),
            (i // columns) * tall + rng.normal(0, slop / 2),
            rng.normal(0, turn) + 180 * (rng.random() < 0.4),
        )
        for i, back in enumerate(backs)
    ]


def _fans(rng: Rng, backs: list[str], card_mm: tuple[float, float]) -> list[Card]:
    """Runs of 5 to 14 cards, each run a ladder or a fan, below each other in two columns."""
    cards: list[Card] = []
    tops = [0.0, 0.0]
    start = 0
    while start < len(backs):
        run = backs[start : start + int(rng.integers(5, 15))]
        lay: Callable[..., list[Card]] = _fan if rng.random() < 0.4 else _ladder
        made = lay(rng, run, start)
        column = int(np.argmin(tops))
        top, low = min(card.y for card in made), max(card.y for card in made)
        x = column * 430 + rng.normal(0, 8)
        cards += [replace(card, x=card.x + x, y=card.y - top + tops[column]) for card in made]
        tops[column] += low - top + card_mm[1] * rng.uniform(1.1, 1.35)
        start += len(run)
    return cards


def _ladder(rng: Rng, backs: list[str], start: int) -> list[Card]:
    """A row in which each card covers the one before but for a strip."""
    strip = min(rng.uniform(LEAST_STRIP + 2, 30), 340 / len(backs))
    order = 1 if rng.random() < 0.5 else -1
    lean, slop = rng.normal(0, 4), rng.uniform(0, 1.2)
    strips = np.maximum(strip + rng.normal(0, 2 * slop, len(backs)), LEAST_STRIP)
    along = order * (np.cumsum(strips) - strips.sum() / 2)
    return [
        _card(start + i, back, along[i], rng.normal(0, 2 * slop), lean + rng.normal(0, slop))
        for i, back in enumerate(backs)
    ]


def _fan(rng: Rng, backs: list[str], start: int) -> list[Card]:
    """Cards around a point below their feet; the strips are narrowest at the feet."""
    radius = rng.uniform(140, 230)
    strip = min(rng.uniform(LEAST_STRIP + 2, 26), 300 / len(backs))
    step = math.degrees(strip / radius)
    order = 1 if rng.random() < 0.5 else -1
    cards = []
    for i, back in enumerate(backs):
        turn = order * (i - (len(backs) - 1) / 2) * step + rng.normal(0, 0.4)
        out = math.radians(turn)
        cards.append(_card(start + i, back, radius * math.sin(out), -radius * math.cos(out), turn))
    return cards


def _card(i: int, back: str, x: float, y: float, angle: float) -> Card:
    return Card(f"card{i + 1}", "back", "R0", back, float(x), float(y), float(angle))


def _scene(rng: Rng, seed: int, cards: tuple[Card, ...]) -> Scene:
    """The table and the light of some still, photographed with care: the cards fill the picture."""
    base = still(seed, "test", (64, 36), 0, "grid").scene
    places = np.array([(card.x, card.y) for card in cards])
    low, high = places.min(axis=0) - 55, places.max(axis=0) + 55
    middle, half = (low + high) / 2, (high - low) / 2
    centred = tuple(replace(c, x=c.x - float(middle[0]), y=c.y - float(middle[1])) for c in cards)
    view = float(rng.uniform(45, 70))
    need = max(half[0], half[1] * _SIZE[0] / _SIZE[1]) * float(rng.uniform(1.12, 1.25))
    camera = replace(
        base.camera,
        size=_SIZE,
        target=(0.0, 0.0),
        distance=need / math.tan(math.radians(view) / 2),
        tilt=float(min(25.0, abs(rng.normal(0, 8)))),
        heading=float(rng.normal(0, 4)),
        roll=float(rng.normal(0, 2)),
        field_of_view=view,
    )
    sensor = Sensor(
        exposure=float(np.clip(base.sensor.exposure, 0.75, 1.2)),
        white_balance=base.sensor.white_balance,
        noise=min(4.0, base.sensor.noise),
        jpeg=88,
        seed=seed,
    )
    surface = replace(base.surface, size=None)
    return replace(
        base, camera=camera, surface=surface, sensor=sensor, cards=centred, clutter=(), hands=(), zones={}
    )
