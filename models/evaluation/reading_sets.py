"""Rendered cards to read, with the decks enrolled from two rendered photos each."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from functools import cache
from typing import Literal, cast

import numpy as np
from numpy.typing import NDArray

from calibration.deck_enrolment import EnrolledDeck, Looking, enrol
from finito.virtual_table.decks import Deck, house_deck, random_deck
from finito.virtual_table.played_stills import STILLS_OF_A_GAME, played_still
from finito.virtual_table.render import render
from finito.virtual_table.scene import Card, Rendered, Sensor
from finito.virtual_table.stills import still
from vision.card_reader import CardReader
from vision.reading.corner_windows import corner_windows
from vision.reading.crops import cut_out, light_of
from vision.reading.looking import Looks

Split = Literal["train", "validation", "test"]

SIZES = ((1920, 1080), (1280, 720), (1280, 720), (960, 540))
SEEN = 0.35
_SMALLEST = 30.0  # pixels of a card's long side
_FINDER_ERROR = 0.012  # of the card's size, per corner
_GAP = 12.0
_FRESH = 12  # after so many stills all decks are new: a few odd decks must not decide a figure


@dataclass(frozen=True, eq=False)
class ShownCard:
    """A card in a picture: its crop, and the truth."""

    picture: str
    deck: str
    crop: NDArray[np.uint8]
    corners: NDArray[np.uint8]  # the windows at both of its ends
    light: NDArray[np.float32]
    side: str
    name: str  # face or back
    visible: float
    height: float  # pixels of its long side
    in_sight: bool  # whether the middle or a corner, where figures stand, is not covered

    @property
    def is_number(self) -> bool:
        """One of the faces a reader must be able to name without enrolment."""
        return self.side == "face" and self.name[0] in "RYGB"


def rendered_cards(split: Split, seed: int, stills: int) -> Iterator[ShownCard]:
    """Every card that shows at least SEEN of itself, with corners as a finder leaves them."""
    for index in range(stills):
        rng = np.random.default_rng([seed, index, 5])
        size = SIZES[int(rng.integers(len(SIZES)))]
        rendered = still(seed * 1000 + index // _FRESH, split, size, index % _FRESH)
        yield from _shown(rendered, f"{split}-{seed}-{index}", rng)


def played_cards(split: Split, seed: int, stills: int) -> Iterator[ShownCard]:
    """Likewise of stills of games, each of another game: a few odd decks must not decide a figure."""
    for game in range(stills):
        rng = np.random.default_rng([seed, game, 6])
        rendered = played_still(seed, split, SIZES[:2], game * STILLS_OF_A_GAME)
        yield from _shown(rendered, f"{split}-game-{seed}-{game}", rng)


def _shown(rendered: Rendered, name: str, rng: np.random.Generator) -> Iterator[ShownCard]:
    light = light_of(rendered.picture)
    for truth in rendered.cards:
        visible = truth.visible * (1 - truth.cut_off)
        quad = np.asarray(truth.corners, np.float32)
        sides = np.linalg.norm(quad - np.roll(quad, -1, axis=0), axis=1)
        if visible < SEEN or max(sides) < _SMALLEST:
            continue
        off = rng.normal(0, _FINDER_ERROR, (4, 2)) * (sides[[0, 2]].mean(), sides[[1, 3]].mean())
        seen = np.asarray(quad + off, np.float32)
        crop = cut_out(rendered.picture, seen)
        if rng.random() < 0.5:
            crop = np.ascontiguousarray(crop[::-1, ::-1])
        corners = corner_windows(rendered.picture, [seen])[0]
        design = truth.face if truth.side == "face" else truth.back
        tall, open_to_view = float(sides[[1, 3]].mean()), in_sight(rendered.ids == truth.number, quad)
        at = (name, rendered.deck, crop, corners, light)
        yield ShownCard(*at, truth.side, design, visible, tall, open_to_view)


def in_sight(own: NDArray[np.bool_], quad: NDArray[np.float32]) -> bool:
    """Whether a place where figures stand is open to view: the middle, or the corner at either end."""
    shown = cut_out(np.repeat(own[:, :, None].astype(np.uint8), 3, axis=2), quad)[:, :, 0]
    height, width = shown.shape
    middle = shown[height // 4 : -height // 4, width // 4 : -width // 4]
    corner = (slice(height // 12, height // 4), slice(width // 10, width // 3))
    corners = [shown[corner], shown[::-1, ::-1][corner]]
    return bool(middle.mean() > 0.9 or max(part.mean() for part in corners) > 0.93)


def stacked(cards: Sequence[ShownCard]) -> tuple[NDArray[np.uint8], NDArray[np.float32]]:
    return np.stack([card.crop for card in cards]), np.stack([card.light for card in cards])


def looks_at(reader: CardReader, cards: Sequence[ShownCard]) -> Looks:
    """The answers for cards, with what their corners say."""
    looks = reader.looks(*stacked(cards))
    return reader.with_corners(looks, lambda rows: np.stack([cards[i].corners for i in rows]))


@cache
def deck_called(name: str) -> Deck:
    """A deck by the name a rendering gives it."""
    split, _, seed = name.rpartition("-")
    if split in ("train", "validation", "test") and seed.isdigit():
        return random_deck(int(seed), cast(Split, split))
    return house_deck()


def enrolled_from_photos(name: str, look: Looking, model: str) -> EnrolledDeck:
    """The deck learnt from one rendered photo of its faces and one of its backs."""
    card_mm = deck_called(name).card_mm
    return enrol(name, "espresso", *photos_of(name), look, model, card_mm[0] / card_mm[1])


Crops = dict[str, tuple[NDArray[np.uint8], NDArray[np.float32]]]


@cache
def photos_of(name: str) -> tuple[Crops, Crops]:
    """The faces and the backs of a deck, cut from two photos."""
    faces, backs = (_cut_by_truth(photo) for photo in enrolment_photos(name))
    return faces, backs


def enrolment_photos(name: str) -> tuple[Rendered, Rendered]:
    """What a user photographs to enrol a deck: the faces in a grid, and a row of backs."""
    deck = deck_called(name)
    rows = [[f"{colour}{number}" for number in deck.numbers] for colour in deck.colours if colour in "RYGB"]
    return _photo_of_grid(deck, rows, "face", 1), _photo_of_grid(deck, [list(deck.backs)], "back", 2)


def _cut_by_truth(rendered: Rendered) -> Crops:
    light = light_of(rendered.picture)
    return {
        truth.card.name: (cut_out(rendered.picture, np.asarray(truth.corners, np.float32)), light)
        for truth in rendered.cards
    }


def _photo_of_grid(deck: Deck, rows: list[list[str]], side: str, seed: int) -> Rendered:
    """A photo of a grid of cards in the light and on the table of some other still."""
    rng = np.random.default_rng([*deck.name.encode(), seed])
    base = still(int(rng.integers(1 << 30)), "validation", (64, 36), 0, "grid").scene
    width, height = deck.card_mm[0] + _GAP, deck.card_mm[1] + _GAP
    cards = []
    for i, row in enumerate(rows):
        for j, design in enumerate(row):
            x, y = (j - (len(row) - 1) / 2) * width, (i - (len(rows) - 1) / 2) * height
            x, y, angle = x + rng.normal(0, 2), y + rng.normal(0, 2), rng.normal(0, 2.5)
            cards.append(Card(design, side, design, design, float(x), float(y), float(angle)))
    half_wide, half_tall = len(rows[0]) * width / 2, len(rows) * height / 2
    need = max(half_wide, half_tall * 16 / 9) * float(rng.uniform(1.05, 1.25))
    view = float(rng.uniform(45, 70))
    camera = replace(
        base.camera,
        size=(1920, 1080),
        target=(0.0, 0.0),
        distance=need / float(np.tan(np.radians(view) / 2)),
        tilt=float(abs(rng.normal(0, 10))),
        heading=float(rng.normal(0, 4)),
        roll=float(rng.normal(0, 2)),
        field_of_view=view,
    )
    sensor = Sensor(
        exposure=float(np.clip(base.sensor.exposure, 0.8, 1.15)),
        white_balance=base.sensor.white_balance,
        noise=min(3.0, base.sensor.noise),
        jpeg=90,
        seed=seed,
    )
    scene = replace(base, camera=camera, sensor=sensor, cards=tuple(cards), clutter=(), hands=(), zones={})
    return render(scene, deck)
