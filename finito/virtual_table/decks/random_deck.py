"""Decks without end: a seed and a split give a deck."""

from __future__ import annotations

from dataclasses import dataclass
from random import Random
from typing import Literal

from finito.virtual_table.decks.deck import Deck, Picture, picture_size
from finito.virtual_table.decks.invented.alike import told_apart
from finito.virtual_table.decks.invented.backs import BackStyle, random_backs
from finito.virtual_table.decks.invented.face_painter import FacePainter
from finito.virtual_table.decks.invented.face_style import random_face_style
from finito.virtual_table.decks.invented.inks import random_inks
from finito.virtual_table.decks.invented.wear import Wear

Split = Literal["train", "validation", "test"]

_NUMBERS = ((range(9), 4), (range(10), 4), (range(1, 11), 2), (range(11), 1))
_SIZES = ((56.0, 87.0), (57.0, 88.0), (59.0, 91.0), (59.0, 92.0), (63.0, 88.0), (63.5, 88.9))


# What games print on cards that carry no number.
_SIGNS = ("+2", "+4", "+1", "J", "Q", "K", "A", "X", "?", "!", "=", "<>", "#", "&", "%", "@")


def _specials(rng: Random) -> list[str]:
    return rng.sample(_SIGNS, rng.randint(1, 5)) if rng.random() < 0.6 else []


@dataclass(frozen=True)
class _Artist:
    faces: FacePainter
    backs: dict[str, BackStyle]
    wear: Wear
    deck: str

    def draw_face(self, colour: str, text: str) -> Picture:
        return self.wear.on(self.faces.draw(colour, text), f"{self.deck}/{colour}{text}")

    def draw_back(self, name: str) -> Picture:
        return self.wear.on(self.backs[name].draw(self.faces.size), f"{self.deck}/{name}")


def random_deck(seed: int, split: Split) -> Deck:
    """Same seed, split and fonts: same deck. Splits share neither seeds, fonts, motifs nor words."""
    rng = Random(f"{split}/{seed}")
    card_mm = rng.choice(_SIZES) if rng.random() < 0.8 else (rng.uniform(54, 66), rng.uniform(84, 94))
    inks = random_inks(rng)
    numbers = tuple(rng.choices([n for n, _ in _NUMBERS], [weight for _, weight in _NUMBERS])[0])
    style = random_face_style(rng, split, len(inks.colours))
    backs = random_backs(rng, split, rng.randint(2, 12))
    backs = told_apart(backs, Random(f"{split}/{seed}/other backs"), split)
    painter = FacePainter(style, inks, picture_size(card_mm), numbers)
    named = {f"back{i}": back for i, back in enumerate(backs, start=1)}
    name = f"{split}-{seed}"
    return Deck(
        name=name,
        card_mm=card_mm,
        corner_radius_mm=rng.choice((rng.uniform(2.5, 4.5), rng.uniform(0.0, 6.0))),
        colours=inks.colours,
        numbers=numbers,
        backs=tuple(named),
        specials=tuple(colour + text for text in _specials(rng) for colour in inks.colours),
        artist=_Artist(painter, named, Wear.random(rng), name),
    )
