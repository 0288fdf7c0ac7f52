"""Stills without end for learning: every one another deck, table, light, lens and arrangement.

A still follows from (seed, split, index) alone. To be quick, decks, textures and hands are drawn from small
pools whose members live for a number of stills and are then replaced one by one.
"""

import multiprocessing
from collections.abc import Generator, Iterator
from functools import lru_cache
from typing import cast

import cv2
import numpy as np

from finito.virtual_table.bystanders import random_clutter, random_hands
from finito.virtual_table.decks import Deck, Split, house_deck, random_deck
from finito.virtual_table.layouts import LAYOUTS, Dealer, Layout
from finito.virtual_table.render import render
from finito.virtual_table.scene import Rendered, Scene, Surface
from finito.virtual_table.settings import (
    random_camera,
    random_kind,
    random_lights,
    random_sensor,
    random_shades,
    random_surface,
)
from finito.virtual_table.surface_patterns import Rng
from finito.virtual_table.table_game import table_game_like

SPLITS = ("train", "validation", "test")
RECIPES = (*LAYOUTS, "game")
_GAME_SHARE = 0.1
_HOUSE_SHARE = 0.05
_DECKS, _DECK_LIFE = 4, 60
_TEXTURES, _TEXTURE_LIFE = 4, 60
_HAND_LIFE = 90
_LAST_SEED = 1 << 31


def stills(seed: int, split: str, size: tuple[int, int] = (640, 360)) -> Iterator[Rendered]:
    """Endless stills with their truth; the same seed gives the same pictures."""
    cv2.setNumThreads(1)
    index = 0
    while True:
        yield still(seed, split, size, index)
        index += 1


def still(
    seed: int, split: str, size: tuple[int, int] = (640, 360), index: int = 0, recipe: str | None = None
) -> Rendered:
    """One still of the endless row; a recipe of RECIPES may be asked for."""
    rng = np.random.default_rng([seed, SPLITS.index(split), index])
    deck = _pooled_deck(rng, seed, split, index)
    scene = random_scene(rng, deck, size, _Pool(seed, SPLITS.index(split), index), recipe)
    return render(scene, deck)


class _Pool:
    """Seeds of things that stay the same for a number of stills."""

    def __init__(self, seed: int, split: int, index: int) -> None:
        self._key = (seed, split)
        self._index = index

    def seed(self, what: int, slot: int, slots: int, life: int) -> int:
        """The seed of a slot; the slots are renewed one after the other."""
        generation = (self._index + slot * life // slots) // life
        return int(np.random.default_rng([*self._key, what, slot, generation]).integers(_LAST_SEED))

    def surface_seed(self, rng: Rng) -> int:
        return self.seed(1, int(rng.integers(_TEXTURES)), _TEXTURES, _TEXTURE_LIFE)


def _pooled_deck(rng: Rng, seed: int, split: str, index: int) -> Deck:
    if split == "train" and rng.random() < _HOUSE_SHARE:
        return house_deck()
    pool = _Pool(seed, SPLITS.index(split), index)
    return _deck(pool.seed(0, int(rng.integers(_DECKS)), _DECKS, _DECK_LIFE), cast(Split, split))


@lru_cache(maxsize=_DECKS + 2)
def _deck(seed: int, split: Split) -> Deck:
    return random_deck(seed, split)


def deck_of(name: str) -> Deck:
    """The deck by the name that a rendering gives it."""
    split, _, seed = name.rpartition("-")
    return _deck(int(seed), cast(Split, split)) if split in SPLITS else house_deck()


def random_scene(
    rng: Rng, deck: Deck, size: tuple[int, int], pool: _Pool, recipe: str | None = None
) -> Scene:
    """A table of cards of the deck, with everything about it left to chance."""
    deal = Dealer(rng, deck.faces, deck.backs, deck.card_mm)
    recipe = recipe or _random_recipe(rng)
    layout: Layout = table_game_like(deal) if recipe == "game" else LAYOUTS[recipe][1](deal)
    camera = random_camera(rng, size, layout.half, level=recipe == "game")
    lights, ambient = random_lights(rng)
    clutter = random_clutter(rng, layout, camera, recipe == "nothing")
    hands = random_hands(rng, layout, deal, camera, lambda slot, slots: pool.seed(2, slot, slots, _HAND_LIFE))
    return Scene(
        camera=camera,
        surface=_random_table(rng, pool, camera.focal / camera.distance, layout.half),
        floor=_random_floor(rng, pool),
        lights=lights,
        ambient=ambient,
        shades=random_shades(rng, layout.half),
        cards=layout.cards,
        clutter=clutter,
        hands=hands,
        sensor=random_sensor(rng, camera.focal / camera.distance),
        zones=layout.zones,
    )


def _random_recipe(rng: Rng) -> str:
    if rng.random() < _GAME_SHARE:
        return "game"
    shares = np.array([share for share, _ in LAYOUTS.values()])
    return str(rng.choice(list(LAYOUTS), p=shares / shares.sum()))


def _random_table(rng: Rng, pool: _Pool, pixels_per_mm: float, half: tuple[float, float]) -> Surface:
    seed = pool.surface_seed(rng)
    kind = random_kind(np.random.default_rng(seed))
    return random_surface(rng, kind, seed, pixels_per_mm, half)


def _random_floor(rng: Rng, pool: _Pool) -> Surface:
    seed = pool.surface_seed(rng)
    return Surface(random_kind(np.random.default_rng(seed)), seed, 0.8, float(rng.uniform(0, 360)))


def _work(seed: int, split: str, size: tuple[int, int], filled: "multiprocessing.Queue[Rendered]") -> None:
    for picture in stills(seed, split, size):
        filled.put(picture)


def process_seeds(seed: int, processes: int) -> list[int]:
    """The seed of each process of a stream: its stills come in turns with those of the others."""
    return [int(v) for v in np.random.default_rng([seed, processes]).integers(_LAST_SEED, size=processes)]


def stream(
    seed: int, split: str, size: tuple[int, int] = (640, 360), processes: int = 2, ahead: int = 16
) -> Generator[Rendered, None, None]:
    """Stills drawn by several processes, in an order that follows from the arguments; close it when done."""
    context = multiprocessing.get_context("spawn")
    seeds = process_seeds(seed, processes)
    queues = [context.Queue(ahead) for _ in range(processes)]
    workers = [
        context.Process(target=_work, args=(own, split, size, queue), daemon=True)
        for own, queue in zip(seeds, queues, strict=True)
    ]
    for worker in workers:
        worker.start()
    try:
        while True:
            for queue in queues:
                yield queue.get()
    finally:
        for worker in workers:
            worker.terminate()
